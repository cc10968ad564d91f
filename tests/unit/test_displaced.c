// Which events of a generation with holes are displaced (tracepipe/event.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hand_trace.h"
#include "merge/order/sequence.h"

#define EVENTS 5 // with the Sync event in front
#define CAPACITY 32

// Orders two threads: the first waits for a creation that is lost, so that it goes on only after the
// event of the second one, at `second_ns`.
static void order(enum tp_repair repair, uint64_t second_ns, struct tp_event *events)
{
    struct tp_batch_ref refs[2];
    struct tp_m_run runs[2];
    struct tp_generation g = {.number = 1, .has_lists = true, .ms.items = runs, .ms.count = 2};
    struct tp_sequencer s;
    struct tp_error err = {0};
    struct hand_trace t;
    size_t count;
    hand_init(&t);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, 1);
    HAND_PUT(&t, TP_EV_GoStart, 1, 5, 9);
    HAND_PUT(&t, TP_EV_GoBlock, 1, 0, 0);
    size_t first_bytes = t.body.len_bytes;
    HAND_PUT(&t, TP_EV_ProcStatus, second_ns, 1, 1);
    refs[0] = (struct tp_batch_ref){.body = t.body.ptr, .body_bytes = (uint32_t)first_bytes};
    refs[1] = (struct tp_batch_ref){.body = t.body.ptr + first_bytes,
                                    .body_bytes = (uint32_t)(t.body.len_bytes - first_bytes)};
    for (size_t i = 0; i < 2; i++)
        runs[i] = (struct tp_m_run){.m = i, .batches.items = &refs[i], .batches.count = 1};
    struct tp_tables *tables = tp_tables_create(1, 26, TP_MIB(1));
    tables->frequency = 1000000000;
    tables->ns_per_tick = 1.0;
    tp_sequencer_init(&s, TP_MIB(1), false);
    assert_int_equal(tp_sequencer_begin(&s, &g, tables, repair, NULL, NULL, &err), 0);
    assert_int_equal(tp_sequencer_fill(&s, events, CAPACITY, &count, &err),
                     TP_FILL_END);
    assert_int_equal(count, EVENTS);
    tp_sequencer_fini(&s);
    tp_tables_release(tables);
    hand_fini(&t);
}

static void expect(enum tp_repair repair, uint64_t second_ns, bool start, bool block)
{
    struct tp_event events[CAPACITY];
    memset(events, 0xff, sizeof events);
    order(repair, second_ns, events);
    assert_int_equal(events[2].type, TP_EV_ProcStatus);
    assert_int_equal(events[2].time_ns, second_ns);
    assert_int_equal(events[3].type, TP_EV_GoStart);
    assert_int_equal(events[4].type, TP_EV_GoBlock);
    assert_int_equal(events[4].time_ns, second_ns + 2);
    assert_false(events[0].is_displaced || events[1].is_displaced || events[2].is_displaced);
    assert_true(events[3].is_displaced == start && events[4].is_displaced == block);
}

static void test_who_does_not_follow_is_displaced(void **state)
{
    (void)state;
    expect(TP_REPAIR_ALWAYS, 5, true, false);
}

// The thread would go on at 2 and 3 ns.
static void test_who_waited_long_is_displaced(void **state)
{
    (void)state;
    expect(TP_REPAIR_ALWAYS, 100001, true, false);
    expect(TP_REPAIR_ALWAYS, 100002, true, true);
}

static void test_nobody_is_where_nothing_is_missing(void **state)
{
    (void)state;
    expect(TP_REPAIR_MIDDLE, 200000, false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_does_not_follow_is_displaced),
        cmocka_unit_test(test_who_waited_long_is_displaced),
        cmocka_unit_test(test_nobody_is_where_nothing_is_missing),
    };
    return cmocka_run_group_tests_name("displaced", tests, NULL, NULL);
}
