// The damager of traces: the same bytes for the same seed, something damaged each
// time, and every kind of damage there is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mutate.h"
#include "mutate_lab.h"
#include "scan_many.h"
#include "synth.h"
#include "wire_build.h"

#define TRACE_BYTES_MAX 400000
#define SEEDS 600

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    wire_put(ctx, bytes, len_bytes);
    return 0;
}

static void generate(struct tp_buf *b, uint64_t version)
{
    struct synth_config c;
    struct synth_totals totals;
    struct tp_error err = {0};
    synth_config_init(&c);
    c.version = version;
    c.generations = 3;
    c.gen_events = 200;
    assert_true(tp_buf_init(b, TRACE_BYTES_MAX));
    assert_int_equal(synth_generate(&c, collect, b, &totals, &err), 0);
}

static struct tp_span bytes_of(const struct tp_buf *b)
{
    return tp_span_of(b->ptr, b->len_bytes);
}

static struct mutate_report mutate(const struct tp_buf *trace, uint64_t seed, struct tp_buf *out)
{
    struct mutate_report report;
    struct tp_error err = {0};
    assert_int_equal(mutate_trace(bytes_of(trace), seed, out, &report, &err), 0);
    assert_in_range(report.step_count, 1, MUTATE_MAX_STEPS);
    return report;
}

static void test_same_seed_same_damage(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        struct tp_buf trace, first, again;
        generate(&trace, wire_versions[v]);
        assert_true(tp_buf_init(&first, mutate_max_bytes(trace.len_bytes)));
        assert_true(tp_buf_init(&again, mutate_max_bytes(trace.len_bytes)));
        for (uint64_t seed = 0; seed < 40; seed++) {
            mutate(&trace, seed, &first);
            mutate(&trace, seed, &again);
            assert_true(tp_span_equals(bytes_of(&first), again.ptr, again.len_bytes));
        }
        tp_buf_fini(&again);
        tp_buf_fini(&first);
        tp_buf_fini(&trace);
    }
}

static void count_steps(const struct mutate_report *report, const char *const *names,
                        unsigned *counts, size_t count)
{
    for (unsigned i = 0; i < report->step_count; i++)
        for (size_t k = 0; k < count; k++)
            counts[k] += strcmp(report->steps[i].name, names[k]) == 0;
}

static void test_every_damage_occurs_and_shows(void **state)
{
    (void)state;
    static const char *const names[] = {
#define TP_X(name, weight) #name,
        MUTATE_MAP(TP_X)
#undef TP_X
    };
    unsigned counts[TP_ARRAY_LEN(names)] = {0};
    struct tp_buf trace, out;
    unsigned unchanged = 0;
    generate(&trace, 26);
    assert_true(tp_buf_init(&out, mutate_max_bytes(trace.len_bytes)));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct mutate_report report = mutate(&trace, seed, &out);
        count_steps(&report, names, counts, TP_ARRAY_LEN(names));
        // A later step may undo an earlier one, but hardly ever does.
        unchanged += tp_span_equals(bytes_of(&out), trace.ptr, trace.len_bytes);
    }
    assert_true(unchanged < SEEDS / 100);
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++)
        if (counts[i] == 0)
            fail_msg("%s never happened", names[i]);
    tp_buf_fini(&out);
    tp_buf_fini(&trace);
}

// The same batches, bodies and tables; only times of threads are later, by the same
// for all batches of a thread.
static void test_skewed_clocks(void **state)
{
    enum { MOST = 3000, BATCHES_MAX = 2000 };
    static struct tp_extent was[BATCHES_MAX], is[BATCHES_MAX];
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        struct tp_buf trace, out;
        struct tp_error err;
        size_t was_count, is_count, later_count = 0;
        uint32_t minor = (uint32_t)wire_versions[v];
        generate(&trace, minor);
        assert_true(tp_buf_init(&out, mutate_max_bytes(trace.len_bytes)));
        assert_int_equal(mutate_skew_clocks(bytes_of(&trace), 5, MOST, &out, &err), 0);
        for (unsigned which = 0; which < 2; which++) {
            struct tp_scan_v2 scan;
            tp_scan_v2_init(&scan, minor, 16);
            scan_many_v2(&scan, tp_span_skip(bytes_of(which == 0 ? &trace : &out), 16), true,
                            which == 0 ? was : is, BATCHES_MAX,
                            which == 0 ? &was_count : &is_count);
        }
        assert_int_equal(is_count, was_count);
        for (size_t i = 0; i < was_count; i++) {
            size_t body_bytes = was[i].len_bytes - was[i].header_bytes;
            assert_int_equal(is[i].kind, was[i].kind);
            assert_int_equal(is[i].m, was[i].m);
            assert_int_equal(is[i].len_bytes - is[i].header_bytes, body_bytes);
            assert_memory_equal(out.ptr + is[i].offset + is[i].header_bytes,
                                trace.ptr + was[i].offset + was[i].header_bytes, body_bytes);
            uint64_t more = is[i].time_ticks - was[i].time_ticks;
            assert_in_range(more, 0, MOST);
            assert_true(more == 0 || (was[i].batch_kind == TP_BATCH_EVENTS &&
                                      was[i].m != UINT64_MAX));
            later_count += more > 0;
        }
        assert_in_range(later_count, 3, was_count);
        assert_int_equal(mutate_skew_clocks(tp_span_of(out.ptr, 10), 5, MOST, &trace, &err),
                         TP_E_NOT_TRACE);
        tp_buf_fini(&out);
        tp_buf_fini(&trace);
    }
}

// Batches in their shortest form, which rewriting makes longer.
static void test_result_is_never_longer_than_promised(void **state)
{
    (void)state;
    struct tp_buf trace, out;
    assert_true(tp_buf_init(&trace, TRACE_BYTES_MAX));
    wire_put_header(&trace, 26);
    for (unsigned i = 0; i < 500; i++)
        wire_put_batch(&trace, &(struct wire_batch){.generation = 1, .short_size = true},
                       tp_span_of("", 0));
    assert_true(tp_buf_init(&out, mutate_max_bytes(trace.len_bytes)));
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        mutate(&trace, seed, &out);
    tp_buf_fini(&out);
    tp_buf_fini(&trace);
}

static void test_header_alone_can_be_damaged(void **state)
{
    (void)state;
    struct tp_buf trace, out;
    assert_true(tp_buf_init(&trace, TRACE_BYTES_MAX));
    wire_put_header(&trace, 22);
    assert_true(tp_buf_init(&out, mutate_max_bytes(trace.len_bytes)));
    for (uint64_t seed = 0; seed < 50; seed++)
        mutate(&trace, seed, &out);
    tp_buf_fini(&out);
    tp_buf_fini(&trace);
}

static void test_other_files_are_refused(void **state)
{
    (void)state;
    struct tp_buf out;
    struct mutate_report report;
    struct tp_error err = {0};
    assert_true(tp_buf_init(&out, mutate_max_bytes(100)));
    assert_int_equal(mutate_trace(tp_span_of("", 0), 1, &out, &report, &err), TP_E_NOT_TRACE);
    assert_int_equal(mutate_trace(tp_span_of("go 1.21 trace\0\0\0", 16), 1, &out, &report, &err),
                     TP_E_NOT_TRACE);
    tp_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed_same_damage),
        cmocka_unit_test(test_every_damage_occurs_and_shows),
        cmocka_unit_test(test_skewed_clocks),
        cmocka_unit_test(test_result_is_never_longer_than_promised),
        cmocka_unit_test(test_header_alone_can_be_damaged),
        cmocka_unit_test(test_other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
