// Totals that pass 64 bits: in totals, reports and states.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sink/stats/report/report.h"
#include "state_lab.h"

#define BYTES(text) text, sizeof(text) - 1

static struct tp_totals read_state(const struct state_bytes *b)
{
    struct tp_totals s;
    struct tp_error err;
    if (tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err) != 0)
        fail_msg("%s at %llu", err.text, (unsigned long long)err.offset);
    return s;
}

static void expect_bytes(const struct tp_totals *got, const struct state_bytes *want)
{
    struct state_bytes b = state_of(got);
    assert_true(state_is_same(&b, want));
    tp_free(b.ptr);
}

static void merge(struct tp_totals *into, const struct tp_totals *from)
{
    struct tp_error err;
    assert_int_equal(tp_totals_merge(into, from, &err), 0);
}

#define MAX_64 UINT64_MAX
#define OF_MANY 1000

// Of the longest that there are: each figure that adds up ns is a thousand times 2^64 - 1.
static void make_long(struct tp_totals *s)
{
    uint32_t name, stack;
    *s = (struct tp_totals){.file_count = 1, .duration_ns = MAX_64};
    assert_true(tp_totals_name(s, TP_SPACE_GOROUTINE, tp_span_of("f", 1), &name));
    for (unsigned is_cut = 0; is_cut < 2; is_cut++)
        assert_true(tp_durations_record(&s->durations, TP_SPACE_GOROUTINE, name, TP_MEASURE_RUN,
                                        MAX_64, TP_NO_MOMENT, is_cut > 0));
    stack = tp_totals_put_stack(s, NULL, 0, 0);
    assert_true(tp_totals_record_stack(s, stack, TP_STACK_SYNC, 1, MAX_64));
    s->utilisation = (struct tp_utilisation){
        .file_count = 1, .curve_ns = MAX_64, .mutator_ns = MAX_64, .assist_ns = MAX_64};
    s->gs.others = (struct tp_totals_others){1, {MAX_64, MAX_64, MAX_64, MAX_64}};
    assert_true(tp_totals_add_file(s, "f"));
}

static void expect_many(tp_wide got)
{
    assert_string_equal(tp_wide_text(got).text, "18446744073709551615000");
}

static void test_totals_beyond_64_bits_are_told_and_kept(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    for (unsigned i = 0; i < OF_MANY; i++) {
        struct tp_totals one;
        make_long(&one);
        merge(&s, &one);
        tp_totals_fini(&one);
    }
    struct state_bytes b = state_of(&s);
    tp_totals_fini(&s);
    s = read_state(&b);
    const struct tp_dist *d = s.durations.groups.items[0].dists[TP_MEASURE_RUN];
    expect_many(s.duration_ns);
    expect_many(d->total_ns);
    expect_many(tp_dist_cut_ns(d));
    expect_many(s.by_stack.items[0].total_ns);
    expect_many(s.utilisation.curve_ns);
    expect_many(s.utilisation.assist_ns);
    expect_many(s.gs.others.ns[TP_SPENT_BLOCKED]);
    // Of one file: what was cut, too.
    assert_string_equal(tp_wide_text(s.files.items[0].figures[TP_FILE_RUNNING]).text,
                        "36893488147419103230");
    assert_int_equal(tp_dist_mean_ns(d), MAX_64);
    expect_bytes(&s, &b);
    struct state_bytes report = state_report(&s);
    state_append(&report, "", 1);
    assert_non_null(strstr((char *)report.ptr, "goroutine,f,state,running,1000,"
                                               "18446744073709551615000,18446744073709551615,"));
    assert_non_null(strstr((char *)report.ptr, "\"duration_ns\":18446744073709551615000,"));
    tp_free(report.ptr);
    tp_free(b.ptr);
    tp_totals_fini(&s);
}

// 128 bits, of which nothing is left.
#define GREATEST_WIDE "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\3"

static void test_totals_that_somebody_made_up_end_at_the_greatest(void **state)
{
    static const struct state_section section = {
        TP_SECTION_totals, STATE_TOTALS("\1\0\0\0\0\0\0" GREATEST_WIDE)};
    struct state_bytes b = state_of_sections(&section, 1);
    struct tp_totals s = read_state(&b), again = read_state(&b);
    (void)state;
    assert_true(s.duration_ns == TP_WIDE_MAX);
    merge(&s, &again);
    assert_true(s.duration_ns == TP_WIDE_MAX);
    assert_int_equal(s.file_count, 2);
    tp_totals_fini(&again);
    tp_totals_fini(&s);
    tp_free(b.ptr);
}

// What is recorded one by one behind such a total, too.
static void test_totals_at_the_greatest_stay_there(void **state)
{
    static const uint64_t spent_ns[TP_SPENT_COUNT] = {1, 2, 3, 4};
    struct tp_totals s = {0};
    struct tp_totals_others others = {1, {TP_WIDE_MAX, TP_WIDE_MAX, TP_WIDE_MAX, TP_WIDE_MAX}};
    (void)state;
    uint32_t stack = tp_totals_put_stack(&s, NULL, 0, 0);
    assert_true(tp_totals_record_stack(&s, stack, TP_STACK_SYNC, 1, TP_WIDE_MAX));
    assert_true(tp_totals_record_stack(&s, stack, TP_STACK_SYNC, 1, 1));
    assert_true(s.by_stack.items[0].total_ns == TP_WIDE_MAX);
    tp_totals_others_add(&others, spent_ns);
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        assert_true(others.ns[i] == TP_WIDE_MAX);
    tp_totals_fini(&s);
}

// So do counts, which have 64 bits: states that somebody made up add up to one that can be read.
static void test_counts_end_at_the_greatest(void **state)
{
    struct tp_totals one = {.file_count = MAX_64 / 2 + 1,
                            .stream_bytes = MAX_64,
                            .lost_bytes = MAX_64 / 2 + 1,
                            .unordered_bytes = MAX_64 / 2,
                            .event_count = MAX_64,
                            .doubt_count = MAX_64};
    struct tp_totals sum = {0};
    (void)state;
    one.utilisation.file_count = one.utilisation.left_out_count = MAX_64 / 4 + 1;
    one.taken = (struct tp_taken){one.file_count, {.sec = 100}, {.sec = 200}};
    merge(&sum, &one);
    one.taken.first.sec = 150;
    merge(&sum, &one);
    merge(&sum, &one);
    struct state_bytes b = state_of(&sum);
    struct tp_totals read = read_state(&b);
    assert_int_equal(read.file_count, MAX_64);
    assert_int_equal(read.stream_bytes, MAX_64);
    assert_int_equal(read.lost_bytes, MAX_64);
    assert_int_equal(read.unordered_bytes, MAX_64);
    assert_int_equal(read.event_count, MAX_64);
    assert_int_equal(read.doubt_count, MAX_64);
    assert_int_equal(read.taken.file_count, MAX_64);
    assert_int_equal(read.taken.first.sec, 100);
    assert_int_equal(read.utilisation.file_count, 3 * (MAX_64 / 4 + 1));
    assert_int_equal(read.utilisation.left_out_count, 3 * (MAX_64 / 4 + 1));
    tp_totals_fini(&read);
    tp_totals_fini(&sum);
    tp_free(b.ptr);
    struct tp_wall_timeline times = {.file_count = MAX_64 / 2 + 1}, all_times = {0};
    for (unsigned i = 0; i < 3; i++)
        assert_true(tp_wall_timeline_merge(&all_times, &times));
    assert_int_equal(all_times.file_count, MAX_64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_totals_beyond_64_bits_are_told_and_kept),
        cmocka_unit_test(test_totals_that_somebody_made_up_end_at_the_greatest),
        cmocka_unit_test(test_totals_at_the_greatest_stay_there),
        cmocka_unit_test(test_counts_end_at_the_greatest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
