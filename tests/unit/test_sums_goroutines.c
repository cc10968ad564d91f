// What goroutines did, from events written by hand: their spans, names and waits. Each
// script is cut into sums everywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "full_script.h"

// gstatus of the wire.
enum { RUNNABLE = 1, RUNNING, SYSCALL, WAITING };

// SPANS

static void expect_a_whole_life(int64_t id)
{
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, (uint64_t)id, STACK(WORK), STACK(MAIN));
    EV(15, -1, GoStart, (uint64_t)id);
    EV(25, id, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(60, 1, GoUnblock, (uint64_t)id, 2, STACK(OTHER));
    EV(64, -1, GoStart, (uint64_t)id);
    EV(66, id, GoStop, TEXT(SLEEP), STACK(WORK));
    EV(73, -1, GoStart, (uint64_t)id);
    EV(80, id, GoDestroy);
    EV(100, 1, HeapAlloc, 4096);
    script_expect("goroutine main.work running 3 19 10\n"
                  "goroutine main.work runnable 3 16 7\n"
                  "goroutine main.work lifetime 1 70 70\n"
                  "goroutine main.work block:chan receive 1 35 35\n"
                  "sched main.leaf:7;main.other:9 1 4\n"
                  "sched main.leaf:7;main.work:9 1 7\n"
                  "sync main.leaf:7;main.work:9 1 35\n");
}

static void test_a_whole_life(void **state)
{
    (void)state;
    expect_a_whole_life(5);
    expect_a_whole_life(INT64_MAX);
}

static void test_what_is_open_is_cut_at_the_last_event(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(12, 1, GoCreateBlocked, 6, STACK(OTHER), 0);
    EV(20, -1, GoStart, 5);
    EV(50, 1, HeapAlloc, 4096);
    script_expect("goroutine main.work running 0 0 0 cut 1 30\n"
                  "goroutine main.work runnable 1 10 10\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 40\n"
                  "goroutine main.other lifetime 0 0 0 cut 1 38\n"
                  "goroutine main.other block: 0 0 0 cut 1 38\n");
}

static void test_system_calls(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(11, -1, GoStart, 5);
    EV(21, 5, GoSyscallBegin, 2, STACK(WORK));
    EV(24, 5, GoSyscallEnd);
    EV(30, 5, GoSyscallBegin, 4, STACK(OTHER));
    EV(37, 5, GoSyscallEndBlocked);
    EV(39, -1, GoStart, 5);
    EV(40, -1, GoCreateSyscall, 6);
    EV(45, 6, GoDestroySyscall);
    EV(46, 5, GoDestroy);
    script_expect("goroutine main.work running 3 23 10\n"
                  "goroutine main.work runnable 2 3 2\n"
                  "goroutine main.work syscall 2 10 7\n"
                  "goroutine runtime.cgocallback syscall 1 5 5\n"
                  "goroutine main.work lifetime 1 36 36\n"
                  "goroutine runtime.cgocallback lifetime 1 5 5\n"
                  "sched  1 2\n"
                  "syscall  1 5\n"
                  "syscall main.leaf:7;main.other:9 1 7\n"
                  "syscall main.leaf:7;main.work:9 1 3\n");
}

// A switch between coroutines comes as three events.
static void test_switches(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreateBlocked, 5, STACK(WORK), 0);
    EV(14, 1, GoSwitch, 5);
    EV(15, -1, GoStart, 5);
    EV(25, 1, GoSwitchDestroy, 5);
    EV(28, 5, GoDestroy);
    // The second switch says it waits, which it does not: what it did is not known.
    script_expect("goroutine main.work runnable 1 1 1\n"
                  "goroutine main.work lifetime 1 18 18\n"
                  "goroutine main.work block: 1 4 4\n");
}

static void test_for_ever_is_as_good_as_ended(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(12, -1, GoStart, 5);
    EV(15, 5, GoBlock, TEXT(FOREVER), STACK(WORK));
    EV(20, 1, GoCreate, 6, STACK(OTHER), 0);
    EV(21, -1, GoStart, 6);
    EV(23, 6, GoBlock, TEXT(FOREVER), STACK(OTHER));
    EV(33, 1, GoUnblock, 6, 2, 0);
    EV(34, -1, GoStart, 6);
    EV(39, 6, GoDestroy);
    script_expect("goroutine main.other running 2 7 5\n"
                  "goroutine main.work running 1 3 3\n"
                  "goroutine main.other runnable 2 2 1\n"
                  "goroutine main.work runnable 1 2 2\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 29\n"
                  "goroutine main.other lifetime 1 19 19\n"
                  "sched  1 1\n");
}

static void test_reasons_that_are_not_known_have_no_name(void **state)
{
    (void)state;
    script_begin();
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(12, -1, GoStart, 5);
    EV(15, 5, GoBlock, UINT64_MAX, 0);
    EV(25, 1, GoUnblock, 5, 2, 0);
    EV(26, -1, GoStart, 5);
    EV(27, 5, GoBlock, 63, 0);
    EV(30, 1, GoUnblock, 5, 2, 0);
    EV(31, -1, GoStart, 5);
    EV(32, 5, GoBlock, UINT64_MAX, 0);
    EV(37, 1, GoUnblock, 5, 2, 0);
    script_expect("goroutine main.work running 3 5 3\n"
                  "goroutine main.work runnable 3 4 2 cut 1 0\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 27\n"
                  "goroutine main.work block: 3 18 10\n"
                  "sched  2 2\n");
}

// ANNOUNCED

static void test_announced_ones_were_there_since_the_sync(void **state)
{
    (void)state;
    script_begin();
    SYNC(100);
    EV(130, -1, GoStatus, 5, 0, WAITING);
    EV(150, 1, GoUnblock, 5, 2, STACK(OTHER));
    EV(160, -1, GoStart, 5);
    EV(165, 5, GoStop, TEXT(SLEEP), STACK(WORK));
    EV(200, -1, GoStatusStack, 6, 1, RUNNING, STACK(OTHER));
    EV(207, 6, GoDestroy);
    // Neither lead, nor what they were in, has a length that is known.
    script_expect("goroutine main.other running 0 0 0 cut 2 107\n"
                  "goroutine main.work running 1 5 5\n"
                  "goroutine main.work runnable 1 10 10 cut 1 42\n"
                  "goroutine main.other lifetime 0 0 0 cut 1 107\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 107\n"
                  "goroutine main.work block: 0 0 0 cut 2 50\n");
}

static void test_a_status_that_is_known_changes_nothing(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(20, -1, GoStart, 5);
    EV(25, -1, GoStatus, 5, 1, (uint64_t)TP_STATE_RUNNING << 32 | RUNNING);
    EV(30, 5, GoDestroy);
    script_expect("goroutine main.work running 1 10 10\n"
                  "goroutine main.work runnable 1 10 10\n"
                  "goroutine main.work lifetime 1 20 20\n");
}

static void test_ones_out_of_nowhere(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, -1, GoStart, 5);
    EV(20, 5, GoStop, TEXT(SLEEP), STACK(WORK));
    EV(25, 1, GoUnblock, 5, 2, 0);
    EV(30, -1, GoStart, 5);
    EV(40, 5, GoDestroy);
    // It was runnable when it was said to be waiting.
    script_expect("goroutine main.work running 2 20 10\n"
                  "goroutine main.work runnable 1 5 5\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 0\n"
                  "sched  1 5\n");
}

static void test_one_that_comes_again_replaces_the_one_before(void **state)
{
    (void)state;
    script_begin();
    script_contradicts();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(20, -1, GoStart, 5);
    EV(22, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(30, 1, GoCreate, 5, STACK(OTHER), 0);
    EV(32, -1, GoStart, 5);
    EV(37, 5, GoDestroy);
    EV(50, 1, GoCreate, 5, STACK(WORK), 0);
    EV(51, -1, GoStart, 5);
    EV(54, 5, GoDestroy);
    EV(90, 1, HeapAlloc, 4096);
    script_expect("goroutine main.other running 1 5 5\n"
                  "goroutine main.work running 1 3 3\n"
                  "goroutine main.work runnable 2 11 10\n"
                  "goroutine main.other runnable 1 2 2\n"
                  "goroutine main.work lifetime 1 4 4 cut 1 10\n"
                  "goroutine main.other lifetime 1 7 7\n"
                  "region alpha 0 0 0 cut 1 0\n");
}

// WAITS

static void test_waits_count_from_the_first_run(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreateBlocked, 5, STACK(WORK), STACK(MAIN));
    EV(20, 1, GoUnblock, 5, 1, STACK(OTHER));
    EV(30, -1, GoStart, 5);
    EV(40, 5, GoStop, TEXT(SLEEP), STACK(WORK));
    EV(55, -1, GoStart, 5);
    script_expect("goroutine main.work running 1 10 10 cut 1 0\n"
                  "goroutine main.work runnable 2 25 15\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 45\n"
                  "goroutine main.work block: 1 10 10\n"
                  "sched main.leaf:7;main.work:9 1 15\n");
}

static void test_all_waits_count_if_it_never_runs(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, -1, GoCreateSyscall, 5);
    EV(13, 5, GoSyscallEndBlocked);
    EV(20, -1, GoStatus, 5, 0, (uint64_t)TP_STATE_RUNNABLE << 32 | WAITING);
    EV(26, 1, GoUnblock, 5, 1, STACK(OTHER));
    script_expect("goroutine runtime.cgocallback runnable 1 7 7 cut 1 0\n"
                  "goroutine runtime.cgocallback syscall 1 3 3\n"
                  "goroutine runtime.cgocallback lifetime 0 0 0 cut 1 16\n"
                  "goroutine runtime.cgocallback block: 1 6 6\n"
                  "sched  1 7\n"
                  "syscall  1 3\n");
}

static void test_waits_by_reason(void **state)
{
    static const enum full_text reasons[] = {TEXT_NETWORK, TEXT_CHAN, TEXT_MUTEX, TEXT_SELECT,
                                             TEXT_SLEEP};
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(11, -1, GoStart, 5);
    for (unsigned i = 0; i < TP_ARRAY_LEN(reasons); i++) {
        int64_t t = 20 + 10 * i, ns = 1 + i;
        EV(t, 5, GoBlock, full_string(SCRIPT_GENERATION, reasons[i]), STACK(WORK));
        EV(t + ns, 1, GoUnblock, 5, 2, STACK(OTHER));
        EV(t + 7, -1, GoStart, 5);
    }
    EV(70, 5, GoDestroy);
    script_expect("goroutine main.work running 6 24 9\n"
                  "goroutine main.work runnable 6 21 6\n"
                  "goroutine main.work lifetime 1 60 60\n"
                  "goroutine main.work block:sleep 1 5 5\n"
                  "goroutine main.work block:select 1 4 4\n"
                  "goroutine main.work block:sync 1 3 3\n"
                  "goroutine main.work block:chan receive 1 2 2\n"
                  "goroutine main.work block:network 1 1 1\n"
                  "net main.leaf:7;main.work:9 1 1\n"
                  "sched main.leaf:7;main.other:9 5 20\n"
                  "sync main.leaf:7;main.work:9 3 9\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_life),
        cmocka_unit_test(test_what_is_open_is_cut_at_the_last_event),
        cmocka_unit_test(test_system_calls),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_for_ever_is_as_good_as_ended),
        cmocka_unit_test(test_reasons_that_are_not_known_have_no_name),
        cmocka_unit_test(test_announced_ones_were_there_since_the_sync),
        cmocka_unit_test(test_a_status_that_is_known_changes_nothing),
        cmocka_unit_test(test_ones_out_of_nowhere),
        cmocka_unit_test(test_one_that_comes_again_replaces_the_one_before),
        cmocka_unit_test(test_waits_count_from_the_first_run),
        cmocka_unit_test(test_all_waits_count_if_it_never_runs),
        cmocka_unit_test(test_waits_by_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
