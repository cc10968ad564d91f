// Windows over curves of mutator utilisation: by hand, and random curves against a search
// through all windows that can be the least.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "stats/gc/mmu.h"
#include "stats/gc/mud.h"

#define NEAR 1e-9

static void assert_near(double found, double want)
{
    if (!(found > want - NEAR && found < want + NEAR))
        fail_msg("%.17g instead of %.17g", found, want);
}

#define SERIES(array) {array, TP_ARRAY_LEN(array)}

static struct tp_mmu *create(const struct tp_util_series *series)
{
    struct tp_mmu *m;
    struct tp_error err;
    if (tp_mmu_create(series, &m, &err) != 0)
        fail_msg("%s", err.text);
    return m;
}

// BY HAND

static struct tp_util_point dip[] = {{1000, 1}, {1010, 0}, {1020, 1}, {1100, 0}};

static void test_one_dip(void **state)
{
    static const struct tp_util_series series = SERIES(dip);
    struct tp_mmu *m = create(&series);
    (void)state;
    assert_true(tp_mmu_least(m, -5) == 0);
    assert_true(tp_mmu_least(m, 0) == 0);
    assert_true(tp_mmu_least(m, 1) == 0);
    assert_true(tp_mmu_least(m, 10) == 0);
    assert_true(tp_mmu_least(m, 20) == 0.5);
    assert_true(tp_mmu_least(m, 40) == 0.75);
    assert_true(tp_mmu_least(m, 100) == 0.9);
    // Longer than the curve.
    assert_true(tp_mmu_least(m, 101) == 0.9);
    assert_true(tp_mmu_least(m, INT64_MAX) == 0.9);
    tp_mmu_destroy(m);
}

static void test_curves_without_length_have_no_windows(void **state)
{
    static struct tp_util_point moment[] = {{7, 0}};
    static const struct tp_util_series series[] = {SERIES(moment), {NULL, 0}};
    double share = 0.5, mean = -1;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(series); i++) {
        struct tp_mmu *m = create(&series[i]);
        assert_true(tp_mmu_least(m, 10) == 1);
        assert_true(tp_mmu_least(m, 0) == 0);
        assert_int_equal(tp_mmu_quantiles(m, 10, &share, 1, &mean, NULL), 0);
        assert_true(mean == 1);
        tp_mmu_destroy(m);
    }
    tp_mmu_destroy(NULL);
}

static void test_times_that_cannot_be_summed_are_refused(void **state)
{
    static struct tp_util_point late[] = {{0, 1}, {INT64_C(1) << 60, 0}};
    static struct tp_util_point early[] = {{-(INT64_C(1) << 60), 1}, {0, 0}};
    static struct tp_util_point far[] = {{-(INT64_C(1) << 60) + 1, 0.5},
                                         {(INT64_C(1) << 60) - 1, 0}};
    static const struct tp_util_series series[] = {SERIES(late), SERIES(early), SERIES(far)};
    struct tp_mmu *m;
    struct tp_error err;
    (void)state;
    assert_int_equal(tp_mmu_create(&series[0], &m, &err), TP_E_TOO_LARGE);
    assert_int_equal(tp_mmu_create(&series[1], &m, &err), TP_E_TOO_LARGE);
    m = create(&series[2]);
    assert_near(tp_mmu_least(m, INT64_MAX), 0.5);
    tp_mmu_destroy(m);
}

static void test_quantiles(void **state)
{
    static struct tp_util_point fall[] = {{0, 1}, {50, 0}, {100, 0.5}, {101, 0}};
    static const struct tp_util_series series = {fall, 3};
    // Of 90 ns, windows of 10 ns have the mean 1 for 40, all from 1 to 0 for 10, and 0
    // for 40.
    static const double shares[] = {0, 40 / 90.0, 42.5 / 90, 45 / 90.0, 50 / 90.0, 1};
    static const double want[] = {0, 0, 0.25, 0.5, 1, 1};
    double means[TP_ARRAY_LEN(shares)];
    struct tp_mmu *m = create(&series);
    (void)state;
    assert_int_equal(tp_mmu_quantiles(m, 10, shares, TP_ARRAY_LEN(shares), means, NULL), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(shares); i++)
        assert_near(means[i], want[i]);
    // The whole curve is one window, which takes no time.
    assert_int_equal(tp_mmu_quantiles(m, 100, shares, TP_ARRAY_LEN(shares), means, NULL), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(shares); i++)
        assert_true(means[i] == 0.5);
    assert_int_equal(tp_mmu_quantiles(m, 0, shares, 1, means, NULL), 0);
    assert_true(means[0] == 0);
    tp_mmu_destroy(m);
}

// RANDOM CURVES

#define RANDOM_POINTS 3000

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// Steps of all lengths between values in eighths; the times begin with 5.
static struct tp_util_series random_series(struct tp_util_point *points, uint64_t *seed)
{
    size_t count = 2 + next_random(seed) % (next_random(seed) % 3 == 0 ? RANDOM_POINTS - 2 : 20);
    unsigned floor = (unsigned)(next_random(seed) % 4);
    int64_t time_ns = 5;
    for (size_t i = 0; i < count; i++) {
        points[i] = (struct tp_util_point){
            time_ns, (double)(floor + next_random(seed) % (9 - floor)) / 8};
        time_ns += 1 + (int64_t)(next_random(seed) % (1u << next_random(seed) % 12));
    }
    points[count - 1].utilisation = 0;
    return (struct tp_util_series){points, count};
}

static double sum_between(const struct tp_util_series *s, int64_t from_ns, int64_t to_ns)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < s->point_count; i++) {
        int64_t begin = s->points[i].time_ns, end = s->points[i + 1].time_ns;
        begin = begin < from_ns ? from_ns : begin;
        end = end > to_ns ? to_ns : end;
        if (begin < end)
            sum += s->points[i].utilisation * (double)(end - begin);
    }
    return sum;
}

// Windows that begin or end where the curve has a step.
static double least_of_all(const struct tp_util_series *s, int64_t window_ns)
{
    int64_t first_ns = s->points[0].time_ns;
    int64_t last_ns = s->points[s->point_count - 1].time_ns;
    double least = 1;
    if (window_ns > last_ns - first_ns)
        window_ns = last_ns - first_ns;
    for (size_t i = 0; i < 2 * s->point_count; i++) {
        int64_t begin = s->points[i / 2].time_ns - (i % 2 == 0 ? 0 : window_ns);
        if (begin < first_ns || begin + window_ns > last_ns)
            continue;
        double mean = sum_between(s, begin, begin + window_ns) / (double)window_ns;
        least = mean < least ? mean : least;
    }
    return least;
}

static int64_t length_of(const struct tp_util_series *s)
{
    return s->points[s->point_count - 1].time_ns - s->points[0].time_ns;
}

static int64_t window_in(const struct tp_util_series *s, int64_t window_ns)
{
    return window_ns > length_of(s) ? length_of(s) : window_ns;
}

// By how much a window reaches over the end of the curve, as the header tells.
static int64_t overhang_of(const struct tp_util_series *s, int64_t window_ns)
{
    int64_t length_ns = length_of(s);
    int64_t count = s->point_count < 1000 ? (int64_t)s->point_count : 1000;
    int64_t band_ns = (length_ns + count - 1) / count;
    window_ns = window_in(s, window_ns);
    int64_t last_band = count + 1 - (window_ns + 2 * (band_ns - 1)) / band_ns;
    int64_t over_ns = last_band * band_ns + window_ns - length_ns;
    return over_ns > 0 ? over_ns : 0;
}

// Against the windows that begin with each nanosecond.
static void check_quantiles(struct tp_mmu *m, const struct tp_util_series *s, int64_t window_ns)
{
    static const double shares[] = {0, 0.05, 0.3, 0.9};
    double means[TP_ARRAY_LEN(shares)];
    int64_t first_ns = s->points[0].time_ns;
    int64_t all_ns = length_of(s) - window_ns;
    assert_int_equal(tp_mmu_quantiles(m, window_ns, shares, TP_ARRAY_LEN(shares), means, NULL),
                     0);
    for (size_t i = 0; i < TP_ARRAY_LEN(shares); i++) {
        double below = 0, up_to = 0;
        for (int64_t at = 0; at < all_ns; at++) {
            // The mean of a nanosecond's windows lies between those at its ends.
            double a = sum_between(s, first_ns + at, first_ns + at + window_ns);
            double b = sum_between(s, first_ns + at + 1, first_ns + at + 1 + window_ns);
            double high = (a > b ? a : b) / (double)window_ns;
            double low = (a > b ? b : a) / (double)window_ns;
            below += high < means[i] - NEAR;
            up_to += low <= means[i] + NEAR;
        }
        assert_true(below <= shares[i] * (double)all_ns + NEAR);
        assert_true(up_to >= shares[i] * (double)all_ns - NEAR);
    }
}

static void test_random_curves(void **state)
{
    static struct tp_util_point points[RANDOM_POINTS];
    uint64_t seed = 88172645463325252u;
    size_t exact_count = 0, over_count = 0;
    (void)state;
    for (int round = 0; round < 120; round++) {
        struct tp_util_series s = random_series(points, &seed);
        struct tp_mmu *m = create(&s);
        for (int i = 0; i < 12; i++) {
            int64_t window_ns = 1 + (int64_t)(next_random(&seed) % (1u << next_random(&seed) % 20));
            double found = tp_mmu_least(m, window_ns), want = least_of_all(&s, window_ns);
            int64_t over_ns = overhang_of(&s, window_ns);
            if (over_ns > 0) {
                assert_true(found <= want + NEAR);
                double lost = (double)over_ns / (double)window_in(&s, window_ns);
                assert_true(found >= want - lost - NEAR);
                over_count++;
                continue;
            }
            assert_near(found, want);
            if (window_ns < length_of(&s) && length_of(&s) < 1000)
                check_quantiles(m, &s, window_ns);
            exact_count++;
        }
        tp_mmu_destroy(m);
    }
    assert_true(exact_count > 50 && over_count > 50);
}

// DISTRIBUTIONS

static void test_distribution(void **state)
{
    static struct tp_mud d;
    double at;
    (void)state;
    tp_mud_reset(&d, 15);
    assert_false(tp_mud_utilisation_at(&d, 0, &at));
    assert_false(tp_mud_tracked_bound(&d, &at));
    // 10 evenly from 0.25 to 0.5, 10 at 0.75.
    assert_true(tp_mud_add(&d, 0.5, 0.25, 10));
    assert_false(tp_mud_tracked_bound(&d, &at));
    assert_true(tp_mud_add(&d, 0.75, 0.75, 10));
    assert_true(tp_mud_add(&d, 0.1, 0.9, 0));
    assert_true(tp_mud_tracked_bound(&d, &at));
    assert_near(at, 0.75 + 1.0 / TP_MUD_BUCKETS);
    static const double want[][2] = {{0, 0.25}, {5, 0.375}, {10, 0.5},   {10.5, 0.75},
                                     {15, 0.75}, {20, 0.75}, {99, 0.75}};
    for (size_t i = 0; i < TP_ARRAY_LEN(want); i++) {
        assert_true(tp_mud_utilisation_at(&d, want[i][0], &at));
        assert_near(at, want[i][1]);
    }
    // Rounding makes some means a little greater than 1.
    tp_mud_reset(&d, 1);
    assert_true(tp_mud_add(&d, 1.0000001, 0.9999, 5));
    assert_true(tp_mud_add(&d, 1, 1, 5));
    assert_true(tp_mud_tracked_bound(&d, &at));
    assert_near(at, 1);
    tp_free(d.edges.items);
}

// MEMORY

static void test_every_failed_allocation_is_told(void **state)
{
    static struct tp_util_point points[RANDOM_POINTS];
    static const double share = 0.9;
    uint64_t seed = 5, live_bytes = tp_alloc_live_bytes();
    struct tp_util_series series = {points, RANDOM_POINTS};
    (void)state;
    for (size_t i = 0; i < RANDOM_POINTS; i++)
        points[i] = (struct tp_util_point){(int64_t)i * 10,
                                           (double)(next_random(&seed) % 9) / 8};
    size_t failure_count = 0;
    for (int rc = -1; rc != 0;) {
        struct tp_mmu *m = NULL;
        struct tp_error err = {0};
        double mean;
        tp_alloc_fail_at(++failure_count, true);
        rc = tp_mmu_create(&series, &m, &err);
        if (rc == 0)
            rc = tp_mmu_quantiles(m, 500, &share, 1, &mean, &err);
        tp_alloc_fail_at(0, false);
        tp_mmu_destroy(m);
        assert_true(tp_alloc_live_bytes() == live_bytes);
        if (rc != 0) {
            assert_int_equal(rc, TP_E_MEMORY);
            assert_int_equal(err.code, TP_E_MEMORY);
        }
    }
    // The object, its parts, and more than one step of the distribution's growth.
    assert_true(failure_count > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_dip),
        cmocka_unit_test(test_curves_without_length_have_no_windows),
        cmocka_unit_test(test_times_that_cannot_be_summed_are_refused),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_random_curves),
        cmocka_unit_test(test_distribution),
        cmocka_unit_test(test_every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests_name("mmu", tests, NULL, NULL);
}
