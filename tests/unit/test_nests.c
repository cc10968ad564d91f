// Items that are open within each other: after every step each search gives what a plain list gives,
// however deep the item lies, and whoever else has items with the same key.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/nests.h"

#define OWNERS 3
#define OPEN_MAX 300

struct item {
    struct tp_nest_item nest;
    uint32_t number;
};
struct nests {
    TP_NESTS(struct item);
};

// The items of an owner in a plain list, outermost first.
struct model {
    uint32_t top;
    size_t count;
    struct {
        struct tp_nest_key key;
        uint32_t number;
    } open[OPEN_MAX];
};

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void push(struct nests *n, struct model *m, uint64_t owner, struct tp_nest_key key,
                 uint32_t number)
{
    assert_true(TP_NESTS_PUSH(n, &m->top, owner, key));
    n->items[m->top].number = number;
    m->open[m->count].key = key;
    m->open[m->count++].number = number;
}

// Removes the innermost item with the key, if there is one, from both.
static void end(struct nests *n, struct model *m, uint64_t owner, struct tp_nest_key key)
{
    size_t at = m->count;
    while (at > 0 && !tp_nest_key_equals(m->open[at - 1].key, key))
        at--;
    uint32_t slot = TP_NESTS_FIND(n, m->top, owner, key);
    if (at == 0) {
        assert_int_equal(slot, 0);
        return;
    }
    assert_int_not_equal(slot, 0);
    assert_int_equal(n->items[slot].number, m->open[at - 1].number);
    TP_NESTS_REMOVE(n, &m->top, owner, slot);
    for (; at < m->count; at++)
        m->open[at - 1] = m->open[at];
    m->count--;
}

static void check(const struct nests *n, const struct model *m)
{
    size_t left = m->count;
    uint32_t inner = 0;
    for (uint32_t at = m->top; at != 0; inner = at, at = n->items[at].nest.next) {
        assert_true(left > 0);
        assert_int_equal(n->items[at].number, m->open[--left].number);
        assert_int_equal(n->items[at].nest.inner, inner);
    }
    assert_int_equal(left, 0);
}

// Opens and ends items with `key_count` keys. `lacks_memory`: no search can allocate.
static void walk(uint64_t seed, unsigned key_count, bool lacks_memory)
{
    struct nests n = {0};
    struct model m[OWNERS] = {0};
    for (uint32_t step = 1; step < 6000; step++) {
        uint64_t owner = next_random(&seed) % OWNERS;
        struct model *of = &m[owner];
        uint64_t key_no = next_random(&seed) % key_count;
        struct tp_nest_key key = {key_no % 3, key_no / 3};
        // Chains grow for a while, then they shrink.
        bool begins = next_random(&seed) % 16 < (step % 2000 < 1000 ? 11 : 5);
        if (begins && of->count < OPEN_MAX) {
            push(&n, of, owner, key, step);
        } else {
            // A search needs memory for an index only.
            tp_alloc_fail_at(lacks_memory ? 1 : 0, true);
            end(&n, of, owner, key);
            tp_alloc_fail_at(0, false);
        }
        if (step % 1500 == 0)
            tp_nests_drop_index(&n.as_nests);
        for (size_t i = 0; i < OWNERS; i++)
            check(&n, &m[i]);
    }
    TP_NESTS_FINI(&n);
}

static void test_a_search_gives_the_innermost(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        walk(seed, 4, false);
        walk(seed, 60, false);
        walk(seed, 2000, false);
    }
}

static void test_a_search_without_memory_for_an_index(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    (void)state;
    walk(5, 60, true);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

// With a search through the others for each item this takes minutes.
static void test_many_that_end_from_the_outside(void **state)
{
    const uint32_t count = 1000000;
    struct nests n = {0};
    uint32_t top = 0;
    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(TP_NESTS_PUSH(&n, &top, 7, ((struct tp_nest_key){0, i})));
        n.items[top].number = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct tp_nest_key key = {0, i};
        assert_int_equal(TP_NESTS_FIND(&n, top, 7, ((struct tp_nest_key){1, i})), 0);
        uint32_t slot = TP_NESTS_FIND(&n, top, 7, key);
        assert_int_equal(n.items[slot].number, i);
        TP_NESTS_REMOVE(&n, &top, 7, slot);
    }
    assert_int_equal(top, 0);
    TP_NESTS_FINI(&n);
}

static void test_a_chain_inside_another(void **state)
{
    struct nests n = {0};
    struct model m[2] = {0};
    (void)state;
    for (uint32_t i = 0; i < 50; i++)
        push(&n, &m[0], 1, (struct tp_nest_key){0, i}, i);
    for (uint32_t i = 50; i < 100; i++)
        push(&n, &m[1], 1, (struct tp_nest_key){0, i}, i);
    // Indexes the outer chain.
    assert_int_not_equal(TP_NESTS_FIND(&n, m[0].top, 1, ((struct tp_nest_key){0, 0})), 0);
    tp_nests_join(&n.as_nests, &m[0].top, m[1].top, sizeof *n.items);
    for (size_t i = 0; i < m[1].count; i++)
        m[0].open[m[0].count++] = m[1].open[i];
    check(&n, &m[0]);
    for (uint32_t i = 0; i < 100; i++) {
        end(&n, &m[0], 1, (struct tp_nest_key){0, i});
        check(&n, &m[0]);
    }
    tp_nests_join(&n.as_nests, &m[0].top, 0, sizeof *n.items);
    assert_int_equal(m[0].top, 0);
    TP_NESTS_FINI(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_search_gives_the_innermost),
        cmocka_unit_test(test_a_search_without_memory_for_an_index),
        cmocka_unit_test(test_many_that_end_from_the_outside),
        cmocka_unit_test(test_a_chain_inside_another),
    };
    return cmocka_run_group_tests_name("nests", tests, NULL, NULL);
}
