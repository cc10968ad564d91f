// Traces of Go 1.7 to 1.21 that are walked over in order but once: which they are; that ends of
// syscalls stand where they happened though the walk comes to their events later, or never; and
// which syscalls blocked. Of sound traces each script here also says that two walks do the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

static bool is_prescanned(void)
{
    script_v1_convert();
    struct order_v1_result r =
        order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
    bool was_prescanned = r.was_prescanned;
    order_v1_result_fini(&r);
    return was_prescanned;
}

// Goroutine 7 is in a syscall from 10 on, 8 from 11 on; 9 runs on P 0.
static void begin(uint32_t minor)
{
    script_v1_begin(minor);
    P(0, 1);
    for (unsigned g = 7; g < 10; g++)
        EV(GoCreate, 0, g, 0, 0);
    EV(GoInSyscall, 9, 7);
    EV(GoInSyscall, 1, 8);
    EV(Gomaxprocs, 1, 1, 0);
    EV(GoStart, 1, 9, 1);
}

// WHAT IS LOOKED FOR

// Logs and ends of syscalls of two Ps, of which the first ones are marked, or all.
static void test_more_of_them_than_are_marked(void **state)
{
    (void)state;
    begin(21);
    STRING(1, "key");
    for (unsigned i = 0; i < 400; i++) {
        char text[16];
        snprintf(text, sizeof text, "log %u", i % 300);
        if (i % 20 == 0)
            P(i / 20 % 2, 1000 + 10 * i);
        if (i == 390)
            EV(GoSysExit, 1, 7, 2, 950);
        EV(HeapAlloc, 1, i);
        LOG(1, i, 1, 0, text);
    }
    struct order_v1_way way = script_v1_way;
    struct order_v1_result want = order_v1_convert(21, script_v1_bytes(), &way);
    assert_int_equal(want.err.code, 0);
    assert_true(want.was_prescanned && want.count > 800);
    // So much that all batches are listed, and 256 to 131 marks.
    for (size_t bytes = 4096; bytes > 2048; bytes -= 100) {
        way.lists_max_bytes = bytes;
        struct order_v1_result got = order_v1_convert(21, script_v1_bytes(), &way);
        assert_int_equal(got.err.code, 0);
        assert_true(got.was_prescanned);
        assert_null(order_v1_difference(&got, &want));
        order_v1_result_fini(&got);
    }
    order_v1_result_fini(&want);
}

// WHICH TRACES

static void test_most_traces_are_surveyed(void **state)
{
    (void)state;
    static const uint32_t minors[] = {7, 8, 9, 10, 11, 19, 21};
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        begin(minors[i]);
        EV(GoSysExit, 10, 7, 2, 20);
        EV(GoSysExit, 10, 8, 2, 21);
        assert_true(is_prescanned());
    }
}

static void test_what_go_refuses_is_found_in_order(void **state)
{
    (void)state;
    begin(11);
    script_v1_way.is_strict = true;
    assert_false(is_prescanned());
}

static void test_go_1_5_puts_numbers_on_all_events(void **state)
{
    (void)state;
    script_v1_begin(5);
    EV(Batch, 0, 0, 100);
    EV(HeapAlloc, 1, 0, 1);
    assert_false(is_prescanned());
}

static void test_samples_may_come_between(void **state)
{
    (void)state;
    begin(21);
    EV(GoSysCall, 10, 0);
    EV(GoSysBlock, 10);
    EV(CPUSample, 0, 25, 0, 9, 0);
    assert_false(is_prescanned());
    // The next event of the goroutine is the sample, so to Go the syscall did not block.
    assert_string_equal(script_v1_lines_with("Syscall"), "22 0/0/9 GoSyscallBegin 0 s0\n"
                                                         "23 0/0/9 GoSyscallEnd\n");
}

static void test_ends_at_one_time_stand_as_they_were_told(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysExit, 10, 8, 2, 20);
    EV(GoSysExit, 10, 7, 2, 20);
    assert_false(is_prescanned());
    assert_string_equal(script_v1_lines_with("SyscallEnd"),
                        "19 -1/1000003/8 GoSyscallEndBlocked\n"
                        "20 -1/1000003/7 GoSyscallEndBlocked\n");
}

// The numbers of messages are those of their order.
static void test_frames_that_name_messages(void **state)
{
    (void)state;
    // Frames have the names 0, 1, 2; 2 is the message.
    for (unsigned frame_count = 2; frame_count < 4; frame_count++) {
        begin(11);
        STRING(1, "function");
        LOG(10, 0, 1, 0, "message");
        STACK(1, frame_count);
        assert_int_equal(is_prescanned(), frame_count == 2);
    }
}

// ENDS OF SYSCALLS

static void test_an_end_at_the_time_of_an_event(void **state)
{
    (void)state;
    // The walk comes to the event first,
    begin(11);
    EV(HeapAlloc, 17, 1);
    EV(GoSysExit, 0, 7, 2, 30);
    assert_true(is_prescanned());
    assert_string_equal(strstr(script_v1_convert(), "29 "),
                        "29 -1/0/9 HeapAlloc 1\n"
                        "30 -1/1000003/7 GoSyscallEndBlocked\n");
    // or to the end.
    begin(11);
    EV(GoSysExit, 17, 7, 2, 30);
    EV(HeapAlloc, 0, 1);
    assert_true(is_prescanned());
    assert_string_equal(strstr(script_v1_convert(), "29 "),
                        "29 -1/1000003/7 GoSyscallEndBlocked\n"
                        "30 -1/0/9 HeapAlloc 1\n");
}

// Where clocks of Ps differ, the walk comes to an end before events of its time.
static void test_an_end_that_is_told_early(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysExit, 27, 7, 2, 30);
    EV(HeapAlloc, 50, 2);
    P(1, 30);
    EV(GoStart, 0, 7, 3);
    EV(HeapAlloc, 9, 1);
    assert_true(is_prescanned());
    assert_string_equal(strstr(script_v1_convert(), "29 "),
                        "29 -1/1000003/7 GoSyscallEndBlocked\n"
                        "30 -1/1/7 GoStart 7\n"
                        "38 -1/1/7 HeapAlloc 1\n"
                        "89 -1/0/9 HeapAlloc 2\n");
}

static const char stuck[] = "38 -1/0/9 HeapAlloc 1\n"
                            "! no consistent ordering of events possible\n";

// What tells that 5 waits is lost.
static void test_an_end_the_walk_never_comes_to(void **state)
{
    (void)state;
    for (unsigned walks_first = 0; walks_first < 2; walks_first++) {
        begin(11);
        EV(HeapAlloc, 26, 1);
        P(1, 50);
        EV(GoSysExit, 0, 5, 2, 20);
        EV(HeapAlloc, 1, 2);
        script_v1_way.walks_first = walks_first != 0;
        assert_int_equal(is_prescanned(), walks_first == 0);
        assert_string_equal(strstr(script_v1_convert(), "38 "), stuck);
        assert_string_equal(script_v1_lines_with("SyscallEnd"), "");
    }
}

// It is shown nevertheless, where it is sure that it ended.
static void test_an_end_behind_where_the_order_is_lost(void **state)
{
    (void)state;
    begin(11);
    EV(HeapAlloc, 26, 1);
    P(1, 50);
    EV(GoStart, 0, 5, 1);
    EV(GoSysExit, 1, 7, 2, 20);
    assert_true(is_prescanned());
    assert_string_equal(strstr(script_v1_convert(), "38 "), stuck);
    assert_string_equal(script_v1_lines_with("SyscallEnd"),
                        "19 -1/1000003/7 GoSyscallEndBlocked\n");
}

// 9 blocks at 40, yet its syscall is said to have ended at 20.
static void test_an_end_before_its_syscall(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysCall, 17, 0);
    EV(GoSysBlock, 10);
    EV(HeapAlloc, 5, 1);
    EV(GoSysExit, 5, 9, 2, 20);
    EV(HeapAlloc, 5, 2);
    assert_true(is_prescanned());
    assert_string_equal(strstr(script_v1_convert(), "29 "),
                        "29 -1/0/9 GoSyscallBegin 0 s0\n"
                        "44 -1/0/-1 HeapAlloc 1\n"
                        "! time stamps out of order\n");
}

static void test_ends_that_wait_are_bounded(void **state)
{
    (void)state;
    begin(11);
    EV(HeapAlloc, 100000, 1);
    P(1, 50);
    for (unsigned i = 0; i < 1000; i++)
        EV(GoSysExit, 1, 100 + i, 2, 20 + i);
    script_v1_way.max_bytes = TP_KIB(64);
    assert_non_null(strstr(script_v1_convert(), "! ends of syscalls that wait for their events do "
                                                "not fit into 8192 bytes; "));
}

// WHICH SYSCALLS BLOCKED

static void test_a_syscall_that_does_not_block(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysCall, 17, 0);
    EV(HeapAlloc, 10, 1);
    EV(GoSysBlock, 10);
    EV(GoStart, 1, 8, 3);
    assert_true(is_prescanned());
    assert_string_equal(script_v1_lines_with("Syscall"), "29 0/0/9 GoSyscallBegin 0 s0\n"
                                                         "30 0/0/9 GoSyscallEnd\n");
    // It is the last of its P.
    begin(11);
    EV(GoSysCall, 17, 0);
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("Syscall"), "29 0/0/9 GoSyscallBegin 0 s0\n"
                                                         "30 0/0/9 GoSyscallEnd\n");
}

static void test_a_block_in_the_next_batch(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysCall, 17, 0);
    P(0, 60);
    EV(GoSysBlock, 0);
    EV(HeapAlloc, 1, 1);
    assert_true(is_prescanned());
    assert_string_equal(script_v1_lines_with("Syscall"), "29 -1/0/9 GoSyscallBegin 0 s0\n");
}

static void test_a_block_behind_the_end_of_another(void **state)
{
    (void)state;
    begin(11);
    EV(GoSysCall, 17, 0);
    EV(GoSysExit, 10, 7, 2, 25);
    P(0, 60);
    EV(GoSysExit, 0, 8, 2, 26);
    EV(GoSysBlock, 0);
    EV(HeapAlloc, 1, 1);
    assert_true(is_prescanned());
    assert_string_equal(script_v1_lines_with("Begin"), "29 -1/0/9 GoSyscallBegin 0 s0\n");
    assert_string_equal(script_v1_lines_with("SyscallEnd"),
                        "24 -1/1000003/7 GoSyscallEndBlocked\n"
                        "25 -1/1000003/8 GoSyscallEndBlocked\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_of_them_than_are_marked),
        cmocka_unit_test(test_most_traces_are_surveyed),
        cmocka_unit_test(test_what_go_refuses_is_found_in_order),
        cmocka_unit_test(test_go_1_5_puts_numbers_on_all_events),
        cmocka_unit_test(test_samples_may_come_between),
        cmocka_unit_test(test_ends_at_one_time_stand_as_they_were_told),
        cmocka_unit_test(test_frames_that_name_messages),
        cmocka_unit_test(test_an_end_at_the_time_of_an_event),
        cmocka_unit_test(test_an_end_that_is_told_early),
        cmocka_unit_test(test_an_end_the_walk_never_comes_to),
        cmocka_unit_test(test_an_end_behind_where_the_order_is_lost),
        cmocka_unit_test(test_an_end_before_its_syscall),
        cmocka_unit_test(test_ends_that_wait_are_bounded),
        cmocka_unit_test(test_a_syscall_that_does_not_block),
        cmocka_unit_test(test_a_block_in_the_next_batch),
        cmocka_unit_test(test_a_block_behind_the_end_of_another),
    };
    return cmocka_run_group_tests_name("prescan_v1", tests, NULL, tear_down);
}
