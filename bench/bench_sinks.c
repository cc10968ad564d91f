// The `work` hooks of sinks that read events: what a worker does with a segment,
// without the pipeline around it.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/opts.h"
#include "bench.h"
#include "sink/sink.h"
#include "sink/stats/level.h"

struct job {
    struct tp_sink_plan plan;
    struct tp_sink_call call;
    struct tp_input_info input;
    struct tp_unit *units;
    size_t unit_count;
    struct tp_buf buf;
    uint64_t made_bytes;
};

static void cut_units(struct job *job, const struct bench_trace *t)
{
    job->units = tp_alloc_array(t->extent_count, sizeof job->units[0]);
    bench_require(job->units != NULL, "out of memory");
    struct tp_unit *unit = NULL;
    for (size_t i = 0; i < t->extent_count; i++) {
        const struct tp_extent *x = &t->extents[i];
        if (unit == NULL || unit->bytes.len_bytes >= TP_SEGMENT_BYTES ||
            unit->extent_count == TP_UNIT_EXTENTS) {
            unit = &job->units[job->unit_count++];
            *unit = (struct tp_unit){.input = &job->input,
                                     .offset = x->offset,
                                     .bytes = tp_span_of(t->bytes.ptr + x->offset, 0),
                                     .extents = x};
        }
        unit->bytes.len_bytes += x->len_bytes;
        unit->extent_count++;
    }
}

static void job_init(struct job *job, const char *sink, const struct bench_trace *t)
{
    struct tp_error err = {0};
    const struct tp_sink_def *def = tp_sink_find(sink, strlen(sink));
    bench_require(def != NULL, sink);
    void *config = tp_alloc_zero(def->config_bytes);
    bench_require(config != NULL, "out of memory");
    if (def->defaults != NULL)
        memcpy(config, def->defaults, def->config_bytes);
    // Its other levels take no segments.
    if (strcmp(sink, "stats") == 0)
        ((struct tp_stats_config *)config)->level = TP_STATS_LEVEL_COUNTS;
    *job = (struct job){.input = {.path = "generated", .format = t->format}, .call.config = config};
    def->plan(config, &job->plan);
    const struct tp_sink_plan *plan = &job->plan;
    job->call.buf = &job->buf;
    bench_require(plan->unit_kind == TP_UNIT_SEGMENT, sink);
    job->call.unit_state = tp_alloc_zero(plan->unit_state_bytes);
    bench_require(job->call.unit_state != NULL, "out of memory");
    bench_require(plan->unit_output_bytes == 0 || tp_buf_init(&job->buf, plan->unit_output_bytes),
                  "out of memory");
    bench_require(plan->unit.init == NULL || plan->unit.init(&job->call, &err) == 0, err.text);
    cut_units(job, t);
}

static void job_fini(struct job *job)
{
    if (job->plan.unit.fini != NULL)
        job->plan.unit.fini(job->call.unit_state);
    tp_free((void *)job->call.config);
    tp_free(job->call.unit_state);
    tp_free(job->units);
    tp_buf_fini(&job->buf);
}

static uint64_t work_all(void *ctx)
{
    struct job *job = ctx;
    struct tp_error err = {0};
    job->made_bytes = 0;
    for (size_t i = 0; i < job->unit_count; i++) {
        tp_buf_reset(&job->buf);
        int rc = job->plan.unit.work(&job->call, &job->units[i], &err);
        bench_require(rc == 0, err.text);
        job->made_bytes += job->buf.len_bytes;
    }
    return job->made_bytes;
}

static void run(const struct bench_options *o, const char *sink, const struct bench_trace *t)
{
    struct job job;
    char name[64];
    job_init(&job, sink, t);
    snprintf(name, sizeof name, "%s %s", sink, t->name);
    bench_run(o, name, (struct bench_work){t->event_count, t->bytes.len_bytes}, work_all, &job);
    job_fini(&job);
}

int main(int argc, char **argv)
{
    static const char *const sinks[] = {"stats", "footprint", "text"};
    struct bench_options o;
    bench_options_init(&o, argc, argv);
    bench_print_head("events (GB/s of input)");
    for (enum bench_shape shape = 0; shape < BENCH_SHAPES; shape++) {
        struct bench_trace t;
        bench_trace_init(&t, shape, &o);
        for (size_t i = 0; i < TP_ARRAY_LEN(sinks); i++)
            run(&o, sinks[i], &t);
        bench_trace_fini(&t);
    }
    return 0;
}
