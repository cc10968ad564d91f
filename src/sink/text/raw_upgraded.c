// raw:version=1.26: the ordered events of a trace from before Go 1.22 as a trace of Go 1.26.
// The upgrader gives events to threads (merge/upgrade/upgrader.h), the writer puts threads into
// batches (sink/text/raw_v2_writer.h). Both run in commit, because each event depends on those
// before it.
#include "sink/text/raw.h"
#include "sink/text/raw_v2_writer.h"

// Least limit of the memory of the upgrader's state; a larger --max-memory raises the limit.
#define STATES_LEAST_BYTES TP_MIB(256)

// Added to all times: Go's reader takes no time below 1, and the Sync of older traces, which must
// come first, is at -1.
#define SHIFT_NS 2
// Used if the time window leaves out the Sync at -1: the Sync that is written instead comes this
// long before the first event, so that there are times for status events between the two.
#define BEFORE_WINDOW_NS 16

struct input_state {
    struct tp_tables *tables; // one hold
    struct tp_upgrader place;
    struct tp_wire_v2 wire;
};

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    if (input->format.decoder->kind != TP_KIND_V1)
        return tp_fail(err, TP_E_NEW_TRACE,
                       "trace of Go 1.%u, and raw:version is for those from before Go 1.22",
                       input->format.minor);
    return tp_wire_v2_header(call->out, err);
}

static int64_t begin_of(const struct tp_event *first)
{
    if (first->time_ns > TP_UPGRADER_TIME_MAX_NS)
        return TP_UPGRADER_TIME_MAX_NS;
    int64_t ns = first->time_ns + SHIFT_NS;
    if (first->type != TP_EVENT_SYNC)
        ns -= BEFORE_WINDOW_NS;
    return ns > 1 ? ns : 1;
}

static int begin(const struct tp_sink_call *call, struct input_state *in, struct tp_tables *tables,
                 const struct tp_event *first, struct tp_error *err)
{
    uint64_t max_bytes =
        call->limit_bytes > STATES_LEAST_BYTES ? call->limit_bytes : STATES_LEAST_BYTES;
    int64_t sync_ns = begin_of(first);
    tp_tables_hold(tables);
    in->tables = tables;
    int rc = tp_upgrader_begin(&in->place, tables, sync_ns, SHIFT_NS, max_bytes, err);
    return rc != 0 ? rc : tp_wire_v2_begin(&in->wire, tables, sync_ns, call->out, err);
}

static int turn(struct input_state *in, struct tp_error *err)
{
    struct tp_wire_v2 *w = &in->wire;
    int rc = tp_wire_v2_end(w, err);
    return rc != 0 ? rc
                   : tp_wire_v2_begin(w, in->tables, tp_upgrader_turn(&in->place), w->out, err);
}

static int put(struct input_state *in, const struct tp_event *e, uint64_t generation_bytes,
               struct tp_error *err)
{
    struct tp_upgraded placed[TP_UPGRADED_MAX];
    size_t count = 0;
    bool is_full =
        tp_upgrader_may_turn(&in->place) && in->wire.written_bytes >= generation_bytes;
    int rc = is_full ? turn(in, err) : 0;
    if (rc == 0)
        rc = tp_upgrader_event(&in->place, e, placed, &count, err);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = tp_wire_v2_put(&in->wire, &placed[i], err);
    return rc;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    const struct tp_raw_config *config = call->config;
    struct input_state *in = call->input_state;
    const struct tp_block *block = unit->block;
    if (block->tables == NULL || block->event_count == 0) // the last Sync, or an error
        return 0;
    int rc = in->tables == NULL ? begin(call, in, block->tables, block->events, err) : 0;
    for (size_t i = 0; i < block->event_count && rc == 0; i++)
        rc = put(in, &block->events[i], config->generation_bytes, err);
    return rc;
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input, (void)report;
    struct input_state *in = call->input_state;
    int rc = in->wire.generation > 0 ? tp_wire_v2_end(&in->wire, err) : 0;
    call->notes->omitted_events = in->place.left_out_count;
    call->notes->cut_texts = in->wire.cut_count;
    return rc;
}

static void input_fini(void *state)
{
    struct input_state *in = state;
    tp_wire_v2_fini(&in->wire);
    tp_upgrader_fini(&in->place);
    tp_tables_release(in->tables);
}

const struct tp_sink_plan tp_raw_upgraded_plan = {
    .suffix = TP_RAW_SUFFIX,
    .need = TP_NEED_UNITS,
    .unit_kind = TP_UNIT_BLOCK,
    .accepts = TP_KIND_TRACES,
    .is_binary = true,
    .replaces_traces = true,
    .finishes_failed = true,
    .input_state_bytes = sizeof(struct input_state),
    .input = {.open = open_input, .commit = commit, .finish = finish, .fini = input_fini},
};
