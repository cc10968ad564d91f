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

static struct thing *add(struct tp_slab *s, uint64_t id)
{
    struct thing *t = tp_slab_add(s, id, sizeof *t);
    assert_non_null(t);
    assert_int_equal(t->a | t->b, 0);
    return t;
}

// Against an array of all ids.
static void test_things_come_and_go(void **state)
{
    enum { IDS = 50, STEPS = 20000 };
    (void)state;
    struct tp_slab s = {0};
    uint64_t want[IDS] = {0}, random = 1;
    uint32_t alive = 0, most = 0;
    for (uint64_t i = 1; i <= STEPS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned id = (unsigned)(random >> 33) % IDS;
        struct thing *t = tp_slab_get(&s, id);
        if (want[id] == 0) {
            assert_null(t);
            *add(&s, id) = (struct thing){i, ~i};
            want[id] = i;
            most = ++alive > most ? alive : most;
        } else if ((random >> 60) % 2 == 0) {
            assert_ptr_equal(tp_slab_get_or_add(&s, id, sizeof *t), t);
            assert_true(t->a == want[id] && t->b == ~want[id]);
        } else {
            tp_slab_remove(&s, id);
            want[id] = 0;
            alive--;
        }
    }
    // What was removed was used again.
    assert_int_equal(s.count, most);
    assert_int_equal(tp_slab_bytes(&s),
                     most * (sizeof(struct thing) + sizeof(struct tp_map_entry)));
    tp_slab_remove(&s, IDS);
    tp_slab_fini(&s);
    assert_int_equal(tp_slab_bytes(&s), 0);
    assert_null(tp_slab_get(&s, 1));
}

static void test_memory_that_fails(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    bool has_fired = true;
    for (uint64_t nth = 1; has_fired; nth++) {
        struct tp_slab s = {0};
        uint64_t added = 0;
        tp_alloc_fail_at(nth, false);
        for (uint64_t id = 0; id < 100; id++) {
            struct thing *t = tp_slab_add(&s, id, sizeof *t);
            assert_ptr_equal(tp_slab_get(&s, id), t);
            added += t != NULL;
        }
        has_fired = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(added, has_fired ? 99 : 100);
        tp_slab_fini(&s);
    }
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_come_and_go),
        cmocka_unit_test(test_memory_that_fails),
    };
    return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
