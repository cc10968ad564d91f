// Converts events from before Go 1.22 and compares context, arguments and time of each with Go's
// conversion. script_v1_convert asks for few and for many events at a time, with equal results.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "script_v1.h"

#define SYNC "-1 -1/-1/-1 Sync 1 1\n"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// Thread 5 runs P 0 with goroutine 7, and 8 is runnable; stacks 1 to 9 are there. Time 0 is at
// tick 100; the clock of P 0 is at 10 ns behind it.
static const char begun[] = SYNC "0 -1/0/-1 ProcsChange 2 s1\n";

static void begin(uint32_t minor)
{
    script_v1_begin(minor);
    for (unsigned id = 1; id < 10 && minor >= 7; id++)
        STACK(id, 1);
    P(0, 100);
    EV(Gomaxprocs, 0, 2, 1);
    EV(Gomaxprocs, 0, 2, 1);
    EV(ProcStart, 1, 5);
    EV(GoCreate, 1, 7, 2, 3);
    EV(GoCreate, 1, 8, 2, 3);
    EV(GoStartLocal, 1, 7);
    EV(HeapAlloc, 6, 0);
}

// What came of the script behind `begin`.
static const char *rest(void)
{
    const char *all = script_v1_convert();
    const char *at = strstr(all, "HeapAlloc 0\n");
    if (strncmp(all, begun, strlen(begun)) != 0 || at == NULL)
        fail_msg("%s", all);
    return at + strlen("HeapAlloc 0\n");
}

// WHAT EACH BECOMES

static void test_how_a_trace_begins(void **state)
{
    (void)state;
    begin(21);
    assert_string_equal(script_v1_convert(), SYNC "0 -1/0/-1 ProcsChange 2 s1\n"
                                                  "1 5/0/-1 ProcStatus 0 1\n"
                                                  "2 5/0/-1 GoCreate 7 s2 s3\n"
                                                  "3 5/0/-1 GoCreate 8 s2 s3\n"
                                                  "4 5/0/7 GoStart 7\n"
                                                  "10 5/0/7 HeapAlloc 0\n");
}

// By goroutine 7 on P 0, each a nanosecond after the one before.
#define BECOME(X)                                                                          \
    X(11, EV(Gomaxprocs, 1, 4, 9), "11 5/0/7 ProcsChange 4 s9\n")                          \
    X(11, EV(GCStart, 1, 0, 9), "11 -1/1000004/7 GCBegin 0 s9\n")                          \
    X(11, EV(GCStart, 1, 0, 9); EV(GCDone, 1),                                             \
      "11 -1/1000004/7 GCBegin 0 s9\n12 5/0/7 GCEnd\n")                                    \
    X(21, EV(STWStart, 1, 9); EV(STWDone, 1),                                              \
      "11 5/0/7 STWBegin \"GOMAXPROCS\" s0\n12 5/0/7 STWEnd \"GOMAXPROCS\"\n")             \
    X(11, EV(GCSweepStart, 1, 9); EV(GCSweepDone, 1, 70, 80),                              \
      "11 5/0/7 GCSweepBegin s9\n12 5/0/7 GCSweepEnd 70 80\n")                             \
    X(8, EV(GCSweepStart, 1, 9); EV(GCSweepDone, 1),                                       \
      "11 5/0/7 GCSweepBegin s9\n12 5/0/7 GCSweepEnd 0 0\n")                               \
    X(11, EV(GCMarkAssistStart, 1, 9); EV(GCMarkAssistDone, 1),                            \
      "11 5/0/7 GCMarkAssistBegin s9\n12 5/0/7 GCMarkAssistEnd\n")                         \
    X(11, EV(GoCreate, 1, 10, 2, 9), "11 5/0/7 GoCreate 10 s2 s9\n")                       \
    X(11, EV(GoEnd, 1), "11 5/0/7 GoDestroy\n")                                            \
    X(11, EV(GoStop, 1, 9), "11 5/0/7 GoBlock \"forever\" s9\n")                           \
    X(11, EV(GoSched, 1, 9), "11 5/0/7 GoStop \"runtime.Gosched\" s9\n")                   \
    X(11, EV(GoPreempt, 1, 9), "11 5/0/7 GoStop \"preempted\" s9\n")                       \
    X(11, EV(GoSleep, 1, 9), "11 5/0/7 GoBlock \"sleep\" s9\n")                            \
    X(11, EV(GoBlock, 1, 9), "11 5/0/7 GoBlock \"\" s9\n")                                 \
    X(11, EV(GoBlockSend, 1, 9), "11 5/0/7 GoBlock \"chan send\" s9\n")                    \
    X(11, EV(GoBlockRecv, 1, 9), "11 5/0/7 GoBlock \"chan receive\" s9\n")                 \
    X(11, EV(GoBlockSelect, 1, 9), "11 5/0/7 GoBlock \"select\" s9\n")                     \
    X(11, EV(GoBlockSync, 1, 9), "11 5/0/7 GoBlock \"sync\" s9\n")                         \
    X(11, EV(GoBlockCond, 1, 9), "11 5/0/7 GoBlock \"sync.(*Cond).Wait\" s9\n")            \
    X(11, EV(GoBlockNet, 1, 9), "11 5/0/7 GoBlock \"network\" s9\n")                       \
    X(11, EV(GoBlockGC, 1, 9),                                                             \
      "11 5/0/7 GoBlock \"GC mark assist wait for work\" s9\n")                            \
    X(11, EV(HeapAlloc, 1, 70), "11 5/0/7 HeapAlloc 70\n")                                 \
    X(11, EV(HeapGoal, 1, 70), "11 5/0/7 HeapGoal 70\n")                                   \
    X(11, EV(GoWaiting, 1, 8), "11 5/0/8 GoStatus 8 - 4\n")                                \
    X(11, EV(GoInSyscall, 1, 8), "11 5/0/8 GoStatus 8 - 3\n")                              \
    X(11, EV(GoSysCall, 1, 9), "11 5/0/7 GoSyscallBegin 0 s9\n12 5/0/7 GoSyscallEnd\n")    \
    X(11, EV(GoSysCall, 1, 9); EV(GoSysBlock, 1), "11 5/0/7 GoSyscallBegin 0 s9\n")        \
    X(11, EV(GoBlockNet, 1, 9); EV(GoUnblock, 1, 7, 2, 4); EV(GoStart, 1, 8, 1);           \
      EV(GoSched, 1, 9); EV(GoStart, 1, 7, 3),                                             \
      "11 5/0/7 GoBlock \"network\" s9\n12 -1/1000002/-1 GoUnblock 7 2 s4\n"               \
      "13 5/0/8 GoStart 8\n14 5/0/8 GoStop \"runtime.Gosched\" s9\n15 5/0/7 GoStart 7\n")  \
    X(11, EV(GoBlockSync, 1, 9); EV(GoUnblockLocal, 1, 7, 4),                              \
      "11 5/0/7 GoBlock \"sync\" s9\n12 5/0/-1 GoUnblock 7 0 s4\n")                        \
    X(11, EV(FutileWakeup, 1), "")                                                         \
    X(19, EV(CPUSample, 1, 115, 0, 7, 9), "15 -1/0/7 CPUSample s9 - 0 7\n")                \
    X(19, EV(CPUSample, 1, 115, UINT64_MAX, 0, 9), "15 -1/-1/-1 CPUSample s9 - - 0\n")

static void test_what_each_event_becomes(void **state)
{
    (void)state;
#define X(minor, events, text)       \
    begin(minor);                    \
    events;                          \
    assert_string_equal(rest(), text);
    BECOME(X)
#undef X
}

static void test_stacks_that_are_not_there(void **state)
{
    (void)state;
    begin(11);
    STACK(40, 0);
    EV(GoBlockRecv, 1, 40);
    EV(Gomaxprocs, 1, 4, 41);
    EV(GoCreate, 1, 9, 42, 43);
    // Where a goroutine begins is told all the same.
    assert_string_equal(rest(), "11 5/0/7 GoBlock \"chan receive\" s0\n"
                                "12 5/0/-1 ProcsChange 4 s0\n"
                                "13 5/0/-1 GoCreate 9 s42 s0\n");
}

static void test_ps_and_their_threads(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1);
    EV(HeapAlloc, 0, 1);
    EV(ProcStart, 1, 5);
    EV(HeapAlloc, 1, 2);
    EV(ProcStop, 1);
    EV(HeapAlloc, 1, 3);
    EV(ProcStart, 1, 6);
    EV(HeapAlloc, 1, 4);
    P(1, 5);
    EV(HeapAlloc, 0, 5);
    assert_string_equal(script_v1_convert(), SYNC "0 -1/0/-1 HeapAlloc 1\n"
                                                  "1 5/0/-1 ProcStatus 0 1\n"
                                                  "2 5/0/-1 HeapAlloc 2\n"
                                                  "3 5/0/-1 ProcStop 0\n"
                                                  "4 -1/1/-1 HeapAlloc 5\n"
                                                  "5 -1/0/-1 HeapAlloc 3\n"
                                                  "6 6/0/-1 ProcStart 0\n"
                                                  "7 6/0/-1 HeapAlloc 4\n");
}

static void test_timers_wake_goroutines_on_a_p_of_their_own(void **state)
{
    (void)state;
    begin(11);
    wire_v1_put_timer_goroutine(&script_v1.wire, 11, 7);
    P(0, 111);
    EV(GoCreate, 0, 9, 0, 0);
    EV(GoWaiting, 1, 9);
    EV(GoUnblockLocal, 1, 9, 4);
    assert_string_equal(rest(), "11 5/0/7 GoCreate 9 s0 s0\n"
                                "12 5/0/9 GoStatus 9 - 4\n"
                                "13 -1/1000001/7 GoUnblock 9 0 s4\n");
}

// THE BEGIN

static void test_what_was_there_before(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1);
    static const unsigned gs[] = {9, 3, 12, 5, 7};
    for (size_t i = 0; i < TP_ARRAY_LEN(gs); i++)
        EV(GoCreate, 0, gs[i], 0, 0);
    EV(GoWaiting, 0, 3);
    EV(GoInSyscall, 0, 12);
    EV(ProcStart, 0, 4);
    EV(GoStartLocal, 0, 5);
    EV(Gomaxprocs, 10, 2, 1);
    EV(GoCreate, 1, 20, 0, 0);
    // Statuses at one time come one after the other, in ascending order.
    assert_string_equal(script_v1_convert(), SYNC "0 -1/0/3 GoStatus 3 - 4\n"
                                                  "1 -1/0/12 GoStatus 12 - 3\n"
                                                  "2 4/0/-1 ProcStatus 0 1\n"
                                                  "3 4/0/5 GoStatus 5 - 2\n"
                                                  "10 -1/-1/-1 GoStatus 7 - 1\n"
                                                  "11 -1/-1/-1 GoStatus 9 - 1\n"
                                                  "12 4/0/5 GoCreate 20 s0 s0\n");
}

static void test_a_labelled_start_says_nothing_of_before(void **state)
{
    (void)state;
    script_v1_begin(11);
    STRING(1, "GC (idle)");
    P(0, 1);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoStartLabel, 1, 7, 1, 1);
    EV(Gomaxprocs, 5, 2, 1);
    assert_string_equal(script_v1_convert(), SYNC "1 0/0/7 GoStart 7\n"
                                                  "2 0/0/7 GoLabel \"GC (idle)\"\n"
                                                  "6 -1/-1/-1 GoStatus 7 - 1\n");
}

static void test_a_trace_that_never_gets_going(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1);
    EV(GoCreate, 0, 7, 0, 0);
    assert_string_equal(script_v1_convert(), SYNC);
    EV(GoStartLocal, 1, 7);
    EV(GoCreate, 1, 8, 0, 0);
    assert_string_equal(script_v1_convert(), SYNC "1 -1/0/7 GoStatus 7 - 2\n");
}

// TIME

static void test_ticks_become_nanoseconds(void **state)
{
    (void)state;
    script_v1_begin_with_frequency(11, 300000000);
    P(0, 1000);
    for (unsigned i = 0; i < 5; i++)
        EV(HeapAlloc, 1, i);
    assert_string_equal(script_v1_convert(), SYNC "0 -1/0/-1 HeapAlloc 0\n"
                                                  "3 -1/0/-1 HeapAlloc 1\n"
                                                  "6 -1/0/-1 HeapAlloc 2\n"
                                                  "10 -1/0/-1 HeapAlloc 3\n"
                                                  "13 -1/0/-1 HeapAlloc 4\n");
}

static void test_times_rise(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1000);
    static const unsigned deltas[] = {0, 0, 1, 1, 3};
    for (unsigned i = 0; i < TP_ARRAY_LEN(deltas); i++)
        EV(HeapAlloc, deltas[i], i);
    assert_string_equal(script_v1_convert(), SYNC "0 -1/0/-1 HeapAlloc 0\n"
                                                  "1 -1/0/-1 HeapAlloc 1\n"
                                                  "2 -1/0/-1 HeapAlloc 2\n"
                                                  "3 -1/0/-1 HeapAlloc 3\n"
                                                  "5 -1/0/-1 HeapAlloc 4\n");
}

// As Go on amd64: what does not fit is the least there is, and is raised.
static void test_times_that_do_not_fit(void **state)
{
    (void)state;
    script_v1_begin_with_frequency(11, 1);
    P(0, 0);
    EV(HeapAlloc, 0, 0);
    EV(HeapAlloc, 9000000000, 1);
    EV(HeapAlloc, 9000000000, 2);
    assert_string_equal(script_v1_convert(), SYNC "0 -1/0/-1 HeapAlloc 0\n"
                                                  "9000000000000000000 -1/0/-1 HeapAlloc 1\n"
                                                  "9000000000000000001 -1/0/-1 HeapAlloc 2\n");
}

// The clock runs out, and begins anew; nothing is undefined.
static void test_times_behind_the_last_there_is(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 0);
    EV(HeapAlloc, 0, 0);
    EV(HeapAlloc, INT64_MAX - 1023, 0);
    for (unsigned i = 0; i < 1025; i++)
        EV(HeapAlloc, i == 0 ? 1023 : 0, 0);
    struct order_v1_way way = {0};
    struct order_v1_result r = order_v1_convert(11, script_v1_bytes(), &way);
    assert_int_equal(r.err.code, 0);
    assert_int_equal(r.count, 1028);
    assert_int_equal(r.events[2].time_ns, INT64_MAX - 1023);
    assert_int_equal(r.events[1025].time_ns, INT64_MAX);
    assert_int_equal(r.events[1026].time_ns, INT64_MIN);
    order_v1_result_fini(&r);
}

// SYSCALLS

static void test_syscalls_block_if_that_comes_next_of_the_goroutine(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysCall, 1, 9);
    P(1, 112);
    EV(HeapAlloc, 0, 1);
    P(0, 113);
    EV(GoSysBlock, 0);
    EV(HeapAlloc, 1, 2);
    EV(GoSysExit, 5, 7, 2, 117);
    EV(GoStart, 0, 7, 3);
    EV(GoSysCall, 1, 9);
    EV(HeapAlloc, 0, 3);
    EV(GoSysBlock, 1);
    assert_string_equal(rest(), "11 5/0/7 GoSyscallBegin 0 s9\n"
                                "12 -1/1/-1 HeapAlloc 1\n"
                                "14 5/0/-1 HeapAlloc 2\n"
                                "17 -1/1000003/7 GoSyscallEndBlocked\n"
                                "19 5/0/7 GoStart 7\n"
                                "20 5/0/7 GoSyscallBegin 0 s9\n"
                                "21 5/0/7 GoSyscallEnd\n"
                                "22 5/0/7 HeapAlloc 3\n");
}

// More than a word of bits, every third of which blocks.
static void test_many_syscalls(void **state)
{
    (void)state;
    begin(11);
    unsigned seq = 2, block_count = 0;
    for (unsigned i = 0; i < 200; i++) {
        EV(GoSysCall, 10, 0);
        if (i % 3 != 0)
            continue;
        EV(GoSysBlock, 1);
        EV(GoSysExit, 1, 7, seq, 0);
        EV(GoStart, 1, 7, seq + 1);
        seq += 2;
        block_count++;
    }
    struct order_v1_way way = {0};
    struct order_v1_result r = order_v1_convert(11, script_v1_bytes(), &way);
    unsigned begin_count = 0, end_count = 0, blocked_count = 0;
    for (size_t i = 0; i < r.count; i++) {
        begin_count += r.events[i].type == TP_EV_GoSyscallBegin;
        end_count += r.events[i].type == TP_EV_GoSyscallEnd;
        blocked_count += r.events[i].type == TP_EV_GoSyscallEndBlocked;
    }
    assert_int_equal(begin_count, 200);
    assert_int_equal(blocked_count, block_count);
    assert_int_equal(end_count, 200 - block_count);
    order_v1_result_fini(&r);
}

static void test_threads_that_nobody_knows(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1);
    EV(Gomaxprocs, 0, 1, 0);
    EV(GoCreate, 1, 7, 0, 0);
    EV(GoStartLocal, 1, 7);
    EV(GoSysCall, 1, 0);
    EV(HeapAlloc, 5, 0);
    // Go says 0 of a syscall that does not block, where elsewhere it says none.
    assert_string_equal(script_v1_convert(), SYNC "1 -1/0/-1 GoCreate 7 s0 s0\n"
                                                  "2 -1/0/7 GoStart 7\n"
                                                  "3 0/0/7 GoSyscallBegin 0 s0\n"
                                                  "4 0/0/7 GoSyscallEnd\n"
                                                  "8 -1/0/7 HeapAlloc 0\n");
}

static void test_threads_of_no_p_show_in_syscalls_only(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(UINT64_MAX, 1);
    EV(Gomaxprocs, 0, 1, 0);
    EV(ProcStart, 1, 5);
    EV(GoCreate, 1, 7, 0, 0);
    EV(GoStartLabel, 1, 7, 1, 0);
    EV(GoSysCall, 2, 0);
    assert_string_equal(script_v1_convert(), SYNC "1 -1/-1/-1 ProcStatus - 1\n"
                                                  "2 -1/-1/-1 GoCreate 7 s0 s0\n"
                                                  "3 5/-1/7 GoStart 7\n"
                                                  "4 5/-1/7 GoLabel \"\"\n"
                                                  "5 5/-1/7 GoSyscallBegin 0 s0\n"
                                                  "6 5/-1/7 GoSyscallEnd\n");
}

// NAMES

static void test_labels(void **state)
{
    (void)state;
    begin(11);
    STRING(1, "GC (dedicated)");
    EV(GoSched, 1, 0);
    EV(GoStartLabel, 1, 8, 1, 1);
    EV(HeapAlloc, 1, 1);
    assert_string_equal(rest(), "11 5/0/7 GoStop \"runtime.Gosched\" s0\n"
                                "12 5/0/8 GoStart 8\n"
                                "13 5/0/8 GoLabel \"GC (dedicated)\"\n"
                                "14 5/0/8 HeapAlloc 1\n");
}

static void test_tasks(void **state)
{
    (void)state;
    begin(11);
    STRING(1, "outer");
    STRING(2, "inner");
    P(0, 111);
    EV(UserTaskCreate, 0, 40, 0, 1, 3);
    EV(UserTaskCreate, 1, 41, 40, 2, 4);
    EV(UserTaskEnd, 1, 40, 5);
    EV(UserTaskEnd, 1, 41, 6);
    EV(UserTaskEnd, 1, 41, 7);
    EV(UserTaskCreate, 1, 41, 9, 77, 0);
    EV(UserTaskEnd, 1, 41, 0);
    // A parent of 0 is none where a task begins, and 0 where it ends.
    assert_string_equal(rest(), "11 5/0/7 UserTaskBegin 40 - \"outer\" s3\n"
                                "12 5/0/7 UserTaskBegin 41 40 \"inner\" s4\n"
                                "13 5/0/7 UserTaskEnd 40 s5 0 \"outer\"\n"
                                "14 5/0/7 UserTaskEnd 41 s6 40 \"inner\"\n"
                                "15 5/0/7 UserTaskEnd 41 s7 - ?\n"
                                "16 5/0/7 UserTaskBegin 41 9 ? s0\n"
                                "17 5/0/7 UserTaskEnd 41 s0 9 \"\"\n");
}

static void test_regions(void **state)
{
    (void)state;
    begin(11);
    STRING(1, "region");
    P(0, 111);
    EV(UserRegion, 0, 40, 0, 1, 3);
    EV(UserRegion, 1, 40, 1, 1, 4);
    assert_string_equal(rest(), "11 5/0/7 UserRegionBegin 40 \"region\" s3\n"
                                "12 5/0/7 UserRegionEnd 40 \"region\" s4\n");
}

static void test_logs(void **state)
{
    (void)state;
    begin(11);
    STRING(1, "key");
    P(0, 111);
    LOG(0, 40, 1, 3, "message");
    LOG(1, 41, 0, 4, "other");
    LOG(1, 42, 1, 5, "message");
    LOG(1, 43, 1, 0, "");
    LOG(1, 44, 1, 0, "key");
    assert_string_equal(rest(), "11 5/0/7 UserLog 40 \"key\" \"message\" s3\n"
                                "12 5/0/7 UserLog 41 \"\" \"other\" s4\n"
                                "13 5/0/7 UserLog 42 \"key\" \"message\" s5\n"
                                "14 5/0/7 UserLog 43 \"key\" \"\" s0\n"
                                "15 5/0/7 UserLog 44 \"key\" \"key\" s0\n");
    struct order_v1_result r = order_v1_convert(11, script_v1_bytes(), &script_v1_way);
    // Equal messages are one string.
    const struct tp_event *x = &r.events[r.count - 5];
    assert_int_equal(tp_arg(x, UserLog, value_string), tp_arg(x + 2, UserLog, value_string));
    order_v1_result_fini(&r);
}

// Strings that Go makes up come behind those of the trace, which may have the last ids.
static void test_ids_that_are_used_up(void **state)
{
    static const uint64_t refused[] = {UINT64_MAX, UINT64_MAX - 1,
                                       UINT64_MAX - TP_V1_WORD_COUNT};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(refused); i++) {
        begin(11);
        STRING(refused[i], "last");
        LOG(1, 40, refused[i], 0, "message");
        assert_string_equal(script_v1_convert(), "! trace contains too many strings\n");
    }
    begin(11);
    STRING(UINT64_MAX - TP_V1_WORD_COUNT - 1, "last");
    LOG(1, 40, UINT64_MAX - TP_V1_WORD_COUNT - 1, 0, "message");
    assert_string_equal(rest(), "11 5/0/7 UserLog 40 \"last\" \"message\" s0\n");
}

static void expect_stw(uint32_t minor, uint64_t kind, const char *word)
{
    char want[200];
    begin(minor);
    EV(STWStart, 1, kind);
    EV(STWDone, 1);
    snprintf(want, sizeof want, "11 5/0/7 STWBegin \"%s\" s0\n12 5/0/7 STWEnd \"%s\"\n", word,
             word);
    assert_string_equal(rest(), want);
}

static void test_why_the_world_stopped(void **state)
{
    static const char *const words[] = {
        "", "GC mark termination", "GC sweep termination", "write heap dump",
        "goroutine profile", "goroutine profile cleanup", "all goroutine stack trace",
        "read mem stats", "AllThreadsSyscall", "GOMAXPROCS", "start trace", "stop trace",
        "CountPagesInUse (test)", "ReadMetricsSlow (test)", "ReadMemStatsSlow (test)",
        "PageCachePagesLeaked (test)", "ResetDebugLog (test)",
    };
    static const uint32_t minors[] = {10, 11, 19};
    (void)state;
    for (uint64_t kind = 0; kind < TP_ARRAY_LEN(words); kind++)
        expect_stw(21, kind, words[kind]);
    expect_stw(21, TP_ARRAY_LEN(words), "");
    expect_stw(21, UINT64_MAX, "");
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        expect_stw(minors[i], 0, words[1]);
        expect_stw(minors[i], 1, words[2]);
        expect_stw(minors[i], 2, "");
        expect_stw(minors[i], UINT64_MAX, "");
    }
}

// VERSIONS

static void test_what_goes_only_without_strictness(void **state)
{
    static const struct {
        uint32_t minor;
        bool is_refused;
    } rows[] = {{7, false}, {10, false}, {11, true}, {19, true}, {21, true}};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        begin(rows[i].minor);
        EV(FutileWakeup, 1);
        EV(HeapAlloc, 1, 1);
        assert_string_equal(rest(), "12 5/0/7 HeapAlloc 1\n");
        script_v1_way.is_strict = true;
        assert_string_equal(rest(), rows[i].is_refused ? "! unexpected event type 36\n"
                                                       : "12 5/0/7 HeapAlloc 1\n");
        // Go looks at all of a trace first, but not for this.
        script_v1_way.is_rehearsed = true;
        assert_string_equal(rest(), rows[i].is_refused ? "! unexpected event type 36\n"
                                                       : "12 5/0/7 HeapAlloc 1\n");
    }
}

// Frames are PCs without names, and goroutines begin at a PC.
static void test_go_1_5(void **state)
{
    (void)state;
    script_v1_begin(5);
    STACK(6, 2);
    EV(Batch, 0, 0, 100);
    EV(Gomaxprocs, 1, 0, 1, 0);
    EV(GoCreate, 1, 1, 7, 0x500, 6);
    EV(GoCreate, 1, 1, 8, 0x600, 6);
    EV(GoCreate, 1, 1, 9, 0x500, 6);
    EV(GoStart, 1, 1, 7);
    EV(GCStart, 1, 1, 6);
    EV(GoBlockRecv, 1, 1, 6);
    EV(GoUnblock, 1, 1, 7, 6);
    assert_string_equal(script_v1_convert(), SYNC
                        "1 -1/0/-1 GoCreate 7 s7 s6\n"
                        "2 -1/0/-1 GoCreate 8 s8 s6\n"
                        "3 -1/0/-1 GoCreate 9 s7 s6\n"
                        "4 -1/0/7 GoStart 7\n"
                        "5 -1/1000004/7 GCBegin 0 s6\n"
                        "6 -1/0/7 GoBlock \"chan receive\" s6\n"
                        "7 -1/0/-1 GoUnblock 7 0 s6\n");
    struct order_v1_result r = order_v1_convert(5, script_v1_bytes(), &script_v1_way);
    assert_int_equal(tp_tables_resolve(r.tables), 0);
    struct tp_stack stack;
    assert_true(tp_event_transition_stack(&r.events[1], r.tables, &stack));
    assert_int_equal(stack.frame_count, 1);
    // As if behind a call, which is where the PCs of frames are.
    assert_int_equal(tp_stack_frame(&stack, 0).pc, 0x501);
    assert_true(tp_event_stack(&r.events[1], r.tables, &stack));
    assert_int_equal(stack.frame_count, 2);
    assert_int_equal(tp_stack_frame(&stack, 1).pc, 0x6001);
    order_v1_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_a_trace_begins),
        cmocka_unit_test(test_what_each_event_becomes),
        cmocka_unit_test(test_stacks_that_are_not_there),
        cmocka_unit_test(test_ps_and_their_threads),
        cmocka_unit_test(test_timers_wake_goroutines_on_a_p_of_their_own),
        cmocka_unit_test(test_what_was_there_before),
        cmocka_unit_test(test_a_labelled_start_says_nothing_of_before),
        cmocka_unit_test(test_a_trace_that_never_gets_going),
        cmocka_unit_test(test_ticks_become_nanoseconds),
        cmocka_unit_test(test_times_rise),
        cmocka_unit_test(test_times_that_do_not_fit),
        cmocka_unit_test(test_times_behind_the_last_there_is),
        cmocka_unit_test(test_syscalls_block_if_that_comes_next_of_the_goroutine),
        cmocka_unit_test(test_many_syscalls),
        cmocka_unit_test(test_threads_that_nobody_knows),
        cmocka_unit_test(test_threads_of_no_p_show_in_syscalls_only),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_logs),
        cmocka_unit_test(test_ids_that_are_used_up),
        cmocka_unit_test(test_why_the_world_stopped),
        cmocka_unit_test(test_what_goes_only_without_strictness),
        cmocka_unit_test(test_go_1_5),
    };
    return cmocka_run_group_tests_name("convert_v1", tests, NULL, tear_down);
}
