// Waits by who ended them, the part for which the waker is to blame, and other evidence for
// findings, are the same wherever the events are cut.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "full_script.h"

static void test_a_lock_is_blamed_on_its_holder_for_as_long_as_it_held(void **state)
{
    (void)state;
    script_begin();
    // Goroutine 1 has the lock, sleeps with it, and hands it to 2, which hands it to 3.
    EV(10, 2, GoBlock, TEXT(MUTEX), STACK(WORK));
    EV(15, 3, GoBlock, TEXT(MUTEX), STACK(WORK));
    EV(20, 1, GoBlock, TEXT(SLEEP), STACK(OTHER));
    EV(40, -1, GoUnblock, 1, 0, 0);
    EV(45, 1, GoStart, 1);
    EV(50, 1, GoUnblock, 2, 0, STACK(OTHER));
    EV(55, 2, GoStart, 2);
    EV(70, 2, GoUnblock, 3, 0, STACK(MAIN));
    // 1: 40 of 40, though it slept. 2: 20 of 55, those since it got the lock itself.
    script_expect_pairs("BLAMED [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] 1 40 0\n"
                        "BLAMED [main.leaf:7;main.work:9] [main.leaf:7;runtime.main:9] 1 20 0\n"
                        "woken sync [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] "
                        "1 40 40 at 10 40:1\n"
                        "woken sync [main.leaf:7;main.work:9] [main.leaf:7;runtime.main:9] "
                        "1 55 55 at 15 55:1\n");
}

static void test_a_channel_is_blamed_on_who_is_busy(void **state)
{
    (void)state;
    script_begin();
    // Goroutine 1 waits for something until 40, and then lets 4 and 5 wait.
    EV(12, 4, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(20, 1, GoBlock, TEXT(CHAN), STACK(OTHER));
    EV(40, -1, GoUnblock, 1, 0, 0);
    EV(41, 1, GoStart, 1);
    EV(50, 5, GoBlock, TEXT(SELECT), STACK(WORK));
    EV(60, 1, GoUnblock, 4, 0, STACK(MAIN));
    EV(75, 1, GoUnblock, 5, 0, STACK(MAIN));
    script_expect_pairs("BLAMED [main.leaf:7;main.other:9] [] 1 20 0\n"
                        "BLAMED [main.leaf:7;main.work:9] [main.leaf:7;runtime.main:9] 2 45 0\n"
                        "woken chan receive [main.leaf:7;main.other:9] [] 1 20 20 at 20 20:1\n"
                        "woken chan receive [main.leaf:7;main.work:9] [main.leaf:7;runtime.main:9] "
                        "1 48 48 at 12 48:1\n"
                        "woken select [main.leaf:7;main.work:9] [main.leaf:7;runtime.main:9] "
                        "1 25 25 at 50 25:1\n");
}

// A timer's function answers in a goroutine of its own, which was not there while the other waited.
static void test_a_new_goroutine_is_not_blamed_for_what_was_before_it(void **state)
{
    (void)state;
    script_begin();
    EV(10, 2, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(50, -1, GoCreate, 5, STACK(OTHER), 0);
    EV(52, -1, GoStart, 5);
    EV(53, 5, GoUnblock, 2, 0, STACK(OTHER));
    EV(55, 2, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(60, 5, GoUnblock, 2, 0, STACK(OTHER));
    script_expect_pairs("BLAMED [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] 2 8 0\n"
                        "woken chan receive [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] "
                        "2 48 43 at 10 5:1 43:1\n");
}

static void test_waits_that_began_before_the_trace_are_left_out(void **state)
{
    (void)state;
    script_begin();
    EV(10, -1, GoStatus, 7, 0, 4, STACK(WORK));
    EV(20, 1, GoUnblock, 7, 0, STACK(MAIN));
    EV(30, 1, GoUnblock, 8, 0, STACK(MAIN));
    // Nothing ends a wait for ever, nor one of a goroutine that runs.
    EV(40, 9, GoBlock, TEXT(FOREVER), STACK(WORK));
    EV(50, 1, GoUnblock, 9, 0, STACK(MAIN));
    EV(60, 6, GoStart, 6);
    EV(70, 1, GoUnblock, 6, 0, STACK(MAIN));
    script_expect_pairs("");
}

static void test_a_pair_has_waits_for_several_reasons(void **state)
{
    (void)state;
    script_begin();
    EV(10, 2, GoBlock, TEXT(MUTEX), STACK(WORK));
    EV(20, 1, GoUnblock, 2, 0, STACK(OTHER));
    EV(25, 2, GoStart, 2);
    EV(30, 2, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(42, 1, GoUnblock, 2, 0, STACK(OTHER));
    EV(45, 2, GoStart, 2);
    EV(50, 2, GoBlock, TEXT(MUTEX), STACK(WORK));
    EV(65, 1, GoUnblock, 2, 0, STACK(OTHER));
    script_expect_pairs("BLAMED [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] 3 37 0\n"
                        "woken chan receive [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] "
                        "1 12 12 at 30 12:1\n"
                        "woken sync [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] "
                        "2 25 15 at 50 10:1 15:1\n");
}

static void test_waits_that_no_goroutine_ends_are_in_no_pair(void **state)
{
    (void)state;
    script_begin();
    EV(10, 2, GoBlock, TEXT(NETWORK), STACK(WORK));
    EV(20, 3, GoBlock, TEXT(SLEEP), STACK(OTHER));
    EV(30, -1, GoUnblock, 2, 0, 0);
    EV(40, -1, GoUnblock, 3, 0, 0);
    EV(50, 2, GoBlock, TEXT(NETWORK), STACK(WORK));
    EV(65, -1, GoUnblock, 2, 0, 0);
    script_expect_pairs("");
}

static void test_a_goroutine_with_an_id_of_old_begins_anew(void **state)
{
    (void)state;
    script_begin();
    EV(10, 2, GoBlock, TEXT(MUTEX), STACK(WORK));
    EV(20, 1, GoBlock, TEXT(MUTEX), STACK(OTHER));
    EV(30, 3, GoUnblock, 1, 0, STACK(MAIN));
    EV(40, 3, GoDestroy, 0);
    // Another goroutine 1, which left no wait before; so it is to blame for 2's since it began.
    EV(50, 4, GoCreate, 1, STACK(WORK), STACK(MAIN));
    EV(60, 1, GoStart, 1);
    EV(70, 1, GoUnblock, 2, 0, STACK(OTHER));
    script_expect_pairs("BLAMED [main.leaf:7;main.other:9] [main.leaf:7;runtime.main:9] 1 10 0\n"
                        "BLAMED [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] 1 20 0\n"
                        "woken sync [main.leaf:7;main.other:9] [main.leaf:7;runtime.main:9] "
                        "1 10 10 at 20 10:1\n"
                        "woken sync [main.leaf:7;main.work:9] [main.leaf:7;main.other:9] "
                        "1 60 60 at 10 60:1\n");
}

static void test_stops_of_the_world(void **state)
{
    (void)state;
    script_begin();
    EV(10, 1, STWBegin, TEXT(ALPHA), STACK(WORK));
    EV(40, 1, STWEnd, TEXT(ALPHA));
    EV(50, 2, STWBegin, TEXT(STOP), STACK(OTHER));
    EV(55, 2, STWEnd, TEXT(STOP));
    EV(60, 1, STWBegin, TEXT(ALPHA), STACK(WORK));
    EV(90, 1, STWEnd, TEXT(ALPHA));
    // The reason is lost: it may be the end of the trace.
    EV(91, 1, STWBegin, 999, STACK(WORK));
    EV(94, 1, STWEnd, 999);
    // Neither a stop that began before the trace, nor one that does not end.
    EV(95, 3, STWEnd, TEXT(ALPHA));
    EV(97, 1, STWBegin, TEXT(ALPHA), STACK(WORK));
    script_expect_pairs("STOP [main.leaf:7;main.work:9] [] 2 60 30 at 10 30:2\n"
                        "STOP_GC [main.leaf:7;main.other:9] [] 1 5 5 at 50 5:1\n");
}

static void test_begins_of_the_collector(void **state)
{
    (void)state;
    script_begin();
    EV(10, 1, GCBegin, 0, STACK(MAIN));
    EV(20, 1, GCMarkAssistBegin, STACK(WORK));
    EV(30, 1, GCMarkAssistEnd, 0);
    EV(40, 2, GCMarkAssistBegin, STACK(WORK));
    EV(50, 3, GCMarkAssistBegin, 0);
    EV(60, 1, GCEnd, 0);
    script_expect_pairs("ASSIST [] [] 1 0 0\n"
                        "ASSIST [main.leaf:7;main.work:9] [] 2 0 0\n"
                        "GC_BEGIN [main.leaf:7;runtime.main:9] [] 1 0 0\n");
}

// The totals keep two frames of an assist's stack: the innermost one of the program, which
// allocates, and the outermost one, which is the goroutine's start function. A stack of the library
// stays whole.
static void test_ends_of_stacks(void **state)
{
    static const enum full_stack stacks[] = {STACK_DEEP,      STACK_LESS_DEEP, STACK_DEEP,
                                             STACK_STOPPED,   STACK_WRAPPER,   STACK_SWEEPER,
                                             STACK_NO_FRAMES, STACK_NAMELESS,  STACK_LIBRARY};
    (void)state;
    script_begin();
    for (size_t i = 0; i < TP_ARRAY_LEN(stacks); i++) {
        EV(10 + 10 * (int64_t)i, 1, GCMarkAssistBegin, full_stack(SCRIPT_GENERATION, stacks[i]));
        EV(15 + 10 * (int64_t)i, 1, GCMarkAssistEnd, 0);
    }
    script_expect_pairs("ASSIST [:9] [] 1 0 0\n"
                        "ASSIST [] [] 1 0 0\n"
                        "ASSIST [main.leaf:7;main.other:9] [] 3 0 0\n"
                        "ASSIST [main.leaf:7;runtime.bgsweep:9] [] 1 0 0\n"
                        "ASSIST [main.serve.gowrap12:9] [] 2 0 0\n"
                        "ASSIST [runtime.bgsweep:7;net/http.(*conn).serve:9] [] 1 0 0\n");
}

static void test_long_runs(void **state)
{
    (void)state;
    script_begin();
    EV(1000000, 1, GoStart, 1);
    EV(2000000, 1, GoBlock, TEXT(MUTEX), STACK(WORK));
    EV(2000001, 2, GoStart, 2);
    EV(3000000, 2, GoStop, TEXT(PREEMPTED), STACK(OTHER)); // 1 ns less than long
    EV(3000001, 2, GoStart, 2);
    EV(5000000, 2, STWBegin, TEXT(ALPHA), STACK(WORK));
    EV(6000000, 2, STWEnd, TEXT(ALPHA));
    EV(9000000, 2, GoStop, TEXT(PREEMPTED), STACK(OTHER)); // since it stopped the world
    // A run that began before the trace.
    EV(20000000, 3, GoStop, TEXT(PREEMPTED), STACK(WORK));
    script_expect_pairs("LONG_RUN [main.leaf:7;main.work:9] [] 1 1000000 1000000 at 1000000 954:1\n"
                        "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [] "
                        "1 3000000 3000000 at 6000000 1051:1\n"
                        "STOP [main.leaf:7;main.work:9] [] 1 1000000 1000000 at 5000000 954:1\n");
}

// Their stacks lack the function that ran, which the stack of the next run's end may have.
static void test_preemptions_before_go_1_25(void **state)
{
    (void)state;
    for (uint32_t minor = 19; minor <= 25; minor += 2) {
        script_begin_of(minor);
        EV(1000000, 2, GoStart, 2);
        EV(3000000, 2, GoStop, TEXT(PREEMPTED), STACK(OTHER));
        EV(3000010, 2, GoStart, 2);
        EV(4000010, 2, GoStop, TEXT(PREEMPTED), STACK(WORK)); // the next of one, and long itself
        EV(4000020, 2, GoStart, 2);
        EV(4000030, 2, GoBlock, TEXT(MUTEX), STACK(MAIN));
        EV(5000000, 3, GoStart, 3);
        EV(9000000, 3, GoStop, TEXT(PREEMPTED), STACK(WORK)); // it ends no further run
        EV(9000010, 1, GoCreate, 4, STACK(MAIN), STACK(MAIN));
        EV(9000020, 4, GoStart, 4);
        EV(17000020, 4, GoStop, TEXT(PREEMPTED), STACK(OTHER));
        EV(17000030, 4, GoStart, 4);
        EV(17000040, 4, GoDestroy, 0); // without a stack
        const char *same = "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [main.leaf:7;main.other:9] "
                           "2 10000000 8000000 at 9000020 1018:1 1146:1\n"
                           "LONG_RUN_PREEMPTED [main.leaf:7;main.work:9] [main.leaf:7;main.work:9] "
                           "2 5000000 4000000 at 5000000 954:1 1082:1\n";
        const char *next = "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [main.leaf:7;main.other:9] "
                           "1 8000000 8000000 at 9000020 1146:1\n"
                           "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [main.leaf:7;main.work:9] "
                           "1 2000000 2000000 at 1000000 1018:1\n"
                           "LONG_RUN_PREEMPTED [main.leaf:7;main.work:9] [main.leaf:7;main.work:9] "
                           "1 4000000 4000000 at 5000000 1082:1\n"
                           "LONG_RUN_PREEMPTED [main.leaf:7;main.work:9] "
                           "[main.leaf:7;runtime.main:9] 1 1000000 1000000 at 3000010 954:1\n";
        const char *none = "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [] "
                           "2 10000000 8000000 at 9000020 1018:1 1146:1\n"
                           "LONG_RUN_PREEMPTED [main.leaf:7;main.work:9] [] "
                           "2 5000000 4000000 at 5000000 954:1 1082:1\n";
        script_expect_pairs(minor < 21 ? same : minor < 25 ? next : none);
    }
}

// The collector stops a goroutine to scan its stack: it waits then.
static void test_preemptions_that_block(void **state)
{
    (void)state;
    for (uint32_t minor = 20; minor <= 26; minor += 3) {
        script_begin_of(minor);
        EV(1000000, 2, GoStart, 2);
        EV(3000000, 2, GoBlock, TEXT(PREEMPTED), STACK(OTHER));
        EV(3000010, 1, GoUnblock, 2, 0, STACK(MAIN));
        EV(3000020, 2, GoStart, 2);
        EV(3000030, 2, GoBlock, TEXT(SLEEP), STACK(WORK));
        EV(3000040, -1, GoUnblock, 2, 1, 0);
        EV(3000050, 2, GoStart, 2);
        EV(3000060, 2, GoDestroy, 0);
        const char *same = "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [main.leaf:7;main.other:9] "
                           "1 2000000 2000000 at 1000000 1018:1\n";
        const char *next = "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [main.leaf:7;main.work:9] "
                           "1 2000000 2000000 at 1000000 1018:1\n";
        const char *none = "LONG_RUN_PREEMPTED [main.leaf:7;main.other:9] [] "
                           "1 2000000 2000000 at 1000000 1018:1\n";
        script_expect_pairs(minor < 21 ? same : minor < 25 ? next : none);
    }
}

static void test_long_waits_for_a_p(void **state)
{
    (void)state;
    script_begin();
    EV(10, 2, GoBlock, TEXT(NETWORK), STACK(WORK));
    EV(20, 1, GoCreate, 4, STACK(WORK), STACK(OTHER));
    EV(30, 1, GoUnblock, 2, 0, STACK(MAIN));
    EV(40, 3, GoStart, 3);
    EV(50, 3, GoStop, TEXT(PREEMPTED), STACK(WORK));
    EV(10000030, 2, GoStart, 2);
    EV(20000020, 4, GoStart, 4);
    EV(30000000, 3, GoStart, 3); // nobody made it runnable
    script_expect_pairs("LATE [main.leaf:7;main.other:9] [] 1 20000000 20000000 at 20 1228:1\n"
                        "LATE [main.leaf:7;runtime.main:9] [] 1 10000000 10000000 at 30 1164:1\n");
}

static void test_idle_mark_workers(void **state)
{
    (void)state;
    script_begin();
    EV(10, 1, GoStart, 1);
    EV(20, 1, GoLabel, TEXT(IDLE));
    EV(30, 1, GoStop, TEXT(ALPHA), STACK(SWEEPER));
    EV(40, 1, GoStart, 1);
    EV(50, 1, GoLabel, TEXT(WORKER));
    EV(60, 1, GoBlock, TEXT(ALPHA), STACK(SWEEPER));
    EV(70, 2, GoLabel, TEXT(IDLE)); // since when it runs is not known
    EV(80, 2, GoStop, TEXT(ALPHA), STACK(SWEEPER));
    EV(90, 1, GoLabel, TEXT(IDLE)); // it does not run
    script_expect_pairs("IDLE_WORKER [] [] 1 20 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lock_is_blamed_on_its_holder_for_as_long_as_it_held),
        cmocka_unit_test(test_a_channel_is_blamed_on_who_is_busy),
        cmocka_unit_test(test_a_new_goroutine_is_not_blamed_for_what_was_before_it),
        cmocka_unit_test(test_waits_that_began_before_the_trace_are_left_out),
        cmocka_unit_test(test_a_pair_has_waits_for_several_reasons),
        cmocka_unit_test(test_waits_that_no_goroutine_ends_are_in_no_pair),
        cmocka_unit_test(test_a_goroutine_with_an_id_of_old_begins_anew),
        cmocka_unit_test(test_stops_of_the_world),
        cmocka_unit_test(test_begins_of_the_collector),
        cmocka_unit_test(test_ends_of_stacks),
        cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_preemptions_before_go_1_25),
        cmocka_unit_test(test_preemptions_that_block),
        cmocka_unit_test(test_long_waits_for_a_p),
        cmocka_unit_test(test_idle_mark_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
