// Checks: each figure of totals by hand, how values are told, and what makes a check fail whatever
// its value is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sink/check/check.h"
#include "stats/totals.h"
#include "synth_rand.h"

static void record(struct tp_totals *s, enum tp_durations_space space, const char *name,
                   uint32_t measure, uint64_t ns, bool is_cut)
{
    uint32_t number;
    assert_true(tp_totals_name(s, space, tp_span_of_text(name), &number));
    assert_true(tp_durations_record(&s->durations, space, number, measure, ns, TP_NO_MOMENT, is_cut));
}

// Evaluates one check. Copies the figure, or the reason, to `to`.
static enum tp_check_verdict verdict_against(const struct tp_totals *s, const struct tp_totals *baseline,
                                             const char *text, char to[TP_CHECK_FOUND_BYTES])
{
    struct tp_checks checks = {0};
    struct tp_error err = {0};
    size_t failed_count;
    if (tp_checks_add(&checks, text, &err) != 0)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(tp_checks_evaluate(&checks, s, baseline, &failed_count, &err), 0);
    const struct tp_check *c = &checks.items[0];
    enum tp_check_verdict verdict = c->verdict;
    assert_int_equal(failed_count, verdict != TP_CHECK_OK);
    if (to != NULL)
        strcpy(to, c->found);
    tp_checks_fini(&checks);
    return verdict;
}

static enum tp_check_verdict verdict_of(const struct tp_totals *s, const char *text,
                                        char to[TP_CHECK_FOUND_BYTES])
{
    const struct tp_totals none = {0};
    return verdict_against(s, &none, text, to);
}

static void expect(const struct tp_totals *s, enum tp_check_verdict verdict, const char *text)
{
    char found[TP_CHECK_FOUND_BYTES];
    if (verdict_of(s, text, found) != verdict)
        fail_msg("%s: %s", text, found);
}

static void test_changes_of_a_baseline(void **state)
{
    (void)state;
    static const struct {
        enum tp_check_verdict verdict;
        const char *text, *found;
    } cases[] = {
        {TP_CHECK_OK, "task(a).max < +20.1%", "+20.0%"},
        {TP_CHECK_FAILED, "task(a).max < +20%", "+20.0%"},
        {TP_CHECK_OK, "task(a).max <= +20%", "+20.0%"},
        {TP_CHECK_OK, "task(a).max > -20%", "+20.0%"},
        {TP_CHECK_OK, "task(a).count <= -50%", "-50.0%"},
        {TP_CHECK_FAILED, "task(a).count >= -40%", "-50.0%"},
        {TP_CHECK_OK, "task(a).count > -200%", "-50.0%"},
        {TP_CHECK_NOT_SEEN, "task(new).max < +20%", "baseline: no trace has it"},
        {TP_CHECK_OK, "task(new).max < +20% or none", "baseline: no trace has it"},
        {TP_CHECK_NOT_SEEN, "task(old).max < +20%", "no trace has it"},
    };
    struct tp_totals s = {.file_count = 1}, baseline = {.file_count = 1};
    char found[TP_CHECK_FOUND_BYTES];
    record(&s, TP_SPACE_TASK, "a", 0, 1200, false);
    record(&s, TP_SPACE_TASK, "new", 0, 1, false);
    record(&baseline, TP_SPACE_TASK, "a", 0, 1000, false);
    record(&baseline, TP_SPACE_TASK, "a", 0, 900, false);
    record(&baseline, TP_SPACE_TASK, "old", 0, 1, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum tp_check_verdict verdict = verdict_against(&s, &baseline, cases[i].text, found);
        if (verdict != cases[i].verdict || strstr(found, cases[i].found) != found)
            fail_msg("%s: %d, %s", cases[i].text, verdict, found);
    }
    tp_totals_fini(&s);
    tp_totals_fini(&baseline);
}

static void test_each_figure(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    for (uint64_t i = 1; i <= 100; i++)
        record(&s, TP_SPACE_TASK, "f(a)", 0, 10 * i, false);
    record(&s, TP_SPACE_TASK, "f(a)", 0, 50, true);
    record(&s, TP_SPACE_TASK, "other", 0, 50550, false);
    record(&s, TP_SPACE_REGION, "f(a)", 0, 7, false);
    expect(&s, TP_CHECK_OK, "task(f(a)).count == 101");
    expect(&s, TP_CHECK_OK, "task(f(a)).total == 50.55us");
    expect(&s, TP_CHECK_OK, "task(f(a)).mean == 505ns");
    expect(&s, TP_CHECK_OK, "task(f(a)).p50 >= 496ns");
    expect(&s, TP_CHECK_OK, "task(f(a)).p50 <= 504ns");
    expect(&s, TP_CHECK_OK, "task(f(a)).p90 <= 908ns");
    expect(&s, TP_CHECK_OK, "task(f(a)).p99 >= 983ns");
    expect(&s, TP_CHECK_OK, "task(f(a)).p99.9 <= 1us");
    expect(&s, TP_CHECK_OK, "task(f(a)).max == 0.000001s");
    expect(&s, TP_CHECK_OK, "task(f(a)).share == 50%");
    expect(&s, TP_CHECK_OK, "region(\"f(a)\").share == 100%");
    tp_totals_fini(&s);
}

static void test_states_are_of_all_goroutines_or_of_a_function(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    const uint32_t reason = TP_MEASURE_FIRST_BLOCK;
    record(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_RUN, 100, false);
    record(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_LIFE, 1000, false);
    record(&s, TP_SPACE_GOROUTINE, "main.a", reason, 200, false);
    record(&s, TP_SPACE_GOROUTINE, "main.a", reason + 1, 100, true);
    record(&s, TP_SPACE_GOROUTINE, "main.b", TP_MEASURE_SCHED, 40, false);
    record(&s, TP_SPACE_GOROUTINE, "main.b", TP_MEASURE_SYSCALL, 60, false);
    expect(&s, TP_CHECK_OK, "running.share == 20%");
    expect(&s, TP_CHECK_OK, "blocked.count == 2");
    expect(&s, TP_CHECK_OK, "blocked.total == 300ns");
    expect(&s, TP_CHECK_OK, "runnable.max == 40ns");
    expect(&s, TP_CHECK_OK, "syscall.share == 12%");
    expect(&s, TP_CHECK_OK, "function(main.a).running.share == 25%");
    expect(&s, TP_CHECK_OK, "function(main.a).blocked.max == 200ns");
    expect(&s, TP_CHECK_OK, "function(main.b).blocked.count == 0");
    expect(&s, TP_CHECK_OK, "function(main.b).blocked.p99 == 0");
    expect(&s, TP_CHECK_OK, "gc.share == 0%");
    tp_totals_fini(&s);
}

static void test_a_wrapped_function_is_found_if_no_goroutine_starts_with_it(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    uint32_t number;
    static const char name[] = "wrap.Go.func1\0main.work";
    assert_true(tp_totals_name(&s, TP_SPACE_WRAPPED, tp_span_of(name, sizeof name - 1), &number));
    assert_true(tp_durations_record(&s.durations, TP_SPACE_WRAPPED, number, TP_MEASURE_FIRST_BLOCK, 30,
                                    TP_NO_MOMENT, false));
    assert_true(tp_durations_record(&s.durations, TP_SPACE_WRAPPED, number, TP_MEASURE_RUN, 10,
                                    TP_NO_MOMENT, false));
    expect(&s, TP_CHECK_OK, "function(main.work).blocked.share == 75%");
    expect(&s, TP_CHECK_NOT_SEEN, "function(wrap.Go.func1).blocked.share == 75%");
    record(&s, TP_SPACE_GOROUTINE, "main.work", TP_MEASURE_RUN, 10, false);
    expect(&s, TP_CHECK_OK, "function(main.work).blocked.share == 0%");
    tp_totals_fini(&s);
}

static void test_what_is_unknown_fails_and_what_is_absent_may_be_allowed(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    char why[TP_CHECK_FOUND_BYTES];
    expect(&s, TP_CHECK_NOT_SEEN, "running.count == 0");
    expect(&s, TP_CHECK_NOT_SEEN, "gc.share == 0");
    expect(&s, TP_CHECK_OK, "gc.share == 0 or none");
    expect(&s, TP_CHECK_NOT_SEEN, "findings.lock == 0");
    expect(&s, TP_CHECK_OK, "findings.lock == 0 or  none ");
    record(&s, TP_SPACE_TASK, "cut", 0, 5, true);
    expect(&s, TP_CHECK_OK, "task(cut).total == 5ns");
    expect(&s, TP_CHECK_NOT_SEEN, "task(cut).max < 1s or none");
    expect(&s, TP_CHECK_OK, "task(absent).max < 1s or none");
    // One of the names that are not kept may be the one.
    assert_true(tp_durations_record(&s.durations, TP_SPACE_TASK, TP_TOTALS_OTHERS, 0, 5, TP_NO_MOMENT, false));
    assert_int_equal(verdict_of(&s, "task(absent).max < 1s or none", why), TP_CHECK_NOT_SEEN);
    assert_string_equal(why, "more names than are kept");
    expect(&s, TP_CHECK_OK, "task((others)).max == 5ns");
    expect(&s, TP_CHECK_NOT_SEEN, "region(absent).max < 1s");
    tp_totals_fini(&s);
}

// Tells the totals of random length in a random unit, and takes what is told as the value.
static void test_a_figure_as_it_is_told_is_equal_to_itself(void **state)
{
    (void)state;
    static const char *const units[] = {"ns", "us", "\xc2\xb5s", "ms", "s"};
    struct synth_rand r = {43};
    for (unsigned i = 0; i < 2000; i++) {
        struct tp_totals s = {0};
        char text[128], found[TP_CHECK_FOUND_BYTES];
        uint64_t ns = synth_next(&r);
        ns >>= synth_below(&r, 64);
        const char *unit = units[synth_below(&r, 5)];
        record(&s, TP_SPACE_TASK, "x", 0, ns, false);
        snprintf(text, sizeof text, "task(x).total>=0%s", unit);
        assert_int_equal(verdict_of(&s, text, found), TP_CHECK_OK);
        snprintf(text, sizeof text, "task(x).total == %s", found);
        expect(&s, TP_CHECK_OK, text);
        snprintf(text, sizeof text, "task(x).total < %s", found);
        expect(&s, TP_CHECK_FAILED, text);
        tp_totals_fini(&s);
    }
}

static void test_sums_of_128_bits_are_told_and_compared(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    uint32_t number;
    char found[TP_CHECK_FOUND_BYTES];
    assert_true(tp_totals_name(&s, TP_SPACE_TASK, tp_span_of_text("x"), &number));
    assert_true(tp_durations_record_sum(&s.durations, TP_SPACE_TASK, number, 0, 3, TP_WIDE_MAX));
    assert_int_equal(verdict_of(&s, "task(x).total > 18446744073709551615s", found), TP_CHECK_OK);
    assert_string_equal(found, "340282366920938463463374607431.768211455s");
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_of_a_baseline),
        cmocka_unit_test(test_each_figure),
        cmocka_unit_test(test_states_are_of_all_goroutines_or_of_a_function),
        cmocka_unit_test(test_a_wrapped_function_is_found_if_no_goroutine_starts_with_it),
        cmocka_unit_test(test_what_is_unknown_fails_and_what_is_absent_may_be_allowed),
        cmocka_unit_test(test_a_figure_as_it_is_told_is_equal_to_itself),
        cmocka_unit_test(test_sums_of_128_bits_are_told_and_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
