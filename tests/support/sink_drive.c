#include "sink_drive.h"

#include "base/alloc.h"
#include "base/text/opts.h"
#include "scan_many.h"

#define EXTENTS_MAX 64

struct sink_out {
    struct tp_out out; // first: the hook gets a pointer to it
    struct tp_buf *buf;
};

// One run of the sink, with everything it owns.
struct run {
    struct sink_drive *d;
    struct tp_span input;
    struct tp_input_info info;
    struct tp_sink_call call;
    struct sink_out out;
    struct tp_sink_plan plan;
    void *config;
    void *run_state;
    void *input_state;
    void *unit_state;
    struct tp_buf unit_buf;
    uint64_t live_before_bytes;
    uint64_t offset;                  // of the next unit
    struct tp_extent extents[EXTENTS_MAX];
    size_t extent_count;
    size_t pending_bytes;
};

static int keep(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct sink_out *o = (struct sink_out *)out;
    if (!tp_buf_put(o->buf, bytes.ptr, bytes.len_bytes))
        return tp_fail(err, TP_E_WRITE, "output of the test is too small");
    return 0;
}

bool sink_drive_init(struct sink_drive *d, const struct tp_sink_def *def)
{
    *d = (struct sink_drive){.def = def};
    return tp_buf_init(&d->out, SINK_DRIVE_OUT_MAX_BYTES);
}

void sink_drive_fini(struct sink_drive *d)
{
    tp_buf_fini(&d->out);
}

static int process(struct run *r, const struct tp_unit *unit, struct tp_error *err)
{
    const struct tp_sink_plan *plan = &r->plan;
    tp_buf_reset(&r->unit_buf);
    int rc = plan->unit.work(&r->call, unit, err);
    uint64_t live_bytes = tp_alloc_live_bytes() - r->live_before_bytes;
    if (live_bytes > r->d->most_live_bytes)
        r->d->most_live_bytes = live_bytes;
    r->d->unit_count++;
    if (rc == 0 && plan->input.commit != NULL)
        rc = plan->input.commit(&r->call, unit, err);
    return rc;
}

static int emit_unit(struct run *r, struct tp_error *err)
{
    size_t len_bytes = r->pending_bytes;
    unsigned char *copy = tp_alloc(len_bytes);
    if (copy == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for a unit");
    if (len_bytes > 0)
        memcpy(copy, r->input.ptr + r->offset, len_bytes);
    // The copy does not count as memory of the unit state.
    r->live_before_bytes += len_bytes;
    struct tp_unit unit = {
        .input = &r->info,
        .offset = r->offset,
        .bytes = tp_span_of(copy, len_bytes),
        .extents = r->plan.unit_kind == TP_UNIT_SEGMENT ? r->extents : NULL,
        .extent_count = r->plan.unit_kind == TP_UNIT_SEGMENT ? r->extent_count : 0,
    };
    int rc = process(r, &unit, err);
    r->live_before_bytes -= len_bytes;
    tp_free(copy);
    r->offset += len_bytes;
    r->pending_bytes = 0;
    r->extent_count = 0;
    return rc;
}

static int add_extent(struct run *r, const struct tp_extent *x, struct tp_error *err)
{
    r->extents[r->extent_count++] = *x;
    r->pending_bytes += x->len_bytes;
    bool full = r->pending_bytes >= r->d->unit_bytes || r->extent_count == EXTENTS_MAX;
    return full ? emit_unit(r, err) : 0;
}

static int feed_segments(struct run *r, struct tp_error *err)
{
    size_t header_bytes = r->info.format.header_bytes;
    struct tp_extent header = {.kind = TP_EXTENT_STRUCTURAL, .len_bytes = (uint32_t)header_bytes};
    struct tp_scan scan;
    tp_scan_begin(&scan, &r->info.format, NULL);
    struct tp_span rest = tp_span_skip(r->input, header_bytes);
    int rc = add_extent(r, &header, err);
    size_t count = EXTENTS_MAX;
    while (rc == 0 && count == EXTENTS_MAX) {
        struct tp_extent found[EXTENTS_MAX];
        size_t used = scan_many(&scan, rest, true, found, EXTENTS_MAX, &count);
        rest = tp_span_skip(rest, used);
        for (size_t i = 0; i < count && rc == 0; i++)
            rc = add_extent(r, &found[i], err);
    }
    if (rc == 0 && r->extent_count > 0)
        rc = emit_unit(r, err);
    return rc;
}

static int feed_frames(struct run *r, struct tp_error *err)
{
    int rc = 0;
    while (rc == 0 && r->offset < r->input.len_bytes) {
        uint64_t left_bytes = r->input.len_bytes - r->offset;
        r->pending_bytes = left_bytes < r->d->unit_bytes ? (size_t)left_bytes : r->d->unit_bytes;
        rc = emit_unit(r, err);
    }
    return rc;
}

static int configure(struct run *r, struct tp_error *err)
{
    const struct tp_sink_def *def = r->d->def;
    r->config = tp_alloc_zero(def->config_bytes);
    if (r->config == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for options");
    if (def->defaults != NULL)
        memcpy(r->config, def->defaults, def->config_bytes);
    int rc = 0;
    if (def->options != NULL)
        rc = tp_opts_parse(def->options, r->config, r->d->options, err);
    if (rc == 0 && def->check != NULL)
        rc = def->check(r->config, err);
    if (rc == 0)
        def->plan(r->config, &r->plan);
    return rc;
}

static bool make_states(struct run *r)
{
    r->run_state = tp_alloc_zero(r->plan.run_state_bytes);
    r->input_state = tp_alloc_zero(r->plan.input_state_bytes);
    r->unit_state = tp_alloc_zero(r->plan.unit_state_bytes);
    return r->run_state != NULL && r->input_state != NULL && r->unit_state != NULL;
}

static int run_input(struct run *r, struct tp_error *err)
{
    const struct tp_input_hooks *hooks = &r->plan.input;
    int rc = 0;
    if (r->d->unit_bytes == 0)
        r->d->unit_bytes =
            r->plan.unit_kind == TP_UNIT_SEGMENT ? TP_SEGMENT_BYTES : TP_FRAME_MAX_BYTES;
    if (hooks->open != NULL)
        rc = hooks->open(&r->call, &r->info, err);
    if (rc == 0)
        rc = r->plan.unit_kind == TP_UNIT_SEGMENT ? feed_segments(r, err) : feed_frames(r, err);
    r->d->report.stored_bytes = r->d->report.stream_bytes = r->input.len_bytes;
    if (rc == 0 && hooks->finish != NULL)
        rc = hooks->finish(&r->call, &r->info, &r->d->report, err);
    if (hooks->fini != NULL)
        hooks->fini(r->input_state);
    return rc;
}

static int run_hooks(struct run *r, struct tp_error *err)
{
    const struct tp_sink_plan *plan = &r->plan;
    int rc = 0;
    if (plan->unit.init != NULL)
        rc = plan->unit.init(&r->call, err);
    if (rc == 0 && plan->run.begin != NULL)
        rc = plan->run.begin(&r->call, err);
    if (rc == 0)
        rc = run_input(r, err);
    if (rc == 0 && plan->run.end != NULL)
        rc = plan->run.end(&r->call, &r->d->figures, err);
    if (plan->unit.fini != NULL)
        plan->unit.fini(r->unit_state);
    if (plan->run.fini != NULL)
        plan->run.fini(&r->call);
    return rc;
}

static int run_all(struct run *r, struct tp_error *err)
{
    int rc = configure(r, err);
    if (rc != 0)
        return rc;
    if (!tp_sink_accepts(&r->plan, &r->info.format))
        return tp_fail(err, TP_E_NOT_TRACE, "not a trace that can be read");
    if (!make_states(r))
        return tp_fail(err, TP_E_MEMORY, "no memory for states");
    if (r->plan.unit_output_bytes > 0 && !tp_buf_init(&r->unit_buf, r->plan.unit_output_bytes))
        return tp_fail(err, TP_E_MEMORY, "no memory for a buffer");
    r->call = (struct tp_sink_call){.config = r->config,
                                    .strict = r->d->strict,
                                    .run_state = r->run_state,
                                    .input_state = r->input_state,
                                    .unit_state = r->unit_state,
                                    .buf = &r->unit_buf,
                                    .out = &r->out.out,
                                    .notes = &r->d->notes};
    r->live_before_bytes = tp_alloc_live_bytes();
    return run_hooks(r, err);
}

int sink_drive_run(struct sink_drive *d, struct tp_span input, struct tp_error *err)
{
    struct run r = {.d = d, .input = input, .out = {{keep}, &d->out}};
    tp_buf_reset(&d->out);
    d->unit_count = d->most_live_bytes = 0;
    d->notes = (struct tp_sink_notes){0};
    tp_format_detect(input, true, &r.info.format);
    int rc = run_all(&r, err);
    tp_buf_fini(&r.unit_buf);
    tp_free(r.config);
    tp_free(r.run_state);
    tp_free(r.input_state);
    tp_free(r.unit_state);
    return rc;
}
