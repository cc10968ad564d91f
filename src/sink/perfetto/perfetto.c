// The sink `perfetto`: each trace as a picture for ui.perfetto.dev. Workers make the packets of slices from
// the spans and intervals of a block; commit writes the names that these need, and counters.
#include "merge/track/tracker.h"
#include "sink/perfetto/compress.h"
#include "sink/perfetto/counters.h"
#include "sink/perfetto/names.h"
#include "sink/sink.h"

// Room for the packets of a block, which nearly always fit; commit makes the others.
#define RAW_MAX_BYTES TP_KIB(128)
// Room for these packets compressed: they grow by less than this even where nothing repeats.
#define COMPRESSED_MAX_BYTES (RAW_MAX_BYTES + TP_KIB(4))
static_assert(RAW_MAX_BYTES >= TP_PERFETTO_ITEM_MAX_BYTES, "an item fits");

static_assert(offsetof(struct tp_perfetto_config, filter) == 0,
              "a pointer to one is a pointer to the other");

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct tp_perfetto_config, tracks, "all|ps|goroutines",
                   "all tracks (default), none of goroutines and tasks, or none of Ps and threads"),
    TP_SPAN_FILTER_OPTIONS,
    TP_OPTION_BOOL(struct tp_perfetto_config, args,
                   "give slices stacks, wakers and tasks as arguments (default yes)"),
    TP_OPTION_BOOL(struct tp_perfetto_config, callstacks,
                   "give slices stacks that newer viewers draw as a flame graph (default no)"),
    TP_OPTION_BOOL(struct tp_perfetto_config, compress,
                   "compress the packets, as the format allows (default no)"),
    {.key = NULL},
};

static const struct tp_perfetto_config defaults = {.filter = TP_SPAN_FILTER_ALL, .args = true};

struct input_state {
    struct tp_perfetto_names names;
    struct tp_perfetto_counters counters;
    // Of the slices, before compression: of all, and of those that tracks=ps has, too.
    uint64_t slice_bytes, proc_bytes;
    int64_t fits_until_ns; // the time up to which TP_VIEWER_MAX_BYTES hold the trace
};

// UNITS

// Compresses the packets of the buffer, which are in its first part.
static int compress_buf(struct tp_buf *buf, struct tp_error *err)
{
    if (buf->len_bytes == 0)
        return 0;
    unsigned char *to = buf->ptr + RAW_MAX_BYTES;
    size_t len_bytes = tp_perfetto_compress(to, tp_span_of(buf->ptr, buf->len_bytes));
    if (len_bytes == 0)
        return tp_fail(err, TP_E_MEMORY, "out of memory for compression");
    memcpy(buf->ptr, to, len_bytes);
    buf->len_bytes = len_bytes;
    return 0;
}

// Makes the next packets of the block, in the unit's buffer.
static int encode(const struct tp_sink_call *call, const struct tp_block *b, struct tp_error *err)
{
    const struct tp_perfetto_config *c = call->config;
    struct tp_buf raw = {.ptr = call->buf->ptr, .max_bytes = RAW_MAX_BYTES};
    tp_perfetto_encode(c, b, call->unit_state, &raw);
    call->buf->len_bytes = raw.len_bytes;
    return c->compress ? compress_buf(call->buf, err) : 0;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct tp_perfetto_unit *u = call->unit_state;
    u->next = 0;
    u->all_bytes = u->proc_bytes = u->omitted_count = 0;
    return encode(call, unit->block, err);
}

// INPUTS

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    struct input_state *in = call->input_state;
    (void)input;
    tp_perfetto_names_init(&in->names, call->config, call->out, call->left_bytes);
    int rc = tp_perfetto_put_groups(&in->names, err);
    return rc == 0 ? tp_perfetto_counters_begin(&in->names, err) : rc;
}

static void close_input(void *input_state)
{
    struct input_state *in = input_state;
    tp_perfetto_names_fini(&in->names);
    tp_perfetto_counters_fini(&in->counters);
}

static size_t grown_bytes(const void *input_state)
{
    const struct input_state *in = input_state;
    return tp_perfetto_names_bytes(&in->names) + in->counters.points.capacity * sizeof *in->counters.points.items;
}

// Writes the wall clock, where a generation begins with it.
static int put_clock(struct input_state *in, const struct tp_block *b, struct tp_error *err)
{
    struct tp_sync sync;
    int64_t wall_ns;
    if (b->event_count == 0 || !tp_event_sync(&b->events[0], b->tables, &sync) || !sync.has_clock ||
        !tp_wall_ns((struct tp_wall){sync.wall_sec, sync.wall_nsec}, &wall_ns))
        return 0;
    struct tp_message packet, snapshot;
    snapshot.len_bytes = 0;
    tp_snapshot_put(&snapshot, CLOCK_OF_TRACE, sync.trace_ns);
    tp_snapshot_put(&snapshot, CLOCK_OF_DAY, wall_ns);
    tp_packet_begin(&packet, TP_PERFETTO_SEQUENCE);
    tp_message_nested(&packet, PACKET_CLOCK_SNAPSHOT, &snapshot);
    return tp_perfetto_put(&in->names.output, &packet, err);
}

// Writes the packets of the unit and what they need, and makes those that did not fit into the buffer.
static int put_unit(const struct tp_sink_call *call, const struct tp_block *b, struct tp_error *err)
{
    struct input_state *in = call->input_state;
    const struct tp_perfetto_unit *u = call->unit_state;
    for (;;) {
        int rc = tp_perfetto_put_needs(&in->names, b, u, err);
        if (rc == 0)
            rc = tp_perfetto_flush(&in->names.output, err);
        if (rc == 0)
            rc = tp_sink_put_buf(call, err);
        if (rc == 0 && !u->is_done)
            rc = encode(call, b, err);
        else
            return rc;
        if (rc != 0)
            return rc;
    }
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct input_state *in = call->input_state;
    const struct tp_perfetto_unit *u = call->unit_state;
    const struct tp_block *b = unit->block;
    if (b->facts == NULL)
        return 0;
    int rc = put_clock(in, b, err);
    if (rc == 0)
        rc = put_unit(call, b, err);
    if (rc == 0)
        rc = tp_perfetto_counters_add(&in->counters, &in->names, b, err);
    call->notes->omitted_events += u->omitted_count;
    in->slice_bytes += u->all_bytes;
    in->proc_bytes += u->proc_bytes;
    if (in->names.output.written_bytes + in->slice_bytes < TP_VIEWER_MAX_BYTES && b->event_count > 0)
        in->fits_until_ns = b->events[b->event_count - 1].time_ns;
    return rc;
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct input_state *in = call->input_state;
    (void)input;
    int rc = tp_perfetto_counters_end(&in->counters, &in->names, err);
    if (rc == 0)
        rc = tp_perfetto_put_rest(&in->names, err);
    if (rc == 0)
        rc = tp_perfetto_flush(&in->names.output, err);
    call->notes->cut_texts = in->names.output.cut_texts;
    uint64_t all_bytes = in->names.output.written_bytes + in->slice_bytes;
    if (all_bytes > TP_VIEWER_MAX_BYTES)
        call->notes->large = (struct tp_large_picture){
            .bytes = all_bytes,
            .proc_bytes = all_bytes - in->slice_bytes + in->proc_bytes,
            .fits_ns = in->fits_until_ns - report->begin.ns};
    return rc;
}

// THE SINK

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){
        .suffix = ".pftrace",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .accepts = TP_KIND_TRACES,
        .is_binary = true,
        .has_reference = true,
        .tracks = TP_TRACK_SPANS | TP_TRACK_LASTING | TP_TRACK_MOVES | TP_TRACK_OTHERS,
        .unit_state_bytes = sizeof(struct tp_perfetto_unit),
        .input_state_bytes = sizeof(struct input_state),
        .unit_output_bytes = RAW_MAX_BYTES + COMPRESSED_MAX_BYTES,
        .unit = {.work = work},
        .input = {.open = open_input,
                  .commit = commit,
                  .finish = finish,
                  .fini = close_input,
                  .grown_bytes = grown_bytes},
    };
}

const struct tp_sink_def tp_sink_perfetto = {
    .name = "perfetto",
    .summary = "a picture of each trace for ui.perfetto.dev",
    .options = options,
    .config_bytes = sizeof(struct tp_perfetto_config),
    .defaults = &defaults,
    .plan = make_plan,
};
