#include "pipeline/run_sink.h"

#include <assert.h>

#include "base/alloc.h"

static enum tp_lane_id lane_of(const struct tp_sink_def *ops, enum tp_need need)
{
    if (need == TP_NEED_BLOCKS || ops->unit == TP_UNIT_BLOCK)
        return TP_LANE_BLOCKS;
    return ops->unit == TP_UNIT_FRAME ? TP_LANE_FRAMES : TP_LANE_SEGMENTS;
}

// The sink's place in the run. Counted even if what follows fails, so that
// tp_run_sinks_fini frees what there is.
static int place_sink(struct tp_run *run, const struct tp_sink_def *ops, const char *spec,
                      const char *output, struct tp_run_sink **ret_sink, struct tp_error *err)
{
    struct tp_run_sink *s = &run->sinks[run->sink_count++];
    s->ops = ops;
    s->spec = tp_strdup(spec);
    s->output = tp_strdup(output != NULL ? output : "-");
    s->config = tp_alloc_zero(ops->config_bytes);
    s->run_state = tp_alloc_zero(ops->run_state_bytes);
    if (s->config == NULL || s->run_state == NULL || s->spec == NULL || s->output == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for sink %s", ops->name);
    *ret_sink = s;
    return 0;
}

// Once its options are known.
static void settle_sink(struct tp_run *run, struct tp_run_sink *s)
{
    s->need = s->ops->need != NULL ? s->ops->need(s->config) : TP_NEED_UNITS;
    s->lane = lane_of(s->ops, s->need);
    run->needs_scan = run->needs_scan || s->need != TP_NEED_READ;
}

static int configure(struct tp_run_sink *s, const char *options, struct tp_error *err)
{
    if (s->ops->defaults != NULL)
        s->ops->defaults(s->config);
    return tp_opts_parse(s->ops->options, s->config, options, err);
}

int tp_run_add_sink(struct tp_run *run, const char *spec, const char *output, struct tp_error *err)
{
    assert(!run->started);
    if (run->sink_count == TP_SINKS_MAX)
        return tp_fail(err, TP_E_USAGE, "at most %d sinks", TP_SINKS_MAX);
    size_t name_bytes = strcspn(spec, ":");
    const struct tp_sink_def *ops = tp_sink_find(spec, name_bytes);
    if (ops == NULL)
        return tp_fail(err, TP_E_USAGE, "unknown sink '%.*s'", (int)name_bytes, spec);
    struct tp_run_sink *s;
    int rc = place_sink(run, ops, spec, output, &s, err);
    if (rc == 0)
        rc = configure(s, spec[name_bytes] == ':' ? spec + name_bytes + 1 : NULL, err);
    if (rc == 0)
        settle_sink(run, s);
    return rc;
}

int tp_run_add_inner_sink(struct tp_run *run, const struct tp_sink_def *def, void *ctx,
                          struct tp_error *err)
{
    assert(!run->started && run->sink_count < TP_SINKS_MAX);
    assert(def->config_bytes == sizeof ctx);
    struct tp_run_sink *s;
    int rc = place_sink(run, def, def->name, NULL, &s, err);
    if (rc != 0)
        return rc;
    *(void **)s->config = ctx;
    settle_sink(run, s);
    return 0;
}

void tp_run_sinks_fini(struct tp_run *run)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        struct tp_run_sink *s = &run->sinks[k];
        struct tp_sink_call call = {.config = s->config, .run_state = s->run_state};
        if (s->ops->run_fini != NULL && s->run_state != NULL)
            s->ops->run_fini(&call);
        tp_free(s->config);
        tp_free(s->run_state);
        tp_free(s->spec);
        tp_free(s->output);
    }
}
