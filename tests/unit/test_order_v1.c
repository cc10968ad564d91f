// The order of events from before Go 1.22: what each type needs to be ready and what comes of
// it (Go's table, row by row), who is first at equal times, and Go's words where there is no
// order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "script_v1.h"

#define NO_ORDER "! no consistent ordering of events possible\n"
#define IMPOSSIBLE "! encountered impossible goroutine state transition\n"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// THE TABLE

// States of goroutine 7, which ran on P 0 last.
#define STATES(X)                                                                          \
    X(dead_0, "dead 0", )                                                                  \
    X(runnable_1, "runnable 1", EV(GoCreate, 1, 7, 0, 0);)                                 \
    X(waiting_2, "waiting 2", EV(GoCreate, 1, 7, 0, 0); EV(GoWaiting, 1, 7);)              \
    X(running_2, "running 2", EV(GoCreate, 1, 7, 0, 0); EV(GoStart, 1, 7, 1);)             \
    X(runnable_2, "runnable 2", EV(GoCreate, 1, 7, 0, 0); EV(GoStart, 1, 7, 1);            \
      EV(GoSched, 1, 0);)

#define X(name, text, ...)        \
    static void be_##name(void)   \
    {                             \
        __VA_ARGS__               \
    }
STATES(X)
#undef X

static const struct {
    const char *text;
    void (*put)(void);
} states[] = {
#define X(name, text, ...) {text, be_##name},
    STATES(X)
#undef X
};
enum { STATE_COUNT = TP_ARRAY_LEN(states) };

// Where a row has no entry: not ready.
#define ROWS(X)                                                                            \
    X(GoCreate, EV(GoCreate, 1, 7, 0, 0), [0] = "runnable 1")                              \
    X(GoWaiting, EV(GoWaiting, 1, 7), [1] = "waiting 2")                                   \
    X(GoInSyscall, EV(GoInSyscall, 1, 7), [1] = "waiting 2")                               \
    X(GoStart_0, EV(GoStart, 1, 7, 0), )                                                   \
    X(GoStart_1, EV(GoStart, 1, 7, 1), [1] = "running 2")                                  \
    X(GoStart_2, EV(GoStart, 1, 7, 2), [4] = "running 3")                                  \
    X(GoStartLabel_1, EV(GoStartLabel, 1, 7, 1, 0), [1] = "running 2")                     \
    X(GoStartLabel_2, EV(GoStartLabel, 1, 7, 2, 0), [4] = "running 3")                     \
    X(GoStartLocal, EV(GoStartLocal, 1, 7), [1] = "running 2", [4] = "running 3")          \
    X(GoBlock, EV(GoBlock, 1, 0), [3] = "waiting 2")                                       \
    X(GoBlockSend, EV(GoBlockSend, 1, 0), [3] = "waiting 2")                               \
    X(GoBlockRecv, EV(GoBlockRecv, 1, 0), [3] = "waiting 2")                               \
    X(GoBlockSelect, EV(GoBlockSelect, 1, 0), [3] = "waiting 2")                           \
    X(GoBlockSync, EV(GoBlockSync, 1, 0), [3] = "waiting 2")                               \
    X(GoBlockCond, EV(GoBlockCond, 1, 0), [3] = "waiting 2")                               \
    X(GoBlockNet, EV(GoBlockNet, 1, 0), [3] = "waiting 2")                                 \
    X(GoBlockGC, EV(GoBlockGC, 1, 0), [3] = "waiting 2")                                   \
    X(GoSleep, EV(GoSleep, 1, 0), [3] = "waiting 2")                                       \
    X(GoSysBlock, EV(GoSysBlock, 1), [3] = "waiting 2")                                    \
    X(GoSched, EV(GoSched, 1, 0), [3] = "runnable 2")                                      \
    X(GoPreempt, EV(GoPreempt, 1, 0), [3] = "runnable 2")                                  \
    X(GoUnblock_1, EV(GoUnblock, 1, 7, 1, 0), )                                            \
    X(GoUnblock_2, EV(GoUnblock, 1, 7, 2, 0), [2] = "runnable 3")                          \
    X(GoSysExit_1, EV(GoSysExit, 1, 7, 1, 0), )                                            \
    X(GoSysExit_2, EV(GoSysExit, 1, 7, 2, 0), [2] = "runnable 3")                          \
    X(GoUnblockLocal, EV(GoUnblockLocal, 1, 7, 0), [2] = "runnable 3")                     \
    X(GoSysExitLocal, EV(GoSysExitLocal, 1, 7, 0), [2] = "runnable 3")

#define X(name, event, ...)       \
    static void put_##name(void)  \
    {                             \
        event;                    \
    }
ROWS(X)
#undef X

static const struct {
    const char *name;
    void (*put)(void);
    const char *then[STATE_COUNT];
} rows[] = {
#define X(name, event, ...) {#name, put_##name, {__VA_ARGS__}},
    ROWS(X)
#undef X
};

static void begin_with(void (*put_state)(void), void (*put_event)(void))
{
    script_v1_begin(21);
    P(0, 0);
    put_state();
    put_event();
}

static bool is_ordered(void)
{
    return strchr(script_v1_walk(), '!') == NULL;
}

// What goroutine 7 is behind the event, found by what it can do then. NULL: there is no
// such place.
static const char *state_after(void (*put_state)(void), void (*put_event)(void))
{
    static char text[32];
    begin_with(put_state, put_event);
    if (!is_ordered())
        return NULL;
    EV(GoCreate, 1, 7, 0, 0);
    if (is_ordered())
        return "dead 0";
    for (unsigned seq = 0; seq < 6; seq++) {
        begin_with(put_state, put_event);
        EV(GoStart, 1, 7, seq);
        if (is_ordered()) {
            snprintf(text, sizeof text, "runnable %u", seq);
            return text;
        }
        begin_with(put_state, put_event);
        EV(GoUnblock, 1, 7, seq, 0);
        if (is_ordered()) {
            snprintf(text, sizeof text, "waiting %u", seq);
            return text;
        }
        begin_with(put_state, put_event);
        EV(GoSched, 1, 0);
        EV(GoStart, 1, 7, seq);
        if (is_ordered()) {
            snprintf(text, sizeof text, "running %u", seq);
            return text;
        }
    }
    return "nothing";
}

static void nothing(void)
{
}

static void test_states_are_what_they_are_called(void **state)
{
    (void)state;
    for (size_t i = 0; i < STATE_COUNT; i++)
        assert_string_equal(state_after(states[i].put, nothing), states[i].text);
}

static void test_what_is_ready_in_which_state_and_what_comes_of_it(void **state)
{
    (void)state;
    for (size_t r = 0; r < TP_ARRAY_LEN(rows); r++) {
        for (size_t i = 0; i < STATE_COUNT; i++) {
            const char *want = rows[r].then[i];
            const char *got = state_after(states[i].put, rows[r].put);
            if ((want == NULL) != (got == NULL) || (want != NULL && strcmp(want, got) != 0))
                fail_msg("%s in %s: %s, not %s", rows[r].name, states[i].text,
                         got != NULL ? got : "not ready", want != NULL ? want : "not ready");
        }
    }
}

#define FREE_EVENTS(X)                                                                     \
    X(GoEnd, EV(GoEnd, 1))                                                                 \
    X(GoStop, EV(GoStop, 1, 0))                                                            \
    X(GoSysCall, EV(GoSysCall, 1, 0))                                                      \
    X(Gomaxprocs, EV(Gomaxprocs, 1, 4, 0))                                                 \
    X(ProcStart, EV(ProcStart, 1, 3))                                                      \
    X(ProcStop, EV(ProcStop, 1))                                                           \
    X(GCDone, EV(GCDone, 1))                                                               \
    X(STWStart, EV(STWStart, 1, 0))                                                        \
    X(STWDone, EV(STWDone, 1))                                                             \
    X(GCSweepStart, EV(GCSweepStart, 1, 0))                                                \
    X(GCSweepDone, EV(GCSweepDone, 1, 7, 7))                                               \
    X(HeapAlloc, EV(HeapAlloc, 1, 7))                                                      \
    X(HeapGoal, EV(HeapGoal, 1, 7))                                                        \
    X(FutileWakeup, EV(FutileWakeup, 1))                                                   \
    X(GCMarkAssistStart, EV(GCMarkAssistStart, 1, 0))                                      \
    X(GCMarkAssistDone, EV(GCMarkAssistDone, 1))                                           \
    X(UserTaskCreate, EV(UserTaskCreate, 1, 7, 0, 0, 0))                                   \
    X(UserTaskEnd, EV(UserTaskEnd, 1, 7, 0))                                               \
    X(UserRegion, EV(UserRegion, 1, 7, 0, 0, 0))                                           \
    X(UserLog, LOG(1, 7, 0, 0, "text"))                                                    \
    X(CPUSample, EV(CPUSample, 1, 5, 9, 7, 0))

// On a P of their own, so that they take no goroutine from P 0.
#define X(name, event)                 \
    static void put_free_##name(void)  \
    {                                  \
        P(9, 20);                      \
        event;                         \
        P(0, 30);                      \
    }
FREE_EVENTS(X)
#undef X

static void test_all_others_are_always_ready_and_change_nothing(void **state)
{
    static const struct {
        const char *name;
        void (*put)(void);
    } events[] = {
#define X(name, event) {#name, put_free_##name},
        FREE_EVENTS(X)
#undef X
    };
    (void)state;
    for (size_t e = 0; e < TP_ARRAY_LEN(events); e++) {
        for (size_t i = 0; i < STATE_COUNT; i++) {
            const char *got = state_after(states[i].put, events[e].put);
            if (got == NULL || strcmp(got, states[i].text) != 0)
                fail_msg("%s in %s: %s", events[e].name, states[i].text,
                         got != NULL ? got : "not ready");
        }
    }
}

static void test_collections_by_their_numbers(void **state)
{
    (void)state;
    script_v1_begin(21);
    P(0, 0);
    EV(GCStart, 30, 1, 0);
    P(1, 0);
    EV(GCStart, 40, 0, 0);
    P(2, 0);
    EV(GCStart, 50, 2, 0);
    assert_string_equal(script_v1_walk(), "40 p1 g0 GCStart 0\n"
                                          "30 p0 g0 GCStart 1\n"
                                          "50 p2 g0 GCStart 2\n");
    P(3, 60);
    EV(GCStart, 0, 4, 0);
    assert_non_null(strstr(script_v1_walk(), NO_ORDER));
}

// PS

static void test_a_goroutine_goes_from_p_to_p_by_its_numbers(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(3, 40);
    EV(GoStart, 5, 7, 3);
    EV(GoEnd, 1);
    P(2, 30);
    EV(GoUnblock, 0, 7, 2, 0);
    P(1, 20);
    EV(GoStart, 0, 7, 1);
    EV(GoBlockRecv, 1, 0);
    P(0, 10);
    EV(GoCreate, 0, 7, 0, 0);
    assert_string_equal(script_v1_walk(), "10 p0 g0 GoCreate 7 0\n"
                                          "20 p1 g7 GoStart 7 1\n"
                                          "21 p1 g7 GoBlockRecv\n"
                                          "30 p2 g0 GoUnblock 7 2\n"
                                          "45 p3 g7 GoStart 7 3\n"
                                          "46 p3 g7 GoEnd\n");
}

static void test_who_runs_on_a_p_stays_over_batches_of_others(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoStartLocal, 1, 7);
    P(1, 20);
    EV(HeapAlloc, 0, 1);
    P(0, 30);
    EV(HeapAlloc, 0, 2);
    EV(GoSysCall, 1, 0);
    EV(GoSysBlock, 1);
    EV(HeapAlloc, 1, 3);
    EV(GoSysExit, 1, 7, 2, 0);
    EV(HeapAlloc, 1, 4);
    assert_string_equal(script_v1_walk(), "10 p0 g0 GoCreate 7 0\n"
                                          "11 p0 g7 GoStart 7 0\n"
                                          "20 p1 g0 HeapAlloc 1\n"
                                          "30 p0 g7 HeapAlloc 2\n"
                                          "31 p0 g7 GoSysCall\n"
                                          "32 p0 g7 GoSysBlock\n"
                                          "33 p0 g0 HeapAlloc 3\n"
                                          "34 p0 g7 GoSysExit 7 2 0\n"
                                          "35 p0 g0 HeapAlloc 4\n");
}

static void test_an_exit_on_its_own_p_is_of_whoever_runs_there(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoCreate, 1, 8, 0, 0);
    EV(GoWaiting, 1, 8);
    EV(GoStartLocal, 1, 7);
    EV(GoUnblockLocal, 1, 8, 0);
    EV(GoStop, 1, 0);
    EV(GoStartLocal, 1, 8);
    EV(GoSysBlock, 1);
    EV(GoSysExitLocal, 1, 8, 5);
    assert_non_null(strstr(script_v1_walk(), "18 p0 g0 GoSysExit 8 5 0\n"));
}

static void test_batches_without_a_p(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(1, 10);
    EV(HeapAlloc, 0, 1);
    P(UINT64_MAX, 10);
    EV(HeapAlloc, 0, 2);
    P(0, 10);
    EV(HeapAlloc, 0, 3);
    // The streams begin as -1, 0, 1, samples.
    assert_string_equal(script_v1_walk(), "10 p-1 g0 HeapAlloc 2\n"
                                          "10 p0 g0 HeapAlloc 3\n"
                                          "10 p1 g0 HeapAlloc 1\n");
}

// A buffer begins with its Batch, whatever comes first in it.
static void test_strings_between_a_batch_and_its_events(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(HeapAlloc, 1, 1);
    P(0, 20);
    STRING(1, "task");
    EV(HeapAlloc, 1, 2);
    STRING(2, "other");
    EV(HeapAlloc, 1, 3);
    assert_string_equal(script_v1_walk(), "11 p0 g0 HeapAlloc 1\n"
                                          "21 p0 g0 HeapAlloc 2\n"
                                          "22 p0 g0 HeapAlloc 3\n");
    script_v1_convert();
}

// EQUAL TIMES

// The list of streams, the heap of events, and which goes, by hand:
//
//   list              heap          goes     an ended stream leaves the list when it is
//   0 1 2 S                                  looked at; who is taken leaves its place to
//   -                 a1 c1 b1      a1       the last
//   0: a2             b1 c1 a2      b1
//   1: b2             a2 c1 b2      a2
//   0: end            b2 c1         b2
//   1: end            c1            c1
//   2: c2             c2            c2
static void test_three_ps_at_one_time(void **state)
{
    (void)state;
    script_v1_begin(11);
    for (unsigned p = 0; p < 3; p++) {
        P(p, 10);
        EV(HeapAlloc, 0, 1);
        EV(HeapAlloc, 0, 2);
    }
    assert_string_equal(script_v1_walk(), "10 p0 g0 HeapAlloc 1\n"
                                          "10 p1 g0 HeapAlloc 1\n"
                                          "10 p0 g0 HeapAlloc 2\n"
                                          "10 p1 g0 HeapAlloc 2\n"
                                          "10 p2 g0 HeapAlloc 1\n"
                                          "10 p2 g0 HeapAlloc 2\n");
}

//   heap               goes
//   a10 c10 b20        a10     b20 at the root goes below c10
//   c10 b20 a20        c10
//   a20 b20 c20        a20
//   c20 b20 a20'       c20
//   a20' b20           a20'
//   b20, then b20'
static void test_three_ps_at_two_times(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, 10, 2);
    EV(HeapAlloc, 0, 3);
    P(1, 20);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, 0, 2);
    P(2, 10);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, 10, 2);
    assert_string_equal(script_v1_walk(), "10 p0 g0 HeapAlloc 1\n"
                                          "10 p2 g0 HeapAlloc 1\n"
                                          "20 p0 g0 HeapAlloc 2\n"
                                          "20 p2 g0 HeapAlloc 2\n"
                                          "20 p0 g0 HeapAlloc 3\n"
                                          "20 p1 g0 HeapAlloc 1\n"
                                          "20 p1 g0 HeapAlloc 2\n");
}

//   list                heap           goes
//   0 1 2 S: 0 waits
//   0                   create h2      create
//   0 1                 h2 start h1    h2
//   2: end              h1 start       h1
//   1: end              start          start
static void test_who_has_to_wait_keeps_its_place(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(GoStart, 0, 7, 1);
    P(1, 10);
    EV(GoCreate, 0, 7, 0, 0);
    EV(HeapAlloc, 0, 1);
    P(2, 10);
    EV(HeapAlloc, 0, 2);
    assert_string_equal(script_v1_walk(), "10 p1 g0 GoCreate 7 0\n"
                                          "10 p2 g0 HeapAlloc 2\n"
                                          "10 p1 g0 HeapAlloc 1\n"
                                          "10 p0 g7 GoStart 7 1\n");
}

// Whoever waits goes on when something happens to its goroutine, an end as well, and not when
// it happens to others.
static void test_who_waits_for_the_end_of_another(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoStart, 1, 7, 1);
    EV(GoEnd, 199);
    P(1, 105);
    EV(HeapAlloc, 0, 1);
    EV(GoCreate, 1, 7, 0, 0);
    P(2, 110);
    EV(GoCreate, 0, 8, 0, 0);
    EV(GoStart, 1, 8, 1);
    EV(GoEnd, 1);
    assert_string_equal(script_v1_walk(), "100 p0 g0 GoCreate 7 0\n"
                                          "101 p0 g7 GoStart 7 1\n"
                                          "105 p1 g0 HeapAlloc 1\n"
                                          "110 p2 g0 GoCreate 8 0\n"
                                          "111 p2 g8 GoStart 8 1\n"
                                          "112 p2 g8 GoEnd\n"
                                          "300 p0 g7 GoEnd\n"
                                          "106 p1 g0 GoCreate 7 0\n");
}

static void test_samples_are_sorted_among_events(void **state)
{
    (void)state;
    script_v1_begin(19);
    P(1, 10);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, 20, 2);
    EV(HeapAlloc, 0, 3);
    P(0, 100);
    EV(CPUSample, 0, 40, 1, 5, 0);
    EV(CPUSample, 1, 5, UINT64_MAX, 0, 0);
    EV(CPUSample, 1, 30, 2, 6, 0);
    EV(CPUSample, 1, 20, 3, 0, 0);
    assert_string_equal(script_v1_walk(), "5 p-1 g0 CPUSample 0 - 0\n"
                                          "10 p1 g0 HeapAlloc 1\n"
                                          "20 p3 g0 CPUSample 0 3 0\n"
                                          "30 p1 g0 HeapAlloc 2\n"
                                          "30 p2 g6 CPUSample 0 2 6\n"
                                          "30 p1 g0 HeapAlloc 3\n"
                                          "40 p1 g5 CPUSample 0 1 5\n");
}

// NO ORDER

static void test_an_event_that_nobody_makes_ready(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(HeapAlloc, 0, 1);
    P(1, 5);
    EV(GoStart, 0, 7, 1);
    assert_string_equal(script_v1_walk(), "10 p0 g0 HeapAlloc 1\n" NO_ORDER);
    assert_string_equal(script_v1_convert(), "-1 -1/-1/-1 Sync 1 1\n"
                                             "0 -1/0/-1 HeapAlloc 1\n" NO_ORDER);
    assert_string_equal(script_v1_convert_strictly(), NO_ORDER);
}

// Both are found ready, and the first one changes that.
static void test_two_that_want_the_same_goroutine(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoWaiting, 0, 7);
    P(1, 20);
    EV(GoUnblockLocal, 0, 7, 0);
    P(2, 21);
    EV(GoUnblockLocal, 0, 7, 0);
    assert_string_equal(script_v1_walk(), "10 p0 g0 GoCreate 7 0\n"
                                          "10 p0 g7 GoWaiting 7\n"
                                          "20 p1 g0 GoUnblock 7 0\n" IMPOSSIBLE);
    assert_string_equal(script_v1_convert_strictly(), IMPOSSIBLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_what_they_are_called),
        cmocka_unit_test(test_what_is_ready_in_which_state_and_what_comes_of_it),
        cmocka_unit_test(test_all_others_are_always_ready_and_change_nothing),
        cmocka_unit_test(test_collections_by_their_numbers),
        cmocka_unit_test(test_a_goroutine_goes_from_p_to_p_by_its_numbers),
        cmocka_unit_test(test_who_runs_on_a_p_stays_over_batches_of_others),
        cmocka_unit_test(test_an_exit_on_its_own_p_is_of_whoever_runs_there),
        cmocka_unit_test(test_batches_without_a_p),
        cmocka_unit_test(test_strings_between_a_batch_and_its_events),
        cmocka_unit_test(test_three_ps_at_one_time),
        cmocka_unit_test(test_three_ps_at_two_times),
        cmocka_unit_test(test_who_has_to_wait_keeps_its_place),
        cmocka_unit_test(test_who_waits_for_the_end_of_another),
        cmocka_unit_test(test_samples_are_sorted_among_events),
        cmocka_unit_test(test_an_event_that_nobody_makes_ready),
        cmocka_unit_test(test_two_that_want_the_same_goroutine),
    };
    return cmocka_run_group_tests_name("order_v1", tests, NULL, tear_down);
}
