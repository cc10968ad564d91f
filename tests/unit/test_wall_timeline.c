// Levels by the wall clock: where the buckets of a trace go, that nothing of their integrals is lost,
// and that traces add up in any order and grouping.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "stats/figures/wall_timeline.h"

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

enum { WIDTH = 1 << TP_LEVELS_SHIFT_MIN };

// A trace with this running time in each of its buckets, which is covered as far as it has events.
static struct tp_wall_timeline laid(const struct tp_wall_place *place, uint64_t running_ns)
{
    struct tp_timeline_bucket buckets[TP_LEVELS_BUCKETS] = {0};
    struct tp_timeline t = {.buckets = {{buckets, 0, TP_LEVELS_BUCKETS}},
                            .shift = TP_LEVELS_SHIFT_MIN};
    struct tp_wall_timeline w = {0};
    int64_t last = place->last_ns >> t.shift;
    for (int64_t i = place->first_bucket; i <= last; i++) {
        int64_t begin_ns = i * WIDTH, end_ns = begin_ns + WIDTH;
        begin_ns = begin_ns > place->first_ns ? begin_ns : place->first_ns;
        end_ns = end_ns < place->last_ns ? end_ns : place->last_ns;
        buckets[t.buckets.count].totals[TP_LEVEL_COVERED] = (tp_wide)(end_ns - begin_ns);
        buckets[t.buckets.count++].totals[TP_LEVEL_RUNNING] = running_ns;
    }
    assert_true(tp_wall_timeline_lay(&w, &t, place));
    return w;
}

static void expect(struct tp_wall_timeline *w, const char *want)
{
    char *text = full_wall_time_text(w);
    assert_string_equal(text, want);
    free(text);
    tp_free(w->buckets.items);
    *w = (struct tp_wall_timeline){0};
}

static void test_equal_buckets_stay_as_they_are(void **state)
{
    (void)state;
    // Both clocks are at the beginning of a bucket when the other one is.
    struct tp_wall_place place = {.first_ns = WIDTH * 7 + 100,
                                  .last_ns = WIDTH * 9 + 200,
                                  .wall_ns = WIDTH * 1000 + 100,
                                  .first_bucket = 7};
    struct tp_wall_timeline w = laid(&place, 50);
    expect(&w, "1 files by the wall clock, from 1000\nwidth 65536\n"
               "0: RUNNING 50 COVERED 65436\n1: RUNNING 50 COVERED 65536\n"
               "2: RUNNING 50 COVERED 200\n");
}

static void test_buckets_are_divided_by_time(void **state)
{
    (void)state;
    // The first bucket has events in its last 100 ns, of which 75 lie before the border of the wall's
    // buckets; of the second one 65,461 ns follow.
    struct tp_wall_place place = {.first_ns = WIDTH - 100,
                                  .last_ns = WIDTH * 2,
                                  .wall_ns = WIDTH * 11 - 75,
                                  .first_bucket = 0};
    struct tp_wall_timeline w = laid(&place, 65536);
    expect(&w, "1 files by the wall clock, from 10\nwidth 65536\n"
               "0: RUNNING 49152 COVERED 75\n"
               "1: RUNNING 81895 COVERED 65536\n2: RUNNING 65561 COVERED 25\n");
}

static void test_a_moment_and_times_before_1970(void **state)
{
    (void)state;
    struct tp_wall_place place = {.first_ns = 5, .last_ns = 5, .wall_ns = -1};
    struct tp_wall_timeline w = laid(&place, 3);
    expect(&w, "1 files by the wall clock, from -1\nwidth 65536\n0: RUNNING 3\n");
}

static void test_what_has_no_place_is_left_out(void **state)
{
    static const struct tp_wall_place places[] = {
        {.first_ns = 6, .last_ns = 5, .wall_ns = 1},
        {.first_ns = 0, .last_ns = 5, .wall_ns = INT64_MAX - 4},
        {.first_ns = -5, .last_ns = 5, .wall_ns = INT64_MAX - 2},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(places); i++) {
        struct tp_wall_timeline w = laid(&places[i], 3);
        expect(&w, "");
    }
    struct tp_timeline nothing = {0};
    struct tp_wall_timeline w = {0};
    const struct tp_wall_place place = {.last_ns = 5};
    assert_true(tp_wall_timeline_lay(&w, &nothing, &place));
    expect(&w, "");
}

// Steps of a doubtful clock may lie before the first event and after the last one.
static void test_buckets_without_events_count_at_the_ends(void **state)
{
    (void)state;
    struct tp_wall_place place = {.first_ns = WIDTH * 2 + 5,
                                  .last_ns = WIDTH * 2 + 5,
                                  .wall_ns = WIDTH * 40,
                                  .first_bucket = 0};
    struct tp_wall_timeline w = laid(&place, 3);
    w.buckets.items[0].totals[TP_LEVEL_COVERED] = 0;
    expect(&w, "1 files by the wall clock, from 40\nwidth 65536\n0: RUNNING 9\n");
}

static void test_one_bucket_more_than_there_may_be(void **state)
{
    (void)state;
    struct tp_wall_place place = {.last_ns = (int64_t)WIDTH * TP_LEVELS_BUCKETS - 1, .wall_ns = 9};
    struct tp_wall_timeline w = laid(&place, 2);
    assert_int_equal(w.shift, TP_LEVELS_SHIFT_MIN + 1);
    assert_int_equal(w.buckets.count, TP_LEVELS_BUCKETS / 2 + 1);
    tp_wide running = 0, covered = 0;
    for (uint32_t i = 0; i < w.buckets.count; i++) {
        running += w.buckets.items[i].totals[TP_LEVEL_RUNNING];
        covered += w.buckets.items[i].totals[TP_LEVEL_COVERED];
    }
    assert_true(running == 2 * TP_LEVELS_BUCKETS && covered == (tp_wide)place.last_ns);
    tp_free(w.buckets.items);
}

static void test_no_memory_is_told(void **state)
{
    struct tp_timeline_bucket buckets[1] = {0};
    const struct tp_timeline t = {.buckets = {{buckets, 1, 1}}, .shift = TP_LEVELS_SHIFT_MIN};
    const struct tp_wall_place place = {.last_ns = 5, .wall_ns = WIDTH};
    struct tp_wall_timeline w = {0}, into = {0};
    (void)state;
    tp_alloc_fail_at(1, false);
    assert_false(tp_wall_timeline_lay(&w, &t, &place));
    w = laid(&place, 1);
    tp_alloc_fail_at(1, false);
    assert_false(tp_wall_timeline_merge(&into, &w));
    tp_free(into.buckets.items);
    tp_free(w.buckets.items);
}

enum { TRACES = 9 };

static void make_trace(struct tp_wall_timeline *w, uint64_t number)
{
    uint64_t seed = 70 + number;
    struct tp_wall_place place = {.first_ns = (int64_t)below(&seed, WIDTH),
                                  .wall_ns = (int64_t)(next_random(&seed) >> (21 + number % 4))};
    place.last_ns = place.first_ns + (int64_t)below(&seed, WIDTH * 200);
    *w = (struct tp_wall_timeline){0};
    if (number != 3) // a trace that does not tell the time of day
        *w = laid(&place, 1000 + below(&seed, 100000));
}

static void test_traces_add_up_in_any_order_and_grouping(void **state)
{
    struct tp_wall_timeline traces[TRACES], want = {0};
    uint64_t seed = 5;
    (void)state;
    for (unsigned i = 0; i < TRACES; i++) {
        make_trace(&traces[i], i);
        assert_true(tp_wall_timeline_merge(&want, &traces[i]));
    }
    assert_true(want.buckets.count > TP_LEVELS_BUCKETS / 4 &&
                want.buckets.count <= TP_LEVELS_BUCKETS);
    char *want_text = full_wall_time_text(&want);
    for (unsigned way = 0; way < 200; way++) {
        struct tp_wall_timeline groups[3] = {0};
        unsigned order[TRACES];
        for (unsigned i = 0; i < TRACES; i++) {
            unsigned to = (unsigned)below(&seed, i + 1);
            order[i] = order[to];
            order[to] = i;
        }
        for (unsigned i = 0; i < TRACES; i++)
            assert_true(tp_wall_timeline_merge(&groups[below(&seed, 3)], &traces[order[i]]));
        assert_true(tp_wall_timeline_merge(&groups[1], &groups[2]));
        assert_true(tp_wall_timeline_merge(&groups[1], &groups[0]));
        char *text = full_wall_time_text(&groups[1]);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_buckets_stay_as_they_are),
        cmocka_unit_test(test_buckets_are_divided_by_time),
        cmocka_unit_test(test_a_moment_and_times_before_1970),
        cmocka_unit_test(test_what_has_no_place_is_left_out),
        cmocka_unit_test(test_buckets_without_events_count_at_the_ends),
        cmocka_unit_test(test_one_bucket_more_than_there_may_be),
        cmocka_unit_test(test_no_memory_is_told),
        cmocka_unit_test(test_traces_add_up_in_any_order_and_grouping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
