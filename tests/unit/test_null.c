// The null sink: how far the pipeline goes for it, what it counts, its table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text/opts.h"
#include "sink_drive.h"
#include "synth.h"

extern const struct tp_sink_def tp_sink_null;

#define TRACE_MAX_BYTES TP_MIB(8)

static struct sink_drive drive;
static struct tp_buf trace;
static struct synth_totals totals;

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    return tp_buf_put(ctx, bytes, len_bytes) ? 0 : TP_E_WRITE;
}

static int set_up(void **state)
{
    (void)state;
    struct synth_config config;
    struct tp_error err = {0};
    synth_config_init(&config);
    config.alloc_free = 1;
    if (!sink_drive_init(&drive, &tp_sink_null) || !tp_buf_init(&trace, TRACE_MAX_BYTES))
        return -1;
    drive.figures = (struct tp_run_figures){
        .stored_bytes = 1000,
        .stream_bytes = 4000,
        .wall_ns = 1000000000,
        .cpu_ns = 2000000000,
        .scan_cpu_ns = 500000000,
        .work_cpu_ns = 1000000000,
        .peak_rss_bytes = 7777,
    };
    return synth_generate(&config, collect, &trace, &totals, &err);
}

static int tear_down(void **state)
{
    (void)state;
    sink_drive_fini(&drive);
    tp_buf_fini(&trace);
    return 0;
}

static const char *run(const char *options, size_t unit_bytes)
{
    struct tp_error err = {0};
    drive.options = options;
    drive.unit_bytes = unit_bytes;
    if (sink_drive_run(&drive, tp_span_of(trace.ptr, trace.len_bytes), &err) != 0)
        fail_msg("%s", err.text);
    assert_true(tp_buf_put(&drive.out, "", 1));
    return (const char *)drive.out.ptr;
}

static void test_until_decides_how_far_the_pipeline_goes(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        enum tp_need need;
    } rows[] = {
        {"until=read", TP_NEED_READ},
        {"until=scan", TP_NEED_SCAN},
        {"until=decode", TP_NEED_UNITS},
        {"until=order", TP_NEED_FOLD},
        {NULL, TP_NEED_UNITS},
    };
    void *config = tp_alloc_zero(tp_sink_null.config_bytes);
    struct tp_sink_plan plan;
    assert_non_null(config);
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        memcpy(config, tp_sink_null.defaults, tp_sink_null.config_bytes);
        assert_int_equal(tp_opts_parse(tp_sink_null.options, config, rows[i].options, NULL), 0);
        tp_sink_null.plan(config, &plan);
        assert_int_equal(plan.need, rows[i].need);
    }
    tp_free(config);
}

static void test_every_event_is_decoded(void **state)
{
    (void)state;
    uint64_t want = 0;
    for (unsigned code = 0; code < 256; code++)
        want += totals.code_counts[code];
    static const size_t unit_bytes[] = {0, 1, 5000};
    uint64_t sums[TP_ARRAY_LEN(unit_bytes)];
    for (size_t i = 0; i < TP_ARRAY_LEN(unit_bytes); i++) {
        const char *text = run(NULL, unit_bytes[i]);
        uint64_t bytes, events;
        const char *row = strstr(text, "\ndecode ");
        assert_non_null(row);
        assert_int_equal(sscanf(row, " decode %" SCNu64 " %" SCNu64, &bytes, &events), 2);
        assert_int_equal(bytes, 4000);
        assert_int_equal(events, want);
        const char *sum = strstr(text, "decoded: ");
        assert_non_null(sum);
        assert_int_equal(sscanf(sum, "decoded: %" SCNx64, &sums[i]), 1);
    }
    assert_int_equal(sums[0], sums[1]);
    assert_int_equal(sums[0], sums[2]);
}

static void test_table_prices_each_stage(void **state)
{
    (void)state;
    // The driver always works; only the rows are of interest here.
    const char *text = run("until=scan", 0);
    assert_null(strstr(text, "decode"));
    assert_non_null(strstr(text, "\nread "));
    assert_non_null(strstr(text, "  0.500 "));
    assert_non_null(strstr(text, "\nscan "));
    assert_non_null(strstr(text, "  8000 ")); // 4000 bytes in half a second
    assert_non_null(strstr(text, "  7777\n"));
    text = run("until=read", 0);
    assert_null(strstr(text, "scan"));
    assert_null(strstr(text, "4000"));
}

static void test_a_run_of_nothing_prints_dashes(void **state)
{
    (void)state;
    struct tp_run_figures figures = drive.figures;
    size_t len_bytes = trace.len_bytes;
    drive.figures = (struct tp_run_figures){0};
    trace.len_bytes = 16;
    assert_string_equal(run("until=read", 0),
                        "stage  bytes  events  seconds  bytes/s  events/s  ns/event  peak RSS\n"
                        "read       -       -    0.000        -         -         -         -\n"
                        "cpu        -       -    0.000        -         -         -         -\n"
                        "wall       -       -    0.000        -         -         -         -\n");
    trace.len_bytes = len_bytes;
    drive.figures = figures;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_until_decides_how_far_the_pipeline_goes),
        cmocka_unit_test(test_every_event_is_decoded),
        cmocka_unit_test(test_table_prices_each_stage),
        cmocka_unit_test(test_a_run_of_nothing_prints_dashes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
