// Numbers found by hash: against a list that is searched from one end to the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/index.h"
#include "tracepipe/error.h"

#define ITEMS 3000

struct list {
    uint64_t ids[ITEMS];
    uint32_t count;
    unsigned kinds; // of homes: few make long probes
    struct tp_index index;
};

static uint64_t hash_of_id(const struct list *l, uint64_t id)
{
    return (id % l->kinds) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t hash_of(const void *list, uint32_t number)
{
    const struct list *l = list;
    return hash_of_id(l, l->ids[number]);
}

static bool is_id(const void *list, uint32_t number, const void *key)
{
    return ((const struct list *)list)->ids[number] == *(const uint64_t *)key;
}

static uint32_t find(const struct list *l, uint64_t id)
{
    return tp_index_find(&l->index, hash_of_id(l, id), l, is_id, &id);
}

static bool add(struct list *l, uint64_t id)
{
    size_t bytes = tp_index_bytes(&l->index);
    size_t growth_bytes = tp_index_growth_bytes(&l->index, l->count);
    size_t room_bytes = growth_bytes > 0 ? growth_bytes - 1 : 0;
    if (growth_bytes > 0)
        assert_int_equal(tp_index_make_room_within(&l->index, l->count, hash_of, l, &room_bytes),
                         TP_E_LIMIT);
    room_bytes = growth_bytes;
    if (tp_index_make_room_within(&l->index, l->count, hash_of, l, &room_bytes) != 0)
        return false;
    assert_int_equal(room_bytes, 0);
    assert_int_equal(tp_index_bytes(&l->index), bytes + growth_bytes);
    l->ids[l->count] = id;
    assert_int_equal(tp_index_put(&l->index, hash_of_id(l, id), l->count), l->count);
    l->count++;
    return true;
}

// The last one takes its place.
static void take(struct list *l, uint32_t number)
{
    uint32_t last = l->count - 1;
    tp_index_remove(&l->index, number, hash_of, l);
    if (number != last) {
        tp_index_set(&l->index, hash_of(l, last), last, number);
        l->ids[number] = l->ids[last];
    }
    l->count--;
}

static void expect_all(const struct list *l)
{
    for (uint32_t i = 0; i < l->count; i++)
        assert_int_equal(find(l, l->ids[i]), i);
    assert_int_equal(find(l, UINT64_MAX), UINT32_MAX);
}

static void run_stage(unsigned kinds, unsigned count)
{
    static struct list l;
    l = (struct list){.kinds = kinds};
    uint64_t random = kinds;
    expect_all(&l);
    for (unsigned i = 0; i < count; i++) {
        assert_true(add(&l, i));
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        if (i % 3 == 2)
            take(&l, (uint32_t)((random >> 33) % l.count));
    }
    expect_all(&l);
    // Fewer than there were, under the same numbers.
    l.count /= 2;
    tp_index_refill(&l.index, l.count, hash_of, &l);
    expect_all(&l);
    tp_index_clear(&l.index);
    assert_int_equal(find(&l, l.ids[0]), UINT32_MAX);
    tp_index_fini(&l.index);
    assert_int_equal(tp_index_bytes(&l.index), 0);
}

static void test_items_are_found(void **state)
{
    (void)state;
    run_stage(1000000, ITEMS);
    run_stage(50, ITEMS);
    run_stage(1, 100);
}

static void test_without_memory_nothing_changes(void **state)
{
    (void)state;
    static struct list l;
    l = (struct list){.kinds = 1000};
    for (unsigned i = 0; i < 40; i++)
        assert_true(add(&l, i));
    tp_alloc_fail_at(1, false);
    assert_false(add(&l, 40)); // five eighths of 64 are full
    tp_alloc_fail_at(0, false);
    expect_all(&l);
    assert_true(add(&l, 40));
    expect_all(&l);
    tp_index_fini(&l.index);
}

static uint64_t plain_hash_of(const void *list, uint32_t number)
{
    return ((const struct list *)list)->ids[number];
}

// Hashes that agree in the lower half and in all bits that chose the slot without a key.
static void test_chosen_hashes_do_not_collide(void **state)
{
    const uint64_t key = tp_hash_key;
    static struct list l;
    size_t homes = 0;
    (void)state;
    tp_hash_key = tp_hash_key_of(0x5eed);
    for (; l.count < ITEMS; l.count++) {
        l.ids[l.count] = (uint64_t)l.count << 48;
        assert_true(tp_index_make_room(&l.index, l.count, plain_hash_of, &l));
        tp_index_put(&l.index, l.ids[l.count], l.count);
    }
    for (uint32_t at = 0, *n = l.index.numbers; at < l.index.count; at++)
        homes += n[at] != TP_INDEX_NONE && tp_index_home(&l.index, l.ids[n[at]]) == at;
    assert_in_range(homes, ITEMS / 2, ITEMS);
    tp_index_fini(&l.index);
    tp_hash_key = key;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_are_found),
        cmocka_unit_test(test_chosen_hashes_do_not_collide),
        cmocka_unit_test(test_without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
