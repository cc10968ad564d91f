// The sink `stats` over whole traces: the figures equal those of the generator
// and of a plain reader, and do not depend on how the trace is cut into units.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/idset.h"
#include "decode/event_v2.h"
#include "scan_many.h"
#include "sink/stats/level.h"
#include "synth.h"

#define OUTPUT_BYTES (1 << 17)
#define TRACE_BYTES (4 << 20)
#define SLACK_BYTES 64
#define EXTENTS_MAX 4096

struct trace {
    unsigned char bytes[TRACE_BYTES + SLACK_BYTES];
    size_t len_bytes;
    struct synth_totals totals;
};

struct output {
    struct tp_out out;
    char text[OUTPUT_BYTES];
    size_t len_bytes;
};

static int keep_trace(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    struct trace *t = ctx;
    assert_true(len_bytes <= TRACE_BYTES - t->len_bytes);
    memcpy(t->bytes + t->len_bytes, bytes, len_bytes);
    t->len_bytes += len_bytes;
    return 0;
}

static void generate(struct trace *t, const struct synth_config *config)
{
    t->len_bytes = 0;
    assert_int_equal(synth_generate(config, keep_trace, t, &t->totals, NULL), 0);
}

static struct synth_config config_of(uint64_t version)
{
    struct synth_config config;
    synth_config_init(&config);
    config.version = version;
    config.generations = 5;
    config.goroutines = 300;
    config.threads = 9;
    config.procs = 6;
    config.batch_bytes = 2000;
    config.alloc_free = version >= 23;
    return config;
}

extern const struct tp_sink_def tp_sink_stats;

static int keep_output(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct output *o = (struct output *)out;
    (void)err;
    assert_true(bytes.len_bytes < sizeof o->text - o->len_bytes);
    memcpy(o->text + o->len_bytes, bytes.ptr, bytes.len_bytes);
    o->len_bytes += bytes.len_bytes;
    o->text[o->len_bytes] = '\0';
    return 0;
}

static struct output *output_reset(struct output *o)
{
    o->out.write = keep_output;
    o->len_bytes = 0;
    o->text[0] = '\0';
    return o;
}

// Calls the hooks for one input, as the pipeline does.
struct host {
    struct tp_sink_call call;
    struct tp_input_info info;
    struct tp_generation generation;
    struct output *output;
    struct tp_sink_notes notes;
};

static int play_unit(struct host *h, const struct tp_unit *unit)
{
    const struct tp_input_hooks *hooks = &tp_stats_counts_plan.input;
    int code = tp_stats_counts_plan.unit.work(&h->call, unit, NULL);
    if (code == 0)
        code = hooks->commit(&h->call, unit, NULL);
    const unsigned char *at = unit->bytes.ptr;
    for (size_t i = 0; i < unit->extent_count && code == 0; i++) {
        const struct tp_extent *x = &unit->extents[i];
        if (tp_generation_is_closed_by(&h->generation, x)) {
            code = hooks->generation(&h->call, &h->generation, NULL);
            tp_generation_reset(&h->generation);
        }
        if (code == 0)
            code = tp_generation_add(&h->generation, x, tp_span_of(at, x->len_bytes),
                                     h->info.format.minor, NULL);
        at += x->len_bytes;
    }
    return code;
}

static int play_input(struct host *h, const struct trace *t, size_t unit_extents)
{
    static struct tp_extent extents[EXTENTS_MAX];
    const struct tp_input_hooks *hooks = &tp_stats_counts_plan.input;
    struct tp_input_report report = {.stored_bytes = t->len_bytes, .stream_bytes = t->len_bytes};
    struct tp_scan_v2 scan;
    size_t offset = h->info.format.header_bytes, extent_count = unit_extents;
    int code = hooks->open(&h->call, &h->info, NULL);
    tp_scan_v2_init(&scan, h->info.format.minor, offset);
    while (code == 0 && extent_count == unit_extents) {
        size_t left_bytes = t->len_bytes - offset;
        size_t used_bytes = scan_many_v2(&scan, tp_span_of(t->bytes + offset, left_bytes), true,
                                            extents, unit_extents, &extent_count);
        const struct tp_unit unit = {.input = &h->info,
                                     .offset = offset,
                                     .bytes = tp_span_of(t->bytes + offset, used_bytes),
                                     .extents = extents,
                                     .extent_count = extent_count};
        code = play_unit(h, &unit);
        for (size_t i = 0; i < extent_count; i++)
            report.lost_bytes += extents[i].kind == TP_EXTENT_LOST ? extents[i].len_bytes : 0;
        offset += used_bytes;
    }
    if (code == 0 && h->generation.number != 0)
        code = hooks->generation(&h->call, &h->generation, NULL);
    if (code == 0)
        code = hooks->finish(&h->call, &h->info, &report, NULL);
    return code;
}

// A run over one trace, in units of `unit_extents`; what is printed is in `o`.
static int play(const struct trace *t, size_t unit_extents, const char *options, struct output *o)
{
    const struct tp_sink_plan *plan = &tp_stats_counts_plan;
    struct tp_stats_config config = {0};
    struct host h = {.output = output_reset(o), .info = {.path = "t.trace"}};
    assert_int_equal(tp_opts_parse(tp_sink_stats.options, &config, options, NULL), 0);
    assert_int_equal(
        tp_format_detect(tp_span_of(t->bytes, t->len_bytes), true, &h.info.format),
        TP_FORMAT_KNOWN);
    h.call.config = &config;
    h.call.notes = &h.notes;
    h.call.out = &o->out;
    h.call.run_state = calloc(1, plan->run_state_bytes);
    h.call.unit_state = calloc(1, plan->unit_state_bytes);
    h.call.input_state = calloc(1, plan->input_state_bytes);
    tp_generation_init(&h.generation, TP_MIB(16));
    int code = plan->run.begin(&h.call, NULL);
    if (code == 0)
        code = play_input(&h, t, unit_extents);
    const struct tp_run_figures figures = {0};
    if (code == 0)
        code = plan->run.end(&h.call, &figures, NULL);
    plan->input.fini(h.call.input_state);
    plan->unit.fini(h.call.unit_state);
    tp_generation_fini(&h.generation);
    free(h.call.input_state);
    free(h.call.unit_state);
    free(h.call.run_state);
    return code;
}

static struct trace trace;
static struct output output, other_output;

static void assert_has(const char *part)
{
    if (strstr(output.text, part) == NULL)
        fail_msg("%s is missing in:\n%s", part, output.text);
}

static void assert_figure(const char *key, uint64_t value)
{
    char part[96];
    snprintf(part, sizeof part, "\"%s\":%llu,", key, (unsigned long long)value);
    assert_has(part);
}

static void test_counts_are_those_of_the_generator(void **state)
{
    static const uint64_t versions[] = {22, 23, 25, 26};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(versions); i++) {
        struct synth_config config = config_of(versions[i]);
        generate(&trace, &config);
        assert_int_equal(play(&trace, EXTENTS_MAX, "format=json", &output), 0);
        assert_figure("batch_count", trace.totals.batch_count);
        assert_figure("timed_events", trace.totals.event_count);
        assert_figure("generation_count", 5);
        assert_figure("undecoded_bytes", 0);
        uint64_t event_count = 0;
        for (size_t type = 0; type < TP_EVENT_CODES; type++) {
            uint64_t count = trace.totals.code_counts[type];
            char part[96];
            event_count += count;
            snprintf(part, sizeof part, "{\"type\":\"%s\",\"count\":%llu,",
                     count > 0 ? tp_event_specs[type].name : "", (unsigned long long)count);
            if (count > 0)
                assert_has(part);
        }
        assert_figure("events", event_count);
    }
}

static void test_units_of_any_size_print_the_same(void **state)
{
    static const size_t sizes[] = {1, 2, 7, 100};
    static const char *const formats[] = {"format=text", "format=json", "format=csv,level=counts"};
    (void)state;
    for (unsigned damaged = 0; damaged < 3; damaged++) {
        struct synth_config config = config_of(damaged == 1 ? 25 : 26);
        if (damaged > 0) {
            config.overwrite_at = 30000;
            config.overwrite_len = damaged == 1 ? 3 : 5000;
            config.overwrite_byte = 255;
        }
        generate(&trace, &config);
        for (size_t f = 0; f < TP_ARRAY_LEN(formats); f++) {
            assert_int_equal(play(&trace, EXTENTS_MAX, formats[f], &output), 0);
            for (size_t i = 0; i < TP_ARRAY_LEN(sizes); i++) {
                assert_int_equal(play(&trace, sizes[i], formats[f], &other_output), 0);
                assert_string_equal(output.text, other_output.text);
            }
        }
    }
}

// Ids and clock readings of a trace, found by reading every event.
struct plain {
    struct tp_idset goroutines, procs, threads;
    uint64_t least_ticks, greatest_ticks;
};

static void read_batch(struct plain *p, const struct tp_extent *x, uint32_t minor)
{
    const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_LENIENT);
    const unsigned char *at = trace.bytes + x->offset + x->header_bytes;
    const unsigned char *end = trace.bytes + x->offset + x->len_bytes;
    uint64_t now_ticks = x->time_ticks;
    struct tp_wire_event ev;
    while (at < end) {
        assert_int_equal(tp_event_read(&at, end, table, &ev), TP_EVENT_OK);
        const char *name = tp_event_specs[ev.type].name;
        if (strncmp(name, "GoCreate", 8) == 0 || strncmp(name, "GoStatus", 8) == 0)
            assert_int_equal(tp_idset_add(&p->goroutines, ev.args[1], NULL), 0);
        if (strcmp(name, "ProcStart") == 0 || strcmp(name, "ProcStatus") == 0)
            assert_int_equal(tp_idset_add(&p->procs, ev.args[1], NULL), 0);
        if (x->batch_kind == TP_BATCH_EVENTS)
            now_ticks += ev.args[0];
    }
    if (x->batch_kind != TP_BATCH_EVENTS)
        return;
    if (x->m != UINT64_MAX)
        assert_int_equal(tp_idset_add(&p->threads, x->m, NULL), 0);
    if (now_ticks > p->greatest_ticks)
        p->greatest_ticks = now_ticks;
}

static void read_plainly(struct plain *p)
{
    static struct tp_extent extents[EXTENTS_MAX];
    struct tp_format format;
    struct tp_scan_v2 scan;
    size_t extent_count;
    *p = (struct plain){.least_ticks = UINT64_MAX};
    tp_idset_init(&p->goroutines, TP_MIB(16));
    tp_idset_init(&p->procs, TP_MIB(16));
    tp_idset_init(&p->threads, TP_MIB(16));
    tp_format_detect(tp_span_of(trace.bytes, trace.len_bytes), true, &format);
    tp_scan_v2_init(&scan, format.minor, format.header_bytes);
    scan_many_v2(
        &scan, tp_span_of(trace.bytes + format.header_bytes, trace.len_bytes - format.header_bytes),
        true, extents, EXTENTS_MAX, &extent_count);
    assert_true(extent_count < EXTENTS_MAX);
    for (size_t i = 0; i < extent_count; i++) {
        const struct tp_extent *x = &extents[i];
        if (x->kind != TP_EXTENT_BATCH)
            continue;
        if (x->time_ticks < p->least_ticks)
            p->least_ticks = x->time_ticks;
        if (x->batch_kind != TP_BATCH_EXPERIMENTAL)
            read_batch(p, x, format.minor);
    }
}

static void free_plain(struct plain *p)
{
    tp_idset_fini(&p->goroutines);
    tp_idset_fini(&p->procs);
    tp_idset_fini(&p->threads);
}

static void test_ids_and_times_are_those_of_a_plain_reader(void **state)
{
    static const uint64_t versions[] = {22, 25, 26};
    // Around the number of Ps that are marked in a bitmap.
    static const uint64_t proc_counts[] = {6, 1024, 1500};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(versions); i++) {
        struct synth_config config = config_of(versions[i]);
        struct plain plain;
        config.procs = proc_counts[i];
        config.freq = 1000000000;
        generate(&trace, &config);
        read_plainly(&plain);
        assert_int_equal(play(&trace, 50, "format=json", &output), 0);
        assert_figure("goroutine_count", tp_idset_count(&plain.goroutines));
        assert_figure("proc_count", tp_idset_count(&plain.procs));
        assert_figure("thread_count", tp_idset_count(&plain.threads));
        assert_figure("begin_ns", plain.least_ticks);
        assert_figure("end_ns", plain.greatest_ticks);
        assert_figure("duration_ns", plain.greatest_ticks - plain.least_ticks);
        assert_int_equal(strstr(output.text, "\"wall_start_ns\":null") != NULL,
                         versions[i] < 25);
        free_plain(&plain);
    }
}

static void test_a_bare_header_has_no_figures(void **state)
{
    struct synth_config config = config_of(26);
    (void)state;
    config.generations = 0;
    generate(&trace, &config);
    assert_int_equal(play(&trace, 100, "format=json", &output), 0);
    assert_figure("events", 0);
    assert_figure("generation_count", 0);
    assert_has("\"duration_ns\":null,");
}

static void test_no_frequency_is_no_duration(void **state)
{
    struct synth_config config = config_of(23);
    (void)state;
    config.zero_freq = 1;
    generate(&trace, &config);
    assert_int_equal(play(&trace, 100, "format=json", &output), 0);
    assert_has("\"begin_ns\":null,\"end_ns\":null,\"duration_ns\":null,");
}

static void test_every_failing_allocation_is_reported(void **state)
{
    struct synth_config config = config_of(26);
    (void)state;
    config.procs = 1200;
    generate(&trace, &config);
    uint64_t live_bytes = tp_alloc_live_bytes();
    for (uint64_t nth = 1;; nth++) {
        tp_alloc_fail_at(nth, false);
        int code = play(&trace, 100, "", &output);
        tp_alloc_fail_at(0, false);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
        if (code == 0) {
            assert_true(nth > 10);
            return;
        }
        assert_int_equal(code, TP_E_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_those_of_the_generator),
        cmocka_unit_test(test_units_of_any_size_print_the_same),
        cmocka_unit_test(test_ids_and_times_are_those_of_a_plain_reader),
        cmocka_unit_test(test_a_bare_header_has_no_figures),
        cmocka_unit_test(test_no_frequency_is_no_duration),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
