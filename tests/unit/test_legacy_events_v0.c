// The events of traces from before Go 1.5 as the parser of that time gave them: what answers
// what, its names and its columns. What the texts say was compared with that parser.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "legacy_script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// Where a goroutine begins is a PC, which is no stack: starts have none.
static void test_the_life_of_a_goroutine(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 100);
    EV(GoCreate, 0, 7, 0x1000, 1);
    EV(GoStart, 1, 7);
    EV(GoSched, 1, 2);
    EV(GoStart, 1, 7);
    EV(GoBlockNet, 1, 3);
    P(1, 110);
    EV(GoCreate, 0, 8, 0x2000, 1);
    EV(GoStart, 1, 8);
    EV(GoUnblock, 1, 7, 4);
    EV(GoEnd, 1);
    EV(GoStart, 1, 7);
    EV(GoPreempt, 1, 6);
    EV(GoStart, 1, 7);
    EV(GoStop, 1, 5);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t16\t1\n"
                        "16\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t19\t2\n"
                        "19\t2\tGoSched\t0\t7\t2\t0,0,0\t-\t22\t3\n"
                        "22\t3\tGoStart\t0\t7\t0\t7,0,0\t-\t25\t4\n"
                        "25\t4\tGoBlockNet\t0\t7\t3\t0,0,0\t-\t41\t12\n"
                        "31\t10\tGoCreate\t1\t0\t1\t8,8192,0\t-\t38\t11\n"
                        "38\t11\tGoStart\t1\t8\t0\t8,0,0\t-\t45\t13\n"
                        "41\t12\tGoUnblock\t1000002\t8\t4\t7,0,0\t-\t47\t14\n"
                        "45\t13\tGoEnd\t1\t8\t0\t0,0,0\t-\t-\t-\n"
                        "47\t14\tGoStart\t1\t7\t0\t7,0,0\t-\t50\t15\n"
                        "50\t15\tGoPreempt\t1\t7\t6\t0,0,0\t-\t53\t16\n"
                        "53\t16\tGoStart\t1\t7\t0\t7,0,0\t-\t56\t17\n"
                        "56\t17\tGoStop\t1\t7\t5\t0,0,0\t-\t-\t-\n");
}

// What the goroutine did last is answered; a creation that it was told to wait since, too.
static void test_who_waited_or_called_before(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 100);
    EV(GoCreate, 0, 6, 0x1000, 1);
    EV(GoCreate, 0, 7, 0x1000, 1);
    EV(GoWaiting, 1, 6);
    EV(GoInSyscall, 1, 7);
    EV(GoUnblock, 1, 6, 2);
    EV(GoSysExit, 1, 7);
    EV(GoStart, 1, 7);
    // Of another one, by who runs.
    EV(GoWaiting, 1, 6);
    EV(GoUnblock, 1, 6, 2);
    EV(GoBlock, 1, 2);
    EV(GoStart, 1, 6);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t6,4096,0\t-\t29\t3\n"
                        "16\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t-\t-\n"
                        "23\t1\tGoWaiting\t0\t0\t0\t6,0,0\t-\t-\t-\n"
                        "26\t2\tGoInSyscall\t0\t0\t0\t7,0,0\t-\t-\t-\n"
                        "29\t3\tGoUnblock\t0\t0\t2\t6,0,0\t-\t42\t7\n"
                        "33\t4\tGoSysExit\t1000003\t7\t0\t7,0,0\t-\t36\t5\n"
                        "36\t5\tGoStart\t0\t7\t0\t7,0,0\t-\t46\t8\n"
                        "39\t6\tGoWaiting\t0\t7\t0\t6,0,0\t-\t-\t-\n"
                        "42\t7\tGoUnblock\t0\t7\t2\t6,0,0\t-\t49\t9\n"
                        "46\t8\tGoBlock\t0\t7\t2\t0,0,0\t-\t-\t-\n"
                        "49\t9\tGoStart\t0\t6\t0\t6,0,0\t-\t-\t-\n");
}

static void test_system_calls(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 100);
    EV(GoCreate, 0, 7, 0x1000, 1);
    EV(GoStart, 1, 7);
    EV(GoSysCall, 1, 5);
    EV(GoSysCall, 1, 5);
    EV(GoSysBlock, 1, 5);
    EV(GoSysExit, 1, 7);
    EV(GoStart, 1, 7);
    // Nobody has to say that it ended.
    EV(GoSysCall, 1, 5);
    EV(GoSysBlock, 1, 5);
    EV(GoStart, 1, 7);
    EV(GoSched, 1, 5);
    // It made none.
    EV(GoSysExit, 1, 7);
    EV(GoStart, 1, 7);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t16\t1\n"
                        "16\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t25\t4\n"
                        "19\t2\tGoSysCall\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "22\t3\tGoSysCall\t0\t7\t5\t0,0,0\t-\t28\t5\n"
                        "25\t4\tGoSysBlock\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "28\t5\tGoSysExit\t1000003\t7\t0\t7,0,0\t-\t31\t6\n"
                        "31\t6\tGoStart\t0\t7\t0\t7,0,0\t-\t37\t8\n"
                        "34\t7\tGoSysCall\t0\t7\t5\t0,0,0\t-\t40\t9\n"
                        "37\t8\tGoSysBlock\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "40\t9\tGoStart\t0\t7\t0\t7,0,0\t-\t43\t10\n"
                        "43\t10\tGoSched\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "46\t11\tGoSysExit\t1000003\t7\t0\t7,0,0\t-\t49\t12\n"
                        "49\t12\tGoStart\t0\t7\t0\t7,0,0\t-\t-\t-\n");
}

// Collections, scans and sweeps are of Ps, and nobody's but for the last.
static void test_the_collector(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 100);
    EV(GoCreate, 0, 7, 0x1000, 1);
    EV(GoStart, 0, 7);
    EV(GCStart, 2, 3);
    EV(STWStart, 2);
    EV(GCSweepStart, 2, 3);
    EV(GCSweepDone, 6);
    EV(STWDone, 2);
    EV(GCDone, 2);
    EV(HeapAlloc, 1, 5000);
    EV(HeapGoal, 1, 6000);
    EV(Gomaxprocs, 1, 8, 3);
    P(1, 101);
    EV(GCStart, 2, 3);
    EV(STWStart, 2);
    EV(GCSweepStart, 2, 3);
    EV(GCSweepDone, 2);
    EV(STWDone, 2);
    EV(GCDone, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t16\t0\n"
                        "16\t0\tGoStart\t0\t7\t0\t7,0,0\t-\t-\t-\n"
                        "19\t2\tGCStart\t0\t0\t3\t0,0,0\t-\t31\t16\n"
                        "48\t3\tGCStart\t1\t0\t3\t0,0,0\t-\t60\t13\n"
                        "22\t4\tGCScanStart\t0\t0\t0\t0,0,0\t-\t29\t14\n"
                        "51\t5\tGCScanStart\t1\t0\t0\t0,0,0\t-\t58\t11\n"
                        "24\t6\tGCSweepStart\t0\t7\t3\t0,0,0\t-\t27\t12\n"
                        "53\t7\tGCSweepStart\t1\t0\t3\t0,0,0\t-\t56\t9\n"
                        "56\t9\tGCSweepDone\t1\t0\t0\t0,0,0\t-\t-\t-\n"
                        "58\t11\tGCScanDone\t1\t0\t0\t0,0,0\t-\t-\t-\n"
                        "27\t12\tGCSweepDone\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "60\t13\tGCDone\t1\t0\t0\t0,0,0\t-\t-\t-\n"
                        "29\t14\tGCScanDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "31\t16\tGCDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "33\t17\tHeapAlloc\t0\t7\t0\t5000,0,0\t-\t-\t-\n"
                        "37\t18\tNextGC\t0\t7\t0\t6000,0,0\t-\t-\t-\n"
                        "41\t19\tGomaxprocs\t0\t7\t3\t8,0,0\t-\t-\t-\n");
}

// The last one told runs timers, and they unblock nobody through the network.
static void test_other_ps(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(0, 100);
    EV(GoCreate, 0, 7, 0x1000, 1);
    EV(GoCreate, 0, 8, 0x1000, 1);
    EV(GoStart, 1, 7);
    EV(GoBlockNet, 1, 3);
    EV(GoStart, 1, 8);
    EV(GoUnblock, 1, 7, 4);
    EV(GoSched, 1, 3);
    EV(GoStart, 1, 7);
    EV(GoBlockNet, 1, 3);
    EV(GoUnblock, 1, 7, 4);
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 7);
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 8);
    P(UINT64_MAX, 120);
    EV(HeapAlloc, 0, UINT64_MAX);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t23\t1\n"
                        "16\t0\tGoCreate\t0\t0\t1\t8,4096,0\t-\t29\t3\n"
                        "23\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t26\t2\n"
                        "26\t2\tGoBlockNet\t0\t7\t3\t0,0,0\t-\t32\t4\n"
                        "29\t3\tGoStart\t0\t8\t0\t8,0,0\t-\t36\t5\n"
                        "32\t4\tGoUnblock\t1000001\t8\t4\t7,0,0\t-\t39\t6\n"
                        "36\t5\tGoSched\t0\t8\t3\t0,0,0\t-\t-\t-\n"
                        "39\t6\tGoStart\t0\t7\t0\t7,0,0\t-\t42\t7\n"
                        "42\t7\tGoBlockNet\t0\t7\t3\t0,0,0\t-\t45\t8\n"
                        "45\t8\tGoUnblock\t1000002\t0\t4\t7,0,0\t-\t-\t-\n"
                        "65\t20\tHeapAlloc\t-1\t0\t0\t18446744073709551615,0,0\t-\t-\t-\n");
}

// No stack is made of where a goroutine begins, so that the last number is no matter.
static void test_large_numbers(void **state)
{
    (void)state;
    script_v1_begin(0);
    STACK(UINT32_MAX, 1);
    P(UINT64_MAX, 100);
    EV(GoCreate, 0, 7, UINT64_MAX, UINT64_MAX);
    EV(GoStart, 1, 7);
    EV(HeapAlloc, 1, UINT64_MAX);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "31\t0\tGoCreate\t-1\t0\t18446744073709551615\t7,18446744073709551615,0"
                        "\t-\t55\t1\n"
                        "55\t1\tGoStart\t-1\t7\t0\t7,0,0\t-\t-\t-\n"
                        "58\t2\tHeapAlloc\t-1\t7\t0\t18446744073709551615,0,0\t-\t-\t-\n");
}

static void test_words(void **state)
{
    (void)state;
    script_v1_begin(0);
    P(3, 100);
    EV(GoCreate, 0, 7, 0x1000, 1);
    EV(STWDone, 2);
    assert_string_equal(script_v1_legacy_events(),
                        "9\t0\tGoCreate\t3\t0\t1\t7,4096,0\t-\t-\t-\n"
                        "! bogus scanning end (offset 16, time 2)\n");
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! bogus scanning end (offset 16, time 2)\n");
    script_v1_begin(0);
    P(0, 100);
    assert_string_equal(script_v1_legacy_events_strictly(), "! trace is empty\n");
}

// A creation waits for longer than events are kept, and a collection for longer than that.
static void test_links_that_reach_far(void **state)
{
    (void)state;
    enum { REACH = 2 * TP_V1_RING_EVENTS };
    script_v1_begin(0);
    P(0, 100);
    EV(GCStart, 0, 1);
    EV(GoCreate, 1, 7, 0x1000, 1);
    for (unsigned i = 2; i < REACH; i++)
        EV(HeapAlloc, 1, i);
    EV(GoStart, 1, 7);
    EV(GCDone, 1);
    struct order_v1_result r = order_v1_legacy_events(0, script_v1_bytes(), &script_v1_way);
    assert_int_equal(r.err.code, 0);
    assert_int_equal(r.count, REACH + 2);
    assert_int_equal(r.legacy_events[0].link_ns, REACH + 1);
    assert_int_equal(r.legacy_events[0].link_offset, r.legacy_events[REACH + 1].offset);
    assert_int_equal(r.legacy_events[1].link_ns, REACH);
    assert_int_equal(r.legacy_events[1].link_offset, r.legacy_events[REACH].offset);
    for (size_t i = 2; i < r.count; i++)
        assert_false(r.legacy_events[i].has_link);
    order_v1_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_the_life_of_a_goroutine, tear_down),
        cmocka_unit_test_teardown(test_who_waited_or_called_before, tear_down),
        cmocka_unit_test_teardown(test_system_calls, tear_down),
        cmocka_unit_test_teardown(test_the_collector, tear_down),
        cmocka_unit_test_teardown(test_other_ps, tear_down),
        cmocka_unit_test_teardown(test_large_numbers, tear_down),
        cmocka_unit_test_teardown(test_words, tear_down),
        cmocka_unit_test_teardown(test_links_that_reach_far, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
