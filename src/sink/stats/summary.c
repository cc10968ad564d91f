// `stats:level=summary`: times of goroutines, tasks, regions and logs, as Go's Summarizer computes
// them from the ordered events.
//
//   commit   adds the events of a block (summary)
//   finish   prints everything (summary_print)
//
// As in Go, a trace that ends with an error gives the summary of the events before the error.
#include "sink/stats/level.h"
#include "sink/stats/summary_print.h"

// Limits of memory for sorting. SORT_BYTES: for each of the two sorters of one input.
// SORT_ROOM_BYTES: for all inputs together, beyond TP_SORTER_LEAST_BYTES for each. The limit in
// effect is the lesser of this size and a share of --max-memory. It does not change the output.
#define SORT_BYTES TP_MIB(16)
#define SORT_ROOM_BYTES TP_MIB(32)
#define SORT_SHARE 64
#define SORT_ROOM_SHARE 16

static size_t part_of(const struct tp_sink_call *call, unsigned share, size_t most_bytes)
{
    uint64_t part = call->limit_bytes / share;
    if (call->limit_bytes == 0 || part > most_bytes)
        return most_bytes;
    return part > TP_SORTER_LEAST_BYTES ? (size_t)part : TP_SORTER_LEAST_BYTES;
}

struct run_state {
    _Atomic size_t sort_used_bytes;
};

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    (void)input;
    bool fix = ((const struct tp_stats_config *)call->config)->fix;
    struct run_state *run = call->run_state;
    struct tp_sorter_memory memory = {part_of(call, SORT_SHARE, SORT_BYTES), &run->sort_used_bytes,
                                      part_of(call, SORT_ROOM_SHARE, SORT_ROOM_BYTES)};
    return tp_summary_init(call->input_state, fix, &memory, err);
}

static void input_fini(void *state)
{
    tp_summary_fini(state);
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    return tp_summary_add(call->input_state, unit->block, err);
}

static size_t input_grown_bytes(const void *state)
{
    return tp_summary_bytes(state);
}

// Returns whether the input is complete. Under --strict, damage that Go's reader ignores does not
// count.
static bool is_complete(const struct tp_sink_call *call, const struct tp_input_report *report)
{
    if (call->failure != NULL || report->error.code != 0)
        return false;
    return call->strict || (report->damage_count == 0 && report->order_loss_count == 0);
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input;
    struct tp_emit e;
    tp_emit_init(&e, call->out, err);
    int rc = tp_summary_finish(call->input_state, err);
    if (rc == 0)
        rc = tp_summary_print(call->input_state, is_complete(call, report), &e, err);
    const struct tp_summary *s = call->input_state;
    const struct tp_sink_notes found = {.has_wrapped = s->status.has_wrapped};
    tp_sink_notes_add(call->notes, &found);
    return rc != 0 ? rc : tp_emit_end(&e);
}

const struct tp_sink_plan tp_stats_summary_plan = {
    .suffix = ".summary",
    .need = TP_NEED_UNITS,
    .unit_kind = TP_UNIT_BLOCK,
    .accepts = TP_KIND_TRACES,
    .has_reference = true,
    .finishes_failed = true,
    .input_state_bytes = sizeof(struct tp_summary),
    .run_state_bytes = sizeof(struct run_state),
    .input = {.open = open_input,
              .commit = commit,
              .finish = finish,
              .fini = input_fini,
              .grown_bytes = input_grown_bytes},
};
