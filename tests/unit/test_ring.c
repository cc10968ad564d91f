// Rings, event counts and strands as one thread sees them; many threads are in
// tests/stress.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/ring.h"
#include "base/strand.h"

static int items[1000];

static void test_ring_hands_out_in_order(void **state)
{
    (void)state;
    struct tp_ring *r = tp_ring_create(10);
    void *item;
    assert_non_null(r);
    assert_false(tp_ring_try_take(r, &item));
    // Round and round, so that positions wrap.
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 10; i++)
            assert_true(tp_ring_try_put(r, &items[i]));
        for (int i = 0; i < 10; i++) {
            assert_true(tp_ring_try_take(r, &item));
            assert_ptr_equal(item, &items[i]);
        }
        assert_false(tp_ring_try_take(r, &item));
    }
    tp_ring_destroy(r);
}

static void test_ring_has_the_room_it_was_asked_for(void **state)
{
    (void)state;
    for (size_t capacity = 1; capacity < TP_ARRAY_LEN(items); capacity += capacity / 3 + 1) {
        struct tp_ring *r = tp_ring_create(capacity);
        size_t taken = 0;
        void *item;
        assert_non_null(r);
        while (tp_ring_try_put(r, &items[taken % TP_ARRAY_LEN(items)]))
            taken++;
        assert_true(taken >= capacity);
        // The next power of two less one, four slots at least.
        assert_int_equal((taken + 1) & taken, 0);
        assert_true(taken < 2 * capacity || taken == 3);
        assert_true(tp_ring_try_take(r, &item));
        assert_true(tp_ring_try_put(r, item));
        assert_false(tp_ring_try_put(r, item));
        tp_ring_destroy(r);
    }
}

static void test_ring_without_memory_is_none(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    tp_alloc_fail_at(1, false);
    assert_null(tp_ring_create(10));
    tp_alloc_fail_at(0, false);
    tp_ring_destroy(NULL);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

// Would hang if it were lost: the alarm of the test's time limit ends it.
static void test_wake_after_the_ticket_is_not_lost(void **state)
{
    (void)state;
    struct tp_event_count ec;
    tp_event_count_init(&ec);
    for (int i = 0; i < 1000; i++) {
        uint32_t ticket = tp_event_count_ticket(&ec);
        assert_int_equal(tp_event_count_ticket(&ec), ticket);
        tp_event_count_wake(&ec);
        assert_int_not_equal(tp_event_count_ticket(&ec), ticket);
        tp_event_count_sleep(&ec, ticket);
    }
}

static void test_first_post_to_an_idle_strand_runs_it(void **state)
{
    (void)state;
    struct tp_strand s = {0};
    assert_true(tp_strand_post(&s));
    assert_false(tp_strand_post(&s));
    assert_false(tp_strand_post(&s));
    uint32_t seen = tp_strand_begin(&s);
    assert_true(tp_strand_end(&s, seen));
    assert_true(tp_strand_post(&s));
}

static void test_post_during_a_step_makes_another_one(void **state)
{
    (void)state;
    struct tp_strand s = {0};
    assert_true(tp_strand_post(&s));
    uint32_t seen = tp_strand_begin(&s);
    assert_false(tp_strand_post(&s)); // meanwhile
    assert_false(tp_strand_end(&s, seen));
    seen = tp_strand_begin(&s);
    assert_true(tp_strand_end(&s, seen));
    // Idle again.
    assert_true(tp_strand_post(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring_hands_out_in_order),
        cmocka_unit_test(test_ring_has_the_room_it_was_asked_for),
        cmocka_unit_test(test_ring_without_memory_is_none),
        cmocka_unit_test(test_wake_after_the_ticket_is_not_lost),
        cmocka_unit_test(test_first_post_to_an_idle_strand_runs_it),
        cmocka_unit_test(test_post_during_a_step_makes_another_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
