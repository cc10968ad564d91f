// Locks that are held too long, and congested channels, from waits by who ended them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding_lab.h"

#define SECOND (1000 * FINDING_MS)

#define LOCKS(s, ...) FINDING_STACK(s, "sync.(*Mutex).Lock", __VA_ARGS__)
#define UNLOCKS(s, ...) FINDING_STACK(s, "sync.(*Mutex).Unlock", __VA_ARGS__)

// LOCKS

static void expect_lock(uint64_t less, unsigned count, uint64_t want_value)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t left = LOCKS(&s, "main.get");
    finding_wake(&s, left, UNLOCKS(&s, "main.put"), "sync", count - 1, FINDING_MS, 5);
    finding_wake(&s, left, UNLOCKS(&s, "main.put"), "sync", 1, (36 - count) * FINDING_MS - less, 5);
    const struct tp_file_row *row = finding_judge(&s);
    assert_true(row->values[TP_FINDS_LOCK] == want_value);
    assert_true((finding_of(&s, TP_FINDS_LOCK) != NULL) ==
                (want_value != TP_VALUE_NONE && want_value >= 35000));
    tp_totals_fini(&s);
}

static void test_a_lock_at_the_threshold(void **state)
{
    (void)state;
    expect_lock(0, 3, 35000);
    expect_lock(1, 3, 34999);
    expect_lock(0, 2, TP_VALUE_NONE);
}

static void test_who_held_it(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t get = LOCKS(&s, "main.locked", "main.get", "main.main");
    // Waiters hand the lock on: most waits are ended by another waiter, who is not to blame.
    finding_wake(&s, get, UNLOCKS(&s, "main.locked", "main.get", "main.main"), "sync", 9, 10 * FINDING_MS, 3);
    finding_wake(&s, get, UNLOCKS(&s, "main.locked", "main.refresh", "main.main"), "sync", 1,
         5 * FINDING_MS, 5 * FINDING_MS);
    // Nobody of the program held it.
    finding_wake(&s, get, FINDING_STACK(&s, "runtime.semrelease"), "sync", 1, FINDING_MS, FINDING_MS);
    // These are no waits for a lock.
    finding_wake(&s, FINDING_STACK(&s, "sync.(*WaitGroup).Wait", "main.get"), UNLOCKS(&s, "main.a"), "sync",
         9, 100 * FINDING_MS, 100 * FINDING_MS);
    finding_wake(&s, get, UNLOCKS(&s, "main.a"), "select", 9, 100 * FINDING_MS, 0);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_LOCK);
    assert_non_null(found);
    assert_true(found->count == 11 && found->max_ns == 10 * FINDING_MS);
    assert_true(found->lost == 96 * FINDING_MS && found->value_ppm == 96000);
    assert_true(found->p99_ns <= found->max_ns && found->p99_ns > 9 * FINDING_MS);
    finding_expect_place(&s, &found->culprit, "main.refresh", 3);
    // Of the waits that main.get ended itself nothing but the helper is left.
    finding_expect_place(&s, &found->victim, "main.locked", 2);
    tp_totals_fini(&s);
}

static void test_the_library_held_it(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t get = LOCKS(&s, "net/http.(*Transport).take", "main.fetch");
    finding_wake(&s, get, UNLOCKS(&s, "net/http.(*Transport).put"), "sync", 9, 10 * FINDING_MS, 0);
    finding_wake(&s, get, FINDING_STACK(&s, "runtime.semrelease"), "sync", 9, 20 * FINDING_MS, 0);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_LOCK);
    assert_non_null(found);
    finding_expect_place(&s, &found->culprit, "net/http.(*Transport).put", 2);
    tp_totals_fini(&s);
}

static void test_locks_are_joined_by_functions(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    // a waits for b, b waits for c: one lock. x and y share nothing with these.
    finding_wake(&s, LOCKS(&s, "main.a"), UNLOCKS(&s, "main.b"), "sync", 5, 10 * FINDING_MS, FINDING_MS);
    finding_wake(&s, LOCKS(&s, "main.b"), UNLOCKS(&s, "main.c"), "sync", 5, 10 * FINDING_MS, 2);
    finding_wake(&s, LOCKS(&s, "main.x"), UNLOCKS(&s, "main.y"), "sync", 5, 8 * FINDING_MS, 0);
    finding_judge(&s);
    assert_int_equal(s.found.count, 2);
    assert_int_equal(s.found.items[0].value_ppm, 100000);
    finding_expect_place(&s, &s.found.items[0].culprit, "main.b", 2);
    assert_int_equal(s.found.items[1].value_ppm, 40000);
    // Nobody is to blame by time; by waits it is who ended them.
    finding_expect_place(&s, &s.found.items[1].culprit, "main.y", 2);
    finding_expect_place(&s, &s.found.items[1].victim, "main.x", 2);
    tp_totals_fini(&s);
}

// CHANNELS

#define SENDS(s, ...) FINDING_STACK(s, "runtime.chansend1", __VA_ARGS__)
#define RECEIVES(s, ...) FINDING_STACK(s, "runtime.chanrecv1", __VA_ARGS__)

static void expect_senders(uint64_t less, unsigned count, uint64_t want_value)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t left = SENDS(&s, "main.produce"), right = RECEIVES(&s, "main.consume");
    finding_wake(&s, left, right, "chan send", count - 1, 100 * FINDING_MS, 0);
    // The rest of 1.2 s is still blocked when the trace ends.
    finding_wake(&s, left, right, "chan send", 1, 50 * FINDING_MS, 0);
    uint64_t open_ns = 1200 * FINDING_MS - (100 * (count - 1) + 50) * FINDING_MS - less;
    assert_true(tp_totals_record_stack(&s, left, TP_STACK_SYNC_OPEN, 1, open_ns));
    assert_true(tp_totals_record_stack(&s, right, TP_STACK_SYNC_OPEN, 1, 9 * SECOND));
    const struct tp_file_row *row = finding_judge(&s);
    assert_true(row->values[TP_FINDS_CHANNEL] == want_value);
    const struct tp_found *found = finding_of(&s, TP_FINDS_CHANNEL);
    assert_true((found != NULL) == (want_value != TP_VALUE_NONE && want_value >= 1200000));
    if (found != NULL) {
        finding_expect_place(&s, &found->culprit, "main.consume", 2);
        finding_expect_place(&s, &found->victim, "main.produce", 2);
    }
    tp_totals_fini(&s);
}

static void test_senders_at_the_threshold(void **state)
{
    (void)state;
    expect_senders(0, 10, 1200000);
    expect_senders(1, 10, 1199999);
    expect_senders(0, 9, TP_VALUE_NONE);
}

static void test_receivers_count_with_blame(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        finding_wake(&s, RECEIVES(&s, "main.work"), SENDS(&s, "main.feed"), "chan receive", 20,
             200 * FINDING_MS, 1200 * FINDING_MS - less);
        const struct tp_file_row *row = finding_judge(&s);
        assert_int_equal(row->values[TP_FINDS_CHANNEL], 1200000 - less);
        assert_int_equal(s.found.count, 1 - less);
        tp_totals_fini(&s);
    }
}

static void test_who_selects_is_a_sender_or_a_receiver(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t selects = FINDING_STACK(&s, "runtime.selectgo", "main.a");
    finding_wake(&s, selects, RECEIVES(&s, "main.slow"), "select", 20, 100 * FINDING_MS, 0);
    finding_wake(&s, selects, SENDS(&s, "main.feed"), "select", 20, 100 * FINDING_MS, FINDING_MS);
    finding_wake(&s, selects, FINDING_STACK(&s, "runtime.selectgo", "main.b"), "select", 99, SECOND, SECOND);
    // A timer ended these.
    finding_wake(&s, selects, FINDING_STACK(&s, "runtime.chansend", "time.sendTime"), "select", 99, SECOND,
         SECOND);
    finding_wake(&s, selects, TP_INTERN_NONE, "chan send", 99, SECOND, SECOND);
    const struct tp_file_row *row = finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_CHANNEL);
    assert_non_null(found);
    assert_true(found->lost == 2 * SECOND && found->count == 20);
    assert_int_equal(row->values[TP_FINDS_CHANNEL], 2000000);
    finding_expect_place(&s, &found->culprit, "main.slow", 2);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lock_at_the_threshold),
        cmocka_unit_test(test_who_held_it),
        cmocka_unit_test(test_the_library_held_it),
        cmocka_unit_test(test_locks_are_joined_by_functions),
        cmocka_unit_test(test_senders_at_the_threshold),
        cmocka_unit_test(test_receivers_count_with_blame),
        cmocka_unit_test(test_who_selects_is_a_sender_or_a_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
