// Traces from before Go 1.5: all events by time, those of one time as they stand in the file,
// however batches lie; what their events become; and sorting that does not fit into memory,
// or onto a disk.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// ORDER

static void test_times_alone_make_the_order(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(1, 10);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, 20, 2);
    P(0, 5);
    EV(GoStart, 0, 7);
    EV(HeapAlloc, 20, 3);
    EV(HeapAlloc, 20, 4);
    P(2, 1);
    assert_string_equal(script_v1_walk(), "5 p0 g7 GoStart 7\n"
                                          "10 p1 g0 HeapAlloc 1\n"
                                          "25 p0 g7 HeapAlloc 3\n"
                                          "30 p1 g0 HeapAlloc 2\n"
                                          "45 p0 g7 HeapAlloc 4\n");
}

static void test_one_time_goes_by_the_file(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(2, 10);
    EV(HeapAlloc, 0, 1);
    P(0, 10);
    EV(HeapAlloc, 0, 2);
    EV(HeapAlloc, 0, 3);
    P(2, 10);
    EV(HeapAlloc, 0, 4);
    P(1, 9);
    EV(HeapAlloc, 1, 5);
    P(0, 10);
    EV(HeapAlloc, 0, 6);
    static const char want[] = "10 p2 g0 HeapAlloc 1\n"
                               "10 p0 g0 HeapAlloc 2\n"
                               "10 p0 g0 HeapAlloc 3\n"
                               "10 p2 g0 HeapAlloc 4\n"
                               "10 p1 g0 HeapAlloc 5\n"
                               "10 p0 g0 HeapAlloc 6\n";
    assert_string_equal(script_v1_walk(), want);
    // Sorting P 2 makes no difference.
    P(2, 9);
    EV(HeapAlloc, 0, 7);
    assert_string_equal(strchr(script_v1_walk(), '\n') + 1, want);
}

static void test_batches_of_a_p_that_fall(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 50);
    EV(GoStart, 0, 7);
    EV(HeapAlloc, 10, 1);
    P(1, 55);
    EV(HeapAlloc, 0, 2);
    EV(HeapAlloc, 10, 3);
    // Who runs on a P goes by the file.
    P(0, 20);
    EV(HeapAlloc, 0, 4);
    EV(GoEnd, 60);
    P(0, 70);
    EV(HeapAlloc, 0, 5);
    assert_string_equal(script_v1_walk(), "20 p0 g7 HeapAlloc 4\n"
                                          "50 p0 g7 GoStart 7\n"
                                          "55 p1 g0 HeapAlloc 2\n"
                                          "60 p0 g7 HeapAlloc 1\n"
                                          "65 p1 g0 HeapAlloc 3\n"
                                          "70 p0 g0 HeapAlloc 5\n"
                                          "80 p0 g7 GoEnd\n");
}

static void test_a_clock_that_goes_back_inside_a_batch(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 5);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, UINT64_MAX, 2);
    EV(HeapAlloc, (uint64_t)-10, 3); // below 0
    P(1, UINT64_C(1) << 63);         // far below
    EV(HeapAlloc, 0, 4);
    assert_string_equal(script_v1_walk(), "-9223372036854775808 p1 g0 HeapAlloc 4\n"
                                          "-6 p0 g0 HeapAlloc 3\n"
                                          "4 p0 g0 HeapAlloc 2\n"
                                          "5 p0 g0 HeapAlloc 1\n");
}

static void test_events_before_the_first_batch_are_of_p_0(void **state)
{
    (void)state;
    script_v1_begin(0);
    EV(GoStart, 7, 3);
    P(1, 5);
    EV(HeapAlloc, 0, 1);
    P(0, 9);
    EV(HeapAlloc, 0, 2);
    assert_string_equal(script_v1_walk(), "5 p1 g0 HeapAlloc 1\n"
                                          "7 p0 g3 GoStart 3\n"
                                          "9 p0 g3 HeapAlloc 2\n");
}

static void test_whose_events_are(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 0);
    EV(GoStart, 1, 7);
    EV(GCStart, 1, 0);
    EV(STWStart, 1);
    EV(STWDone, 1);
    EV(GCDone, 1);
    EV(GCSweepStart, 1, 0);
    EV(GoWaiting, 1, 8);
    EV(GoInSyscall, 1, 9);
    EV(GoSysExit, 1, 9);
    EV(GoSysBlock, 1, 0);
    EV(HeapAlloc, 1, 1);
    assert_string_equal(script_v1_walk(), "1 p0 g7 GoStart 7\n"
                                          "2 p0 g0 GCStart\n"
                                          "3 p0 g0 STWStart\n"
                                          "4 p0 g0 STWDone\n"
                                          "5 p0 g0 GCDone\n"
                                          "6 p0 g7 GCSweepStart\n"
                                          "7 p0 g7 GoWaiting 8\n"
                                          "8 p0 g7 GoInSyscall 9\n"
                                          "9 p0 g9 GoSysExit 9\n"
                                          "10 p0 g7 GoSysBlock\n"
                                          "11 p0 g0 HeapAlloc 1\n");
}

static void test_no_events(void **state)
{
    (void)state;
    script_v1_begin(0);
    assert_string_equal(script_v1_convert(), "");
    P(3, 7);
    assert_string_equal(script_v1_convert_strictly(), "");
}

// CONVERSION

// Time 0 is at tick 100; stack 1 is there. P 0 with goroutine 7; 8 is runnable.
static void begin(void)
{
    script_v1_begin(0);
    STACK(1, 1);
    P(0, 100);
    EV(Gomaxprocs, 0, 2, 1);
    EV(Gomaxprocs, 0, 2, 1);
    EV(ProcStart, 1);
    EV(GoCreate, 1, 7, 0x500, 1);
    EV(GoCreate, 1, 8, 0x500, 0);
    EV(GoStart, 1, 7);
}

static void test_what_events_become(void **state)
{
    (void)state;
    begin();
    EV(GCStart, 6, 1);
    EV(STWStart, 1);
    EV(STWDone, 1);
    EV(GCDone, 1);
    EV(GCSweepStart, 1, 1);
    EV(GCSweepDone, 1);
    EV(HeapAlloc, 1, 70);
    EV(HeapGoal, 1, 80);
    EV(GoSysCall, 1, 1);
    EV(GoSched, 3, 1);
    EV(GoStart, 1, 8);
    EV(GoSysCall, 1, 1);
    EV(GoSysBlock, 1, 0);
    EV(ProcStop, 1);
    EV(GoSysExit, 1, 8);
    EV(ProcStart, 1);
    EV(GoStart, 1, 8);
    EV(GoStop, 1, 1);
    // No thread is known.
    assert_string_equal(script_v1_convert(),
                        "-1 -1/-1/-1 Sync 1 1\n"
                        "0 -1/0/-1 ProcsChange 2 s1\n"
                        "1 -1/0/-1 ProcStatus 0 1\n"
                        "2 -1/0/-1 GoCreate 7 s2 s1\n"
                        "3 -1/0/-1 GoCreate 8 s2 s0\n"
                        "4 -1/0/7 GoStart 7\n"
                        "10 -1/0/-1 GCBegin 0 s1\n"
                        "13 -1/0/-1 GCEnd\n"
                        "14 -1/0/7 GCSweepBegin s1\n"
                        "15 -1/0/7 GCSweepEnd 0 0\n"
                        "16 -1/0/7 HeapAlloc 70\n"
                        "17 -1/0/7 HeapGoal 80\n"
                        "18 -1/0/7 GoSyscallBegin 0 s1\n"
                        "19 -1/0/7 GoSyscallEnd\n"
                        "21 -1/0/7 GoStop \"runtime.Gosched\" s1\n"
                        "22 -1/0/8 GoStart 8\n"
                        "23 -1/0/8 GoSyscallBegin 0 s1\n"
                        "25 -1/0/-1 ProcStop 0\n"
                        "26 -1/1000003/8 GoSyscallEndBlocked\n"
                        "27 -1/0/-1 ProcStart 0\n"
                        "28 -1/0/8 GoStart 8\n"
                        "29 -1/0/8 GoBlock \"forever\" s1\n");
}

static void test_where_a_goroutine_begins(void **state)
{
    (void)state;
    begin();
    struct order_v1_way way = {0};
    struct order_v1_result r = order_v1_convert(0, script_v1_bytes(), &way);
    struct tp_stack stack;
    assert_int_equal(r.events[3].type, TP_EV_GoCreate);
    assert_true(tp_event_transition_stack(&r.events[3], r.tables, &stack));
    assert_int_equal(stack.frame_count, 1);
    assert_int_equal(tp_stack_frame(&stack, 0).pc, 0x501);
    order_v1_result_fini(&r);
}

static void test_what_was_there_before(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 1);
    for (unsigned g = 5; g < 9; g++)
        EV(GoCreate, 0, g, 0x500, 0);
    EV(GoWaiting, 1, 5);
    EV(GoInSyscall, 1, 6);
    EV(GoStart, 1, 7);
    EV(Gomaxprocs, 1, 1, 0);
    EV(GoSysExit, 1, 6);
    assert_string_equal(script_v1_convert(), "-1 -1/-1/-1 Sync 1 1\n"
                                             "1 -1/0/-1 GoStatus 5 - 4\n"
                                             "2 -1/0/-1 GoStatus 6 - 3\n"
                                             "3 -1/0/7 GoStatus 7 - 2\n"
                                             "4 -1/-1/-1 GoStatus 8 - 1\n"
                                             "5 -1/1000003/6 GoSyscallEndBlocked\n");
}

// Goroutines 7 and 8 wake each other up; 8 waits for the network.
static void put_wake_ups(void)
{
    begin();
    EV(GoBlockNet, 1, 0);
    EV(GoStart, 1, 8);
    EV(GoUnblock, 1, 7, 0);
    EV(GoSched, 1, 0);
    EV(GoStart, 1, 7);
    EV(GoBlock, 1, 0);
    EV(GoStart, 1, 8);
    EV(GoUnblock, 1, 7, 0);
}

static const char *wake_ups(void)
{
    script_v1_convert_strictly();
    return script_v1_lines_with("GoUnblock");
}

static void test_wake_ups(void **state)
{
    (void)state;
    put_wake_ups();
    assert_string_equal(wake_ups(), "7 -1/1000002/8 GoUnblock 7 0 s0\n"
                                    "12 -1/0/8 GoUnblock 7 0 s0\n");
    // A timer's are none of the network's.
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 8);
    assert_string_equal(wake_ups(), "7 -1/1000001/8 GoUnblock 7 0 s0\n"
                                    "12 -1/1000001/8 GoUnblock 7 0 s0\n");
    // The last one told is the timer goroutine, and 0 is none.
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 9);
    assert_string_equal(wake_ups(), "7 -1/1000002/8 GoUnblock 7 0 s0\n"
                                    "12 -1/0/8 GoUnblock 7 0 s0\n");
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 8);
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 0);
    assert_string_equal(wake_ups(), "7 -1/1000002/8 GoUnblock 7 0 s0\n"
                                    "12 -1/0/8 GoUnblock 7 0 s0\n");
}

// TIME

static const char *heap_times(uint64_t frequency, uint64_t begin_ticks, uint64_t dt)
{
    script_v1_begin_with_frequency(0, frequency);
    P(0, begin_ticks);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, dt, 2);
    script_v1_convert();
    return script_v1_lines_with("HeapAlloc 2");
}

static void test_ticks_become_nanoseconds_by_integers(void **state)
{
    (void)state;
    assert_string_equal(heap_times(3, 10, 2), "666666666 -1/0/-1 HeapAlloc 2\n");
    // In doubles it would be one less.
    assert_string_equal(heap_times(29, 0, 29), "1000000000 -1/0/-1 HeapAlloc 2\n");
    // What does not fit into 64 bits on the way.
    assert_string_equal(heap_times(3000000000, 7, UINT64_C(30000000000000)),
                        "10000000000000 -1/0/-1 HeapAlloc 2\n");
    // From below 0 to above.
    assert_string_equal(heap_times(1000000000, (uint64_t)-500, 1500),
                        "1500 -1/0/-1 HeapAlloc 2\n");
    assert_string_equal(heap_times(1, 0, INT64_MAX),
                        "9223372036854775807 -1/0/-1 HeapAlloc 2\n");
    // The last time there is.
    assert_string_equal(heap_times(1, 0, 9223372037),
                        "9223372036854775807 -1/0/-1 HeapAlloc 2\n");
}

static void test_a_syscall_at_the_last_time_there_is(void **state)
{
    (void)state;
    script_v1_begin_with_frequency(0, 1);
    P(0, 0);
    EV(HeapAlloc, 0, 1);
    EV(GoSysCall, INT64_MAX, 0);
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("Syscall"),
                        "9223372036854775807 -1/0/-1 GoSyscallBegin 0 s0\n"
                        "-9223372036854775808 -1/0/-1 GoSyscallEnd\n");
}

static void test_a_frequency_that_is_none(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 0);
    EV(Frequency, UINT64_MAX);
    assert_string_equal(script_v1_convert(),
                        "! EvFrequency contains invalid frequency -1 at offset 0x9\n");
    tp_buf_reset(&script_v1.wire);
    EV(HeapAlloc, 0, 1);
    EV(Frequency, 0);
    assert_string_equal(script_v1_convert(),
                        "! EvFrequency contains invalid frequency 0 at offset 0x3\n");
    tp_buf_reset(&script_v1.wire);
    EV(HeapAlloc, 0, 1);
    assert_string_equal(script_v1_convert(), "! no EvFrequency event\n");
}

// MUCH TO SORT

#define SORTED_COUNT 7000

// Three Ps of which two fall, with few different times.
static void put_much(void)
{
    script_v1_begin(0);
    for (unsigned i = 0; i < SORTED_COUNT; i++) {
        P(i % 3, i % 3 == 1 ? i / 100 : (i * 7919) % 500);
        EV(HeapAlloc, 0, i);
    }
}

static void test_what_does_not_fit_is_sorted_all_the_same(void **state)
{
    (void)state;
    put_much();
    const struct order_v1_way ways[] = {{0}, {.max_bytes = 1}, {.is_spilled = true}};
    for (size_t w = 0; w < TP_ARRAY_LEN(ways); w++) {
        struct order_v1_result r = order_v1_walk(0, script_v1_bytes(), &ways[w]);
        assert_int_equal(r.err.code, 0);
        assert_int_equal(r.count, SORTED_COUNT);
        for (size_t i = 1; i < r.count; i++) {
            const struct tp_v1_ordered *a = &r.ordered[i - 1], *b = &r.ordered[i];
            assert_true(a->ticks < b->ticks || (a->ticks == b->ticks && a->args[0] < b->args[0]));
        }
        order_v1_result_fini(&r);
    }
}

static void test_a_full_disk(void **state)
{
    (void)state;
    put_much();
    struct rlimit before, small;
    setenv("TMPDIR", ".", 1);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct order_v1_way way = {.max_bytes = 1};
    struct order_v1_result r = order_v1_walk(0, script_v1_bytes(), &way);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(r.err.code, TP_E_WRITE);
    assert_int_equal(r.err.sys_errno, EFBIG);
    assert_int_equal(r.count, 0);
    order_v1_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_alone_make_the_order),
        cmocka_unit_test(test_one_time_goes_by_the_file),
        cmocka_unit_test(test_batches_of_a_p_that_fall),
        cmocka_unit_test(test_a_clock_that_goes_back_inside_a_batch),
        cmocka_unit_test(test_events_before_the_first_batch_are_of_p_0),
        cmocka_unit_test(test_whose_events_are),
        cmocka_unit_test(test_no_events),
        cmocka_unit_test(test_what_events_become),
        cmocka_unit_test(test_where_a_goroutine_begins),
        cmocka_unit_test(test_what_was_there_before),
        cmocka_unit_test(test_wake_ups),
        cmocka_unit_test(test_ticks_become_nanoseconds_by_integers),
        cmocka_unit_test(test_a_syscall_at_the_last_time_there_is),
        cmocka_unit_test(test_a_frequency_that_is_none),
        cmocka_unit_test(test_what_does_not_fit_is_sorted_all_the_same),
        cmocka_unit_test(test_a_full_disk),
    };
    return cmocka_run_group_tests_name("order_v0", tests, NULL, tear_down);
}
