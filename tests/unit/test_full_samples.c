// CPU samples by function: in itself and in all that it called, once a sample however often
// it calls itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sink/stats/report/report.h"

static void add_samples(struct tp_totals *s, enum tp_stack_type type, uint64_t count,
                        const char *const *functions)
{
    uint32_t frames[8], depth = 0;
    for (; functions[depth] != NULL; depth++) {
        uint32_t name =
            tp_intern_put(&s->names, tp_span_of(functions[depth], strlen(functions[depth])));
        struct tp_totals_frame frame = {.pc = depth, .function = name, .file = name};
        frames[depth] = tp_totals_frames_put(&s->frames, &s->names, &frame);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, depth);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    assert_true(tp_totals_record_stack(s, stack, type, count, 0));
}
#define STACK(...) (const char *const[]){__VA_ARGS__, NULL}

static void expect(const struct tp_totals *s, const struct tp_stats_config *config,
                   const struct tp_full_sample *want, size_t want_count)
{
    struct tp_full_report r;
    assert_int_equal(tp_full_report_make(config, s, &r, NULL), 0);
    assert_int_equal(r.sample_count, want_count);
    for (size_t i = 0; i < want_count; i++) {
        assert_int_equal(tp_span_compare(r.samples[i].function, want[i].function), 0);
        assert_int_equal(r.samples[i].flat_count, want[i].flat_count);
        assert_int_equal(r.samples[i].count, want[i].count);
    }
    tp_full_report_fini(&r);
}
#define TEXT(text) {(const unsigned char *)(text), sizeof(text) - 1}

static void test_flat_and_cumulative(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    add_samples(&s, TP_STACK_CPU, 5, STACK("leaf", "walk", "walk", "main"));
    add_samples(&s, TP_STACK_CPU, 2, STACK("walk", "main"));
    add_samples(&s, TP_STACK_CPU, 2, STACK("walk", "leaf", "walk"));
    add_samples(&s, TP_STACK_CPU, 9, (const char *const[]){NULL}); // nobody's
    add_samples(&s, TP_STACK_SYNC, 100, STACK("main"));
    const struct tp_full_sample want[] = {
        {TEXT("leaf"), 5, 7}, {TEXT("walk"), 4, 9}, {TEXT("main"), 0, 7}};
    expect(&s, &(struct tp_stats_config){0}, want, TP_ARRAY_LEN(want));
    expect(&s, &(struct tp_stats_config){.by = TP_STATS_BY_FUNCTION}, want, TP_ARRAY_LEN(want));
    expect(&s, &(struct tp_stats_config){.by = TP_STATS_BY_STACK}, NULL, 0);
    expect(&s, &(struct tp_stats_config){.filter = "al"}, &want[1], 1);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flat_and_cumulative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
