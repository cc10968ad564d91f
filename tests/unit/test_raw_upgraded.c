// Traces from before Go 1.22 written as one of Go 1.26 (raw:version=1.26): what events
// become, as the order of Go 1.26 reads them back; what is left out; generations; that
// nothing is refused, whatever the events; failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "merge/upgrade/upgrader.h"
#include "script_v1.h"
#include "sink/text/raw.h"
#include "upgrade_lab.h"

#define WIRE_MAX_BYTES TP_MIB(16)
#define TEXT_BYTES 65536

static struct upgrade upgrade;

static int set_up(void **state)
{
    (void)state;
    upgrade = (struct upgrade){0};
    return tp_buf_init(&upgrade.wire, WIRE_MAX_BYTES) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&upgrade.wire);
    script_v1_fini();
    return 0;
}

static struct order_v1_result convert(void)
{
    const struct order_v1_way way = {.fill_capacity = 512};
    struct order_v1_result r = order_v1_convert(script_v1.minor, script_v1_bytes(), &way);
    if (r.err.code != 0)
        fail_msg("%s", r.err.text);
    return r;
}

static void write_anew(const struct tp_event *events, size_t count, struct tp_tables *tables)
{
    struct tp_error err = {.code = 0};
    if (upgrade_write(&upgrade, events, count, tables, &err) != 0)
        fail_msg("%s", err.text);
}

static const struct tp_tables *tables_at(const struct order_result *r, size_t event)
{
    size_t run = 0;
    while (run + 1 < r->run_count && r->runs[run + 1].first_event <= event)
        run++;
    return r->runs[run].tables;
}

static const char *text_of(const struct order_result *r)
{
    static char text[TEXT_BYTES];
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < r->event_count; i++) {
        if (r->events[i].type == TP_EVENT_SYNC)
            continue;
        len += (size_t)snprintf(text + len, sizeof text - len, "%s",
                                script_v1_line(&r->events[i], tables_at(r, i)));
        assert_true(len < sizeof text);
    }
    return text;
}

// What came of the script. The end of it is enough, if `want` is that.
static void check(const char *want)
{
    struct order_v1_result old = convert();
    write_anew(old.events, old.count, old.tables);
    struct order_result r = upgrade_read(&upgrade);
    if (upgrade_fault(&r) != NULL)
        fail_msg("%s", upgrade_fault(&r));
    const char *text = text_of(&r);
    size_t len = strlen(text), want_len = strlen(want);
    if (len < want_len)
        fail_msg("%s", text);
    assert_string_equal(text + len - want_len, want);
    order_result_fini(&r);
    order_v1_result_fini(&old);
}

// Thread 5 runs P 0 with goroutine 7, and 8 is runnable. The clock of P 0 stands at 10.
static void begin(uint32_t minor)
{
    script_v1_begin(minor);
    for (unsigned id = 1; id < 10; id++)
        STACK(id, 1);
    P(0, 100);
    EV(Gomaxprocs, 0, 2, 1);
    EV(ProcStart, 1, 5);
    EV(GoCreate, 1, 7, 2, 3);
    EV(GoCreate, 1, 8, 2, 3);
    EV(GoStartLocal, 1, 7);
    EV(HeapAlloc, 6, 0);
}

static const char begun[] = "3 5/-1/-1 ProcStatus 0 1\n"
                            "4 5/0/-1 GoCreate 7 s1 s2\n"
                            "5 5/0/-1 GoCreate 8 s1 s2\n"
                            "6 5/0/-1 GoStart 7\n"
                            "12 5/0/7 HeapAlloc 0\n";

// EVENTS

static void test_how_a_trace_begins(void **state)
{
    (void)state;
    begin(21);
    check(begun);
    assert_int_equal(upgrade.notes.omitted_events, 0);
}

// By goroutine 7 on P 0, each a nanosecond after the one before. Numbers of stacks are those
// of the trace written, 3 the first one new.
#define BECOME(X)                                                                          \
    X(EV(Gomaxprocs, 1, 4, 9), "13 5/0/7 ProcsChange 4 s3\n")                              \
    X(EV(GCStart, 1, 0, 9); EV(GCDone, 1), "13 5/0/7 GCBegin 1 s3\n14 5/0/7 GCEnd\n")      \
    X(EV(STWStart, 1, 9); EV(STWDone, 1),                                                  \
      "13 5/0/7 STWBegin \"GOMAXPROCS\" s0\n14 5/0/7 STWEnd \"GOMAXPROCS\"\n")             \
    X(EV(GCSweepStart, 1, 9); EV(GCSweepDone, 1, 70, 80),                                  \
      "13 5/0/7 GCSweepBegin s3\n14 5/0/7 GCSweepEnd 70 80\n")                             \
    X(EV(GCMarkAssistStart, 1, 9); EV(GCMarkAssistDone, 1),                                \
      "13 5/0/7 GCMarkAssistBegin s3\n14 5/0/7 GCMarkAssistEnd\n")                         \
    X(EV(GoCreate, 1, 10, 2, 9), "13 5/0/7 GoCreate 10 s1 s3\n")                           \
    X(EV(GoEnd, 1), "13 5/0/7 GoDestroy\n")                                                \
    X(EV(GoStop, 1, 9), "13 5/0/7 GoBlock \"forever\" s3\n")                               \
    X(EV(GoSched, 1, 9), "13 5/0/7 GoStop \"runtime.Gosched\" s3\n")                       \
    X(EV(GoBlock, 1, 9), "13 5/0/7 GoBlock \"\" s3\n")                                     \
    X(EV(HeapGoal, 1, 70), "13 5/0/7 HeapGoal 70\n")                                       \
    X(EV(GoSysCall, 1, 9), "13 5/0/7 GoSyscallBegin 1 s3\n14 5/0/7 GoSyscallEnd\n")        \
    X(EV(UserTaskCreate, 1, 3, 0, 0, 9); EV(UserTaskEnd, 1, 3, 0),                         \
      "13 5/0/7 UserTaskBegin 3 - \"\" s3\n14 5/0/7 UserTaskEnd 3 s0 - \"\"\n")            \
    X(EV(UserTaskCreate, 1, 4, 3, 0, 9), "13 5/0/7 UserTaskBegin 4 3 \"\" s3\n")           \
    X(EV(UserRegion, 1, 3, 0, 0, 9), "13 5/0/7 UserRegionBegin 3 \"\" s3\n")               \
    X(LOG(1, 3, 0, 9, "word"), "13 5/0/7 UserLog 3 \"\" \"word\" s3\n")                    \
    X(EV(CPUSample, 1, 116, 0, 7, 9), "18 -1/0/7 CPUSample s3 0 0 0\n")                    \
    X(EV(GoBlockNet, 1, 9); EV(GoUnblock, 1, 7, 2, 4),                                     \
      "13 5/0/7 GoBlock \"network\" s3\n14 -1/-1/-1 GoUnblock 7 2 s4\n")

static void test_what_each_event_becomes(void **state)
{
    (void)state;
    char want[1024];
#define X(events, text)                                    \
    begin(21);                                             \
    events;                                                \
    snprintf(want, sizeof want, "%s%s", begun, text);      \
    check(want);                                           \
    assert_int_equal(upgrade.notes.omitted_events, 0);
    BECOME(X)
#undef X
}

// What was there before: in a system call on a thread that nobody told of, waiting, runnable,
// running.
static void test_what_was_there_before(void **state)
{
    (void)state;
    script_v1_begin(21);
    P(0, 100);
    for (unsigned g = 1; g <= 4; g++)
        EV(GoCreate, 1, g, 0, 0);
    EV(GoInSyscall, 1, 1);
    EV(GoWaiting, 1, 2);
    EV(ProcStart, 1, 5);
    EV(GoStart, 1, 4, 1);
    EV(Gomaxprocs, 1, 1, 0);
    EV(GoSysExit, 1, 1, 2, 0);
    check("6 1000000/-1/-1 GoStatus 1 1000000 3\n"
          "7 -1/-1/-1 GoStatus 2 - 4\n"
          "8 5/-1/-1 ProcStatus 0 1\n"
          "9 5/0/-1 GoStatus 4 5 2\n"
          "10 -1/-1/-1 GoStatus 3 - 1\n"
          "11 1000000/-1/1 GoSyscallEndBlocked\n");
}

// SYSTEM CALLS AND THREADS

static void test_system_call_that_loses_its_p(void **state)
{
    (void)state;
    begin(21);
    EV(GoSysCall, 1, 9);
    EV(GoSysBlock, 2);
    EV(ProcStop, 1);
    EV(ProcStart, 1, 6);
    EV(GoStartLocal, 1, 8);
    EV(GoSysExit, 1, 7, 2, 0);
    EV(GoSched, 1, 0);
    check("13 5/0/7 GoSyscallBegin 1 s3\n"
          "16 5/0/7 ProcStop 0\n"
          "17 6/-1/-1 ProcStart 0\n"
          "18 6/0/-1 GoStart 8\n"
          "19 5/-1/7 GoSyscallEndBlocked\n"
          "20 6/0/8 GoStop \"runtime.Gosched\" s0\n");
}

// It comes back before anybody stopped its P.
static void test_exit_while_the_p_is_held(void **state)
{
    (void)state;
    begin(21);
    EV(GoSysCall, 1, 9);
    EV(GoSysBlock, 9);
    EV(GoSysExit, 9, 7, 2, 0);
    EV(GoStartLocal, 9, 7);
    check("13 5/0/7 GoSyscallBegin 1 s3\n"
          "23 5/0/7 ProcStop 0\n"
          "31 5/-1/7 GoSyscallEndBlocked\n"
          "32 5/-1/-1 ProcStart 0\n"
          "40 5/0/-1 GoStart 7\n");
}

// The P goes on where it is: on another thread, and the call's beginning is made up.
static void test_p_that_goes_on_without_a_stop(void **state)
{
    (void)state;
    begin(21);
    EV(GoSysBlock, 9);
    EV(GoStartLocal, 9, 8);
    EV(HeapAlloc, 9, 1);
    EV(GoSysExit, 9, 7, 2, 0);
    check("22 5/0/7 GoSyscallBegin 1 s0\n"
          "23 5/0/7 ProcStop 0\n"
          "24 1000000/-1/-1 ProcStart 0\n"
          "30 1000000/0/-1 GoStart 8\n"
          "39 1000000/0/8 HeapAlloc 1\n"
          "48 5/-1/7 GoSyscallEndBlocked\n");
}

// A thread that is in a call may get its next P before it is out.
static void test_p_before_the_exit(void **state)
{
    (void)state;
    begin(21);
    EV(GoSysCall, 1, 9);
    EV(GoSysBlock, 1);
    EV(ProcStop, 1);
    P(1, 120);
    EV(ProcStart, 1, 5);
    EV(GoSysExit, 1, 7, 2, 0);
    EV(GoStart, 1, 7, 3);
    check("15 5/0/7 ProcStop 0\n"
          "23 5/-1/7 ProcStatus 1 1\n"
          "24 5/1/7 GoSyscallEndBlocked\n"
          "25 5/1/-1 GoStart 7\n");
}

// Two Ps that claim the same thread.
static void test_thread_that_is_taken(void **state)
{
    (void)state;
    begin(21);
    P(1, 120);
    EV(ProcStart, 1, 5);
    EV(GoStart, 1, 8, 1);
    EV(GoEnd, 1);
    EV(ProcStop, 1);
    P(2, 130);
    EV(ProcStart, 1, 5);
    check("23 1000000/-1/-1 ProcStatus 1 1\n"
          "24 1000000/1/-1 GoStart 8\n"
          "25 1000000/1/8 GoDestroy\n"
          "26 1000000/1/-1 ProcStop 0\n"
          "33 1000000/-1/-1 ProcStatus 2 1\n");
}

// A P that idles, or was not told of, is lent for what needs one.
static void test_p_that_does_not_run(void **state)
{
    (void)state;
    begin(21);
    P(1, 120);
    EV(HeapAlloc, 9, 1);
    EV(HeapAlloc, 9, 2);
    check("23 1000000/-1/-1 ProcStatus 1 1\n"
          "31 1000000/1/-1 HeapAlloc 1\n"
          "32 1000000/1/-1 ProcStop 0\n"
          "33 1000000/-1/-1 ProcStart 1\n"
          "40 1000000/1/-1 HeapAlloc 2\n"
          "41 1000000/1/-1 ProcStop 0\n");
}

// An assist that ends and began before the trace.
static void test_range_from_before(void **state)
{
    (void)state;
    begin(21);
    EV(GCMarkAssistDone, 9);
    check("13 5/0/7 GCMarkAssistActive\n"
          "21 5/0/7 GCMarkAssistEnd\n");
}

// WHAT DOES NOT FIT

// Up to Go 1.9 Ps that help to stop the world say so, without a goroutine.
static void test_events_without_a_goroutine_are_left_out(void **state)
{
    (void)state;
    begin(9);
    P(1, 120);
    EV(STWStart, 9);
    EV(STWDone, 9);
    check("12 5/0/7 HeapAlloc 0\n");
    assert_int_equal(upgrade.notes.omitted_events, 2);
}

// Made by the runtime for C's threads: created runnable, says the trace, and in a system call.
static void test_statuses_that_contradict_are_left_out(void **state)
{
    (void)state;
    begin(21);
    EV(GoInSyscall, 1, 8);
    EV(GoSysExit, 1, 8, 2, 0);
    EV(GoBlock, 1, 0);
    EV(GoStart, 9, 8, 3);
    check("15 5/0/7 GoBlock \"\" s0\n24 5/0/-1 GoStart 8\n");
    assert_int_equal(upgrade.notes.omitted_events, 2);
}

static void test_long_texts_are_cut(void **state)
{
    (void)state;
    char text[TP_MAX_STRING_BYTES + 2];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    begin(21);
    STACK(20, TP_MAX_STACK_FRAMES + 1);
    STACK(21, TP_MAX_STACK_FRAMES);
    STRING(50, text);
    STRING(51, text + 1);
    EV(UserRegion, 1, 3, 0, 50, 20);
    EV(UserRegion, 1, 3, 1, 50, 20);
    EV(UserRegion, 1, 3, 0, 51, 21);
    struct order_v1_result old = convert();
    write_anew(old.events, old.count, old.tables);
    assert_int_equal(upgrade.notes.cut_texts, 2);
    struct order_result r = upgrade_read(&upgrade);
    assert_null(upgrade_fault(&r));
    size_t last = r.event_count - 2; // before the last Sync
    const struct tp_tables *tables = tables_at(&r, last);
    struct tp_region region;
    struct tp_stack stack;
    assert_true(tp_event_region(&r.events[last], tables, &region));
    assert_int_equal(region.name.len_bytes, TP_MAX_STRING_BYTES);
    assert_true(tp_event_stack(&r.events[last - 1], tables, &stack));
    assert_int_equal(stack.frame_count, TP_MAX_STACK_FRAMES);
    order_result_fini(&r);
    order_v1_result_fini(&old);
}

static void test_later_traces_are_refused(void **state)
{
    (void)state;
    struct tp_error err;
    const struct tp_raw_config config = {.version = TP_RAW_GO_1_26};
    const struct tp_sink_call call = {.config = &config};
    const struct tp_input_info info = {.format = {.decoder = &tp_decoder_v2, .minor = 26}};
    assert_int_equal(tp_raw_upgraded_plan.input.open(&call, &info, &err), TP_E_NEW_TRACE);
    assert_non_null(strstr(err.text, "Go 1.26"));
}

// WHOLE TRACES

// Goroutines that make others, wait, and sit in system calls, on three Ps.
static void make_trace(unsigned rounds)
{
    begin(21);
    STRING(50, "word");
    for (unsigned p = 1; p < 4; p++) {
        P(p, 200);
        EV(ProcStart, p, 10 + p);
        for (unsigned i = 0; i < rounds; i++) {
            uint64_t g = 1000 * p + i;
            EV(GoCreate, 7, g, 2, 3);
            EV(GoStartLocal, 3, g);
            EV(UserRegion, 1, 3, 0, 50, i % 9 + 1);
            EV(HeapAlloc, 1, i);
            EV(GoSysCall, 2, 4);
            EV(GoSysBlock, 5);
            EV(ProcStop, 1);
            EV(GoSysExit, 2, g, 2, 0);
            EV(ProcStart, 3, 10 + p);
            EV(GoStartLocal, 1, g);
            EV(CPUSample, 1, 250 + 20 * i + p, p, g, 5);
            EV(GoBlockSync, 1, 6);
            EV(GoUnblockLocal, 1, g, 7);
            EV(GoStartLocal, 1, g);
            if (i % 3 == 0)
                EV(GoEnd, 1);
            else
                EV(GoBlock, 1, 8);
        }
    }
}

static size_t count_type(const struct order_result *r, uint8_t type)
{
    size_t count = 0;
    for (size_t i = 0; i < r->event_count; i++)
        count += r->events[i].type == type;
    return count;
}

static bool is_same_but_context(const struct tp_event *a, const struct tp_event *b)
{
    bool has_id = a->type == TP_EV_GoStart || a->type == TP_EV_GoUnblock;
    return a->type == b->type && (!has_id || tp_arg(a, Named, id) == tp_arg(b, Named, id));
}

// All events of the old one come in the new one, in order; those between are statuses.
static void check_all_there(const struct order_v1_result *old, const struct order_result *r)
{
    size_t at = 0;
    for (size_t i = 0; i < old->count; i++) {
        if (old->events[i].type == TP_EVENT_SYNC)
            continue;
        while (at < r->event_count && !is_same_but_context(&old->events[i], &r->events[at])) {
            uint8_t type = r->events[at++].type;
            assert_true(type == TP_EVENT_SYNC || type == TP_EV_ProcStatus ||
                        type == TP_EV_GoStatus);
        }
        assert_true(at < r->event_count);
        assert_true(r->events[at].time_ns >= old->events[i].time_ns + 2);
        at++;
    }
}

static void test_generations(void **state)
{
    (void)state;
    make_trace(40);
    struct order_v1_result old = convert();
    for (uint64_t bytes = 1; bytes < 10000; bytes = 3 * bytes + 5) {
        upgrade.generation_bytes = bytes;
        upgrade.block_events = bytes % 7 + 1;
        write_anew(old.events, old.count, old.tables);
        assert_int_equal(upgrade.notes.omitted_events, 0);
        struct order_result r = upgrade_read(&upgrade);
        if (upgrade_fault(&r) != NULL)
            fail_msg("%s", upgrade_fault(&r));
        assert_true(bytes > 1000 || count_type(&r, TP_EVENT_SYNC) > 3);
        check_all_there(&old, &r);
        order_result_fini(&r);
    }
    order_v1_result_fini(&old);
}

// Its end names what its beginning named.
static void test_a_stopped_world_is_not_cut(void **state)
{
    (void)state;
    begin(21);
    EV(STWStart, 4, 9);
    EV(STWDone, 1);
    upgrade.generation_bytes = 1;
    check("19 5/0/7 STWBegin \"GOMAXPROCS\" s0\n20 5/0/7 STWEnd \"GOMAXPROCS\"\n");
}

// Any events in any order, most of which contradict each other, are not refused.
static void test_any_events(void **state)
{
    (void)state;
    make_trace(40);
    struct order_v1_result old = convert();
    struct tp_event *some = malloc(old.count * sizeof *some);
    assert_non_null(some);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed, count = 0;
        for (size_t i = 0; i < old.count; i++) {
            if (wire_random(&random) % (seed % 7 + 1) != 0)
                continue;
            some[count] = old.events[i];
            if (wire_random(&random) % 8 == 0)
                some[count].g = (int64_t)(1000 + wire_random(&random) % 5);
            if (wire_random(&random) % 8 == 0)
                some[count].p = (int64_t)(wire_random(&random) % 6) - 1;
            if (wire_random(&random) % 8 == 0)
                some[count].m = (int64_t)(wire_random(&random) % 6) - 1;
            if (wire_random(&random) % 16 == 0)
                some[count].args[0] = wire_random_number(&random);
            count++;
        }
        upgrade.generation_bytes = seed % 2 == 0 ? 500 : 0;
        write_anew(some, count, old.tables);
        struct order_result r = upgrade_read(&upgrade);
        if (upgrade_fault(&r) != NULL)
            fail_msg("seed %u: %s", (unsigned)seed, upgrade_fault(&r));
        order_result_fini(&r);
    }
    free(some);
    order_v1_result_fini(&old);
}

// Go's reader has times in doubles.
static void test_times_beyond_all(void **state)
{
    (void)state;
    make_trace(5);
    struct order_v1_result old = convert();
    for (size_t i = 1; i < old.count; i++)
        old.events[i].time_ns = INT64_MAX - (int64_t)(old.count - i);
    // A window may begin there, too.
    for (size_t from = 0; from < 2; from++) {
        write_anew(old.events + from, old.count - from, old.tables);
        struct order_result r = upgrade_read(&upgrade);
        assert_null(upgrade_fault(&r));
        assert_in_range(r.events[r.event_count - 1].time_ns, 1,
                        TP_UPGRADER_TIME_MAX_NS + 10000);
        order_result_fini(&r);
    }
    order_v1_result_fini(&old);
}

// FAILURES

static void test_memory_that_fails(void **state)
{
    (void)state;
    make_trace(20);
    struct order_v1_result old = convert();
    upgrade.generation_bytes = 2000;
    write_anew(old.events, old.count, old.tables); // stacks are resolved then
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0;
    bool has_fired = true;
    while (has_fired) {
        struct tp_error err = {.code = 0};
        nth++;
        tp_alloc_fail_at(nth, nth % 2 == 0);
        int rc = upgrade_write(&upgrade, old.events, old.count, old.tables, &err);
        has_fired = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || (rc == TP_E_MEMORY && err.code == TP_E_MEMORY));
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_true(nth > 20);
    order_v1_result_fini(&old);
}

static void test_writes_that_fail(void **state)
{
    (void)state;
    make_trace(5);
    struct order_v1_result old = convert();
    upgrade.generation_bytes = 500;
    write_anew(old.events, old.count, old.tables);
    size_t write_count = upgrade.write_count;
    for (size_t nth = 1; nth <= write_count; nth++) {
        struct tp_error err = {.code = 0};
        upgrade.fail_write = nth;
        assert_int_equal(upgrade_write(&upgrade, old.events, old.count, old.tables, &err),
                         TP_E_WRITE);
    }
    order_v1_result_fini(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_how_a_trace_begins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_each_event_becomes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_was_there_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_system_call_that_loses_its_p, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exit_while_the_p_is_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_p_that_goes_on_without_a_stop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_p_before_the_exit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_thread_that_is_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_p_that_does_not_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_range_from_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_events_without_a_goroutine_are_left_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_statuses_that_contradict_are_left_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_long_texts_are_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_later_traces_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_generations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_stopped_world_is_not_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_times_beyond_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_that_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_writes_that_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
