// Ledgers: groups and measures by key, totals that do not depend on order and grouping, and
// what is not merged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "hist_bytes.h"
#include "sink/stats/report/report.h"
#include "stats/figures/durations.h"

static uint32_t same(void *ctx, uint32_t number)
{
    (void)ctx;
    return number;
}
static uint32_t same_name(void *ctx, enum tp_durations_space space, uint32_t name)
{
    (void)space;
    return same(ctx, name);
}
static const struct tp_durations_words same_words = {same_name, same, NULL};

static void add(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                uint32_t measure, uint64_t ns, bool is_cut)
{
    uint32_t group = tp_durations_group_of(l, space, name);
    assert_int_not_equal(group, TP_DURATIONS_NONE);
    struct tp_dist *d = tp_durations_dist(l, group, measure);
    assert_non_null(d);
    assert_true(tp_durations_add(l, d, ns, TP_NO_MOMENT, is_cut));
}

// NULL: there is no such group, or it has nothing of that measure.
static const struct tp_dist *find(const struct tp_durations *l, enum tp_durations_space space,
                                  uint32_t name, uint32_t measure)
{
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        while (g->space == space && g->name == name && tp_durations_walk_next(&walk)) {
            if (walk.measure == measure)
                return walk.dist;
        }
    }
    return NULL;
}

static void expect_dist(const struct tp_dist *d, uint64_t count, uint64_t total_ns,
                        uint64_t max_ns, uint64_t cut_count, uint64_t cut_ns)
{
    uint64_t in_hist = 0;
    assert_non_null(d);
    assert_int_equal(d->count, count);
    assert_int_equal(d->total_ns, total_ns);
    assert_int_equal(d->max_ns, max_ns);
    assert_int_equal(tp_dist_cut_count(d), cut_count);
    assert_int_equal(tp_dist_cut_ns(d), cut_ns);
    struct tp_hist_walk walk = {.hist = &d->hist};
    while (tp_hist_walk_next(&walk))
        in_hist += walk.count;
    assert_int_equal(in_hist, count);
}

static void test_cut_times_are_in_nothing_else(void **state)
{
    struct tp_durations l = {0};
    (void)state;
    add(&l, TP_SPACE_TASK, 3, 0, 10, false);
    add(&l, TP_SPACE_TASK, 3, 0, 1000, true);
    add(&l, TP_SPACE_TASK, 3, 0, 20, false);
    add(&l, TP_SPACE_TASK, 3, 0, 0, true);
    expect_dist(find(&l, TP_SPACE_TASK, 3, 0), 2, 30, 20, 2, 1000);
    tp_durations_fini(&l);
}

static void test_groups_keep_their_index(void **state)
{
    enum { COUNT = 500 };
    struct tp_durations l = {0};
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        enum tp_durations_space space = i % 2 == 0 ? TP_SPACE_GOROUTINE : TP_SPACE_REGION;
        assert_int_equal(tp_durations_group_of(&l, space, i / 2), i);
        add(&l, space, i / 2, i % 2 == 0 ? i % 40 : 0, i, false);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        enum tp_durations_space space = i % 2 == 0 ? TP_SPACE_GOROUTINE : TP_SPACE_REGION;
        assert_int_equal(tp_durations_group_of(&l, space, i / 2), i);
        expect_dist(find(&l, space, i / 2, i % 2 == 0 ? i % 40 : 0), 1, i, i, 0, 0);
    }
    tp_durations_clear(&l);
    assert_int_equal(l.groups.count, 0);
    assert_int_equal(tp_durations_group_of(&l, TP_SPACE_GOROUTINE, 9), 0);
    assert_null(find(&l, TP_SPACE_GOROUTINE, 9, 0));
    tp_durations_fini(&l);
}

static void test_what_is_booked_again_goes_where_it_belongs(void **state)
{
    struct tp_durations l = {0};
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        // Names alike in two spaces; each one after itself, and after the other.
        for (uint32_t i = 0; i < 40; i++) {
            enum tp_durations_space space = i % 4 < 2 ? TP_SPACE_SWEEP : TP_SPACE_ASSIST;
            assert_true(tp_durations_record_again(&l, space, i / 4 % 2, i, TP_NO_MOMENT, i % 2 == 1));
        }
        expect_dist(find(&l, TP_SPACE_SWEEP, 0, 0), 5, 80, 32, 5, 85);
        expect_dist(find(&l, TP_SPACE_SWEEP, 1, 0), 5, 100, 36, 5, 105);
        expect_dist(find(&l, TP_SPACE_ASSIST, 0, 0), 5, 90, 34, 5, 95);
        expect_dist(find(&l, TP_SPACE_ASSIST, 1, 0), 5, 110, 38, 5, 115);
        // One that was emptied, and all of them.
        assert_true(tp_durations_move_group(&l, TP_SPACE_SWEEP, 0, &l,
                                            tp_durations_group_of(&l, TP_SPACE_SWEEP, 1)));
        assert_int_not_equal(tp_durations_group_of(&l, TP_SPACE_SWEEP, 1), TP_DURATIONS_NONE);
        assert_true(tp_durations_record_again(&l, TP_SPACE_SWEEP, 1, 7, TP_NO_MOMENT, false));
        expect_dist(find(&l, TP_SPACE_SWEEP, 0, 0), 10, 180, 36, 10, 190);
        expect_dist(find(&l, TP_SPACE_SWEEP, 1, 0), 1, 7, 7, 0, 0);
        tp_durations_clear(&l);
    }
    tp_durations_fini(&l);
}

static void test_empty_groups_and_unnamed_ones_are_not_merged(void **state)
{
    struct tp_durations from = {0}, into = {0};
    (void)state;
    add(&from, TP_SPACE_UNNAMED, 0, TP_MEASURE_RUN, 5, false);
    assert_int_equal(tp_durations_group_of(&from, TP_SPACE_GOROUTINE, 1), 1);
    add(&from, TP_SPACE_GOROUTINE, 2, TP_MEASURE_RUN, 7, false);
    add(&from, TP_SPACE_GOROUTINE, 3, TP_MEASURE_RUN, 9, false);
    expect_dist(find(&from, TP_SPACE_GOROUTINE, 2, TP_MEASURE_RUN), 1, 7, 7, 0, 0);
    // What is moved goes where it is told to, and leaves an empty one behind.
    assert_true(tp_durations_move_group(&from, TP_SPACE_GOROUTINE, 2, &from, 3));
    expect_dist(find(&from, TP_SPACE_GOROUTINE, 2, TP_MEASURE_RUN), 2, 16, 9, 0, 0);
    assert_int_equal(from.groups.items[3].dist_count, 0);
    assert_true(tp_durations_merge(&into, &from, &same_words));
    assert_int_equal(into.groups.count, 1);
    expect_dist(find(&into, TP_SPACE_GOROUTINE, 2, TP_MEASURE_RUN), 2, 16, 9, 0, 0);
    tp_durations_fini(&from);
    tp_durations_fini(&into);
}

static uint32_t ten_more(void *ctx, uint32_t number)
{
    (void)ctx;
    return number + 10;
}

static uint32_t name_ten_more(void *ctx, enum tp_durations_space space, uint32_t name)
{
    (void)space;
    return ten_more(ctx, name);
}

static void test_words_are_asked_for_what_has_one(void **state)
{
    const struct tp_durations_words words = {name_ten_more, ten_more, NULL};
    struct tp_durations from = {0}, into = {0};
    (void)state;
    add(&from, TP_SPACE_GOROUTINE, 1, 6, 5, false);
    add(&from, TP_SPACE_PAUSE, 2, 0, 8, true);
    assert_true(tp_durations_merge(&into, &from, &words));
    expect_dist(find(&into, TP_SPACE_GOROUTINE, 11, 16), 1, 5, 5, 0, 0);
    // Other spaces have one measure.
    expect_dist(find(&into, TP_SPACE_PAUSE, 12, 0), 0, 0, 0, 1, 8);
    tp_durations_fini(&from);
    tp_durations_fini(&into);
}

// Reasons of blocking may be made up, too: a group has no room for those that are not its own.
static void test_many_measures_take_what_is_there(void **state)
{
    enum { MEASURES = 20000, GROUPS = 2000 };
    uint64_t before_bytes = tp_alloc_live_bytes();
    struct tp_durations from = {0}, into = {0};
    (void)state;
    for (uint32_t m = MEASURES; m-- > 0;)
        add(&from, TP_SPACE_GOROUTINE, 0, m, 1, false);
    for (uint32_t i = 1; i < GROUPS; i++)
        add(&from, TP_SPACE_GOROUTINE, i, MEASURES - 1, i, false);
    assert_true(tp_alloc_live_bytes() - before_bytes < TP_MIB(16));
    assert_true(tp_durations_merge(&into, &from, &same_words));
    assert_true(tp_durations_merge(&into, &from, &same_words));
    assert_true(tp_durations_move_group(&into, TP_SPACE_GOROUTINE, 0, &into, 1));
    for (uint32_t m = 0; m < MEASURES; m += m < 2 * TP_DURATIONS_NEAR_MEASURES ? 1 : 1000)
        expect_dist(find(&into, TP_SPACE_GOROUTINE, 0, m), 2, 2, 1, 0, 0);
    expect_dist(find(&into, TP_SPACE_GOROUTINE, 0, MEASURES - 1), 4, 4, 1, 0, 0);
    expect_dist(find(&into, TP_SPACE_GOROUTINE, 7, MEASURES - 1), 2, 14, 7, 0, 0);
    assert_null(find(&into, TP_SPACE_GOROUTINE, 7, 0));
    assert_null(find(&into, TP_SPACE_GOROUTINE, 1, MEASURES - 1));
    tp_durations_fini(&from);
    tp_durations_fini(&into);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

static uint32_t none(void *ctx, uint32_t number)
{
    (void)ctx, (void)number;
    return TP_DURATIONS_NONE;
}

static uint32_t none_of_names(void *ctx, enum tp_durations_space space, uint32_t name)
{
    (void)space;
    return none(ctx, name);
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    const struct tp_durations_words no_name = {none_of_names, same, NULL};
    const struct tp_durations_words no_measure = {same_name, none, NULL};
    struct tp_durations from = {0};
    uint64_t before_bytes = tp_alloc_live_bytes();
    unsigned failure_count = 0;
    (void)state;
    for (uint32_t i = 0; i < 50; i++) {
        add(&from, TP_SPACE_GOROUTINE, i, i % 9 < 8 ? i % 9 : 1000 + i, 100 * i, false);
        add(&from, TP_SPACE_GOROUTINE, i, 0, i, true);
    }
    for (uint64_t nth = 1;; nth++) {
        struct tp_durations into = {0};
        tp_alloc_fail_at(nth, false);
        bool fits = tp_durations_merge(&into, &from, &same_words);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(fits, !has_failed);
        assert_int_equal(into.hist_bytes, hist_bytes_of(&into));
        tp_durations_fini(&into);
        if (fits)
            break;
        failure_count++;
    }
    assert_true(failure_count > 100); // 50 groups, and as many that are cut
    struct tp_durations into = {0};
    assert_false(tp_durations_merge(&into, &from, &no_name));
    assert_false(tp_durations_merge(&into, &from, &no_measure));
    tp_durations_fini(&into);
    tp_durations_fini(&from);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

static void expect_hist_bytes(const struct tp_durations *l, bool is_any)
{
    assert_int_equal(l->hist_bytes, hist_bytes_of(l));
    assert_int_equal(l->hist_bytes > 0, is_any);
}

static void test_the_memory_of_histograms_is_known(void **state)
{
    (void)state;
    for (unsigned is_quick = 0; is_quick < 2; is_quick++) {
        struct tp_durations from = {.is_quick = is_quick}, into = {0};
        for (unsigned i = 0; i < 4000; i++) {
            uint64_t ns = UINT64_C(1) << i % 64;
            add(&from, TP_SPACE_GOROUTINE, i % 3, i % 200, ns, i % 7 == 0);
            assert_true(tp_durations_record_again(&from, TP_SPACE_TASK, i % 3, ns, TP_NO_MOMENT, i % 7 == 0));
        }
        expect_hist_bytes(&from, true);
        assert_true(tp_durations_merge(&into, &from, &same_words));
        expect_hist_bytes(&into, true);
        assert_true(tp_durations_merge(&into, &from, &same_words));
        expect_hist_bytes(&into, true);
        assert_true(tp_durations_move_group(&into, TP_SPACE_GOROUTINE, 1, &into, 0));
        assert_true(tp_durations_move_group(&into, TP_SPACE_GOROUTINE, 1, &from, 2));
        expect_hist_bytes(&from, true);
        expect_hist_bytes(&into, true);
        tp_durations_empty_space(&into, TP_SPACE_GOROUTINE);
        expect_hist_bytes(&into, true);
        tp_durations_clear(&into);
        expect_hist_bytes(&into, false);
        tp_durations_fini(&from);
        tp_durations_fini(&into);
    }
}

static void test_quantiles(void **state)
{
    struct tp_dist d = {0};
    (void)state;
    assert_int_equal(tp_dist_quantile_ns(&d, 500), 0);
    for (uint64_t ns = 1; ns <= 100; ns++)
        assert_true(tp_dist_add(&d, ns, TP_NO_MOMENT));
    assert_int_equal(tp_dist_quantile_ns(&d, 500), 50);
    assert_int_equal(tp_dist_quantile_ns(&d, 900), 90);
    assert_int_equal(tp_dist_quantile_ns(&d, 990), 99);
    assert_int_equal(tp_dist_quantile_ns(&d, 999), 100);
    // The middle of the last bucket may be above all there is.
    assert_true(tp_dist_add(&d, 1 << 20, TP_NO_MOMENT));
    assert_int_equal(tp_dist_quantile_ns(&d, 999), 1 << 20);
    tp_dist_fini(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_times_are_in_nothing_else),
        cmocka_unit_test(test_groups_keep_their_index),
        cmocka_unit_test(test_what_is_booked_again_goes_where_it_belongs),
        cmocka_unit_test(test_empty_groups_and_unnamed_ones_are_not_merged),
        cmocka_unit_test(test_words_are_asked_for_what_has_one),
        cmocka_unit_test(test_many_measures_take_what_is_there),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
        cmocka_unit_test(test_the_memory_of_histograms_is_known),
        cmocka_unit_test(test_quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
