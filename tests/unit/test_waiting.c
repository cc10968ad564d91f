// Threads that wait, kept apart from the frontier: the order, the errors and the counts of rules
// are those of asking all of them again after each event, which is what Go does and what
// order_lab does with never_waits; and it costs no more where more wait.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "decode/spec.h"
#include "merge/order/cursor.h"
#include "merge/order/waiting.h"
#include "hand_trace.h"

#define MANY 500 // threads


// THE SAME AS GO

#define SOUP_MS 90
#define SOUP_EVENTS 12
#define SOUP_KINDS 20
#define SOUP_CHOICE 5 // of these, mostly

// Any events about the few goroutines and Ps there are, so that many threads wait for the
// same, lose what they have to others, and are refused.
static void put_soup_event(struct hand_trace *t, uint64_t kind, uint64_t m, uint64_t times,
                           uint64_t *seed)
{
    uint64_t dt = wire_random(seed) % times, id = wire_random(seed) % 4;
    uint64_t count = 1 + wire_random(seed) % 3, on = 1 + wire_random(seed) % SOUP_MS;
    switch (kind) {
    case 0: HAND_PUT(t, TP_EV_ProcStatus, dt, id, 1 + count); break;
    case 1: HAND_PUT(t, TP_EV_ProcStart, dt, id, count); break;
    case 2: HAND_PUT(t, TP_EV_ProcStop, dt); break;
    case 3: HAND_PUT(t, TP_EV_ProcSteal, dt, id, count, on); break;
    case 4: HAND_PUT(t, TP_EV_ProcSteal, dt, id, count, m); break;
    case 5: HAND_PUT(t, TP_EV_GoStatus, dt, id, m, 1 + wire_random(seed) % 4); break;
    case 6: HAND_PUT(t, TP_EV_GoCreate, dt, id, 0, 0); break;
    case 7: HAND_PUT(t, TP_EV_GoCreateBlocked, dt, id, 0, 0); break;
    case 8:
    case 9: HAND_PUT(t, TP_EV_GoStart, dt, id, count); break;
    case 10:
    case 11: HAND_PUT(t, TP_EV_GoUnblock, dt, id, count, 0); break;
    case 12: HAND_PUT(t, TP_EV_GoSwitch, dt, id, count); break;
    case 13: HAND_PUT(t, TP_EV_GoSwitchDestroy, dt, id, count); break;
    case 14: HAND_PUT(t, TP_EV_GoSyscallBegin, dt, count, 0); break;
    case 15: HAND_PUT(t, TP_EV_GoSyscallEndBlocked, dt); break;
    case 16: HAND_PUT(t, TP_EV_GCBegin, dt, count, 0); break;
    case 17: HAND_PUT(t, TP_EV_GCEnd, dt, count); break;
    case 18: HAND_PUT(t, TP_EV_GoStop, dt, 0, 0); break;
    default: HAND_PUT(t, TP_EV_GoBlock, dt, 0, 0); break;
    }
}

static void put_soup(struct hand_trace *t, uint64_t times, uint64_t *seed)
{
    uint64_t kinds[SOUP_CHOICE];
    for (size_t i = 0; i < SOUP_CHOICE; i++)
        kinds[i] = wire_random(seed) % SOUP_KINDS;
    hand_begin(t, 1);
    for (uint64_t m = 1; m <= SOUP_MS; m++) {
        uint64_t what = wire_random(seed) % 4;
        if (what != 0)
            HAND_PUT(t, TP_EV_ProcStatus, wire_random(seed) % times, what, 1 + wire_random(seed) % 3);
        if (what > 1)
            HAND_PUT(t, TP_EV_GoStatus, 1, what, m, 2 + wire_random(seed) % 2);
        for (size_t i = wire_random(seed) % SOUP_EVENTS; i > 0; i--)
            put_soup_event(t, wire_random(seed) % 4 != 0 ? kinds[wire_random(seed) % SOUP_CHOICE]
                                                         : wire_random(seed) % SOUP_KINDS,
                           m, times, seed);
        hand_batch(t, m, 1 + wire_random(seed) % times);
    }
    hand_end(t);
}

static void test_whoever_waits_goes_when_go_has_him_go(void **state)
{
    uint64_t waited[TP_RULES] = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        // Some times are equal most of the while, now and then, or hardly ever.
        static const uint64_t all_times[] = {300, 10000, 30000, 1000000};
        const uint64_t times = all_times[seed % TP_ARRAY_LEN(all_times)];
        uint64_t random = seed;
        struct hand_trace t;
        hand_init(&t);
        put_soup(&t, times, &random);
        for (unsigned forced = 0; forced < 2; forced++) {
            struct order_way way = {.fill_capacity = 50, .is_forced = forced, .never_waits = true};
            struct order_result want = order_trace(26, hand_bytes(&t), false, &way);
            way.never_waits = false;
            for (unsigned at_once = 0; at_once < 2; at_once++) {
                way.waits_at_once = at_once;
                struct order_result got = order_trace(26, hand_bytes(&t), false, &way);
                const char *difference = order_difference(&got, &want);
                if (difference != NULL)
                    fail_msg("seed %llu, forced %u, at once %u: %s", (unsigned long long)seed,
                             forced, at_once, difference);
                order_result_fini(&got);
            }
            for (size_t i = 0; i < TP_RULES; i++)
                waited[i] += want.hits[i];
            order_result_fini(&want);
        }
        hand_fini(&t);
    }
    for (size_t row = 1; row < TP_WAIT_ROWS; row++)
        assert_true(waited[tp_wait_rules[row]] > 0);
}

// A switch asks for the goroutine of its own thread first, which another thread may have, too.
static void test_a_switch_that_waits_loses_its_goroutine(void **state)
{
    const struct order_way plain = {.fill_capacity = 512, .never_waits = true},
                           at_once = {.fill_capacity = 512, .waits_at_once = true};
    struct hand_trace t;
    (void)state;
    hand_init(&t);
    hand_begin(&t, 1);
    for (uint64_t m = 1; m <= 2; m++) {
        HAND_PUT(&t, TP_EV_ProcStatus, 1, m, 1);
        HAND_PUT(&t, TP_EV_GoStatus, 2, 1, m, 2);
        if (m == 1)
            HAND_PUT(&t, TP_EV_GoSwitch, 1, 5, 1);
        for (size_t i = 0; m == 2 && i < 5; i++)
            HAND_PUT(&t, TP_EV_HeapAlloc, 10, 5);
        HAND_PUT(&t, TP_EV_GoBlock, 100, 0, 0);
        HAND_PUT(&t, TP_EV_HeapAlloc, 1, 5);
        hand_batch(&t, m, 10 * m);
    }
    hand_end(&t);
    struct order_result want = order_trace(26, hand_bytes(&t), false, &plain);
    struct order_result got = order_trace(26, hand_bytes(&t), false, &at_once);
    assert_int_equal(want.error_count, 1);
    assert_string_equal(want.errors[0].text, "GoSwitch event for goroutine that's not Running");
    assert_null(order_difference(&got, &want));
    order_result_fini(&want);
    order_result_fini(&got);
    hand_fini(&t);
}

// COST

// How often threads are looked at out of their turn.
static uint64_t count_looks(const struct hand_trace *t, const char *why)
{
    const struct order_way way = {.fill_capacity = 512}, plain = {.fill_capacity = 512,
                                                                  .never_waits = true};
    struct order_result got = order_trace(26, hand_bytes(t), false, &way);
    struct order_result want = order_trace(26, hand_bytes(t), false, &plain);
    const char *difference = order_difference(&got, &want);
    if (difference != NULL)
        fail_msg("%s: %s", why, difference);
    uint64_t look_count = got.look_count;
    assert_true(want.look_count > MANY * MANY / 4);
    order_result_fini(&got);
    order_result_fini(&want);
    return look_count;
}

static void put_goroutine(struct hand_trace *t, uint64_t m)
{
    HAND_PUT(t, TP_EV_ProcStatus, 1, 0, 1);
    HAND_PUT(t, TP_EV_GoStatus, 1, 1, m, 2);
}

// However many threads wait, an event costs a few looks. Sorting, Go has one at each.
static void test_cost_where_many_wait(void **state)
{
    struct hand_trace t;
    (void)state;
    // What they wait for never comes, while one goes on.
    hand_init(&t);
    hand_begin(&t, 1);
    for (uint64_t m = 0; m < MANY; m++) {
        HAND_PUT(&t, TP_EV_ProcStart, 1, 100 + m, 5);
        hand_batch(&t, 10 + m, 10 + m);
    }
    put_goroutine(&t, 1);
    for (size_t i = 0; i < MANY; i++)
        HAND_PUT(&t, TP_EV_HeapAlloc, 1, 5);
    hand_batch(&t, 1, 2 * MANY);
    hand_end(&t);
    assert_in_range(count_looks(&t, "never"), MANY, 20 * MANY);
    hand_fini(&t);

    // One lets the next one go, who is earlier in time.
    hand_init(&t);
    hand_begin(&t, 1);
    for (uint64_t m = 0; m < MANY; m++) {
        HAND_PUT(&t, TP_EV_ProcStart, 1, 0, m + 1);
        HAND_PUT(&t, TP_EV_ProcStop, 1);
        hand_batch(&t, 10 + m, 10 + 3 * (MANY - m));
    }
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, 2);
    hand_batch(&t, 1, 1);
    hand_end(&t);
    assert_in_range(count_looks(&t, "crossing"), MANY, 20 * MANY);
    hand_fini(&t);

    // All wait for the same, which is there again and again, for one of them.
    hand_init(&t);
    hand_begin(&t, 1);
    for (uint64_t m = 0; m < MANY; m++) {
        HAND_PUT(&t, TP_EV_ProcStart, 1, 7, 1);
        HAND_PUT(&t, TP_EV_ProcStop, 1);
        hand_batch(&t, 10 + m, 10 + 3 * m);
    }
    put_goroutine(&t, 1);
    for (size_t i = 0; i < MANY; i++) {
        HAND_PUT(&t, TP_EV_ProcStatus, 5, 7, 2);
        HAND_PUT(&t, TP_EV_HeapAlloc, 1, 5);
    }
    hand_batch(&t, 1, 4 * MANY);
    hand_end(&t);
    assert_in_range(count_looks(&t, "the same"), MANY, 20 * MANY);
    hand_fini(&t);
}

// THE FRONTIER AND BACK

#define CURSORS 9

struct stage {
    struct tp_cursor cursors[CURSORS];
    struct tp_frontier_entry entries[TP_FRONTIER_ROOM(CURSORS)];
    struct tp_frontier frontier;
    struct tp_waiting waiting;
};

static void stage_init(struct stage *s, const int64_t times[static CURSORS])
{
    s->frontier = (struct tp_frontier){.entries = s->entries};
    s->waiting = (struct tp_waiting){0};
    tp_frontier_clear(&s->frontier, CURSORS);
    for (size_t i = 0; i < CURSORS; i++) {
        s->cursors[i] = (struct tp_cursor){.m = (int64_t)i};
        tp_frontier_push(&s->frontier, times[i], &s->cursors[i]);
    }
}

static bool enter(struct stage *s)
{
    return tp_waiting_enter(&s->waiting, &s->frontier, s->cursors, CURSORS, 1);
}

static void check_first(struct stage *s, uint32_t cursor, int64_t time_ns)
{
    int64_t ns;
    assert_int_equal(tp_waiting_first(&s->waiting, &ns), cursor);
    assert_int_equal(ns, time_ns);
}

static const int64_t distinct_times[CURSORS] = {10, 90, 20, 80, 30, 70, 40, 60, 50};

static void test_equal_times_are_left_to_the_frontier(void **state)
{
    struct stage s;
    (void)state;
    stage_init(&s, (const int64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 5});
    assert_false(enter(&s));
    assert_false(s.waiting.is_active);
    tp_waiting_fini(&s.waiting);

    stage_init(&s, distinct_times);
    assert_true(enter(&s));
    assert_true(tp_waiting_move(&s.waiting, 0, 25));
    check_first(&s, 2, 20);
    assert_false(tp_waiting_move(&s.waiting, 2, 60));
    tp_waiting_leave(&s.waiting, &s.frontier, s.cursors);
    assert_false(s.waiting.is_active);
    tp_waiting_fini(&s.waiting);
}

// What has gone since, and who was the last one of his, shows in the frontier as if nobody had
// waited: here against the frontier itself.
static void test_the_frontier_stands_as_if_nobody_had_waited(void **state)
{
    struct stage s, plain;
    (void)state;
    stage_init(&s, distinct_times);
    stage_init(&plain, distinct_times);
    assert_true(enter(&s));
    assert_true(tp_waiting_move(&s.waiting, 0, 45));
    assert_true(tp_waiting_remove(&s.waiting, 2));
    tp_waiting_sorts(&s.waiting); // the first one has to wait, the third one goes
    assert_true(tp_waiting_move(&s.waiting, 0, 300));
    assert_true(tp_waiting_remove(&s.waiting, 4));
    tp_waiting_leave(&s.waiting, &s.frontier, s.cursors);

    tp_frontier_update(&plain.frontier, 0, 45);
    tp_frontier_remove(&plain.frontier, 0);
    tp_frontier_sort(plain.frontier.entries, plain.frontier.count);
    assert_ptr_equal(plain.entries[2].cursor, &plain.cursors[0]);
    tp_frontier_update(&plain.frontier, 2, 300);
    tp_frontier_remove(&plain.frontier, 0);
    assert_int_equal(s.frontier.count, plain.frontier.count);
    for (size_t i = 0; i < s.frontier.count; i++) {
        assert_int_equal(s.entries[i].time_ns, plain.entries[i].time_ns);
        assert_int_equal(s.entries[i].cursor - s.cursors, plain.entries[i].cursor - plain.cursors);
    }
    tp_waiting_fini(&s.waiting);
}

static void test_who_waits_for_one_thing_goes_in_order_of_time(void **state)
{
    const struct tp_waits waits = {.items = {{.kind = TP_WAIT_P_IDLE, .id = 3, .count = 8}},
                                   .count = 1};
    const struct tp_answers other = {.items = {{.kind = TP_WAIT_P_IDLE, .id = 3, .count = 9},
                                               {.kind = TP_WAIT_P_LOST, .id = 3, .count = 8}},
                                     .count = 2},
                            answers = {.items = {waits.items[0]}, .count = 1},
                            of_m = {.has_m = true, .m = 5};
    uint32_t counts[TP_WAIT_ROWS];
    struct stage s;
    (void)state;
    stage_init(&s, distinct_times);
    assert_true(enter(&s));
    for (uint32_t i = 0; i < CURSORS; i++)
        tp_waiting_park(&s.waiting, i, 1 + i % 2, &waits);
    tp_waiting_answer(&s.waiting, &other);
    assert_int_equal(tp_waiting_first_ready(&s.waiting, counts), TP_WAITING_NONE);
    assert_int_equal(counts[1], 5);
    assert_int_equal(counts[2], 4);
    tp_waiting_answer(&s.waiting, &of_m);
    assert_int_equal(tp_waiting_first_ready(&s.waiting, counts), 5);
    assert_int_equal(counts[1], 5);
    assert_int_equal(counts[2], 1); // cursor 7
    tp_waiting_answer(&s.waiting, &answers);
    assert_int_equal(tp_waiting_first_ready(&s.waiting, counts), 0);
    tp_waiting_answer(&s.waiting, &answers);
    assert_true(tp_waiting_move(&s.waiting, 0, 1000));
    assert_int_equal(tp_waiting_first_ready(&s.waiting, counts), 2);
    check_first(&s, 2, 20);
    tp_waiting_fini(&s.waiting);
}

static void test_no_memory_to_have_them_wait(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 1;
    bool has_entered = false;
    (void)state;
    for (; !has_entered; nth++) {
        struct stage s;
        stage_init(&s, distinct_times);
        tp_alloc_fail_at(nth, false);
        has_entered = enter(&s);
        tp_alloc_fail_at(0, false);
        assert_int_equal(s.waiting.is_active, has_entered);
        tp_waiting_fini(&s.waiting);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_true(nth > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whoever_waits_goes_when_go_has_him_go),
        cmocka_unit_test(test_a_switch_that_waits_loses_its_goroutine),
        cmocka_unit_test(test_cost_where_many_wait),
        cmocka_unit_test(test_equal_times_are_left_to_the_frontier),
        cmocka_unit_test(test_the_frontier_stands_as_if_nobody_had_waited),
        cmocka_unit_test(test_who_waits_for_one_thing_goes_in_order_of_time),
        cmocka_unit_test(test_no_memory_to_have_them_wait),
    };
    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
