// When a trace begins and ends: generations with and without a frequency, and
// the time of day.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sink/counts/clock.h"

#define GHZ 1000000000u

static void add(struct tp_stats_clock *c, uint64_t begin_ticks, uint64_t last_ticks,
                uint64_t frequency)
{
    const struct tp_generation g = {.begin_ticks = begin_ticks,
                                    .has_frequency = frequency != 0,
                                    .frequency = frequency};
    tp_stats_clock_add(c, &g, last_ticks);
}

static void assert_range(const struct tp_stats_clock *c, int64_t least_ns, int64_t greatest_ns)
{
    assert_true(c->range.is_known);
    assert_true(c->range.least_ns == least_ns);
    assert_true(c->range.greatest_ns == greatest_ns);
}

static void test_each_generation_has_its_own_frequency(void **state)
{
    struct tp_stats_clock c = {0};
    (void)state;
    add(&c, 1000, 2000, GHZ);
    assert_range(&c, 1000, 2000);
    add(&c, 4000, 6000, GHZ / 2);
    assert_range(&c, 1000, 12000);
    add(&c, 900, 950, GHZ);
    assert_range(&c, 900, 12000);
}

static void test_missing_frequency_is_that_of_the_one_before(void **state)
{
    struct tp_stats_clock c = {0};
    (void)state;
    add(&c, 1000, 2000, GHZ / 2);
    add(&c, 3000, 4000, 0);
    assert_range(&c, 2000, 8000);
}

static void test_first_generations_wait_for_a_frequency(void **state)
{
    struct tp_stats_clock c = {0};
    (void)state;
    add(&c, 1000, 2000, 0);
    assert_false(c.range.is_known);
    add(&c, 500, 3000, 0);
    assert_false(c.range.is_known);
    add(&c, 4000, 5000, GHZ / 2);
    assert_range(&c, 1000, 10000);
}

static void test_no_frequency_at_all_is_unknown(void **state)
{
    struct tp_stats_clock c = {0};
    int64_t ns;
    (void)state;
    add(&c, 1000, 2000, 0);
    assert_false(c.range.is_known);
    assert_false(tp_stats_clock_wall_start(&c, &ns));
}

static void test_a_generation_without_events_has_a_begin(void **state)
{
    struct tp_stats_clock c = {0};
    (void)state;
    add(&c, 1000, 0, GHZ);
    assert_range(&c, 1000, 1000);
}

static void test_absurd_readings_are_left_out(void **state)
{
    struct tp_stats_clock c = {0};
    (void)state;
    add(&c, UINT64_MAX - 1, UINT64_MAX, GHZ);
    assert_false(c.range.is_known);
    add(&c, 0, 0, GHZ);
    assert_false(c.range.is_known);
    add(&c, 5, UINT64_MAX, GHZ);
    assert_range(&c, 5, 5);
}

static void add_snapshot(struct tp_stats_clock *c, uint64_t begin_ticks, uint64_t frequency,
                         struct tp_clock_snapshot clock)
{
    const struct tp_generation g = {.begin_ticks = begin_ticks,
                                    .has_frequency = frequency != 0,
                                    .frequency = frequency,
                                    .has_clock = true,
                                    .clock = clock};
    tp_stats_clock_add(c, &g, 0);
}

static void test_snapshot_is_mapped_back_to_the_begin(void **state)
{
    const struct tp_clock_snapshot first = {.trace_ticks = 3000, .wall_sec = 10, .wall_nsec = 500};
    const struct tp_clock_snapshot second = {.trace_ticks = 9000, .wall_sec = 99};
    struct tp_stats_clock c = {0};
    int64_t ns = 0;
    (void)state;
    add(&c, 500, 0, GHZ / 2);
    add_snapshot(&c, 2000, GHZ / 2, first);
    add_snapshot(&c, 8000, GHZ, second);
    assert_true(tp_stats_clock_wall_start(&c, &ns));
    // 6000 ns of trace time when the clock said 10 s + 500 ns; the trace begins at 1000 ns.
    assert_true(ns == INT64_C(10000000500) - 5000);
}

static void test_snapshot_borrows_a_frequency(void **state)
{
    const struct tp_clock_snapshot clock = {.trace_ticks = 3000, .wall_sec = 10};
    struct tp_stats_clock before = {0}, after = {0};
    int64_t ns = 0;
    (void)state;
    add(&before, 1000, 0, GHZ / 2);
    add_snapshot(&before, 2000, 0, clock);
    assert_true(tp_stats_clock_wall_start(&before, &ns));
    assert_true(ns == INT64_C(10000000000) - 4000);
    add_snapshot(&after, 1000, 0, clock);
    assert_false(tp_stats_clock_wall_start(&after, &ns));
    add(&after, 5000, 0, GHZ / 2);
    assert_true(tp_stats_clock_wall_start(&after, &ns));
    assert_true(ns == INT64_C(10000000000) - 4000);
}

static void test_impossible_times_of_day_are_unknown(void **state)
{
    static const struct tp_clock_snapshot clocks[] = {
        {.trace_ticks = 1000, .wall_sec = 10, .wall_nsec = 1000000000},
        {.trace_ticks = 1000, .wall_sec = UINT64_MAX},
        {.trace_ticks = 1000, .wall_sec = 9223372037},
        {.trace_ticks = 1000, .wall_sec = 9223372036, .wall_nsec = 999999999},
        {.trace_ticks = UINT64_MAX, .wall_sec = 10},
        // Long before the trace's begin: past the end of the calendar there.
        {.trace_ticks = 1, .wall_sec = 9223372036, .wall_nsec = 854775807},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(clocks); i++) {
        struct tp_stats_clock c = {0};
        int64_t ns;
        add_snapshot(&c, 1000, GHZ, clocks[i]);
        assert_false(tp_stats_clock_wall_start(&c, &ns));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_generation_has_its_own_frequency),
        cmocka_unit_test(test_missing_frequency_is_that_of_the_one_before),
        cmocka_unit_test(test_first_generations_wait_for_a_frequency),
        cmocka_unit_test(test_no_frequency_at_all_is_unknown),
        cmocka_unit_test(test_a_generation_without_events_has_a_begin),
        cmocka_unit_test(test_absurd_readings_are_left_out),
        cmocka_unit_test(test_snapshot_is_mapped_back_to_the_begin),
        cmocka_unit_test(test_snapshot_borrows_a_frequency),
        cmocka_unit_test(test_impossible_times_of_day_are_unknown),
    };
    return cmocka_run_group_tests_name("stats_clock", tests, NULL, NULL);
}
