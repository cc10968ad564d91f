#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/slab.h"

struct thing {
    uint64_t a, b;
};

struct things {
    TP_SLAB(struct thing);
};

static struct thing *add(struct things *s, uint64_t id)
{
    struct thing *t = TP_SLAB_GET_OR_ADD(s, id);
    assert_non_null(t);
    assert_int_equal(t->a | t->b, 0);
    return t;
}

// Against an array of all ids.
static void test_things_come_and_go(void **state)
{
    enum { IDS = 50, STEPS = 20000 };
    (void)state;
    struct things s = {0};
    uint64_t want[IDS] = {0}, random = 1;
    uint32_t alive = 0, most = 0;
    for (uint64_t i = 1; i <= STEPS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned id = (unsigned)(random >> 33) % IDS;
        struct thing *t = TP_SLAB_GET(&s, id);
        if (want[id] == 0) {
            assert_null(t);
            *add(&s, id) = (struct thing){i, ~i};
            want[id] = i;
            most = ++alive > most ? alive : most;
        } else if ((random >> 60) % 2 == 0) {
            assert_ptr_equal(TP_SLAB_GET_OR_ADD(&s, id), t);
            assert_true(t->a == want[id] && t->b == ~want[id]);
        } else {
            TP_SLAB_REMOVE(&s, id);
            want[id] = 0;
            alive--;
        }
    }
    // What was removed was used again.
    assert_int_equal(s.count, most);
    assert_int_equal(TP_SLAB_BYTES(&s),
                     most * (sizeof(struct thing) + sizeof(struct tp_map_entry)));
    TP_SLAB_REMOVE(&s, IDS);
    TP_SLAB_FINI(&s);
    assert_int_equal(TP_SLAB_BYTES(&s), 0);
    assert_null(TP_SLAB_GET(&s, 1));
}

// Many chains in one pool, against arrays.
static void test_chains_share_slots(void **state)
{
    enum { CHAINS = 7, DEPTH = 40, STEPS = 20000 };
    struct link {
        uint32_t next;
        uint32_t value;
    };
    TP_SLOTS(struct link) s = {0};
    (void)state;
    uint32_t tops[CHAINS] = {0}, want[CHAINS][DEPTH], depths[CHAINS] = {0};
    uint32_t used = 0, most = 0;
    uint64_t random = 1;
    for (uint32_t i = 0; i < STEPS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned c = (unsigned)(random >> 33) % CHAINS;
        if (depths[c] == DEPTH || (depths[c] > 0 && (random >> 60) % 2 == 0)) {
            assert_int_equal(s.items[tops[c]].value, want[c][--depths[c]]);
            TP_SLOTS_POP(&s, &tops[c]);
            used--;
        } else {
            assert_true(TP_SLOTS_PUSH(&s, &tops[c]));
            s.items[tops[c]].value = want[c][depths[c]++] = i;
            most = ++used > most ? used : most;
        }
        assert_int_equal(tops[c] == 0, depths[c] == 0);
    }
    assert_int_equal(s.count, most);
    TP_SLOTS_CLEAR(&s);
    tops[0] = 0;
    assert_true(TP_SLOTS_PUSH(&s, &tops[0]));
    assert_int_equal(tops[0], 1);
    tp_free(s.items);
}

static void test_memory_that_fails(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    bool has_fired = true;
    for (uint64_t nth = 1; has_fired; nth++) {
        struct things s = {0};
        uint64_t added = 0;
        tp_alloc_fail_at(nth, false);
        for (uint64_t id = 0; id < 100; id++) {
            struct thing *t = TP_SLAB_GET_OR_ADD(&s, id);
            assert_ptr_equal(TP_SLAB_GET(&s, id), t);
            added += t != NULL;
        }
        has_fired = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(added, has_fired ? 99 : 100);
        TP_SLAB_FINI(&s);
    }
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_come_and_go),
        cmocka_unit_test(test_chains_share_slots),
        cmocka_unit_test(test_memory_that_fails),
    };
    return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
