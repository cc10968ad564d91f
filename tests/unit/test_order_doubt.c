// Faults of Go's tracer in whole traces, read in every way (order_lab.h): what is believed, and
// when, is the same in all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "hand_trace.h"
#include "order_walk.h"

#define RUNNING 1
#define IDLE 2
#define REFUSAL "inconsistent status for proc 0: old Idle vs. new Running"

// P 0 is idle, and thread 9 runs on P 1 all the time.
static void begin_idle(struct hand_trace *t)
{
    hand_init(t);
    hand_begin(t, 5);
    HAND_PUT(t, TP_EV_ProcStatus, 1, 0, IDLE);
    hand_batch(t, 1, 10);
    HAND_PUT(t, TP_EV_ProcStatus, 1, 1, RUNNING);
    hand_batch(t, 9, 11);
    hand_end(t);
    hand_begin(t, 100);
    HAND_PUT(t, TP_EV_ProcStatus, 50, 1, RUNNING);
    HAND_PUT(t, TP_EV_HeapAlloc, 10, 4096);
    HAND_PUT(t, TP_EV_HeapAlloc, 200, 4097);
    hand_batch(t, 9, 100);
}

#define BEGUN "-1 Sync 5, 1 ProcStatus 11, 9 ProcStatus 12, -1 Sync 100"

static void test_a_status_before_its_start_is_believed_in_its_turn(void **state)
{
    struct hand_trace t;
    (void)state;
    begin_idle(&t);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
    HAND_PUT(&t, TP_EV_HeapObjectFree, 99, 7);
    HAND_PUT(&t, TP_EV_ProcStart, 1, 0, 1);
    HAND_PUT(&t, TP_EV_HeapAlloc, 99, 8192);
    hand_batch(&t, 1, 100);
    hand_end(&t);
    struct order_result r = hand_read(&t, true);
    // Nobody else's events come earlier or later for it.
    hand_check_result(&r, BEGUN ", 1 ProcStatus 101, 9 ProcStatus 150, 9 HeapAlloc 160, "
                      "1 HeapObjectFree 200, 1 ProcStart 201, 1 HeapAlloc 300, 9 HeapAlloc 360, "
                      "-1 Sync 361");
    assert_int_equal(r.doubts.count, 1);
    assert_int_equal(r.doubts.first[0].generation, 2);
    assert_int_equal(r.doubts.first[0].time_ns, 101);
    assert_int_equal(r.doubts.first[0].m, 1);
    assert_string_equal(r.doubts.first[0].text, REFUSAL);
    order_result_fini(&r);
    // Go's reader refuses it.
    hand_check(&t, false, BEGUN "; " REFUSAL);
    hand_fini(&t);
}

// Its thread is not first in time, but whoever is waits for it.
static void test_a_status_before_its_start_out_of_turn(void **state)
{
    struct hand_trace t;
    (void)state;
    begin_idle(&t);
    HAND_PUT(&t, TP_EV_ProcStatus, 400, 0, RUNNING);
    HAND_PUT(&t, TP_EV_ProcStart, 1, 0, 1);
    HAND_PUT(&t, TP_EV_ProcStop, 1);
    hand_batch(&t, 1, 100);
    HAND_PUT(&t, TP_EV_ProcStart, 1, 0, 2);
    hand_batch(&t, 2, 100);
    hand_end(&t);
    struct order_result r = hand_read(&t, true);
    hand_check_result(&r, BEGUN ", 9 ProcStatus 150, 9 HeapAlloc 160, 9 HeapAlloc 360, "
                      "1 ProcStatus 500, 1 ProcStart 501, 1 ProcStop 502, 2 ProcStart 503, "
                      "-1 Sync 504");
    assert_int_equal(r.doubts.count, 1);
    order_result_fini(&r);
    hand_fini(&t);
}

// Flushes of many events, in a window and over batches.
static void test_a_long_flush(void **state)
{
    for (uint64_t count = 0; count < 3000; count = 3 * count + 1) {
        struct hand_trace t;
        (void)state;
        begin_idle(&t);
        HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
        for (uint64_t i = 0; i < count; i++) {
            HAND_PUT(&t, TP_EV_HeapObjectFree, 1, UINT64_MAX - i);
            if (i == 100 || i == 101)
                hand_batch(&t, 1, 101 + i);
        }
        HAND_PUT(&t, TP_EV_ProcStart, 1, 0, 1);
        hand_batch(&t, 1, 101 + count);
        hand_end(&t);
        struct order_result r = hand_read(&t, true);
        assert_int_equal(r.error_count, 0);
        assert_int_equal(r.doubts.count, 1);
        assert_int_equal(r.event_count, 10 + count);
        order_result_fini(&r);
        hand_fini(&t);
    }
}

static void test_more_doubts_than_are_kept(void **state)
{
    struct hand_trace t;
    uint64_t count = TP_DOUBTS_KEPT + 3;
    (void)state;
    hand_init(&t);
    hand_begin(&t, 5);
    for (uint64_t p = 0; p < count; p++)
        HAND_PUT(&t, TP_EV_ProcStatus, 1, p, IDLE);
    hand_batch(&t, 1, 10);
    hand_end(&t);
    hand_begin(&t, 100);
    for (uint64_t p = 0; p < count; p++) {
        HAND_PUT(&t, TP_EV_ProcStatus, 1, p, RUNNING);
        HAND_PUT(&t, TP_EV_ProcStart, 1, p, 1);
        HAND_PUT(&t, TP_EV_ProcStop, 1);
    }
    hand_batch(&t, 1, 100);
    hand_end(&t);
    struct order_result r = hand_read(&t, true);
    assert_int_equal(r.error_count, 0);
    assert_int_equal(r.doubts.count, count);
    for (size_t i = 0; i < TP_DOUBTS_KEPT; i++)
        assert_int_equal(r.doubts.first[i].time_ns, 101 + 3 * i);
    order_result_fini(&r);
    hand_fini(&t);
}

// What cannot be decoded behind it is told where it stands, not as its refusal.
static void test_events_behind_it_that_cannot_be_decoded(void **state)
{
    struct hand_trace t;
    (void)state;
    begin_idle(&t);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
    HAND_PUT(&t, TP_EV_ProcStart, 1, 0, 1);
    HAND_PUT(&t, 200, 1);
    hand_batch(&t, 1, 100);
    hand_end(&t);
    struct order_result r = hand_read(&t, true);
    assert_int_equal(r.doubts.count, 1);
    assert_int_equal(r.error_count, 1);
    assert_string_equal(r.errors[0].text, "found invalid event type: 200");
    order_result_fini(&r);
    hand_fini(&t);

    begin_idle(&t);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
    HAND_PUT(&t, 200, 1);
    hand_batch(&t, 1, 100);
    hand_end(&t);
    r = hand_read(&t, true);
    assert_int_equal(r.doubts.count, 0);
    assert_int_equal(r.error_count, 1);
    assert_string_equal(r.errors[0].text, REFUSAL);
    order_result_fini(&r);
    hand_fini(&t);
}

// MISTAKES OF ANNOTATIONS

// Goroutine 5, from before the trace, and 8, which it creates, run on P 0 in turn. The generation has
// no strings, so all names are empty, and the tasks of regions tell them apart.
static void begin_annotated(struct hand_trace *t)
{
    hand_init(t);
    hand_begin(t, 5);
    HAND_PUT(t, TP_EV_ProcStatus, 1, 0, RUNNING);
    HAND_PUT(t, TP_EV_GoStatus, 1, 5, 1, 2);
    HAND_PUT(t, TP_EV_GoCreate, 1, 8, 0, 0);
}

static void switch_to_8(struct hand_trace *t)
{
    HAND_PUT(t, TP_EV_GoBlock, 1, 0, 0);
    HAND_PUT(t, TP_EV_GoStart, 1, 8, 1);
}

static void region(struct hand_trace *t, unsigned code, uint64_t task)
{
    HAND_PUT(t, code, 1, task, 0, 0);
}

static void test_mistakes_of_every_kind(void **state)
{
    struct hand_trace t;
    (void)state;
    begin_annotated(&t);
    region(&t, TP_EV_UserRegionBegin, 1);
    region(&t, TP_EV_UserRegionBegin, 2);
    region(&t, TP_EV_UserRegionEnd, 1);
    hand_batch(&t, 1, 10);
    hand_end(&t);
    // The regions and tasks of a generation are known in the next one.
    hand_begin(&t, 100);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
    HAND_PUT(&t, TP_EV_GoStatus, 1, 5, 1, 2);
    region(&t, TP_EV_UserRegionEnd, 3);
    region(&t, TP_EV_UserRegionEnd, 2);
    region(&t, TP_EV_UserRegionEnd, 1); // perhaps from before the trace
    HAND_PUT(&t, TP_EV_UserTaskBegin, 1, 77, 0, 0, 0);
    HAND_PUT(&t, TP_EV_UserTaskEnd, 1, 77, 0);
    HAND_PUT(&t, TP_EV_GoStatus, 1, 8, UINT64_MAX, 1);
    switch_to_8(&t);
    region(&t, TP_EV_UserRegionEnd, 1);
    region(&t, TP_EV_UserRegionBegin, 6);
    hand_batch(&t, 1, 100);
    hand_end(&t);
    hand_begin(&t, 200);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
    HAND_PUT(&t, TP_EV_GoStatus, 1, 8, 1, 2);
    HAND_PUT(&t, TP_EV_UserTaskEnd, 1, 77, 0);
    HAND_PUT(&t, TP_EV_GoDestroy, 1);
    hand_batch(&t, 1, 200);
    hand_end(&t);
    struct order_result r = hand_read(&t, true);
    assert_int_equal(r.error_count, 0);
    static const struct {
        enum tp_doubt_kind kind;
        uint64_t generation;
        int64_t g;
    } want[] = {{TP_DOUBT_REGION_OVERLAP, 1, 5},
                {TP_DOUBT_REGION_NOT_OPEN, 2, 5},
                {TP_DOUBT_REGION_NOT_OPEN, 2, 8},
                {TP_DOUBT_TASK_ENDED_TWICE, 3, 8},
                {TP_DOUBT_REGION_NOT_ENDED, 3, 8}};
    assert_int_equal(r.doubts.count, TP_ARRAY_LEN(want));
    for (size_t i = 0; i < TP_ARRAY_LEN(want); i++) {
        assert_int_equal(r.doubts.first[i].kind, want[i].kind);
        assert_int_equal(r.doubts.first[i].generation, want[i].generation);
        assert_int_equal(r.doubts.first[i].g, want[i].g);
    }
    assert_string_equal(r.doubts.first[0].text, "region of task 1 in goroutine 5 ends while a region "
                                                "that began inside it is open");
    order_result_fini(&r);
    // Go's reader stops at the first.
    r = hand_read(&t, false);
    assert_int_equal(r.doubts.count, 0);
    assert_string_equal(r.errors[0].text, "misuse of region in goroutine 5: region end {1 } when the "
                                          "inner-most active region start event is {2 }");
    order_result_fini(&r);
    hand_fini(&t);
}

// All are counted. With a search through the others for each end this takes minutes.
static void test_many_regions_that_end_from_the_outside(void **state)
{
    enum { COUNT = 50000 };
    struct hand_trace t;
    (void)state;
    begin_annotated(&t);
    switch_to_8(&t);
    for (uint64_t i = 0; i < 2 * COUNT; i++) {
        region(&t, i < COUNT ? TP_EV_UserRegionBegin : TP_EV_UserRegionEnd, 1 + i % COUNT);
        if (i % 1000 == 999)
            hand_batch(&t, 1, 1000 * i);
    }
    hand_batch(&t, 1, 2000 * (uint64_t)COUNT);
    hand_end(&t);
    struct order_result r = hand_read(&t, true);
    assert_int_equal(r.error_count, 0);
    assert_int_equal(r.doubts.by_kind[TP_DOUBT_REGION_OVERLAP], COUNT - 1);
    assert_int_equal(r.doubts.count, COUNT - 1);
    order_result_fini(&r);
    hand_fini(&t);
}

// READING ON

struct loader {
    struct tp_batch_loader loader; // first
    const unsigned char *bytes;
    unsigned calls_left;           // before it fails
};

static int load(struct tp_batch_loader *l, const struct tp_batch_ref *ref, uint32_t skip_bytes,
                unsigned char *to, uint32_t len_bytes, struct tp_error *err)
{
    struct loader *mine = (struct loader *)l;
    (void)ref;
    if (mine->calls_left-- == 0)
        return tp_fail(err, TP_E_READ, "gone");
    memcpy(to, mine->bytes + skip_bytes, len_bytes);
    return 0;
}

// What it comes to to ask about the first event of `body`, read through a window by a loader that
// can be called `loads` times; `nth_alloc`, if not 0, fails.
static int believe(struct walk *w, const struct tp_buf *body, unsigned loads, unsigned nth_alloc,
                   size_t *ret_made)
{
    struct tp_batch_ref ref = {.time_ticks = 1, .body_bytes = (uint32_t)body->len_bytes};
    struct tp_m_run run = {.m = 1, .batches.items = &ref, .batches.count = 1};
    struct loader l = {{load, TP_CURSOR_WINDOW_MIN_BYTES}, body->ptr, loads};
    struct tp_cursor c;
    struct tp_error err = {0};
    tp_cursor_init(&c, &run);
    assert_int_equal(tp_cursor_advance(&c, w->order.tables, &l.loader, &err), TP_CURSOR_EVENT);
    c.m_slot = w->m_slots[2];
    tp_alloc_fail_at(nth_alloc, false);
    *ret_made = 0;
    int rc = tp_order_believe(&w->order, &c, &l.loader, w->out, ret_made, &err);
    tp_alloc_fail_at(0, false);
    assert_int_equal(rc, err.code);
    tp_cursor_fini(&c);
    return rc;
}

static void test_a_failure_while_reading_on(void **state)
{
    static struct walk w;
    struct hand_trace t;
    size_t made;
    (void)state;
    hand_init(&t);
    HAND_PUT(&t, TP_EV_ProcStatus, 1, 0, RUNNING);
    for (uint64_t i = 0; i < 2000; i++)
        HAND_PUT(&t, TP_EV_HeapObjectFree, 1, i);
    HAND_PUT(&t, TP_EV_ProcStart, 1, 0, 1);
    walk_begin(&w, TP_MIB(1));
    assert_int_equal(walk_step(&w, "1 ProcStatus 0 2"), TP_ORDER_TAKE);
    assert_int_equal(walk_next_generation(&w), 0);
    uint64_t live_bytes = tp_alloc_live_bytes();
    assert_int_equal(believe(&w, &t.body, 1, 0, &made), TP_E_READ);
    assert_int_equal(made, 0);
    assert_int_equal(believe(&w, &t.body, UINT32_MAX, 1, &made), TP_E_MEMORY);
    assert_int_equal(made, 0);
    assert_int_equal(believe(&w, &t.body, UINT32_MAX, 0, &made), 0);
    assert_int_equal(made, 1);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    walk_end(&w);
    hand_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_status_before_its_start_is_believed_in_its_turn),
        cmocka_unit_test(test_a_status_before_its_start_out_of_turn),
        cmocka_unit_test(test_a_long_flush),
        cmocka_unit_test(test_more_doubts_than_are_kept),
        cmocka_unit_test(test_events_behind_it_that_cannot_be_decoded),
        cmocka_unit_test(test_mistakes_of_every_kind),
        cmocka_unit_test(test_many_regions_that_end_from_the_outside),
        cmocka_unit_test(test_a_failure_while_reading_on),
    };
    return cmocka_run_group_tests_name("order_doubt", tests, NULL, NULL);
}
