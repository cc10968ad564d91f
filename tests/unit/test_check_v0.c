// What Ps, goroutines and the collector of traces from before Go 1.5 can do, in the words of the
// parser of that time.
#include "check_v1.h"

static void test_what_is_of_a_p_before_go_1_5(void **state)
{
    (void)state;
    begin(0);
    REFUSE("bogus GC end (offset 30, time 42)", GCDone, 0, 0, 0);
    TAKE(GCStart, 0, 0, 0);
    assert_int_equal(last.p, 0);
    REFUSE("previous GC is not ended before a new one (offset 30, time 42)", GCStart, 0, 0, 0);
    TAKE(GCStart, 1, 0, 0);
    TAKE(GCDone, 0, 0, 0);
    REFUSE("bogus GC end (offset 30, time 42)", GCDone, 0, 0, 0);
    REFUSE("bogus scanning end (offset 30, time 42)", STWDone, 0, 0, 0);
    TAKE(STWStart, 0, 0, 0);
    REFUSE("previous scanning is not ended before a new one (offset 30, time 42)", STWStart, 0,
           0, 0);
    TAKE(STWStart, 1, 0, 0);
    TAKE(STWDone, 0, 0, 0);
    REFUSE("bogus sweeping end (offset 30, time 42)", GCSweepDone, 0, 0, 0);
    TAKE(GCSweepStart, 0, 0, 0);
    REFUSE("previous sweeping is not ended before a new one (offset 30, time 42)", GCSweepStart,
           0, 0, 0);
    TAKE(GCSweepStart, 1, 0, 0);
}

static void test_goroutines_before_go_1_5(void **state)
{
    (void)state;
    begin_running(0);
    REFUSE("g 8 already exists (offset 30, time 42)", GoCreate, 0, 7, 8);
    REFUSE("g 7 is not runnable before start (offset 30, time 42)", GoStart, 1, 7, 7);
    REFUSE("p 0 is already running g 7 while start g 8 (offset 30, time 42)", GoStart, 0, 8, 8);
    TAKE(ProcStart, 0, 7, 0);
    REFUSE("p 0 is running a goroutine 7 during stop (offset 30, time 42)", ProcStop, 0, 7, 0);
    REFUSE("p 1 is not running g 7 while unpark (offset 30, time 42)", GoUnblock, 1, 7, 8);
    REFUSE("g 8 is not waiting before unpark (offset 30, time 42)", GoUnblock, 0, 7, 8);
    REFUSE("g 8 is not running while GoEnd (offset 30, time 42)", GoEnd, 0, 8, 0);
    // Whatever an event was, its goroutine exists.
    TAKE(HeapAlloc, 1, 6, 0);
    REFUSE("g 6 already exists (offset 30, time 42)", GoCreate, 0, 7, 6);
}

static void test_goroutine_0_before_go_1_5(void **state)
{
    (void)state;
    begin(0);
    TAKE(GoSysCall, 0, 0, 0);
    // Go's parser of the time crashes.
    REFUSE("g 0 did GoSysBlock (offset 30, time 42)", GoSysBlock, 0, 0, 0);
    REFUSE("g 0 did GoSched (offset 30, time 42)", GoSched, 0, 0, 0);
    REFUSE("g 0 is not runnable before start (offset 30, time 42)", GoStart, 0, 0, 0);
}

static void test_what_goroutines_were_when_a_trace_before_go_1_5_began(void **state)
{
    (void)state;
    begin_running(0);
    // The event is of goroutine 7, or of whoever runs.
    TAKE(GoWaiting, 0, 7, 8);
    REFUSE("g 8 is not runnable before EvGoWaiting (offset 30, time 42)", GoWaiting, 0, 7, 8);
    REFUSE("g 9 is not runnable before EvGoWaiting (offset 30, time 42)", GoWaiting, 0, 7, 9);
    TAKE(GoUnblock, 0, 7, 8);
    // Of itself it changes nothing.
    TAKE(GoWaiting, 1, 8, 8);
    TAKE(GoWaiting, 1, 8, 8);
    TAKE(GoInSyscall, 0, 7, 99);
    TAKE(GoInSyscall, 0, 7, 8);
    TAKE(GoStart, 1, 8, 8);
}

static void test_syscalls_before_go_1_5(void **state)
{
    (void)state;
    begin_running(0);
    TAKE(GoSysCall, 0, 7, 0);
    REFUSE("g 7 is not runnable during syscall exit (offset 30, time 42)", GoSysExit,
           TP_V1_SYSCALL_P, 7, 7);
    TAKE(GoSysBlock, 0, 7, 0);
    REFUSE("g 7 is not waiting before unpark (offset 30, time 42)", GoUnblock, 1, 0, 7);
    TAKE(GoSysExit, TP_V1_SYSCALL_P, 7, 7);
    TAKE(GoSysExit, TP_V1_SYSCALL_P, 7, 7);
    TAKE(GoStart, 0, 7, 7);
    TAKE(GoSysBlock, 0, 7, 0);
    TAKE(GoStart, 1, 7, 7);
}

static void test_wake_ups_before_go_1_5(void **state)
{
    (void)state;
    begin_running(0);
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoBlockNet, 1, 8, 0);
    TAKE(GoUnblock, 0, 7, 8);
    assert_int_equal(last.p, TP_V1_NETPOLL_P);
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoBlockNet, 1, 8, 0);
    TAKE(GoUnblock, TP_V1_TIMER_P, 7, 8);
    assert_int_equal(last.p, TP_V1_TIMER_P);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_of_a_p_before_go_1_5),
        cmocka_unit_test(test_goroutines_before_go_1_5),
        cmocka_unit_test(test_goroutine_0_before_go_1_5),
        cmocka_unit_test(test_what_goroutines_were_when_a_trace_before_go_1_5_began),
        cmocka_unit_test(test_syscalls_before_go_1_5),
        cmocka_unit_test(test_wake_ups_before_go_1_5),
    };
    return cmocka_run_group_tests_name("check_v1", tests, NULL, tear_down);
}
