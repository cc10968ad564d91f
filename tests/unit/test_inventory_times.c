// When a trace begins and ends: batches of traces from before Go 1.22, added piece by piece;
// generations with and without a frequency; and the time of day.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sink/inventory/input.h"

#define RUNS_MAX 40
#define TICKS_MAX 1000
#define GHZ 1000000000u

static struct tp_inventory_input in;

// Begins the inventory `in`.
static void begin(const struct tp_decoder *decoder, uint32_t minor)
{
    const struct tp_input_info input = {.format = {.decoder = decoder, .minor = minor}};
    const struct tp_sink_call call = {.input_state = &in};
    struct tp_error err;
    assert_int_equal(tp_inventory_open(&call, &input, &err), 0);
}

static void begin_v1(void)
{
    begin(&tp_decoder_v1, 11);
}

static void begin_v2(void)
{
    begin(&tp_decoder_v2, 25);
}

static void end(void)
{
    const struct tp_input_report report = {0};
    struct tp_error err;
    assert_int_equal(tp_inventory_input_end(&in, &report, &err), 0);
    tp_inventory_input_fini(&in);
}

// Commits a unit of one extent.
static void commit(const struct tp_extent *x, const struct tp_tally_result *events)
{
    static struct tp_inventory_unit counted;
    struct tp_sink_notes notes = {0};
    struct tp_error err;
    const struct tp_unit unit = {.extents = x, .extent_count = 1};
    const struct tp_sink_call call = {
        .unit_state = &counted, .input_state = &in, .notes = &notes};
    counted.found[0] = *events;
    assert_int_equal(tp_inventory_commit(&call, &unit, &err), 0);
}

// BATCHES

struct run {
    bool begins;
    uint64_t begin_ticks;
    struct tp_tally_result events;
};

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static struct run random_run(uint64_t *seed)
{
    return (struct run){.begins = next_random(seed) % 3 == 0,
                        .begin_ticks = 1 + next_random(seed) % TICKS_MAX,
                        .events = {.dt_ticks = next_random(seed) % TICKS_MAX,
                                   .has_times = next_random(seed) % 3 > 0}};
}

static void add_run(const struct run *run)
{
    const struct tp_extent x = {.kind = TP_EXTENT_BATCH,
                                .header_bytes = run->begins ? 3 : 0,
                                .time_ticks = run->begin_ticks};
    commit(&x, &run->events);
}

static void add_batch(uint64_t begin_ticks, struct tp_tally_result events)
{
    add_run(&(struct run){.begins = true, .begin_ticks = begin_ticks, .events = events});
}

struct ticks {
    uint64_t least, greatest; // 0: none
};

static void extend(struct ticks *ticks, uint64_t reading)
{
    if (ticks->least == 0 || reading < ticks->least)
        ticks->least = reading;
    if (reading > ticks->greatest)
        ticks->greatest = reading;
}

// Batch by batch, each looked at whole.
static struct ticks times_of(const struct run *runs, size_t run_count)
{
    struct ticks ticks = {0};
    for (size_t i = 0; i < run_count; i++) {
        if (!runs[i].begins)
            continue;
        uint64_t sum_ticks = 0;
        bool has_times = false;
        for (size_t k = i; k < run_count && (k == i || !runs[k].begins); k++) {
            sum_ticks += runs[k].events.dt_ticks;
            has_times = has_times || runs[k].events.has_times;
        }
        if (has_times) {
            extend(&ticks, runs[i].begin_ticks);
            extend(&ticks, runs[i].begin_ticks + sum_ticks);
        }
    }
    return ticks;
}

static void assert_readings(uint64_t least_ticks, uint64_t greatest_ticks)
{
    end();
    assert_true(in.least_reading_ticks == least_ticks);
    assert_true(in.greatest_reading_ticks == greatest_ticks);
}

static void test_times_are_those_of_whole_batches(void **state)
{
    uint64_t seed = 4711;
    (void)state;
    for (unsigned round = 0; round < 5000; round++) {
        struct run runs[RUNS_MAX];
        size_t run_count = (size_t)(next_random(&seed) % RUNS_MAX);
        begin_v1();
        for (size_t i = 0; i < run_count; i++) {
            runs[i] = random_run(&seed);
            add_run(&runs[i]);
        }
        struct ticks want = times_of(runs, run_count);
        assert_readings(want.least, want.greatest);
    }
}

static void test_batches_of_tables_have_no_time(void **state)
{
    (void)state;
    begin_v1();
    add_batch(100, (struct tp_tally_result){.dt_ticks = 5, .has_times = true});
    add_batch(900, (struct tp_tally_result){0});
    assert_readings(100, 105);
}

static void test_a_clock_may_go_back_inside_a_batch(void **state)
{
    (void)state;
    begin_v1();
    add_batch(1000, (struct tp_tally_result){.dt_ticks = UINT64_MAX - 199, .has_times = true});
    add_run(&(struct run){.events = {.dt_ticks = 500, .has_times = true}});
    assert_readings(1000, 1300);
}

static void test_a_time_beyond_63_bits_is_none(void **state)
{
    (void)state;
    begin_v1();
    add_batch(INT64_MAX - 1, (struct tp_tally_result){.dt_ticks = 2, .has_times = true});
    assert_readings(INT64_MAX - 1, INT64_MAX - 1);
}

// GENERATIONS

static void commit_generation_batch(uint64_t begin_ticks, uint64_t last_ticks)
{
    const struct tp_extent x = {.kind = TP_EXTENT_BATCH,
                                .header_bytes = 5,
                                .first_of_generation = true,
                                .time_ticks = begin_ticks};
    commit(&x, &(struct tp_tally_result){.dt_ticks = last_ticks - begin_ticks,
                                         .has_times = last_ticks != 0});
}

static void add_generation(const struct tp_generation *g)
{
    const struct tp_sink_call call = {.input_state = &in};
    struct tp_error err;
    assert_int_equal(tp_inventory_generation(&call, g, &err), 0);
}

static void add(uint64_t begin_ticks, uint64_t last_ticks, uint64_t frequency)
{
    commit_generation_batch(begin_ticks, last_ticks);
    add_generation(&(struct tp_generation){.begin_ticks = begin_ticks,
                                           .batch_count = 1,
                                           .has_frequency = frequency != 0,
                                           .frequency = frequency});
}

static void assert_range(int64_t least_ns, int64_t greatest_ns)
{
    end();
    assert_true(in.range.is_known);
    assert_true(in.range.least_ns == least_ns);
    assert_true(in.range.greatest_ns == greatest_ns);
    assert_true(in.all.timed_file_count == 1);
    assert_true(in.all.duration_ns == (uint64_t)(greatest_ns - least_ns));
}

static void assert_no_range(void)
{
    end();
    assert_false(in.range.is_known || in.all.wall_start.is_known);
    assert_int_equal(in.all.timed_file_count, 0);
}

static void test_each_generation_has_its_own_frequency(void **state)
{
    (void)state;
    begin_v2();
    add(1000, 2000, GHZ);
    add(4000, 6000, GHZ / 2);
    assert_range(1000, 12000);
    begin_v2();
    add(1000, 2000, GHZ);
    add(4000, 6000, GHZ / 2);
    add(900, 950, GHZ);
    assert_range(900, 12000);
}

static void test_missing_frequency_is_that_of_the_one_before(void **state)
{
    (void)state;
    begin_v2();
    add(1000, 2000, GHZ / 2);
    add(3000, 4000, 0);
    assert_range(2000, 8000);
}

static void test_first_generations_wait_for_a_frequency(void **state)
{
    (void)state;
    begin_v2();
    add(1000, 2000, 0);
    add(500, 3000, 0);
    add(4000, 5000, GHZ / 2);
    assert_range(1000, 10000);
}

static void test_no_frequency_at_all_is_unknown(void **state)
{
    (void)state;
    begin_v2();
    add(1000, 2000, 0);
    assert_no_range();
}

static void test_a_generation_without_events_has_a_begin(void **state)
{
    (void)state;
    begin_v2();
    add(1000, 0, GHZ);
    assert_range(1000, 1000);
}

static void test_absurd_readings_are_left_out(void **state)
{
    (void)state;
    begin_v2();
    add(UINT64_MAX - 1, UINT64_MAX, GHZ);
    add(0, 0, GHZ);
    assert_no_range();
    begin_v2();
    add(UINT64_MAX - 1, UINT64_MAX, GHZ);
    add(5, UINT64_MAX, GHZ);
    assert_range(5, 5);
}

// The batches of a unit may belong to several generations, whose ends are known only later.
static void test_generations_of_one_unit_keep_their_events_apart(void **state)
{
    struct tp_error err;
    (void)state;
    begin_v2();
    for (uint64_t i = 1; i <= TP_INVENTORY_OPEN_GENERATIONS; i++)
        commit_generation_batch(1000 * i, 1000 * i + 1);
    for (uint64_t i = 1; i <= TP_INVENTORY_OPEN_GENERATIONS; i++)
        add_generation(&(struct tp_generation){.begin_ticks = 1000 * i, .batch_count = 1});
    for (uint64_t i = 0; i < TP_INVENTORY_OPEN_GENERATIONS; i++) {
        struct tp_listed_generation g;
        assert_int_equal(tp_inventory_listed_generation(&in, i, &g, &err), 0);
        assert_int_equal(g.first_batch, i);
        assert_int_equal(g.last_ticks, 1000 * (i + 1) + 1);
    }
    end();
}

// TIME OF DAY

static void add_snapshot(uint64_t begin_ticks, uint64_t frequency, struct tp_clock_snapshot clock)
{
    commit_generation_batch(begin_ticks, 0);
    add_generation(&(struct tp_generation){.begin_ticks = begin_ticks,
                                           .batch_count = 1,
                                           .has_frequency = frequency != 0,
                                           .frequency = frequency,
                                           .has_clock = true,
                                           .clock = clock});
}

static void assert_wall_start(int64_t ns)
{
    end();
    assert_true(in.all.wall_start.is_known);
    assert_true(in.all.wall_start.least_ns == ns);
}

static void test_snapshot_is_mapped_back_to_the_begin(void **state)
{
    const struct tp_clock_snapshot first = {.trace_ticks = 3000, .wall_sec = 10, .wall_nsec = 500};
    const struct tp_clock_snapshot second = {.trace_ticks = 9000, .wall_sec = 99};
    (void)state;
    begin_v2();
    add(500, 0, GHZ / 2);
    add_snapshot(2000, GHZ / 2, first);
    add_snapshot(8000, GHZ, second);
    // 6000 ns of trace time when the clock said 10 s + 500 ns; the trace begins at 1000 ns.
    assert_wall_start(INT64_C(10000000500) - 5000);
}

static void test_snapshot_borrows_a_frequency(void **state)
{
    const struct tp_clock_snapshot clock = {.trace_ticks = 3000, .wall_sec = 10};
    (void)state;
    begin_v2();
    add(1000, 0, GHZ / 2);
    add_snapshot(2000, 0, clock);
    assert_wall_start(INT64_C(10000000000) - 4000);
    begin_v2();
    add_snapshot(1000, 0, clock);
    add(5000, 0, GHZ / 2);
    add(9000, 0, GHZ);
    assert_wall_start(INT64_C(10000000000) - 4000);
    begin_v2();
    add_snapshot(1000, 0, clock);
    assert_no_range();
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
        begin_v2();
        add_snapshot(1000, GHZ, clocks[i]);
        end();
        assert_true(in.range.is_known);
        assert_false(in.all.wall_start.is_known || in.has_wall);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_those_of_whole_batches),
        cmocka_unit_test(test_batches_of_tables_have_no_time),
        cmocka_unit_test(test_a_clock_may_go_back_inside_a_batch),
        cmocka_unit_test(test_a_time_beyond_63_bits_is_none),
        cmocka_unit_test(test_each_generation_has_its_own_frequency),
        cmocka_unit_test(test_missing_frequency_is_that_of_the_one_before),
        cmocka_unit_test(test_first_generations_wait_for_a_frequency),
        cmocka_unit_test(test_no_frequency_at_all_is_unknown),
        cmocka_unit_test(test_a_generation_without_events_has_a_begin),
        cmocka_unit_test(test_absurd_readings_are_left_out),
        cmocka_unit_test(test_generations_of_one_unit_keep_their_events_apart),
        cmocka_unit_test(test_snapshot_is_mapped_back_to_the_begin),
        cmocka_unit_test(test_snapshot_borrows_a_frequency),
        cmocka_unit_test(test_impossible_times_of_day_are_unknown),
    };
    return cmocka_run_group_tests_name("inventory_times", tests, NULL, NULL);
}
