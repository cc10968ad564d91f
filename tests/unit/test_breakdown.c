// Where the time of tasks and regions goes: by hand, cut everywhere; and the sums by bucket.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "full_script.h"

static void test_classes_of_reasons(void **state)
{
    static const struct {
        const char *reason;
        enum tp_class class;
    } cases[] = {
        {"network", TP_CLASS_NETWORK},
        {"sleep", TP_CLASS_SLEEP},
        {"chan send", TP_CLASS_CHANNEL},
        {"chan receive (nil chan)", TP_CLASS_CHANNEL},
        {"select", TP_CLASS_SELECT},
        {"select (no cases)", TP_CLASS_SELECT},
        {"sync", TP_CLASS_SYNC},
        {"sync.(*Cond).Wait", TP_CLASS_SYNC},
        {"GC mark assist wait for work", TP_CLASS_OTHER},
        {"", TP_CLASS_OTHER},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++)
        assert_int_equal(tp_class_of_reason(tp_span_of_text(cases[i].reason)), cases[i].class);
}

// SCRIPTS

// Goroutine 5 is created at 10 and runs from 20 on.
static void begin_work(void)
{
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(20, -1, GoStart, 5);
}

static void test_all_classes_of_one_goroutine(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(23, 5, UserRegionBegin, 1, TEXT(BETA));
    EV(24, 5, UserRegionEnd, 1, TEXT(BETA));
    EV(25, 5, UserRegionBegin, 1, TEXT(BETA));
    EV(30, 5, GoBlock, TEXT(CHAN), STACK(WORK));
    EV(37, 1, GoUnblock, 5, 0, 0);
    EV(40, -1, GoStart, 5);
    EV(42, 5, UserRegionEnd, 1, TEXT(BETA));
    EV(45, 5, GoSyscallBegin, 0, STACK(WORK));
    EV(50, 5, GoSyscallEnd);
    EV(53, 5, GoBlock, TEXT(NETWORK), STACK(WORK));
    EV(60, 1, GoUnblock, 5, 0, 0);
    EV(61, -1, GoStart, 5);
    EV(64, 5, UserTaskEnd, 1);
    EV(100, 5, GoDestroy);
    script_expect_breakdown("of task alpha 42: 1 RUNNING 19 RUNNABLE 4 SYSCALL 5 CHANNEL 7 "
                            "NETWORK 7\n"
                            "of region beta 1: 1 RUNNING 1\n"
                            "of region beta 17: 1 RUNNING 7 RUNNABLE 3 CHANNEL 7\n");
}

static void test_ended_by_another_goroutine(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(23, 5, UserTaskBegin, 2, TP_NO_TASK, TEXT(ALPHA));
    EV(25, 6, UserTaskEnd, 1);
    EV(26, -1, UserTaskEnd, 2);
    EV(100, 5, GoDestroy);
    script_expect_breakdown("of task alpha 3: 2 ELSEWHERE 6\n");
}

// Five tasks of 2^62 ns, which 64 bits cannot add up.
static void test_sums_of_more_than_64_bits(void **state)
{
    (void)state;
    begin_work();
    for (int64_t i = 0; i < 5; i++)
        EV(22 + i, 5, UserTaskBegin, (uint64_t)i + 1, TP_NO_TASK, TEXT(ALPHA));
    for (int64_t i = 0; i < 5; i++)
        EV((INT64_C(1) << 62) + 22 + i, 5, UserTaskEnd, (uint64_t)i + 1);
    script_expect_breakdown("of task alpha 3648: 5 RUNNING 23058430092136939520\n");
}

static void test_assists_are_told_besides(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, GCMarkAssistBegin, STACK(WORK));
    EV(24, 5, GCMarkAssistEnd);
    EV(30, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(31, 5, GCMarkAssistBegin, STACK(WORK));
    EV(33, 5, GoStop, 0, STACK(WORK));
    EV(37, -1, GoStart, 5);
    EV(39, 5, GCMarkAssistEnd);
    EV(40, 6, GCMarkAssistBegin, STACK(WORK));
    EV(41, 6, GCMarkAssistEnd);
    EV(44, 5, UserTaskEnd, 1);
    EV(100, 5, GoDestroy);
    script_expect_breakdown("of task alpha 14: 1 RUNNING 10 RUNNABLE 4 assists 8\n");
}

// Ticks of which the world was stopped count for whoever is in a task or region, whatever its goroutine does.
static void test_stops_delay_all_goroutines(void **state)
{
    (void)state;
    begin_work();
    EV(22, 1, STWBegin, TEXT(SELECT), STACK(WORK));
    EV(24, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(27, 1, STWEnd);
    EV(30, 5, UserRegionBegin, 1, TEXT(BETA));
    EV(31, 5, STWBegin, TEXT(SELECT), STACK(WORK));
    EV(35, 5, UserRegionEnd, 1, TEXT(BETA));
    EV(36, 5, STWEnd);
    EV(40, 6, STWBegin, TEXT(SELECT), STACK(WORK)); // its end is lost
    EV(43, 1, STWBegin, TEXT(SELECT), STACK(WORK));
    EV(45, 1, STWEnd);
    EV(50, 6, UserTaskEnd, 1);
    EV(100, 5, GoDestroy);
    script_expect_breakdown("of task alpha 26: 1 ELSEWHERE 26 stopped 13\n"
                            "of region beta 5: 1 RUNNING 5 stopped 4\n");
}

static void test_regions_end_with_their_goroutine(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(30, 5, GoBlock, TEXT(SELECT), STACK(WORK));
    EV(31, 1, GoUnblock, 5, 0, 0);
    EV(33, -1, GoStart, 5);
    EV(35, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(40, 5, GoDestroy);
    script_expect_breakdown("of region alpha 18: 1 RUNNING 15 RUNNABLE 2 SELECT 1\n"
                            "of region beta 5: 1 RUNNING 5\n");
}

// Those of one goroutine nest, and the last one ends with it.
static void test_regions_one_by_one(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(24, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(30, 5, GoBlock, TEXT(SELECT), STACK(WORK));
    EV(31, 1, GoUnblock, 5, 0, 0);
    EV(33, -1, GoStart, 5);
    EV(34, 5, UserRegionEnd, 0, TEXT(BETA));
    EV(36, 5, UserRegionEnd, 0, TEXT(ALPHA));
    EV(37, 5, UserRegionEnd, 0, TEXT(SLEEP)); // has not begun
    EV(38, 5, UserRegionBegin, 0, TEXT(SLEEP));
    EV(40, 5, GoDestroy);
    script_expect_slow("slow region 10 beta 0 of 5 at 24 7 2 0 0 0 1 0 0 0 0 0 0\n"
                       "slow region 14 alpha 0 of 5 at 22 11 2 0 0 0 1 0 0 0 0 0 0\n"
                       "slow region 2 sleep 0 of 5 at 38 2 0 0 0 0 0 0 0 0 0 0 0\n");
}

// A goroutine that comes back under the id of another one has not spent the time of that one.
static void test_another_goroutine_of_this_id(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(30, 5, GoDestroy);
    EV(40, 1, GoCreate, 5, STACK(WORK), 0);
    EV(50, -1, GoStart, 5);
    EV(60, 5, UserTaskEnd, 1);
    EV(100, 5, GoDestroy);
    script_expect_breakdown("of task alpha 38: 1 ELSEWHERE 38\n");
}

// SUMS

static void add(struct tp_breakdown *b, uint64_t ns, enum tp_class class)
{
    struct tp_interval_parts parts = {.delay_ns = {[TP_DELAY_ASSIST] = ns / 2}};
    parts.ns[class] = ns;
    const struct tp_breakdown_sum sum = tp_breakdown_sum_of(&parts);
    struct tp_breakdown_sum *row = tp_breakdown_make_row(b, tp_hist_bucket(ns));
    assert_non_null(row);
    tp_breakdown_sum_join(row, &sum);
}

static void test_parts_of_many(void **state)
{
    struct tp_breakdown b, other;
    memset(&b, 0, sizeof b);
    memset(&other, 0, sizeof other);
    (void)state;
    for (uint64_t ns = 1000; ns > 0; ns--)
        add(ns % 2 == 0 ? &b : &other, ns, ns > 900 ? TP_CLASS_SYNC : TP_CLASS_RUNNING);
    assert_true(tp_breakdown_merge(&b, &other));
    struct tp_breakdown_sum all = tp_breakdown_part_of(&b, TP_BREAKDOWN_ALL);
    assert_int_equal(all.count, 1000);
    assert_true(tp_breakdown_sum_ns(&all) == 500500);
    assert_true(all.ns[TP_CLASS_SYNC] == 95050);
    assert_true(all.delay_ns[TP_DELAY_ASSIST] == 250000);
    // 500 is in the bucket from 496 to 503, 990 in that from 984 to 991.
    struct tp_breakdown_sum median = tp_breakdown_part_of(&b, TP_BREAKDOWN_MEDIAN);
    assert_int_equal(median.count, 4);
    assert_true(median.ns[TP_CLASS_RUNNING] == 500 + 501 + 502 + 503);
    struct tp_breakdown_sum slowest = tp_breakdown_part_of(&b, TP_BREAKDOWN_SLOWEST);
    assert_int_equal(slowest.count, 17);
    assert_true(slowest.ns[TP_CLASS_SYNC] == 17 * 992);
    tp_breakdown_fini(&b);
    tp_breakdown_fini(&other);
    assert_int_equal(tp_breakdown_part_of(&b, TP_BREAKDOWN_SLOWEST).count, 0);
}

static void test_clocks_that_contradict(void **state)
{
    struct tp_class_clock begin = {.ns = {[TP_CLASS_SYNC] = 5}}, end = begin;
    (void)state;
    end.ns[TP_CLASS_SYNC] = 12;
    end.assist_ns = 90;
    struct tp_interval_parts parts = tp_interval_parts_of(&begin, &end, 20, 10);
    assert_int_equal(parts.ns[TP_CLASS_SYNC], 7);
    assert_int_equal(parts.ns[TP_CLASS_ELSEWHERE], 3);
    assert_int_equal(parts.delay_ns[TP_DELAY_ASSIST], 10);
    assert_int_equal(parts.delay_ns[TP_DELAY_STOPPED], 10);
    parts = tp_interval_parts_of(&begin, &end, 2, 6);
    assert_int_equal(parts.ns[TP_CLASS_ELSEWHERE], 6);
    assert_int_equal(parts.delay_ns[TP_DELAY_ASSIST], 0);
    assert_int_equal(parts.delay_ns[TP_DELAY_STOPPED], 2);
    parts = tp_interval_parts_of(&end, &begin, 0, 6);
    assert_int_equal(parts.ns[TP_CLASS_ELSEWHERE], 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_of_reasons),
        cmocka_unit_test(test_all_classes_of_one_goroutine),
        cmocka_unit_test(test_ended_by_another_goroutine),
        cmocka_unit_test(test_sums_of_more_than_64_bits),
        cmocka_unit_test(test_assists_are_told_besides),
        cmocka_unit_test(test_stops_delay_all_goroutines),
        cmocka_unit_test(test_regions_end_with_their_goroutine),
        cmocka_unit_test(test_regions_one_by_one),
        cmocka_unit_test(test_another_goroutine_of_this_id),
        cmocka_unit_test(test_parts_of_many),
        cmocka_unit_test(test_clocks_that_contradict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
