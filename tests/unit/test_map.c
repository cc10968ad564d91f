// Maps of ids that come and go: after every step they answer as a plain list does,
// whatever the ids, and removal leaves nobody behind a hole.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/map.h"

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void test_empty_map_has_nothing(void **state)
{
    struct tp_map m = {0};
    (void)state;
    assert_int_equal(tp_map_get(&m, 0), TP_MAP_NONE);
    assert_int_equal(tp_map_get(&m, UINT64_MAX), TP_MAP_NONE);
    assert_int_equal(tp_map_bytes(&m), 0);
    tp_map_remove(&m, 3);
    tp_map_clear(&m);
    tp_map_fini(&m);
    tp_map_fini(&m);
}

// Kinds of ids. WORST have all the same place to be at, in any table of up to 2^16
// places; LAST_PLACE have the last one, so that runs wrap around.
enum shape { UPWARDS, SPREAD, FAR, WORST, LAST_PLACE, SHAPES };

// Returns the id with this hash under the multiplier `key`.
static uint64_t id_under(uint64_t key, uint64_t hash)
{
    uint64_t inverse = key;
    for (unsigned i = 0; i < 6; i++)
        inverse *= 2 - key * inverse;
    return hash * inverse;
}

static uint64_t id_with_hash(uint64_t hash)
{
    return id_under(tp_hash_key, hash);
}

static uint64_t id_of(enum shape shape, uint64_t i)
{
    switch (shape) {
    case UPWARDS: return i;
    case SPREAD: return i * UINT64_C(0xd6e8feb86659fd93);
    case FAR: return UINT64_MAX - i;
    case WORST: return id_with_hash((UINT64_C(0x1234) << 48) + i);
    default: return id_with_hash(UINT64_MAX - i);
    }
}

#define IDS 200

// What a map must say: value of id i, or TP_MAP_NONE.
struct model {
    uint32_t values[IDS];
    size_t count;
};

static void check(const struct tp_map *m, const struct model *want, enum shape shape)
{
    assert_int_equal(m->count, want->count);
    for (uint64_t i = 0; i < IDS; i++)
        assert_int_equal(tp_map_get(m, id_of(shape, i)), want->values[i]);
    // Searches end: at least three eighths of the places are free.
    size_t used = 0;
    for (size_t at = 0; m->entries != NULL && at <= m->mask; at++)
        used += m->entries[at].value != TP_MAP_NONE;
    assert_int_equal(used, want->count);
    assert_true(m->entries == NULL || 8 * used <= 5 * (m->mask + 1));
}

static void step(struct tp_map *m, struct model *want, enum shape shape, uint64_t *seed)
{
    uint64_t i = next_random(seed) % IDS;
    if (want->values[i] == TP_MAP_NONE) {
        uint32_t value = 1 + (uint32_t)(next_random(seed) % UINT32_MAX);
        assert_true(tp_map_put(m, id_of(shape, i), value));
        want->values[i] = value;
        want->count++;
    } else {
        tp_map_remove(m, id_of(shape, i));
        want->values[i] = TP_MAP_NONE;
        want->count--;
    }
}

static void forget(struct model *want)
{
    want->count = 0;
    for (size_t i = 0; i < IDS; i++)
        want->values[i] = TP_MAP_NONE;
}

static void test_comings_and_goings_as_in_a_list(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        struct tp_map m = {0};
        struct model want;
        forget(&want);
        for (unsigned n = 0; n < 3000; n++) {
            step(&m, &want, shape, &seed);
            check(&m, &want, shape);
        }
        size_t bytes = tp_map_bytes(&m);
        tp_map_clear(&m);
        forget(&want);
        check(&m, &want, shape);
        assert_int_equal(tp_map_bytes(&m), bytes);
        for (unsigned n = 0; n < 100; n++) {
            step(&m, &want, shape, &seed);
            check(&m, &want, shape);
        }
        tp_map_fini(&m);
    }
}

static void test_removal_of_what_is_not_there_changes_nothing(void **state)
{
    (void)state;
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        struct tp_map m = {0};
        for (uint32_t i = 0; i < IDS / 2; i++)
            assert_true(tp_map_put(&m, id_of(shape, i), i + 1));
        for (uint32_t i = IDS / 2; i < IDS; i++)
            tp_map_remove(&m, id_of(shape, i));
        assert_int_equal(m.count, IDS / 2);
        for (uint32_t i = 0; i < IDS / 2; i++)
            assert_int_equal(tp_map_get(&m, id_of(shape, i)), i + 1);
        tp_map_fini(&m);
    }
}

// Goroutines are made and end by the million, with ever new ids.
static void test_memory_is_for_those_that_live(void **state)
{
    enum { LIVE = 100, ALL = 100000 };
    struct tp_map m = {0};
    (void)state;
    for (uint64_t id = 0; id < ALL; id++) {
        assert_true(tp_map_put(&m, id, (uint32_t)id + 1));
        if (id >= LIVE)
            tp_map_remove(&m, id - LIVE);
    }
    assert_int_equal(m.count, LIVE);
    assert_true(m.mask + 1 <= 4 * LIVE);
    tp_map_fini(&m);
}

static void test_largest_value_and_id(void **state)
{
    struct tp_map m = {0};
    (void)state;
    assert_true(tp_map_put(&m, UINT64_MAX, UINT32_MAX));
    assert_true(tp_map_put(&m, 0, 1));
    assert_int_equal(tp_map_get(&m, UINT64_MAX), UINT32_MAX);
    assert_int_equal(tp_map_get(&m, 0), 1);
    tp_map_fini(&m);
}

static void test_without_memory_the_map_stays_as_it_was(void **state)
{
    struct tp_map m = {0};
    uint32_t n = 0;
    (void)state;
    tp_alloc_fail_at(1, true);
    assert_false(tp_map_put(&m, 1, 1));
    assert_int_equal(tp_map_get(&m, 1), TP_MAP_NONE);
    tp_alloc_fail_at(2, true);
    while (tp_map_put(&m, n, n + 1))
        n++;
    tp_alloc_fail_at(0, false);
    assert_int_equal(m.count, n);
    assert_true(n > 0);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(tp_map_get(&m, i), i + 1);
    assert_int_equal(tp_map_get(&m, n), TP_MAP_NONE);
    assert_true(tp_map_put(&m, n, n + 1));
    assert_int_equal(tp_map_get(&m, n), n + 1);
    tp_map_fini(&m);
}

// The number of entries that a search passes on average before it finds an id.
static size_t passed(const struct tp_map *m)
{
    size_t sum = 0;
    for (size_t at = 0; at <= m->mask; at++) {
        if (m->entries[at].value != TP_MAP_NONE)
            sum += (at - tp_map_home(m, m->entries[at].id)) & m->mask;
    }
    return sum / m->count;
}

// Ids that begin their search at one entry under one key are spread out under another one.
static void test_chosen_ids_do_not_collide(void **state)
{
    enum { CHOSEN = 20000 };
    const uint64_t key = tp_hash_key;
    struct tp_map m = {0};
    (void)state;
    tp_hash_key = tp_hash_key_of(0x5eed);
    for (uint32_t i = 0; i < CHOSEN; i++)
        assert_true(tp_map_put(&m, id_under(tp_hash_key_of(0), i), i + 1));
    assert_in_range(passed(&m), 0, 10);
    tp_map_fini(&m);
    tp_hash_key = key;
}

static uint64_t key_of_another_process(void)
{
    uint64_t key = 0;
    char command[PATH_MAX];
    snprintf(command, sizeof command, "exec '%s' key", program_invocation_name);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    assert_int_equal(fscanf(from, "%" SCNu64, &key), 1);
    assert_int_equal(pclose(from), 0);
    return key;
}

static void test_each_process_has_a_key_of_its_own(void **state)
{
    (void)state;
    assert_int_not_equal(key_of_another_process(), tp_hash_key);
    assert_int_not_equal(key_of_another_process(), key_of_another_process());
}

// Whatever the multiplier, searches for consecutive ids are short at every size of the table.
static void test_consecutive_ids_under_many_keys(void **state)
{
    const uint64_t key = tp_hash_key;
    uint64_t seed = 1;
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        struct tp_map m = {0};
        tp_hash_key = tp_hash_key_of(i == 0 ? UINT64_MAX : next_random(&seed));
        assert_true(tp_hash_key % 2 == 1);
        for (uint32_t id = 1; id <= 3000; id++) {
            assert_true(tp_map_put(&m, id, id));
            if (id % 16 == 0)
                assert_in_range(passed(&m), 0, 1);
        }
        tp_map_fini(&m);
    }
    tp_hash_key = key;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) // key_of_another_process asks
        return printf("%" PRIu64 "\n", tp_hash_key) < 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_map_has_nothing),
        cmocka_unit_test(test_comings_and_goings_as_in_a_list),
        cmocka_unit_test(test_removal_of_what_is_not_there_changes_nothing),
        cmocka_unit_test(test_memory_is_for_those_that_live),
        cmocka_unit_test(test_largest_value_and_id),
        cmocka_unit_test(test_chosen_ids_do_not_collide),
        cmocka_unit_test(test_each_process_has_a_key_of_its_own),
        cmocka_unit_test(test_consecutive_ids_under_many_keys),
        cmocka_unit_test(test_without_memory_the_map_stays_as_it_was),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
