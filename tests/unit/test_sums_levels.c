// What levels events written by hand come to, wherever they are cut. Buckets are 65,536 ns
// wide, so the second one begins at 131,072.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "full_script.h"

// gstatus and pstatus of the wire.
enum { RUNNABLE = 1, RUNNING, SYSCALL, WAITING };
enum { P_RUNNING = 1, P_IDLE };

#define END(time_ns) EV(time_ns, -1, CPUSample, 0)

static void test_states_one_after_the_other(void **state)
{
    (void)state;
    script_begin();
    SYNC(65536);
    EV(65636, 1, GoCreate, 5, STACK(WORK), STACK(MAIN));
    EV(65736, -1, GoStart, 5);
    EV(65936, 5, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(131172, 1, GoUnblock, 5, 2, STACK(OTHER));
    EV(131272, -1, GoStart, 5);
    EV(131372, 5, GoSyscallBegin, 2, STACK(WORK));
    EV(131472, 5, GoSyscallEnd);
    EV(131572, 5, GoDestroy);
    END(131772);
    script_expect_time("width 65536\n"
                       "0: RUNNABLE 100 RUNNING 200 BLOCKED 65136 COVERED 65536\n"
                       "1: RUNNABLE 100 RUNNING 200 SYSCALL 100 BLOCKED 100 COVERED 700\n");
}

// The last state lasts to the last event.
static void test_what_does_not_end(void **state)
{
    (void)state;
    script_begin();
    SYNC(131000);
    EV(131010, 1, GoCreate, 5, STACK(WORK), 0);
    EV(131020, 1, GoCreateBlocked, 6, STACK(WORK), 0);
    END(131082);
    script_expect_time("width 65536\n"
                       "0: RUNNABLE 62 BLOCKED 52 COVERED 72\n"
                       "1: RUNNABLE 10 BLOCKED 10 COVERED 10\n");
}

// They were there from the Sync on; of the first only.
static void test_announced(void **state)
{
    (void)state;
    script_begin();
    SYNC(65536);
    EV(65636, -1, GoStatus, 5, 1, RUNNING);
    EV(65736, -1, ProcStatus, SCRIPT_P, P_RUNNING, TP_STATE_UNDETERMINED);
    EV(65836, -1, ProcStop);
    EV(65837, -1, ProcStatus, 3, P_IDLE, TP_STATE_UNDETERMINED);
    EV(65936, -1, ProcStart, 3);
    END(66036);
    script_expect_time("width 65536\n0: RUNNING 500 PROCS 400 COVERED 500\n");
    script_begin();
    SYNC(131000);
    EV(131172, -1, GoStatus, 5, 1, WAITING);
    EV(131173, -1, GoStatus, 6, 1, SYSCALL);
    SYNC(131272);
    // Known: the same again, and another one with its id.
    EV(131273, -1, GoStatus, 6, 1, (uint64_t)TP_STATE_SYSCALL << 32 | SYSCALL);
    EV(131372, -1, GoStatus, 5, 1, RUNNABLE);
    END(131472);
    script_expect_time("width 65536\n"
                       "0: SYSCALL 72 BLOCKED 72 COVERED 72\n"
                       "1: RUNNABLE 200 SYSCALL 400 BLOCKED 300 COVERED 400\n");
}

static void test_another_one_with_the_same_id(void **state)
{
    (void)state;
    script_begin();
    script_contradicts();
    SYNC(65536);
    EV(65636, 1, GoCreate, 5, STACK(WORK), 0);
    EV(65736, 1, GoCreateBlocked, 5, STACK(WORK), 0);
    EV(65836, 1, GoCreate, 5, STACK(WORK), 0);
    EV(65936, -1, GoStart, 5);
    EV(66036, 5, GoDestroy);
    END(66136);
    script_expect_time("width 65536\n0: RUNNABLE 200 RUNNING 100 BLOCKED 100 COVERED 600\n");
}

static void test_events_that_contradict_each_other(void **state)
{
    (void)state;
    script_begin();
    SYNC(65536);
    // It runs, but is said to have waited.
    EV(65636, 1, GoCreate, 5, STACK(WORK), 0);
    EV(65736, -1, GoStart, 5);
    EV(65836, 1, GoUnblock, 5, 2, 0);
    // Nobody has seen this one before.
    EV(65936, 6, GoBlock, TEXT(CHAN), STACK(WORK));
    // It has ended.
    EV(66036, 5, GoDestroy);
    EV(66136, 5, GoBlock, TEXT(CHAN), STACK(WORK));
    // A P that is started twice, and one that stops without ever having run.
    EV(66137, -1, ProcStart, 3);
    EV(66138, -1, ProcStart, 3);
    EV(66139, -1, ProcStop);
    EV(66236, -1, ProcSteal, 3, 0, 0, 0);
    EV(66237, -1, ProcSteal, 3, 0, 0, 1);
    END(66336);
    script_expect_time("width 65536\n"
                       "0: RUNNABLE 300 RUNNING 100 BLOCKED 600 PROCS 99 COVERED 800\n");
}

static void test_gauges(void **state)
{
    (void)state;
    script_begin();
    SYNC(65536);
    EV(65546, -1, ProcsChange, 4);
    EV(65636, -1, HeapAlloc, 1000);
    EV(65646, -1, ProcsChange, 4);
    EV(65736, -1, HeapAlloc, 3000);
    EV(65836, -1, HeapGoal, UINT64_MAX);
    EV(131172, -1, HeapAlloc, 2000);
    EV(131173, -1, HeapGoal, 7);
    EV(131174, -1, ProcsChange, 8);
    END(131184);
    script_expect_time(
        "GOMAXPROCS 3 times 1 changes 4 to 8\n"
        "HEAP 3 times 2 changes 1000 to 3000\n"
        "GOAL 2 times 1 changes 7 to 18446744073709551615\n"
        "width 65536\n"
        "0: GOMAXPROCS 262104 HEAP 196108000 GOAL 65235*2^64+18446744073709486380"
        " GOMAXPROCS_KNOWN 65526 HEAP_KNOWN 65436 GOAL_KNOWN 65236 COVERED 65536\n"
        "1: GOMAXPROCS 488 HEAP 324000 GOAL 100*2^64+18446744073709551592"
        " GOMAXPROCS_KNOWN 112 HEAP_KNOWN 112 GOAL_KNOWN 112 COVERED 112\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_one_after_the_other),
        cmocka_unit_test(test_what_does_not_end),
        cmocka_unit_test(test_announced),
        cmocka_unit_test(test_another_one_with_the_same_id),
        cmocka_unit_test(test_events_that_contradict_each_other),
        cmocka_unit_test(test_gauges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
