// The first walk over traces from before Go 1.22: what is wrong with the trace as a whole,
// ends of syscalls that move to when they happened, and the order of Go 1.5 and 1.6, which
// is that of sequence numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script_v1.h"

#define NO_ORDER "! no consistent ordering of events possible\n"
#define OUT_OF_ORDER "! time stamps out of order\n"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

static void test_an_order_against_the_clock(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 50);
    EV(GoCreate, 0, 7, 0, 0);
    P(1, 40);
    EV(GoStart, 0, 7, 1);
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
    // What is wrong with the order itself is said first.
    EV(GoStart, 0, 8, 1);
    assert_string_equal(script_v1_convert_strictly(), NO_ORDER);
}

static void test_a_clock_that_goes_back_inside_a_batch(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 50);
    EV(HeapAlloc, 0, 1);
    EV(HeapAlloc, UINT64_MAX, 2);
    assert_string_equal(script_v1_walk(), "50 p0 g0 HeapAlloc 1\n"
                                          "49 p0 g0 HeapAlloc 2\n");
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
}

static void test_an_empty_trace(void **state)
{
    (void)state;
    script_v1_begin(11);
    assert_string_equal(script_v1_walk(), "");
    assert_string_equal(script_v1_convert(), "");
    P(3, 7);
    assert_string_equal(script_v1_convert(), "");
}

static void test_a_trace_without_frequency(void **state)
{
    (void)state;
    script_v1_begin(11);
    tp_buf_reset(&script_v1.wire);
    P(0, 0);
    EV(HeapAlloc, 0, 1);
    assert_string_equal(script_v1_convert(), "! no EvFrequency event\n");
    wire_v1_put_frequency(&script_v1.wire, 11, UINT64_MAX);
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
}

#define TOO_MANY "! generation 1 has too many batches; the limit is about 102, at any --max-memory\n"

static void test_a_trace_with_too_many_batches(void **state)
{
    (void)state;
    script_v1_begin(11);
    for (unsigned i = 0; i < 1000; i++) {
        P(0, i);
        EV(HeapAlloc, 0, i);
    }
    script_v1_way.lists_max_bytes = 8192;
    assert_string_equal(script_v1_walk(), TOO_MANY);
    assert_string_equal(script_v1_convert(), TOO_MANY);
}

// ENDS OF SYSCALLS

// Goroutines 7 to 9 are in syscalls from 10, 11 and 12 on.
static void begin_in_syscalls(void)
{
    script_v1_begin(11);
    P(0, 1);
    for (unsigned g = 7; g < 10; g++)
        EV(GoCreate, 0, g, 0, 0);
    EV(GoInSyscall, 9, 7);
    EV(GoInSyscall, 1, 8);
    EV(GoInSyscall, 1, 9);
    EV(Gomaxprocs, 0, 1, 0);
}

static void test_an_exit_stands_where_it_happened(void **state)
{
    (void)state;
    begin_in_syscalls();
    EV(HeapAlloc, 18, 30);
    EV(HeapAlloc, 10, 40);
    EV(HeapAlloc, 10, 50);
    EV(GoSysExit, 1, 7, 2, 40);
    EV(HeapAlloc, 9, 60);
    script_v1_convert();
    // Behind the event of the same time, which has its place before it. Time 0 is at 1.
    assert_string_equal(script_v1_lines_with("Heap"), "29 -1/0/-1 HeapAlloc 30\n"
                                                      "39 -1/0/-1 HeapAlloc 40\n"
                                                      "49 -1/0/-1 HeapAlloc 50\n"
                                                      "59 -1/0/-1 HeapAlloc 60\n");
    assert_string_equal(script_v1_lines_with("Sys"), "40 -1/1000003/7 GoSyscallEndBlocked\n");
}

static void test_exits_of_one_time_stand_as_they_were_told(void **state)
{
    (void)state;
    begin_in_syscalls();
    EV(GoSysExit, 38, 8, 2, 50);
    EV(HeapAlloc, 0, 50);
    EV(GoSysExit, 1, 9, 2, 20);
    EV(GoSysExit, 1, 7, 2, 20);
    EV(HeapAlloc, 0, 52);
    static const char want[] = "19 -1/1000003/9 GoSyscallEndBlocked\n"
                               "20 -1/1000003/7 GoSyscallEndBlocked\n"
                               "49 -1/1000003/8 GoSyscallEndBlocked\n"
                               "50 -1/0/-1 HeapAlloc 50\n"
                               "51 -1/0/-1 HeapAlloc 52\n";
    const char *got = strstr(script_v1_convert(), "19 ");
    assert_non_null(got);
    assert_string_equal(got, want);
}

static void test_an_exit_without_a_time_stays(void **state)
{
    (void)state;
    begin_in_syscalls();
    EV(GoSysExit, 8, 7, 2, 0);
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("SyscallEnd"),
                        "19 -1/1000003/7 GoSyscallEndBlocked\n");
}

static void test_exits_may_follow_the_last_event(void **state)
{
    (void)state;
    begin_in_syscalls();
    EV(GoSysExit, 8, 7, 2, 400);
    EV(GoSysExit, 8, 8, 2, 300);
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("SyscallEnd"),
                        "299 -1/1000003/8 GoSyscallEndBlocked\n"
                        "399 -1/1000003/7 GoSyscallEndBlocked\n");
}

static void test_an_exit_of_who_was_in_no_syscall(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoWaiting, 1, 7);
    EV(GoSysExit, 1, 7, 2, 3);
    assert_string_equal(script_v1_convert_strictly(), "! stray syscall exit\n");
    // A clock that goes back is said first, wherever it does.
    EV(HeapAlloc, UINT64_MAX, 0);
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
}

static void test_an_exit_before_its_syscall(void **state)
{
    (void)state;
    begin_in_syscalls();
    EV(GoSysExit, 8, 7, 2, 10);
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("!"), "");
    begin_in_syscalls();
    EV(GoSysExit, 8, 7, 2, 9);
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
    // The first of several faults is the one that is told.
    begin_in_syscalls();
    EV(GoCreate, 1, 6, 0, 0);
    EV(GoWaiting, 1, 6);
    EV(GoSysExit, 1, 6, 2, 15);
    EV(GoSysExit, 1, 7, 2, 9);
    assert_string_equal(script_v1_convert_strictly(), "! stray syscall exit\n");
}

// GO 1.5 AND 1.6

static void test_sequence_numbers_alone_order_traces_of_go_1_5(void **state)
{
    (void)state;
    script_v1_begin(5);
    EV(Batch, 1, 10, 100);
    EV(HeapAlloc, 1, 0, 1);
    EV(HeapAlloc, 3, 5, 2);
    EV(Batch, 0, 11, 100);
    EV(HeapAlloc, 1, 1, 3);
    EV(HeapAlloc, 1, 1, 4);
    assert_string_equal(script_v1_walk(), "100 p1 g0 HeapAlloc 1\n"
                                          "101 p0 g0 HeapAlloc 3\n"
                                          "102 p0 g0 HeapAlloc 4\n"
                                          "105 p1 g0 HeapAlloc 2\n");
    // Nothing has to be ready.
    EV(GoStart, 2, 5, 7);
    assert_non_null(strstr(script_v1_walk(), "107 p0 g7 GoStart 7\n"));
}

static void test_times_of_go_1_5_that_fall(void **state)
{
    (void)state;
    script_v1_begin(5);
    EV(Batch, 0, 0, 100);
    EV(HeapAlloc, 1, 0, 1);
    EV(Batch, 1, 1, 90);
    EV(HeapAlloc, 1, 0, 2);
    EV(Batch, 2, 2, 200);
    EV(HeapAlloc, 1, 0, 3);
    assert_string_equal(script_v1_convert(), "-1 -1/-1/-1 Sync 1 1\n"
                                             "0 -1/0/-1 HeapAlloc 1\n" OUT_OF_ORDER);
    script_v1_way.is_rehearsed = true;
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
}

static void test_sequence_numbers_of_go_1_5_that_fall(void **state)
{
    (void)state;
    script_v1_begin(5);
    EV(Batch, 0, 5, 100);
    EV(HeapAlloc, 1, 0, 1);
    EV(Batch, 0, 3, 110);
    EV(HeapAlloc, 1, 0, 2);
    assert_string_equal(script_v1_convert_strictly(), OUT_OF_ORDER);
}

static void test_exits_of_go_1_5_have_a_sequence_number_of_their_own(void **state)
{
    (void)state;
    script_v1_begin(5);
    EV(Batch, 0, 0, 100);
    EV(GoCreate, 1, 0, 7, 0x10, 0);
    EV(GoCreate, 1, 0, 8, 0x10, 0);
    EV(GoInSyscall, 1, 1, 7);
    EV(GoInSyscall, 1, 1, 8);
    EV(Gomaxprocs, 1, 0, 1, 0);
    EV(HeapAlloc, 2, 8, 110);   // number 7, at 110
    EV(GoSysExit, 2, 10, 7, 6, 105);
    EV(GoSysExit, 1, 1, 8, 8, 0);
    script_v1_convert();
    // 8 does not tell a time: that of where it was told.
    assert_string_equal(script_v1_lines_with("SyscallEnd"),
                        "5 -1/1000003/7 GoSyscallEndBlocked\n"
                        "21 -1/1000003/8 GoSyscallEndBlocked\n");
    assert_string_equal(script_v1_lines_with("Heap"), "10 -1/0/-1 HeapAlloc 110\n");
}

// Where goroutines begin are stacks with numbers that no other has.
static void test_starts_where_the_last_number_is_taken(void **state)
{
    (void)state;
    static const uint64_t last_ids[] = {UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < TP_ARRAY_LEN(last_ids); i++) {
        script_v1_begin(5);
        STACK(1, 1);
        STACK(3, 1);
        STACK(last_ids[i], 1);
        EV(Batch, 0, 0, 100);
        EV(Gomaxprocs, 1, 0, 1, 0);
        for (unsigned g = 7; g < 10; g++)
            EV(GoCreate, 1, 0, g, 0x1000 * g, 1);
        script_v1_convert();
        const char *want = i == 0 ? "0 -1/0/-1 GoCreate 7 s4294967294 s1\n"
                                    "1 -1/0/-1 GoCreate 8 s2 s1\n"
                                    "2 -1/0/-1 GoCreate 9 s4 s1\n"
                                  : "0 -1/0/-1 GoCreate 7 s2 s1\n"
                                    "1 -1/0/-1 GoCreate 8 s4 s1\n"
                                    "2 -1/0/-1 GoCreate 9 s5 s1\n";
        assert_string_equal(script_v1_lines_with("GoCreate"), want);
    }
}

// How the second walk knows the order of `count` events of each of `p_count` Ps.
static bool has_turns(unsigned p_count, unsigned count, uint64_t max_bytes)
{
    script_v1_begin(21);
    for (unsigned p = 0; p < p_count; p++) {
        P(p, 100);
        for (unsigned i = 0; i < count; i++)
            EV(HeapAlloc, 1, i);
    }
    script_v1_way.max_bytes = max_bytes;
    script_v1_way.walks_first = true;
    script_v1_convert();
    struct order_v1_result r =
        order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
    assert_int_equal(r.err.code, 0);
    assert_int_equal(r.count, 1 + p_count * count);
    bool had_turns = r.had_turns;
    order_v1_result_fini(&r);
    return had_turns;
}

// With them or without, all scripts here come to the same.
static void test_turns_are_kept_where_they_fit(void **state)
{
    (void)state;
    const uint64_t limit_bytes = 4096;
    assert_true(has_turns(3, 10, 0));
    assert_true(has_turns(2, (unsigned)limit_bytes / 8, limit_bytes));
    assert_false(has_turns(2, (unsigned)limit_bytes / 8 + 1, limit_bytes));
    // The stream of CPU samples is one of them.
    assert_true(has_turns(255, 2, 0));
    assert_false(has_turns(256, 2, 0));
}

static void test_turns_end_where_the_order_does(void **state)
{
    (void)state;
    script_v1_begin(21);
    P(0, 100);
    EV(HeapAlloc, 1, 1);
    EV(GoStart, 1, 7, 5); // nobody has created 7
    EV(HeapAlloc, 1, 2);
    P(1, 200);
    EV(HeapAlloc, 1, 3);
    const char *text = script_v1_convert();
    assert_string_equal(text, "-1 -1/-1/-1 Sync 1 1\n"
                              "0 -1/0/-1 HeapAlloc 1\n"
                              "100 -1/1/-1 HeapAlloc 3\n"
                              "! no consistent ordering of events possible\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_order_against_the_clock),
        cmocka_unit_test(test_a_clock_that_goes_back_inside_a_batch),
        cmocka_unit_test(test_an_empty_trace),
        cmocka_unit_test(test_a_trace_without_frequency),
        cmocka_unit_test(test_a_trace_with_too_many_batches),
        cmocka_unit_test(test_an_exit_stands_where_it_happened),
        cmocka_unit_test(test_exits_of_one_time_stand_as_they_were_told),
        cmocka_unit_test(test_an_exit_without_a_time_stays),
        cmocka_unit_test(test_exits_may_follow_the_last_event),
        cmocka_unit_test(test_an_exit_of_who_was_in_no_syscall),
        cmocka_unit_test(test_an_exit_before_its_syscall),
        cmocka_unit_test(test_sequence_numbers_alone_order_traces_of_go_1_5),
        cmocka_unit_test(test_times_of_go_1_5_that_fall),
        cmocka_unit_test(test_sequence_numbers_of_go_1_5_that_fall),
        cmocka_unit_test(test_exits_of_go_1_5_have_a_sequence_number_of_their_own),
        cmocka_unit_test(test_starts_where_the_last_number_is_taken),
        cmocka_unit_test(test_turns_are_kept_where_they_fit),
        cmocka_unit_test(test_turns_end_where_the_order_does),
    };
    return cmocka_run_group_tests_name("plan_v1", tests, NULL, tear_down);
}
