// Histograms: every value has its bucket, what is read out is near enough, and sums are
// exact.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/histogram.h"

static uint64_t hist_count(const struct tp_hist *h, unsigned bucket)
{
    struct tp_hist_walk walk = {.hist = h};
    while (tp_hist_walk_next(&walk)) {
        if (walk.bucket == bucket)
            return walk.count;
    }
    return 0;
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// Of every size alike.
static uint64_t any_value(uint64_t *seed)
{
    unsigned bits = (unsigned)(next_random(seed) % 64);
    return next_random(seed) >> bits;
}

static void expect_bucket(uint64_t value)
{
    unsigned bucket = tp_hist_bucket(value);
    assert_true(bucket < TP_HIST_BUCKETS);
    uint64_t low = tp_hist_bucket_low(bucket), middle = tp_hist_bucket_middle(bucket);
    assert_true(value >= low && value - low < tp_hist_bucket_width(bucket));
    assert_true((middle > value ? middle - value : value - middle) <= value / 128);
}

static void test_buckets_leave_no_gap(void **state)
{
    (void)state;
    uint64_t next = 0;
    for (unsigned bucket = 0; bucket < TP_HIST_BUCKETS; bucket++) {
        assert_int_equal(tp_hist_bucket_low(bucket), next);
        next += tp_hist_bucket_width(bucket);
        assert_true(bucket == TP_HIST_BUCKETS - 1 || next > tp_hist_bucket_low(bucket));
    }
    assert_int_equal(next, 0); // 2^64
}

static void test_the_middle_is_near(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (unsigned bucket = 0; bucket < TP_HIST_BUCKETS; bucket++) {
        uint64_t low = tp_hist_bucket_low(bucket), width = tp_hist_bucket_width(bucket);
        assert_int_equal(tp_hist_bucket(low), bucket);
        assert_int_equal(tp_hist_bucket(low + (width - 1)), bucket);
        expect_bucket(low);
        expect_bucket(low + (width - 1));
    }
    for (unsigned i = 0; i < 200000; i++)
        expect_bucket(any_value(&seed));
    for (uint64_t value = 0; value < 128; value++)
        assert_int_equal(tp_hist_bucket_middle(tp_hist_bucket(value)), value);
}

static void expect_counts(const struct tp_hist *h, const uint64_t want[TP_HIST_BUCKETS])
{
    struct tp_hist_walk walk = {.hist = h};
    bool has_more = tp_hist_walk_next(&walk);
    for (unsigned bucket = 0; bucket < TP_HIST_BUCKETS; bucket++) {
        assert_int_equal(has_more && walk.bucket == bucket, want[bucket] > 0);
        if (want[bucket] == 0)
            continue;
        assert_int_equal(walk.count, want[bucket]);
        has_more = tp_hist_walk_next(&walk);
    }
    assert_false(has_more);
}

static void test_counts_are_exact(void **state)
{
    enum { COUNT = 20000 };
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    for (unsigned is_quick = 0; is_quick < 2; is_quick++) {
        static const uint64_t large[] = {UINT64_C(1) << 40, UINT64_C(1) << 52, 5, UINT64_C(3) << 60};
        uint64_t want[TP_HIST_BUCKETS] = {0};
        struct tp_hist h = {.is_quick = is_quick};
        uint64_t seed = 11;
        for (unsigned i = 0; i < COUNT; i++) {
            uint64_t value = any_value(&seed);
            want[tp_hist_bucket(value)]++;
            assert_true(tp_hist_add(&h, value));
        }
        assert_true(tp_hist_add_count(&h, 2999, 0));
        expect_counts(&h, want);
        for (unsigned i = 0; i < TP_ARRAY_LEN(large); i++) {
            assert_true(tp_hist_add_count(&h, 3000, large[i]));
            want[3000] += large[i];
            expect_counts(&h, want);
        }
        tp_hist_fini(&h);
        assert_int_equal(hist_count(&h, 3000), 0);
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    }
}

// Adds so many values of one octave, 512 to 1023, that a quick histogram gets pages.
static void add_until_pages(struct tp_hist *h)
{
    for (uint64_t i = 0; i <= TP_HIST_QUICK_VALUES; i++) {
        assert_false(h->has_pages);
        assert_true(tp_hist_add(h, 1000 - 8 * i));
    }
    assert_true(h->has_pages);
}

static void test_an_octave_takes_memory_when_it_is_used(void **state)
{
    struct tp_hist h = {.is_quick = true};
    uint64_t none_bytes = tp_alloc_live_bytes();
    (void)state;
    add_until_pages(&h);
    uint64_t before_bytes = tp_alloc_live_bytes();
    assert_in_range(before_bytes - none_bytes, 0, sizeof(struct tp_hist_pages) +
                                                  4 * sizeof(struct tp_hist_page) + 64);
    // One octave more has no value: there are pages for two further ones.
    assert_true(tp_hist_add(&h, 1023) && tp_hist_add(&h, 1024) && tp_hist_add(&h, 2048));
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    assert_true(tp_hist_add(&h, 4096));
    assert_in_range(tp_alloc_live_bytes() - before_bytes, sizeof(struct tp_hist_page),
                    sizeof(struct tp_hist_page) + 64);
    assert_true(tp_hist_add(&h, 1));
    for (uint64_t value = 1; value <= 4096; value *= 2)
        assert_int_equal(hist_count(&h, tp_hist_bucket(value)), value == 1 || value > 512);
    tp_hist_fini(&h);
    assert_int_equal(tp_alloc_live_bytes(), none_bytes);
}

// A quick histogram takes 2 bytes for each value as long as it has few of them.
static void test_a_quick_one_with_few_values_has_no_pages(void **state)
{
    struct tp_hist few = {.is_quick = true}, same = {.is_quick = true};
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    for (unsigned i = 0; i < TP_HIST_FEW_VALUES; i++)
        assert_true(tp_hist_add(&few, UINT64_C(1) << i));
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    for (unsigned i = TP_HIST_FEW_VALUES; i < TP_HIST_QUICK_VALUES; i++)
        assert_true(tp_hist_add(&few, UINT64_C(1) << i));
    assert_false(few.has_pages);
    assert_in_range(tp_alloc_live_bytes() - before_bytes, 2 * TP_HIST_QUICK_VALUES,
                    2 * TP_HIST_QUICK_VALUES + 16);
    assert_true(tp_hist_add_count(&same, 5, TP_HIST_QUICK_VALUES));
    assert_false(same.has_pages);
    assert_true(tp_hist_add_count(&same, 5, 1));
    assert_true(same.has_pages);
    assert_int_equal(hist_count(&same, 5), TP_HIST_QUICK_VALUES + 1);
    tp_hist_fini(&few);
    tp_hist_fini(&same);
}

// A walk goes over the values in ascending order, whatever the order in which they were added.
static void test_values_are_walked_in_order(void **state)
{
    static const unsigned added[] = {70, 5, 3775, 5, 0, 69, 5, 70};
    static const struct {
        unsigned bucket;
        uint64_t count;
    } want[] = {{0, 1}, {5, 3}, {69, 1}, {70, 2}, {3775, 1}};
    struct tp_hist h = {.is_quick = true}, items = {0}, other = {.is_quick = true};
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(added); i++)
        assert_true(tp_hist_add_count(&h, added[i], 1));
    assert_false(h.has_pages);
    // The same as items, and as values that come from items.
    assert_true(tp_hist_merge(&items, &h) && tp_hist_merge(&other, &items));
    const struct tp_hist *all[] = {&h, &items, &other};
    for (unsigned k = 0; k < TP_ARRAY_LEN(all); k++) {
        struct tp_hist_walk walk = {.hist = all[k]};
        for (unsigned i = 0; i < TP_ARRAY_LEN(want); i++) {
            assert_true(tp_hist_walk_next(&walk));
            assert_int_equal(walk.bucket, want[i].bucket);
            assert_int_equal(walk.count, want[i].count);
        }
        assert_false(tp_hist_walk_next(&walk));
    }
    tp_hist_fini(&h);
    tp_hist_fini(&items);
    tp_hist_fini(&other);
}

// What does not come again and again takes next to nothing.
static void test_few_values_take_few_bytes(void **state)
{
    enum { COUNT = 1000 };
    struct tp_hist h = {0};
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    assert_true(tp_hist_add(&h, 1));
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    assert_true(tp_hist_add(&h, UINT64_MAX));
    assert_in_range(tp_alloc_live_bytes() - before_bytes, 1, 64);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(tp_hist_add_count(&h, 3 * i, 1));
    // Pages take less than a list of so many items.
    assert_true(h.has_pages);
    assert_in_range(tp_alloc_live_bytes() - before_bytes, 2 * COUNT, 8 * COUNT);
    tp_hist_fini(&h);
}

// A block of the allocator has a few bytes more than were asked for.
static void expect_bytes(const struct tp_hist *h, uint64_t before_bytes, unsigned most_blocks)
{
    uint64_t live_bytes = tp_alloc_live_bytes() - before_bytes;
    assert_in_range(live_bytes, tp_hist_bytes(h), tp_hist_bytes(h) + 24 * most_blocks);
}

static void test_bytes_are_those_that_live(void **state)
{
    (void)state;
    for (unsigned is_quick = 0; is_quick < 2; is_quick++) {
        struct tp_hist h = {.is_quick = is_quick};
        uint64_t before_bytes = tp_alloc_live_bytes(), seed = 3;
        for (unsigned i = 0; i < 5000; i++) {
            expect_bytes(&h, before_bytes, TP_HIST_PAGES + 2);
            assert_true(tp_hist_add(&h, any_value(&seed)));
        }
        assert_true(tp_hist_add_count(&h, 7, UINT64_C(1) << 60)); // with a high part, on pages
        assert_true(h.has_pages);
        expect_bytes(&h, before_bytes, TP_HIST_PAGES + 2);
        tp_hist_fini(&h);
        assert_int_equal(tp_hist_bytes(&h), 0);
    }
}

static void expect_same(const struct tp_hist *a, const struct tp_hist *b)
{
    struct tp_hist_walk left = {.hist = a}, right = {.hist = b};
    while (tp_hist_walk_next(&left)) {
        assert_true(tp_hist_walk_next(&right));
        assert_int_equal(left.bucket, right.bucket);
        assert_int_equal(left.count, right.count);
    }
    assert_false(tp_hist_walk_next(&right));
}

static void test_merging_is_adding_all(void **state)
{
    enum { PARTS = 5, COUNT = 3000 };
    struct tp_hist all = {0}, parts[PARTS] = {0}, forth = {.is_quick = true}, back = {0};
    uint64_t seed = 23;
    (void)state;
    parts[1].is_quick = parts[2].is_quick = parts[4].is_quick = true;
    for (unsigned i = 0; i < COUNT; i++) {
        uint64_t value = any_value(&seed);
        assert_true(tp_hist_add(&all, value));
        assert_true(tp_hist_add(&parts[next_random(&seed) % PARTS], value));
    }
    for (unsigned i = 0; i < PARTS; i++)
        assert_true(tp_hist_merge(&forth, &parts[i]));
    // In pairs, from behind.
    assert_true(tp_hist_merge(&parts[3], &parts[4]));
    assert_true(tp_hist_merge(&parts[1], &parts[2]));
    assert_true(tp_hist_merge(&back, &parts[3]));
    assert_true(tp_hist_merge(&back, &parts[1]));
    assert_true(tp_hist_merge(&back, &parts[0]));
    expect_same(&forth, &all);
    expect_same(&back, &all);
    for (unsigned i = 0; i < PARTS; i++)
        tp_hist_fini(&parts[i]);
    tp_hist_fini(&all);
    tp_hist_fini(&forth);
    tp_hist_fini(&back);
}

// A page has the low bits of a count; what carries over is elsewhere.
static void test_counts_that_do_not_fit_onto_a_page(void **state)
{
    enum { TIMES = 200000 };
    (void)state;
    struct tp_hist one_by_one = {.is_quick = true}, sum = {.is_quick = true}, few = {0};
    for (unsigned i = 0; i < TIMES; i++)
        assert_true(tp_hist_add(&one_by_one, 70) && tp_hist_add(&one_by_one, 5000 + i % 3));
    assert_int_equal(hist_count(&one_by_one, tp_hist_bucket(70)), TIMES);
    assert_int_equal(hist_count(&one_by_one, tp_hist_bucket(5000)), TIMES);

    // Each of them below what a page holds, and sums of which some are beyond.
    uint64_t want[TP_HIST_BUCKETS] = {0};
    for (unsigned i = 0; i < 5; i++) {
        struct tp_hist part = {.is_quick = true};
        for (unsigned bucket = 600; bucket < 700; bucket += 7) {
            uint64_t count = bucket % 2 == 0 ? 30000 : 3;
            assert_true(tp_hist_add_count(&part, bucket, count));
            want[bucket] += count;
        }
        assert_true(tp_hist_merge(&sum, &part) && tp_hist_merge(&few, &part));
        expect_counts(&sum, want);
        expect_counts(&few, want);
        tp_hist_fini(&part);
    }
    // Merge a histogram with pages into one without, and the result back.
    assert_true(tp_hist_merge(&few, &sum) && tp_hist_merge(&sum, &few));
    for (unsigned bucket = 0; bucket < TP_HIST_BUCKETS; bucket++)
        want[bucket] *= 3;
    expect_counts(&sum, want);
    tp_hist_fini(&one_by_one);
    tp_hist_fini(&sum);
    tp_hist_fini(&few);
}

static int compare_values(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void test_ranks_are_those_of_sorting(void **state)
{
    enum { COUNT = 4000 };
    static uint64_t values[COUNT];
    struct tp_hist h = {0};
    uint64_t seed = 31;
    (void)state;
    assert_int_equal(tp_hist_bucket_of_rank(&h, 1), TP_HIST_BUCKETS);
    for (unsigned i = 0; i < COUNT; i++) {
        values[i] = i < 10 ? (i < 5 ? 0 : UINT64_MAX) : any_value(&seed);
        assert_true(tp_hist_add(&h, values[i]));
    }
    qsort(values, COUNT, sizeof values[0], compare_values);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(tp_hist_bucket_of_rank(&h, i + 1), tp_hist_bucket(values[i]));
    assert_int_equal(tp_hist_bucket_of_rank(&h, COUNT + 1), TP_HIST_BUCKETS);
    tp_hist_fini(&h);
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    struct tp_hist h = {0}, items = {0}, from = {.is_quick = true}, into = {.is_quick = true};
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    tp_alloc_fail_at(1, false);
    assert_true(tp_hist_add(&h, 5)); // in the struct
    assert_false(tp_hist_add(&h, 70));
    assert_int_equal(hist_count(&h, 70), 0);
    assert_int_equal(hist_count(&h, 5), 1);
    assert_true(tp_hist_add(&h, 70));
    assert_int_equal(hist_count(&h, 70), 1);
    assert_int_equal(hist_count(&h, 5), 1);

    // The count needs a high part, the second one, and there is no memory for it.
    add_until_pages(&into);
    assert_true(tp_hist_add_count(&into, 5, UINT16_MAX + 1));
    assert_true(tp_hist_add_count(&into, 70, UINT16_MAX));
    tp_alloc_fail_at(1, false);
    assert_false(tp_hist_add(&into, 70));
    assert_int_equal(hist_count(&into, 70), UINT16_MAX);
    assert_true(tp_hist_add(&into, 70));
    assert_int_equal(hist_count(&into, 70), UINT16_MAX + 1);
    tp_hist_fini(&into);

    // Values are added to values, and there is no memory for more than lie in the struct.
    for (uint64_t i = 0; i <= TP_HIST_FEW_VALUES; i++)
        assert_true(tp_hist_add(&from, i));
    tp_alloc_fail_at(1, false);
    assert_false(tp_hist_merge(&into, &from));
    assert_int_equal(hist_count(&into, TP_HIST_FEW_VALUES), 0);
    tp_hist_fini(&into);

    // Items are joined, and there is no memory for a longer list.
    tp_alloc_fail_at(1, false);
    assert_false(tp_hist_merge(&items, &from));
    assert_int_equal(hist_count(&items, 1), 0);

    // Neither for pages, nor for one of an octave more.
    for (unsigned i = from.count; i < TP_HIST_QUICK_VALUES; i++)
        assert_true(tp_hist_add(&from, 600));
    tp_alloc_fail_at(1, false);
    assert_false(tp_hist_add(&from, 600));
    assert_int_equal(hist_count(&from, tp_hist_bucket(600)), from.count - TP_HIST_FEW_VALUES - 1);
    assert_true(tp_hist_add(&from, 600) && from.has_pages);
    assert_true(tp_hist_add(&from, 2000) && tp_hist_add(&from, 4000));
    tp_alloc_fail_at(1, false);
    assert_false(tp_hist_add(&from, 8000));
    assert_int_equal(hist_count(&from, tp_hist_bucket(8000)), 0);
    assert_true(tp_hist_add(&from, 8000));
    assert_int_equal(hist_count(&from, tp_hist_bucket(8000)), 1);
    tp_hist_fini(&h);
    tp_hist_fini(&items);
    tp_hist_fini(&from);
    tp_hist_fini(&into);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets_leave_no_gap),
        cmocka_unit_test(test_the_middle_is_near),
        cmocka_unit_test(test_counts_are_exact),
        cmocka_unit_test(test_an_octave_takes_memory_when_it_is_used),
        cmocka_unit_test(test_a_quick_one_with_few_values_has_no_pages),
        cmocka_unit_test(test_values_are_walked_in_order),
        cmocka_unit_test(test_few_values_take_few_bytes),
        cmocka_unit_test(test_bytes_are_those_that_live),
        cmocka_unit_test(test_merging_is_adding_all),
        cmocka_unit_test(test_counts_that_do_not_fit_onto_a_page),
        cmocka_unit_test(test_ranks_are_those_of_sorting),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
