// Levels in buckets against the same steps followed one by one, at the precision of 1 ns;
// and their totals over traces, in any order and grouping.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "stats/figures/timeline.h"

typedef unsigned __int128 wide;

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t below(uint64_t *seed, uint64_t end)
{
    return (next_random(seed) >> 11) % end;
}

// STEPS

#define STEPS 3000

struct step {
    int64_t time_ns;
    enum tp_level level;
    wide by;
};

// In order of time, over about `span_ns`; levels never fall below 0.
static void make_steps(struct step steps[static STEPS], uint64_t seed, int64_t begin_ns,
                       uint64_t span_ns)
{
    uint64_t now[TP_LEVEL_COUNT] = {0};
    int64_t time_ns = begin_ns;
    for (unsigned i = 0; i < STEPS; i++) {
        enum tp_level level = (enum tp_level)below(&seed, TP_LEVEL_COUNT);
        bool is_hot = (unsigned)level < TP_HOT_LEVEL_COUNT;
        uint64_t to = is_hot ? now[level] + (below(&seed, 3) > 0 || now[level] == 0 ? 1 : UINT64_MAX)
                             : next_random(&seed) >> below(&seed, 64);
        steps[i] = (struct step){time_ns, level, (wide)to - now[level]};
        now[level] = to;
        time_ns += 1 + (int64_t)below(&seed, 2 * span_ns / STEPS);
    }
}

static void add_step(struct tp_levels *l, const struct step *s)
{
    bool is_down = s->by == 0 - (wide)1;
    if ((unsigned)s->level >= TP_HOT_LEVEL_COUNT) {
        assert_true(tp_levels_add(l, s->level, s->time_ns, s->by));
        return;
    }
    assert_true(tp_levels_is_in_window(l, s->time_ns) || tp_levels_turn(l, s->time_ns));
    tp_levels_move(l, is_down ? s->level : TP_LEVEL_NONE, is_down ? TP_LEVEL_NONE : s->level,
                   s->time_ns);
}

static void add_steps(struct tp_levels *l, const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_step(l, &steps[i]);
    tp_levels_flush(l);
}

static char *text_of(struct tp_levels *l, int64_t end_ns)
{
    struct tp_timeline t = {0};
    assert_true(tp_levels_end(l, end_ns));
    assert_true(tp_timeline_make(&t, l));
    char *text = full_time_text(&t);
    tp_free(t.buckets.items);
    return text;
}

// The text by following each level from step to step.
static char *plain_text(const struct step steps[static STEPS])
{
    static struct tp_timeline_bucket buckets[TP_LEVELS_BUCKETS];
    int64_t first_ns = steps[0].time_ns, last_ns = steps[STEPS - 1].time_ns;
    struct tp_timeline t = {.buckets = {.items = buckets}, .shift = TP_LEVELS_SHIFT_MIN};
    while ((last_ns >> t.shift) - (first_ns >> t.shift) >= TP_LEVELS_BUCKETS)
        t.shift++;
    int64_t first = first_ns >> t.shift;
    t.buckets.count = (uint32_t)((last_ns >> t.shift) - first) + 1;
    memset(buckets, 0, sizeof buckets);
    wide now[TP_LEVEL_COUNT] = {0};
    for (unsigned i = 0; i + 1 < STEPS; i++) {
        now[steps[i].level] += steps[i].by;
        for (int64_t at_ns = steps[i].time_ns; at_ns < steps[i + 1].time_ns;) {
            int64_t bucket_end_ns = ((at_ns >> t.shift) + 1) << t.shift;
            int64_t end_ns =
                bucket_end_ns < steps[i + 1].time_ns ? bucket_end_ns : steps[i + 1].time_ns;
            struct tp_timeline_bucket *b = &buckets[(at_ns >> t.shift) - first];
            for (unsigned k = 0; k < TP_LEVEL_COUNT; k++)
                b->totals[k] += now[k] * (uint64_t)(end_ns - at_ns);
            at_ns = end_ns;
        }
    }
    return full_time_text(&t);
}

static const uint64_t spans_ns[] = {10000,         1000000,         20000000,
                                    1000000000,    70000000000,     5000000000000,
                                    400000000000000, 1000000000000000000};

static void test_levels_are_those_of_steps_one_by_one(void **state)
{
    static struct step steps[STEPS];
    (void)state;
    for (uint64_t i = 0; i < TP_ARRAY_LEN(spans_ns); i++) {
        struct tp_levels l = {0};
        make_steps(steps, 40 + i, (int64_t)(1000003 * i), spans_ns[i]);
        add_steps(&l, steps, STEPS);
        char *got = text_of(&l, steps[STEPS - 1].time_ns), *want = plain_text(steps);
        assert_string_equal(got, want);
        free(got);
        free(want);
        tp_free(l.buckets.items);
    }
}

// Parts in a row, or with steps from anywhere; added up from the first on or from the last.
static void test_parts_and_order_do_not_show(void **state)
{
    static struct step steps[STEPS];
    (void)state;
    for (uint64_t i = 0; i < 40; i++) {
        uint64_t seed = 900 + i;
        struct tp_levels parts[5] = {0}, all = {0}, whole = {0};
        make_steps(steps, seed, (int64_t)next_random(&seed) >> 4, spans_ns[i % 8]);
        add_steps(&whole, steps, STEPS);
        for (unsigned k = 0; k < STEPS; k++)
            add_step(&parts[i % 2 == 0 ? k * 5 / STEPS : below(&seed, 5)], &steps[k]);
        for (unsigned k = 0; k < 5; k++)
            tp_levels_flush(&parts[k]);
        for (unsigned k = 0; k < 5; k++)
            assert_true(tp_levels_merge(&all, &parts[i % 3 == 0 ? k : 4 - k]));
        char *got = text_of(&all, steps[STEPS - 1].time_ns);
        char *want = text_of(&whole, steps[STEPS - 1].time_ns);
        assert_string_equal(got, want);
        free(got);
        free(want);
        for (unsigned k = 0; k < 5; k++)
            tp_free(parts[k].buckets.items);
        tp_free(all.buckets.items);
        tp_free(whole.buckets.items);
    }
}

static bool is_told(enum tp_level level)
{
    return (unsigned)level >= TP_HOT_LEVEL_COUNT &&
           (unsigned)level < TP_HOT_LEVEL_COUNT + TP_GAUGE_LEVEL_COUNT;
}

// A step to a part that does not know what a told level was before it, which `heads` learns.
static void tell_step(struct tp_levels *part, const struct step *s, struct tp_levels *heads,
                      uint64_t now[static TP_LEVEL_COUNT], bool has_told[static TP_LEVEL_COUNT])
{
    uint64_t to = now[s->level] + (uint64_t)s->by;
    now[s->level] = to;
    if (!is_told(s->level)) {
        add_step(part, s);
        return;
    }
    assert_true(tp_levels_is_in_window(part, s->time_ns) || tp_levels_turn(part, s->time_ns));
    if (!has_told[s->level]) {
        assert_true(tp_levels_add(heads, s->level, s->time_ns, s->by));
        tp_levels_set_first(part, s->level, to);
    }
    has_told[s->level] = true;
    tp_levels_set(part, s->level, s->time_ns, to);
}

static void test_told_levels_are_those_of_steps(void **state)
{
    static struct step steps[STEPS];
    (void)state;
    for (uint64_t i = 0; i < 40; i++) {
        uint64_t seed = 300 + i, now[TP_LEVEL_COUNT] = {0};
        struct tp_levels told = {0}, whole = {0};
        // About as often as a block of events ends, sums, or neither.
        uint64_t flush_every = 1 + below(&seed, 100), part_every = 1 + below(&seed, STEPS);
        make_steps(steps, seed, (int64_t)next_random(&seed) >> 4, spans_ns[i % 8]);
        add_steps(&whole, steps, STEPS);
        for (unsigned k = 0; k < STEPS;) {
            struct tp_levels part = {0};
            bool has_told[TP_LEVEL_COUNT] = {0};
            for (uint64_t n = 0; n < part_every && k < STEPS; n++) {
                tell_step(&part, &steps[k++], &told, now, has_told);
                if (k % flush_every == 0)
                    tp_levels_flush(&part);
            }
            tp_levels_flush(&part);
            assert_true(tp_levels_merge(&told, &part));
            tp_free(part.buckets.items);
        }
        char *got = text_of(&told, steps[STEPS - 1].time_ns);
        char *want = text_of(&whole, steps[STEPS - 1].time_ns);
        assert_string_equal(got, want);
        free(got);
        free(want);
        tp_free(told.buckets.items);
        tp_free(whole.buckets.items);
    }
}

// Times that no sound trace has: what they come to does not matter, but it is the same.
static void test_times_out_of_order(void **state)
{
    static const int64_t times_ns[] = {INT64_MAX, 5, INT64_MIN, 0, -1, INT64_MAX - 5, 1 << 20};
    char *texts[2];
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        struct tp_levels l = {0};
        for (unsigned i = 0; i < TP_ARRAY_LEN(times_ns); i++) {
            unsigned at = way == 0 ? i : (unsigned)TP_ARRAY_LEN(times_ns) - 1 - i;
            add_step(&l, &(struct step){times_ns[at], TP_LEVEL_RUNNING, 1});
            add_step(&l, &(struct step){times_ns[at], TP_LEVEL_HEAP, at});
        }
        tp_levels_flush(&l);
        texts[way] = text_of(&l, 5);
        tp_free(l.buckets.items);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

// Where a clock goes back more may go down than ever went up. Integrals below 0 are no huge ones,
// which would rule all that they are added to.
static void test_levels_below_nothing_are_nothing(void **state)
{
    struct tp_levels l = {0};
    struct tp_timeline t = {0};
    (void)state;
    assert_true(tp_levels_add(&l, TP_LEVEL_RUNNING, 10, 0 - (wide)1));
    assert_true(tp_levels_add(&l, TP_LEVEL_RUNNING, (1 << 16) + 10, 2));
    assert_true(tp_levels_add(&l, TP_LEVEL_HEAP, 10, 5));
    assert_true(tp_levels_end(&l, (1 << 16) + 110));
    assert_true(tp_timeline_make(&t, &l));
    char *text = full_time_text(&t);
    assert_string_equal(text, "width 65536\n0: HEAP 327630\n1: RUNNING 90 HEAP 550\n");
    free(text);
    tp_free(t.buckets.items);
    tp_free(l.buckets.items);
}

// SUMS OVER TRACES

enum { TRACES = 7 };

static void make_trace(struct tp_timeline *t, uint64_t number)
{
    static struct step steps[STEPS];
    struct tp_levels l = {0};
    *t = (struct tp_timeline){0};
    if (number == 3) // without any event
        return;
    make_steps(steps, 7 + number, (int64_t)(number << 40) + 77777, spans_ns[number]);
    add_steps(&l, steps, STEPS);
    assert_true(tp_levels_end(&l, steps[STEPS - 1].time_ns));
    assert_true(tp_timeline_make(t, &l));
    tp_free(l.buckets.items);
    t->gauges[TP_GAUGE_HEAP] = (struct tp_gauge){number + 1, number, 50 - number, 60 + number};
}

static void test_traces_add_up_in_any_order_and_grouping(void **state)
{
    struct tp_timeline traces[TRACES], want = {0};
    uint64_t seed = 5;
    (void)state;
    for (unsigned i = 0; i < TRACES; i++) {
        make_trace(&traces[i], i);
        assert_true(tp_timeline_merge(&want, &traces[i]));
    }
    char *want_text = full_time_text(&want);
    assert_non_null(strstr(want_text, "HEAP 24 times 18 changes 44 to 66\n"));
    for (unsigned way = 0; way < 200; way++) {
        struct tp_timeline groups[3] = {0};
        unsigned order[TRACES];
        for (unsigned i = 0; i < TRACES; i++) {
            unsigned to = (unsigned)below(&seed, i + 1);
            order[i] = order[to];
            order[to] = i;
        }
        for (unsigned i = 0; i < TRACES; i++)
            assert_true(tp_timeline_merge(&groups[below(&seed, 3)], &traces[order[i]]));
        assert_true(tp_timeline_merge(&groups[1], &groups[2]));
        assert_true(tp_timeline_merge(&groups[1], &groups[0]));
        char *text = full_time_text(&groups[1]);
        assert_string_equal(text, want_text);
        free(text);
        for (unsigned i = 0; i < 3; i++)
            tp_free(groups[i].buckets.items);
    }
    free(want_text);
    tp_free(want.buckets.items);
    for (unsigned i = 0; i < TRACES; i++)
        tp_free(traces[i].buckets.items);
}

// Bucket i of the finer one is part of bucket i / 2^n.
static void test_finer_buckets_are_joined(void **state)
{
    struct tp_timeline fine = {.shift = 16}, coarse = {.shift = 18};
    (void)state;
    fine.buckets.items = tp_alloc_zero(6 * sizeof *fine.buckets.items);
    fine.buckets.count = fine.buckets.capacity = 6;
    coarse.buckets.items = tp_alloc_zero(sizeof *coarse.buckets.items);
    coarse.buckets.count = coarse.buckets.capacity = 1;
    assert_true(fine.buckets.items != NULL && coarse.buckets.items != NULL);
    for (unsigned i = 0; i < 6; i++)
        fine.buckets.items[i].totals[TP_LEVEL_RUNNING] = 1 + i;
    coarse.buckets.items[0].totals[TP_LEVEL_RUNNING] = 100;
    assert_true(tp_timeline_merge(&fine, &coarse));
    char *text = full_time_text(&fine);
    assert_string_equal(text, "width 262144\n0: RUNNING 110\n1: RUNNING 11\n");
    free(text);
    tp_free(fine.buckets.items);
    tp_free(coarse.buckets.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_are_those_of_steps_one_by_one),
        cmocka_unit_test(test_parts_and_order_do_not_show),
        cmocka_unit_test(test_told_levels_are_those_of_steps),
        cmocka_unit_test(test_times_out_of_order),
        cmocka_unit_test(test_levels_below_nothing_are_nothing),
        cmocka_unit_test(test_traces_add_up_in_any_order_and_grouping),
        cmocka_unit_test(test_finer_buckets_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
