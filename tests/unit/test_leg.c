// The longest leg of tasks, and goroutines that are left, from events written by hand. Each
// script is cut everywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "full_script.h"

#define WORK "[main.leaf:7;main.work:9]"
#define OTHER "[main.leaf:7;main.other:9]"
#define MAIN "[main.leaf:7;runtime.main:9]"

static void begin_work(void)
{
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), STACK(MAIN));
    EV(20, -1, GoStart, 5);
}

static void test_a_wait_is_the_longest(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(35, 5, GoBlock, TEXT(SLEEP), STACK(OTHER));
    EV(50, -1, GoUnblock, 5, 1, 0);
    EV(52, -1, GoStart, 5);
    EV(60, 5, UserTaskEnd, 1, STACK(WORK));
    EV(100, 5, GoDestroy);
    script_expect_evidence("SLOW 4 " OTHER " [alpha:0] 1 15 0\n");
}

static void test_a_busy_leg_has_the_stack_of_its_first_stop(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(35, 5, GoStop, TEXT(PREEMPTED), STACK(OTHER));
    EV(40, -1, GoStart, 5);
    EV(41, 5, GoSyscallBegin, 1, STACK(MAIN));
    EV(42, 5, GoSyscallEnd);
    EV(45, 5, GoStop, TEXT(PREEMPTED), STACK(WORK));
    EV(47, -1, GoStart, 5);
    EV(50, 5, GoBlock, TEXT(SLEEP), STACK(WORK));
    EV(51, -1, GoUnblock, 5, 1, 0);
    EV(52, -1, GoStart, 5);
    EV(55, 5, UserTaskEnd, 1, STACK(WORK));
    EV(100, 5, GoDestroy);
    script_expect_evidence("SLOW 4 " OTHER " [alpha:0] 1 20 0\n");
}

static void test_a_busy_leg_without_a_stop_has_the_stack_of_its_end(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(65, 5, UserTaskEnd, 1, STACK(OTHER));
    EV(70, 5, UserTaskBegin, 2, TP_NO_TASK, TEXT(BETA), STACK(WORK));
    EV(75, 5, UserTaskEnd, 2);
    EV(100, 5, GoDestroy);
    script_expect_evidence("SLOW 2 [] [beta:0] 1 5 0\n"
                           "SLOW 5 " OTHER " [alpha:0] 1 35 0\n");
}

// Only what came after the goroutine's last task event counts: a wait before the task, of a
// goroutine that ends tasks which others began, counts for no longer than the task.
static void test_task_events_divide_legs(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, GoBlock, TEXT(CHAN), STACK(OTHER));
    EV(80, 6, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(82, 6, UserTaskBegin, 2, 1, TEXT(BETA), STACK(WORK));
    EV(84, 6, GoUnblock, 5, 1, STACK(MAIN));
    EV(86, -1, GoStart, 5);
    EV(90, 5, UserTaskEnd, 1, STACK(WORK));
    EV(92, 5, UserTaskEnd, 2, STACK(WORK));
    EV(93, 5, UserTaskEnd, 2, STACK(WORK));
    EV(94, 5, UserTaskEnd, 77, STACK(WORK));
    EV(100, 5, GoDestroy);
    script_expect_evidence("BLAMED " OTHER " " MAIN " 1 54 0\n"
                           "SLOW 3 " OTHER " [alpha:0] 1 10 0\n"
                           "SLOW 3 " WORK " [beta:0] 1 2 0\n");
}

static void test_a_task_without_a_known_leg_has_no_evidence(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 6, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(20, 7, UserTaskEnd, 1, STACK(WORK));
    EV(25, -1, UserTaskBegin, 2, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(30, -1, UserTaskEnd, 2, STACK(WORK));
    script_expect_evidence("");
}

// A goroutine that existed before the trace is followed from its first task event on.
static void test_legs_of_an_announced_goroutine(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(2, 6, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(3, 6, UserTaskBegin, 2, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(4, 6, UserTaskBegin, 3, TP_NO_TASK, TEXT(BETA), STACK(WORK));
    EV(10, -1, GoStatus, 5, 1, 2);
    EV(20, 5, GoBlock, TEXT(CHAN), STACK(OTHER));
    EV(50, 6, GoUnblock, 5, 1, STACK(MAIN));
    EV(52, -1, GoStart, 5);
    EV(60, 5, UserTaskEnd, 1, STACK(WORK));
    EV(65, 5, GoStop, TEXT(PREEMPTED), STACK(MAIN));
    EV(66, -1, GoStart, 5);
    EV(68, 5, UserTaskEnd, 2, STACK(WORK));
    EV(70, 5, GoBlock, TEXT(SLEEP), STACK(WORK));
    EV(75, -1, GoUnblock, 5, 2, 0);
    EV(76, -1, GoStart, 5);
    EV(77, 5, UserTaskEnd, 3, STACK(OTHER));
    script_expect_evidence("BLAMED " OTHER " " MAIN " 1 30 0\n"
                           "SLOW 6 " WORK " [beta:0] 1 5 0\n"
                           "SLOW 6 " MAIN " [alpha:0] 1 8 0\n");
}

static void test_tasks_with_one_cause_add_up(void **state)
{
    (void)state;
    begin_work();
    for (uint64_t i = 0; i < 4; i++) {
        int64_t t = 30 + 50 * (int64_t)i;
        EV(t, 5, UserTaskBegin, i, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
        EV(t + 1, 5, GoBlock, TEXT(SLEEP), i == 2 ? STACK(MAIN) : STACK(OTHER));
        EV(t + 11, -1, GoUnblock, 5, i, 0);
        EV(t + 12, -1, GoStart, 5);
        EV(t + (i == 3 ? 18 : 14), 5, UserTaskEnd, i, STACK(WORK));
    }
    EV(300, 5, GoDestroy);
    script_expect_evidence("SLOW 3 " OTHER " [alpha:0] 2 20 0\n"
                           "SLOW 3 " MAIN " [alpha:0] 1 10 0\n"
                           "SLOW 4 " OTHER " [alpha:0] 1 10 0\n");
}

// A goroutine of which only task events are known adds no row.
static void test_task_events_make_no_goroutine(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 6, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA), STACK(WORK));
    EV(20, 6, UserTaskEnd, 1, STACK(WORK));
    script_expect("task alpha 1 10 10\n");
}

// LEFT

static void test_goroutines_left(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, GoBlock, TEXT(CHAN), STACK(OTHER));
    EV(50, 1, GoCreate, 6, STACK(WORK), STACK(WORK));
    EV(51, 1, GoCreateBlocked, 7, STACK(OTHER), STACK(MAIN));
    EV(60, -1, GoStart, 6);
    EV(61, 6, GoBlock, TEXT(FOREVER), STACK(OTHER));
    EV(70, 1, GoCreate, 8, STACK(WORK), STACK(WORK));
    EV(75, 1, GoCreate, 9, STACK(WORK), STACK(WORK));
    EV(76, -1, GoStart, 9);
    EV(77, 9, GoBlock, TEXT(SLEEP), STACK(OTHER));
    EV(78, -1, GoUnblock, 9, 1, 0);
    EV(79, -1, GoStart, 9);
    EV(99, 9, GoDestroy);
    EV(101, 1, HeapAlloc, 1);
    // 5 in the first half; 6 in the first half, too, as 49 of 100 ns had passed; 7 at its middle.
    script_expect_evidence("LEFT_EARLY " WORK " " OTHER " 1 0 0\n"
                           "LEFT_EARLY " MAIN " " OTHER " 1 0 0\n"
                           "LEFT_LATE " MAIN " " MAIN " 1 0 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wait_is_the_longest),
        cmocka_unit_test(test_a_busy_leg_has_the_stack_of_its_first_stop),
        cmocka_unit_test(test_a_busy_leg_without_a_stop_has_the_stack_of_its_end),
        cmocka_unit_test(test_task_events_divide_legs),
        cmocka_unit_test(test_a_task_without_a_known_leg_has_no_evidence),
        cmocka_unit_test(test_legs_of_an_announced_goroutine),
        cmocka_unit_test(test_tasks_with_one_cause_add_up),
        cmocka_unit_test(test_task_events_make_no_goroutine),
        cmocka_unit_test(test_goroutines_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
