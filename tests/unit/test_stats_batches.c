// Times of batches from their events, added piece by piece.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sink/counts/batches.h"

#define RUNS_MAX 40
#define TICKS_MAX 1000

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

static void add_run(struct tp_stats_batches *b, const struct run *run)
{
    if (run->begins)
        tp_stats_batches_begin(b, run->begin_ticks);
    tp_stats_batches_add(b, &run->events);
}

// Batch by batch, each looked at whole.
static struct tp_stats_ticks times_of(const struct run *runs, size_t run_count)
{
    struct tp_stats_ticks ticks = {0};
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
            tp_stats_ticks_add(&ticks, runs[i].begin_ticks);
            tp_stats_ticks_add(&ticks, runs[i].begin_ticks + sum_ticks);
        }
    }
    return ticks;
}

static void test_times_are_those_of_whole_batches(void **state)
{
    uint64_t seed = 4711;
    (void)state;
    for (unsigned round = 0; round < 5000; round++) {
        struct run runs[RUNS_MAX];
        size_t run_count = (size_t)(next_random(&seed) % RUNS_MAX);
        struct tp_stats_batches all = {0};
        for (size_t i = 0; i < run_count; i++) {
            runs[i] = random_run(&seed);
            add_run(&all, &runs[i]);
        }
        struct tp_stats_ticks want = times_of(runs, run_count), got = tp_stats_batches_end(&all);
        assert_true(got.least == want.least && got.greatest == want.greatest);
    }
}

static void test_batches_of_tables_have_no_time(void **state)
{
    struct tp_stats_batches b = {0};
    (void)state;
    tp_stats_batches_begin(&b, 100);
    tp_stats_batches_add(&b, &(struct tp_tally_result){.dt_ticks = 5, .has_times = true});
    tp_stats_batches_begin(&b, 900);
    tp_stats_batches_add(&b, &(struct tp_tally_result){0});
    struct tp_stats_ticks ticks = tp_stats_batches_end(&b);
    assert_true(ticks.least == 100 && ticks.greatest == 105);
}

static void test_a_clock_may_go_back_inside_a_batch(void **state)
{
    struct tp_stats_batches b = {0};
    (void)state;
    tp_stats_batches_begin(&b, 1000);
    tp_stats_batches_add(
        &b, &(struct tp_tally_result){.dt_ticks = UINT64_MAX - 199, .has_times = true});
    tp_stats_batches_add(&b, &(struct tp_tally_result){.dt_ticks = 500, .has_times = true});
    struct tp_stats_ticks ticks = tp_stats_batches_end(&b);
    assert_true(ticks.least == 1000 && ticks.greatest == 1300);
}

static void test_a_time_beyond_63_bits_is_none(void **state)
{
    struct tp_stats_batches b = {0};
    (void)state;
    tp_stats_batches_begin(&b, INT64_MAX - 1);
    tp_stats_batches_add(&b, &(struct tp_tally_result){.dt_ticks = 2, .has_times = true});
    struct tp_stats_ticks ticks = tp_stats_batches_end(&b);
    assert_true(ticks.least == INT64_MAX - 1 && ticks.greatest == INT64_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_those_of_whole_batches),
        cmocka_unit_test(test_batches_of_tables_have_no_time),
        cmocka_unit_test(test_a_clock_may_go_back_inside_a_batch),
        cmocka_unit_test(test_a_time_beyond_63_bits_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
