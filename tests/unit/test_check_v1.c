// What Ps, goroutines, tasks and regions of traces from before Go 1.22 can do: Go's words for
// each thing that they cannot, event by event, and what looks wrong and is allowed. Some of
// it the order lets nobody do, so events are put to the check itself.
#include "check_v1.h"
#include "merge/order/doubt.h"

// PS AND THE COLLECTOR

static void test_ps_start_and_stop(void **state)
{
    (void)state;
    begin(21);
    REFUSE("p 3 is not running before stop (time 42)", ProcStop, 3, 0, 0);
    TAKE(ProcStart, 3, 0, 100);
    REFUSE("p 3 is running before start (time 42)", ProcStart, 3, 0, 100);
    TAKE(ProcStart, 4, 0, 101);
    TAKE(ProcStop, 3, 0, 0);
    REFUSE("p 3 is not running before stop (time 42)", ProcStop, 3, 0, 0);
    TAKE(ProcStart, 3, 0, 101);
    TAKE(GoCreate, 3, 0, 7);
    TAKE(GoStart, 3, 7, 7);
    REFUSE("p 3 is running a goroutine 7 during stop (time 42)", ProcStop, 3, 7, 0);
    TAKE(GoSysBlock, 3, 7, 0);
    TAKE(ProcStop, 3, 0, 0);
    // No P has to be started for what happens on it.
    TAKE(GoSysExit, TP_V1_SYSCALL_P, 7, 7);
    TAKE(GoStart, 9, 7, 7);
}

static void test_collections(void **state)
{
    (void)state;
    begin(21);
    REFUSE("bogus GC end (time 42)", GCDone, 0, 0, 0);
    TAKE(GCStart, 0, 0, 0);
    assert_int_equal(last.p, TP_V1_GC_P);
    REFUSE("previous GC is not ended before a new one (time 42)", GCStart, 1, 0, 1);
    TAKE(GCDone, 5, 0, 0);
    assert_int_equal(last.p, 5);
    REFUSE("bogus GC end (time 42)", GCDone, 0, 0, 0);
    TAKE(GCStart, 1, 0, 1);
}

static void test_the_world_stops_once_since_go_1_10(void **state)
{
    static const uint32_t minors[] = {10, 11, 19, 21};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        begin(minors[i]);
        REFUSE("bogus STW end (time 42)", STWDone, 0, 0, 0);
        TAKE(STWStart, 0, 0, 0);
        REFUSE("previous STW is not ended before a new one (time 42)", STWStart, 1, 0, 0);
        TAKE(STWDone, 2, 0, 0);
        REFUSE("bogus STW end (time 42)", STWDone, 0, 0, 0);
        TAKE(STWStart, 1, 0, 0);
    }
}

static void test_the_world_stops_by_ps_before_go_1_10(void **state)
{
    static const uint32_t minors[] = {5, 7, 8, 9};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        begin(minors[i]);
        TAKE(STWStart, 0, 0, 0);
        REFUSE("previous STW is not ended before a new one (time 42)", STWStart, 0, 0, 0);
        TAKE(STWStart, 1, 0, 0);
        REFUSE("bogus STW end (time 42)", STWDone, 2, 0, 0);
        TAKE(STWDone, 0, 0, 0);
        REFUSE("bogus STW end (time 42)", STWDone, 0, 0, 0);
        TAKE(STWDone, 1, 0, 0);
    }
}

static void test_sweeping_is_of_a_p(void **state)
{
    (void)state;
    begin(21);
    REFUSE("bogus sweeping end (time 42)", GCSweepDone, 0, 0, 0);
    TAKE(GCSweepStart, 0, 0, 0);
    REFUSE("previous sweeping is not ended before a new one (time 42)", GCSweepStart, 0, 0, 0);
    TAKE(GCSweepStart, 1, 0, 0);
    TAKE(GCSweepDone, 0, 0, 0);
    REFUSE("bogus sweeping end (time 42)", GCSweepDone, 0, 0, 0);
    TAKE(GCSweepDone, 1, 0, 0);
}

static void test_assists_are_of_a_goroutine_and_may_have_begun_before(void **state)
{
    (void)state;
    begin_running(21);
    TAKE(GCMarkAssistDone, 0, 7, 0);
    TAKE(GCMarkAssistStart, 0, 7, 0);
    REFUSE("previous mark assist is not ended before a new one (time 42)", GCMarkAssistStart, 0,
           7, 0);
    TAKE(GCMarkAssistStart, 1, 0, 0);
    TAKE(GCMarkAssistDone, 0, 7, 0);
    TAKE(GCMarkAssistDone, 0, 7, 0);
    TAKE(GCMarkAssistStart, 0, 7, 0);
}

// GOROUTINES

static void test_goroutines_that_exist_cannot_be_made(void **state)
{
    (void)state;
    begin_running(21);
    check.is_strict = true;
    REFUSE("g 8 already exists (time 42)", GoCreate, 0, 7, 8);
    REFUSE("g 7 already exists (time 42)", GoCreate, 0, 7, 7);
    REFUSE("g 0 already exists (time 42)", GoCreate, 0, 7, 0);
    // An event was its own. One that only tells who was running is not.
    TAKE(GCMarkAssistDone, 1, 5, 0);
    REFUSE("g 5 already exists (time 42)", GoCreate, 0, 7, 5);
    TAKE(HeapAlloc, 1, 6, 0);
    TAKE(GoCreate, 0, 7, 6);
    TAKE(GoEnd, 0, 7, 0);
    REFUSE("g 7 already exists (time 42)", GoCreate, 0, 0, 7);
}

static void test_goroutines_that_have_ended_are_forgotten(void **state)
{
    (void)state;
    begin_running(21);
    TAKE(GoEnd, 0, 7, 0);
    assert_true(tp_v1_check_end_g(&check, 7));
    assert_int_equal(check.ended.count, 0);
    TAKE(GoCreate, 0, 0, 7);
}

// Of a goroutine that ended while it assisted Go keeps that, too.
static void test_an_assist_outlives_its_goroutine(void **state)
{
    (void)state;
    begin_running(21);
    check.is_strict = true;
    TAKE(GCMarkAssistStart, 0, 7, 0);
    TAKE(GoEnd, 0, 7, 0);
    REFUSE("previous mark assist is not ended before a new one (time 42)", GCMarkAssistStart, 0,
           7, 0);
    REFUSE("g 7 already exists (time 42)", GoCreate, 0, 0, 7);
}

static void test_goroutine_0_runs_where_none_does(void **state)
{
    (void)state;
    begin(21);
    TAKE(GoCreate, 0, 0, 7);
    TAKE(GoWaiting, 0, 7, 7);
    TAKE(GoUnblock, 1, 0, 7);
    TAKE(GoStart, 0, 7, 7);
    REFUSE("p 0 is not running g 0 while GoCreate (time 42)", GoCreate, 0, 0, 8);
    TAKE(GoCreate, 1, 0, 8);
}

#define DONE_BY_RUNNING(X)                                                                 \
    X(GoEnd) X(GoStop) X(GoSched) X(GoPreempt) X(GoSysCall) X(GoSysBlock) X(GoSleep)       \
    X(GoBlock) X(GoBlockSend) X(GoBlockRecv) X(GoBlockSelect) X(GoBlockSync)               \
    X(GoBlockCond) X(GoBlockNet) X(GoBlockGC)

static void test_who_does_a_thing_has_to_run_on_that_p(void **state)
{
    (void)state;
#define X(type)                                                                            \
    begin_running(21);                                                                     \
    REFUSE("g 8 is not running while " #type " (time 42)", type, 0, 8, 0);                 \
    REFUSE("p 1 is not running g 7 while " #type " (time 42)", type, 1, 7, 0);             \
    REFUSE("p 0 is not running g 0 while " #type " (time 42)", type, 0, 0, 0);             \
    REFUSE("g 0 did " #type " (time 42)", type, 1, 0, 0);                                  \
    TAKE(type, 0, 7, 0);
    DONE_BY_RUNNING(X)
#undef X
    begin_running(21);
    REFUSE("g 8 is not running while GoCreate (time 42)", GoCreate, 0, 8, 9);
    REFUSE("p 1 is not running g 7 while GoCreate (time 42)", GoCreate, 1, 7, 9);
}

// What goroutine 7 is after it: found by what it can do on P 1.
static void test_what_becomes_of_who_does_it(void **state)
{
    (void)state;
    static const struct {
        uint8_t type;
        bool is_runnable, is_waiting, is_on_p;
    } rows[] = {
        {TP_V1_GoEnd, false, false, false},
        {TP_V1_GoStop, false, false, false},
        {TP_V1_GoSched, true, false, false},
        {TP_V1_GoPreempt, true, false, false},
        {TP_V1_GoSysCall, false, false, true},
        {TP_V1_GoSysBlock, false, true, false},
        {TP_V1_GoSleep, false, true, false},
        {TP_V1_GoBlock, false, true, false},
        {TP_V1_GoBlockSend, false, true, false},
        {TP_V1_GoBlockRecv, false, true, false},
        {TP_V1_GoBlockSelect, false, true, false},
        {TP_V1_GoBlockSync, false, true, false},
        {TP_V1_GoBlockCond, false, true, false},
        {TP_V1_GoBlockNet, false, true, false},
        {TP_V1_GoBlockGC, false, true, false},
    };
    struct tp_error err;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        begin_running(21);
        take(rows[i].type, 0, 7, ARGS(0));
        assert_int_equal(put(TP_V1_GoStart, 0, 8, ARGS(8), &err) == 0, !rows[i].is_on_p);
        begin_running(21);
        take(rows[i].type, 0, 7, ARGS(0));
        assert_int_equal(put(TP_V1_GoStart, 1, 7, ARGS(7), &err) == 0, rows[i].is_runnable);
        begin_running(21);
        take(rows[i].type, 0, 7, ARGS(0));
        assert_int_equal(put(TP_V1_GoUnblock, 1, 0, ARGS(7), &err) == 0, rows[i].is_waiting);
        begin_running(21);
        take(rows[i].type, 0, 7, ARGS(0));
        assert_int_equal(put(TP_V1_GoSysExit, TP_V1_SYSCALL_P, 7, ARGS(7), &err) == 0,
                         rows[i].is_waiting);
    }
}

static void test_starts(void **state)
{
    (void)state;
    begin_running(21);
    REFUSE("g 9 is not runnable before start (time 42)", GoStart, 1, 9, 9);
    REFUSE("g 7 is not runnable before start (time 42)", GoStart, 1, 7, 7);
    REFUSE("g 7 is not runnable before start (time 42)", GoStartLabel, 1, 7, 7);
    REFUSE("p 0 is already running g 7 while start g 8 (time 42)", GoStart, 0, 8, 8);
    REFUSE("p 0 is already running g 7 while start g 8 (time 42)", GoStartLabel, 0, 8, 8);
    TAKE(GoStartLabel, 1, 8, 8);
    TAKE(GoPreempt, 1, 8, 0);
    TAKE(GoStart, 1, 8, 8);
}

static void test_what_goroutines_were_when_the_trace_began(void **state)
{
    (void)state;
    begin(21);
    TAKE(GoCreate, 0, 0, 7);
    TAKE(GoWaiting, 0, 7, 7);
    REFUSE("g 7 is not runnable before EvGoWaiting (time 42)", GoWaiting, 0, 7, 7);
    REFUSE("g 7 is not runnable before EvGoInSyscall (time 42)", GoInSyscall, 0, 7, 7);
    REFUSE("g 9 is not runnable before EvGoWaiting (time 42)", GoWaiting, 0, 9, 9);
    TAKE(GoCreate, 0, 0, 8);
    TAKE(GoInSyscall, 0, 8, 8);
    TAKE(GoUnblock, 0, 0, 7);
    TAKE(GoSysExit, TP_V1_SYSCALL_P, 8, 8);
}

static void test_wake_ups(void **state)
{
    (void)state;
    begin_running(21);
    REFUSE("g 8 is not running while unpark (time 42)", GoUnblock, 0, 8, 9);
    REFUSE("p 1 is not running g 7 while unpark (time 42)", GoUnblock, 1, 7, 9);
    REFUSE("g 9 is not waiting before unpark (time 42)", GoUnblock, 0, 7, 9);
    REFUSE("g 8 is not waiting before unpark (time 42)", GoUnblock, 0, 7, 8);
    REFUSE("g 7 is not waiting before unpark (time 42)", GoUnblock, 0, 7, 7);
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoBlockRecv, 1, 8, 0);
    TAKE(GoUnblock, 0, 7, 8);
    assert_int_equal(last.p, 0);
    REFUSE("g 8 is not waiting before unpark (time 42)", GoUnblock, 0, 7, 8);
    // Timers run on no P.
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoSleep, 1, 8, 0);
    TAKE(GoUnblock, TP_V1_TIMER_P, 7, 8);
    assert_int_equal(last.p, TP_V1_TIMER_P);
}

static void test_wake_ups_from_the_network(void **state)
{
    (void)state;
    begin_running(21);
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoBlockNet, 1, 8, 0);
    TAKE(GoUnblock, 0, 7, 8);
    assert_int_equal(last.p, TP_V1_NETPOLL_P);
    // What it waits for next is something else.
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoBlock, 1, 8, 0);
    TAKE(GoUnblock, 0, 7, 8);
    assert_int_equal(last.p, 0);
    TAKE(GoStart, 1, 8, 8);
    TAKE(GoBlockNet, 1, 8, 0);
    TAKE(GoUnblock, TP_V1_TIMER_P, 7, 8);
    assert_int_equal(last.p, TP_V1_NETPOLL_P);
}

static void test_ends_of_syscalls(void **state)
{
    (void)state;
    begin_running(21);
    REFUSE("g 7 is not waiting during syscall exit (time 42)", GoSysExit, TP_V1_SYSCALL_P, 7, 7);
    REFUSE("g 9 is not waiting during syscall exit (time 42)", GoSysExit, TP_V1_SYSCALL_P, 9, 9);
    TAKE(GoSysCall, 0, 7, 0);
    TAKE(GoSysBlock, 0, 7, 0);
    TAKE(GoSysExit, TP_V1_SYSCALL_P, 7, 7);
    REFUSE("g 7 is not waiting during syscall exit (time 42)", GoSysExit, TP_V1_SYSCALL_P, 7, 7);
    TAKE(GoStart, 0, 7, 7);
}

// TASKS AND REGIONS

static void test_tasks(void **state)
{
    (void)state;
    begin(21);
    assert_null(tp_v1_check_task(&check, 5));
    TAKE(UserTaskCreate, 0, 0, 5, 3, 11);
    assert_int_equal(tp_v1_check_task(&check, 5)->parent, 3);
    assert_int_equal(tp_v1_check_task(&check, 5)->name, 11);
    REFUSE("task id conflicts (id:5)", UserTaskCreate, 0, 0, 5, 4, 12);
    TAKE(UserTaskCreate, 0, 0, 6, 5, 12);
    tp_v1_check_end_task(&check, 5);
    tp_v1_check_end_task(&check, 5);
    assert_null(tp_v1_check_task(&check, 5));
    TAKE(UserTaskCreate, 0, 0, 5, 6, 13);
    assert_int_equal(tp_v1_check_task(&check, 5)->name, 13);
    assert_int_equal(tp_v1_check_task(&check, 6)->name, 12);
    // One that began before the trace may end in it.
    TAKE(UserTaskEnd, 0, 0, 99);
}

// Task, mode (0 begins, 1 ends), name.
static void test_regions(void **state)
{
    (void)state;
    begin_running(21);
    check.is_strict = true;
    TAKE(UserRegion, 0, 7, 1, 1, 5);
    TAKE(UserRegion, 0, 7, 1, 0, 5);
    REFUSE("misuse of region in goroutine 7", UserRegion, 0, 7, 2, 1, 5);
    REFUSE("misuse of region in goroutine 7", UserRegion, 0, 7, 1, 1, 6);
    TAKE(UserRegion, 0, 7, 2, 0, 6);
    REFUSE("misuse of region in goroutine 7", UserRegion, 0, 7, 1, 1, 5);
    // Those of others are others.
    TAKE(UserRegion, 1, 8, 1, 1, 5);
    TAKE(UserRegion, 1, 8, 3, 0, 5);
    TAKE(UserRegion, 0, 7, 2, 1, 6);
    TAKE(UserRegion, 0, 7, 1, 1, 5);
    TAKE(UserRegion, 0, 7, 1, 1, 5);
    TAKE(UserRegion, 1, 8, 3, 1, 5);
    REFUSE("invalid user region mode", UserRegion, 0, 7, 1, 2, 5);
    REFUSE("invalid user region mode", UserRegion, 0, 7, 1, UINT64_MAX, 5);
}

// Without is_strict: an end closes the innermost region with its task and name.
static void test_regions_that_do_not_nest(void **state)
{
    static struct tp_doubts doubts;
    struct tp_tables *t = tp_tables_create(1, 21, TP_MIB(1));
    (void)state;
    doubts = (struct tp_doubts){0};
    begin_running(21);
    TAKE(Gomaxprocs, 0, 0, 4);
    TAKE(GoCreate, 0, 7, 9);
    check.tables = t;
    check.doubts = &doubts;
    assert_true(TP_LIST_ADD(&t->strings, (struct tp_span){0}));
    TAKE(UserRegion, 0, 7, 1, 0, 5);
    TAKE(UserRegion, 0, 7, 2, 0, 5);
    TAKE(UserRegion, 0, 7, 1, 0, 5);
    // The second of task 1, which is on top; then the first, which is not.
    TAKE(UserRegion, 0, 7, 1, 1, 5);
    assert_int_equal(doubts.count, 0);
    TAKE(UserRegion, 0, 7, 1, 1, 5);
    assert_int_equal(doubts.by_kind[TP_DOUBT_REGION_OVERLAP], 1);
    // One that may be from before the trace, but not inside another; one that cannot be.
    TAKE(UserRegion, 0, 7, 3, 1, 5);
    assert_int_equal(doubts.by_kind[TP_DOUBT_REGION_NOT_OPEN], 1);
    assert_false(check.is_stray);
    TAKE(UserRegion, 0, 7, 2, 1, 5);
    TAKE(UserRegion, 0, 7, 2, 1, 5);
    assert_int_equal(doubts.by_kind[TP_DOUBT_REGION_NOT_OPEN], 1);
    TAKE(UserRegion, 1, 9, 2, 1, 5);
    assert_int_equal(doubts.by_kind[TP_DOUBT_REGION_NOT_OPEN], 2);
    assert_true(check.is_stray);
    // Regions that nobody ends.
    TAKE(UserRegion, 0, 7, 1, 0, 5);
    TAKE(UserRegion, 0, 7, 2, 0, 5);
    TAKE(GoEnd, 0, 7, 0);
    assert_int_equal(doubts.by_kind[TP_DOUBT_REGION_NOT_ENDED], 2);
    TAKE(UserTaskEnd, 1, 9, 4);
    TAKE(UserTaskEnd, 1, 9, 4);
    assert_int_equal(doubts.by_kind[TP_DOUBT_TASK_ENDED_TWICE], 1);
    assert_int_equal(doubts.count, 6);
    tp_tables_release(t);
}

static void test_an_end_closes_all_regions_and_a_stop_none(void **state)
{
    (void)state;
    begin_running(21);
    check.is_strict = true;
    TAKE(UserRegion, 0, 7, 1, 0, 5);
    TAKE(UserRegion, 0, 7, 2, 0, 6);
    TAKE(GoEnd, 0, 7, 0);
    TAKE(UserRegion, 0, 7, 9, 1, 9);
    TAKE(GoStart, 0, 8, 8);
    TAKE(UserRegion, 0, 8, 1, 0, 5);
    TAKE(GoStop, 0, 8, 0);
    REFUSE("misuse of region in goroutine 8", UserRegion, 0, 8, 9, 1, 9);
}

// IN A TRACE

static void test_a_fault_in_a_trace_is_told_where_it_is(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(HeapAlloc, 0, 1);
    EV(ProcStop, 5);
    assert_string_equal(script_v1_convert(), "-1 -1/-1/-1 Sync 1 1\n"
                                             "0 -1/0/-1 HeapAlloc 1\n"
                                             "! p 0 is not running before stop (time 5)\n");
    script_v1_way.is_rehearsed = true;
    assert_string_equal(script_v1_convert(), "! p 0 is not running before stop (time 5)\n");
}

// A number comes again where no reader has to refuse it as Go does.
static void test_a_number_that_comes_again(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 10);
    EV(Gomaxprocs, 0, 1, 0);
    for (unsigned i = 0; i < 3; i++) {
        EV(GoCreate, 10, 7, 0, 0);
        EV(GoStartLocal, 10, 7);
        EV(UserRegion, 1, 1, 0, 0, 0);
        EV(GoEnd, 10);
    }
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("!"), "");
    assert_string_equal(script_v1_lines_with("GoDestroy"), "31 -1/0/7 GoDestroy\n"
                                                           "62 -1/0/7 GoDestroy\n"
                                                           "93 -1/0/7 GoDestroy\n");
    script_v1_way.is_strict = true;
    assert_string_equal(script_v1_convert(),
                        "! no consistent ordering of events possible\n");
}

// MEMORY

static void test_more_than_is_allowed(void **state)
{
    (void)state;
    struct tp_error err = {0};
    static const uint8_t types[] = {TP_V1_GoCreate, TP_V1_ProcStart, TP_V1_UserTaskCreate,
                                    TP_V1_UserRegion};
    for (size_t i = 0; i < TP_ARRAY_LEN(types); i++) {
        begin(21);
        int rc = 0;
        uint64_t n = 0;
        while (rc == 0 && n++ < 1000) {
            last = (struct tp_v1_ordered){.type = types[i]};
            if (types[i] == TP_V1_ProcStart)
                last.p = (int32_t)n;
            else if (types[i] != TP_V1_UserRegion)
                last.args[0] = n;
            rc = tp_v1_check(&check, &last, NS, 2000, &err);
        }
        assert_int_equal(rc, TP_E_LIMIT);
        assert_true(n > 20 && n < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ps_start_and_stop),
        cmocka_unit_test(test_collections),
        cmocka_unit_test(test_the_world_stops_once_since_go_1_10),
        cmocka_unit_test(test_the_world_stops_by_ps_before_go_1_10),
        cmocka_unit_test(test_sweeping_is_of_a_p),
        cmocka_unit_test(test_assists_are_of_a_goroutine_and_may_have_begun_before),
        cmocka_unit_test(test_goroutines_that_exist_cannot_be_made),
        cmocka_unit_test(test_goroutines_that_have_ended_are_forgotten),
        cmocka_unit_test(test_an_assist_outlives_its_goroutine),
        cmocka_unit_test(test_goroutine_0_runs_where_none_does),
        cmocka_unit_test(test_who_does_a_thing_has_to_run_on_that_p),
        cmocka_unit_test(test_what_becomes_of_who_does_it),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_what_goroutines_were_when_the_trace_began),
        cmocka_unit_test(test_wake_ups),
        cmocka_unit_test(test_wake_ups_from_the_network),
        cmocka_unit_test(test_ends_of_syscalls),
        cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_regions_that_do_not_nest),
        cmocka_unit_test(test_an_end_closes_all_regions_and_a_stop_none),
        cmocka_unit_test(test_a_fault_in_a_trace_is_told_where_it_is),
        cmocka_unit_test(test_a_number_that_comes_again),
        cmocka_unit_test(test_more_than_is_allowed),
    };
    return cmocka_run_group_tests_name("check_v1", tests, NULL, tear_down);
}
