// Peaks of goroutines that wait for a P: by hand, against a sum over all buckets, and in any order, with
// names that come late.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/figures/peaks.h"
#include "synth_rand.h"

#define MS INT64_C(1000000)

static void add(struct tp_peaks *p, uint32_t who, int64_t begin_ns, int64_t end_ns)
{
    const struct tp_peak_wait wait = {.begin_ns = begin_ns, .end_ns = end_ns, .who = who};
    assert_true(tp_peaks_add(p, &wait));
}

#define FUNCTIONS 5
struct peaks {
    struct tp_peak of[FUNCTIONS];
    struct tp_peak all;
};

static bool keep(void *ctx, const struct tp_peak *peak)
{
    ((struct peaks *)ctx)->of[peak->who] = *peak;
    return true;
}

static bool is_before(void *ctx, uint32_t a, uint32_t b)
{
    (void)ctx;
    return a < b;
}

static struct peaks end(struct tp_peaks *p)
{
    struct peaks peaks = {0};
    assert_true(tp_peaks_by_function(p, keep, &peaks));
    peaks.all = tp_peaks_of_all(p, is_before, NULL);
    tp_peaks_fini(p);
    return peaks;
}

static void expect(const struct tp_peak *peak, uint32_t who, uint64_t thousandths, int64_t begin_ns,
                   uint64_t width_ns)
{
    assert_int_equal(peak->who, who);
    assert_int_equal(peak->thousandths, thousandths);
    assert_int_equal(peak->begin_ns, begin_ns);
    assert_int_equal(peak->width_ns, width_ns);
}

static void test_a_burst_in_a_long_trace(void **state)
{
    struct tp_peaks p = {0};
    (void)state;
    for (int i = 0; i < 400; i++)
        add(&p, 1, 5000 * MS + i, 5080 * MS + i);
    for (int64_t at = 0; at < 10000; at += 10)
        add(&p, 2, at * MS, at * MS + 2 * MS);
    const struct peaks peaks = end(&p);
    // Buckets of 4.19 ms: the first whole one of the burst.
    const uint64_t width_ns = UINT64_C(1) << 22;
    const int64_t whole = (5000 * MS / (1 << 22) + 1) << 22;
    assert_int_equal(peaks.all.who, 1);
    assert_true(peaks.all.thousandths >= 400000 && peaks.all.thousandths < 401000);
    assert_true(peaks.all.begin_ns >= whole && peaks.all.begin_ns < 5080 * MS);
    expect(&peaks.of[1], 1, 400000, whole, width_ns);
    assert_int_equal(peaks.of[2].thousandths, 476); // 2 ms of 4.19 ms
}

static void test_one_wait(void **state)
{
    struct tp_peaks p = {0};
    (void)state;
    add(&p, 3, 100, 65536);
    const struct peaks peaks = end(&p);
    expect(&peaks.of[3], 3, 998, 100, 65536); // 65,436 of 65,536 ns
    expect(&peaks.all, 3, 998, 100, 65536);
}

static void test_nothing(void **state)
{
    struct tp_peaks p = {0};
    (void)state;
    const struct peaks peaks = end(&p);
    assert_int_equal(peaks.all.thousandths, 0);
}

// RANDOM WAITS

#define WAITS 3000
static struct tp_peak_wait waits[WAITS];

static void make_waits(uint64_t seed, int64_t span_ns)
{
    struct synth_rand rand = {.state = seed};
    for (size_t i = 0; i < WAITS; i++) {
        int64_t begin_ns = (int64_t)synth_below(&rand, (uint64_t)span_ns);
        waits[i] = (struct tp_peak_wait){.begin_ns = begin_ns,
                                         .end_ns = begin_ns + (int64_t)synth_below(&rand, 50000000),
                                         .who = (uint32_t)synth_below(&rand, FUNCTIONS)};
    }
}

// Returns the greatest mean of one function, or of all, over buckets of this width.
static struct tp_peak naive(uint32_t who, bool all, unsigned shift)
{
    struct tp_peak peak = {.width_ns = UINT64_C(1) << shift, .who = who};
    int64_t first_ns = INT64_MAX, last_ns = 0;
    __int128 most = 0;
    for (size_t i = 0; i < WAITS; i++) {
        first_ns = waits[i].begin_ns < first_ns ? waits[i].begin_ns : first_ns;
        last_ns = waits[i].end_ns > last_ns ? waits[i].end_ns : last_ns;
    }
    for (int64_t b = first_ns >> shift; b <= last_ns >> shift; b++) {
        int64_t from = b << shift, to = (b + 1) << shift;
        __int128 sum = 0;
        for (size_t i = 0; i < WAITS; i++) {
            int64_t begin = waits[i].begin_ns > from ? waits[i].begin_ns : from;
            int64_t stop = waits[i].end_ns < to ? waits[i].end_ns : to;
            sum += (all || waits[i].who == who) && stop > begin ? stop - begin : 0;
        }
        if (sum > most) {
            most = sum;
            peak.begin_ns = from > first_ns ? from : first_ns;
        }
    }
    peak.thousandths = (uint64_t)(most * 1000 >> shift);
    return peak;
}

static void expect_naive(const struct peaks *peaks)
{
    unsigned shift = (unsigned)__builtin_ctzll(peaks->all.width_ns);
    for (uint32_t who = 0; who < FUNCTIONS; who++) {
        const struct tp_peak want = naive(who, false, shift);
        expect(&peaks->of[who], who, want.thousandths, want.begin_ns, want.width_ns);
    }
    const struct tp_peak want = naive(0, true, shift);
    expect(&peaks->all, peaks->all.who, want.thousandths, want.begin_ns, want.width_ns);
}

static void test_against_a_sum_over_all_buckets(void **state)
{
    static const int64_t spans_ns[] = {10 * MS, 1000 * MS, 4000 * MS};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(spans_ns); i++) {
        struct tp_peaks p = {0};
        make_waits(i + 1, spans_ns[i]);
        for (size_t k = 0; k < WAITS; k++)
            assert_true(tp_peaks_add(&p, &waits[k]));
        const struct peaks peaks = end(&p);
        expect_naive(&peaks);
    }
}

// Each goroutine has some waits before its name is known. Lives have numbers from 100 on.
static void test_any_order_and_late_names(void **state)
{
    struct tp_peaks p = {0};
    (void)state;
    make_waits(7, 4000 * MS);
    for (size_t k = 0; k < WAITS; k++)
        assert_true(tp_peaks_add(&p, &waits[k]));
    const struct peaks want = end(&p);
    for (uint64_t way = 0; way < 4; way++) {
        struct synth_rand rand = {.state = way + 3};
        for (size_t k = 0; k < WAITS; k++) {
            struct tp_peak_wait wait = waits[(k * 1001 + way * 17) % WAITS];
            uint32_t function = wait.who;
            wait.is_unnamed = synth_below(&rand, 2) == 0;
            wait.who = wait.is_unnamed ? 100 + (uint32_t)(k % 50) * FUNCTIONS + function : function;
            assert_true(tp_peaks_add(&p, &wait));
            struct tp_map names = {0};
            for (uint32_t life = 0; k % 100 == 99 && life < 50; life += 1 + (uint32_t)way) {
                for (uint32_t f = 0; f < FUNCTIONS; f++)
                    assert_true(tp_map_put(&names, 100 + life * FUNCTIONS + f, f + 1));
            }
            assert_true(tp_peaks_name(&p, &names));
            tp_map_fini(&names);
        }
        struct tp_map names = {0};
        for (uint32_t life = 0; life < 50 * FUNCTIONS; life++)
            assert_true(tp_map_put(&names, 100 + life, life % FUNCTIONS + 1));
        assert_true(tp_peaks_name(&p, &names));
        tp_map_fini(&names);
        assert_int_equal(p.lives.count, 0);
        const struct peaks got = end(&p);
        for (uint32_t who = 0; who < FUNCTIONS; who++)
            expect(&got.of[who], who, want.of[who].thousandths, want.of[who].begin_ns,
                   want.of[who].width_ns);
        expect(&got.all, want.all.who, want.all.thousandths, want.all.begin_ns, want.all.width_ns);
    }
}

// More functions than buckets fit: buckets get wider, whatever comes first.
static void test_too_many_steps(void **state)
{
    struct tp_peaks p = {0}, backwards = {0};
    enum { MANY = 2 * TP_PEAK_STEPS_MAX };
    (void)state;
    for (int i = 0; i < MANY; i++) {
        uint32_t who = (uint32_t)(i % 64);
        add(&p, who, i * MS / 4, i * MS / 4 + MS);
        who = (uint32_t)((MANY - 1 - i) % 64);
        add(&backwards, who, (MANY - 1 - i) * MS / 4, (MANY - 1 - i) * MS / 4 + MS);
    }
    assert_true(p.functions.count <= TP_PEAK_STEPS_MAX);
    assert_true(p.functions.shift > p.lives.shift);
    assert_int_equal(p.functions.shift, backwards.functions.shift);
    assert_int_equal(p.functions.count, backwards.functions.count);
    assert_true(tp_peaks_bytes(&p) < 16 << 20);
    tp_peaks_fini(&p);
    tp_peaks_fini(&backwards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_burst_in_a_long_trace),
        cmocka_unit_test(test_one_wait),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_against_a_sum_over_all_buckets),
        cmocka_unit_test(test_any_order_and_late_names),
        cmocka_unit_test(test_too_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
