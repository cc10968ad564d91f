// The sink `stats:level=counts`: counts what is in the traces, without ordering events.
//
//   work        counts one unit and collects its ids
//   commit      adds the unit to its input, in stream order
//   generation  adds clock and threads of a whole generation (before Go 1.22 there are no
//               generations: commit takes both from events)
//   finish      prints the input and adds it to the run
//   refuse      prints the reason why an input is refused
//   end         prints the total
//
// Under --strict the counts by type are those of Go's raw reader (strict_tally.h), up to where it
// fails; everything else stays the same. (Go has no such reader for traces from before Go 1.22.)
//
// An input stores its inventory and three sets of ids, so its memory does not grow with the number
// of generations, batches and events.
#include "sink/counts/ids.h"
#include "sink/counts/print.h"
#include "sink/counts/strict_tally.h"
#include "sink/stats/level.h"

// Thread id of batches that belong to no thread.
#define NO_THREAD UINT64_MAX

struct counts_unit {
    struct tp_inventory_unit found; // first, see tp_inventory_commit
    struct tp_counts_ids ids;
    struct tp_unit_tally strict;
};

struct counts_input {
    struct tp_inventory_input found; // first, see tp_inventory_commit
    struct tp_counts_sets sets;
    struct tp_input_tally strict;
    struct tp_error strict_error; // the error at which Go's raw reader stops; code 0: none
};

static const struct tp_inventory_printer *printer_of(enum tp_stats_format format)
{
    switch (format) {
    case TP_STATS_FORMAT_JSON: return &tp_counts_print_json;
    case TP_STATS_FORMAT_CSV: return &tp_counts_print_csv;
    default: return &tp_counts_print_text;
    }
}

static void unit_fini(void *unit_state)
{
    struct counts_unit *u = unit_state;
    tp_counts_ids_fini(&u->ids);
}

// Whether counts by type are those of Go's raw reader.
static bool follows_go(const struct tp_sink_call *call, const struct tp_input_info *input)
{
    return call->strict && input->format.decoder->has_raw_reader;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct counts_unit *u = call->unit_state;
    tp_counts_ids_reset(&u->ids);
    tp_inventory_count(&u->found, unit, tp_counts_ids_put, &u->ids);
    if (u->ids.out_of_memory)
        return tp_fail(err, TP_E_MEMORY, "out of memory for counting a segment");
    return follows_go(call, unit->input) ? tp_unit_tally_count(&u->strict, unit, true, err) : 0;
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    struct counts_input *in = call->input_state;
    int code = tp_inventory_open(call, input, err);
    in->found.given_frequency = 0; // figures are those of the trace alone
    in->found.keeps_batches = false;
    tp_input_tally_init(&in->strict, &input->format);
    tp_counts_sets_init(&in->sets);
    return code;
}

static void input_fini(void *state)
{
    struct counts_input *in = state;
    tp_inventory_input_fini(&in->found);
    tp_strict_fini(&in->strict.strict);
    tp_counts_sets_fini(&in->sets);
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct counts_input *in = call->input_state;
    const struct counts_unit *u = call->unit_state;
    // After its first failure tp_input_tally_add changes nothing.
    struct tp_error strict_err;
    if (follows_go(call, unit->input) &&
        tp_input_tally_add(&in->strict, &u->strict, unit, &strict_err) != 0)
        in->strict_error = strict_err;
    int code = tp_inventory_commit(call, unit, err);
    return code == 0 ? tp_counts_sets_add(&in->sets, &u->ids, err) : code;
}

static int generation(const struct tp_sink_call *call, const struct tp_generation *g,
                      struct tp_error *err)
{
    struct counts_input *in = call->input_state;
    int code = tp_inventory_generation(call, g, err);
    for (size_t i = 0; i < g->ms.count && code == 0; i++) {
        if (g->ms.items[i].m != NO_THREAD)
            code = tp_idset_add(&in->sets.of[TP_COUNTS_THREAD], g->ms.items[i].m, err);
    }
    return code;
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct counts_input *in = call->input_state;
    struct tp_inventory *all = &in->found.all;
    if (follows_go(call, input)) {
        struct tp_error strict_err;
        if (tp_strict_end(&in->strict.strict, &strict_err) != 0)
            in->strict_error = strict_err;
        all->tally = in->strict.tally;
    }
    all->m_count = tp_idset_count(&in->sets.of[TP_COUNTS_THREAD]);
    all->p_count = tp_idset_count(&in->sets.of[TP_COUNTS_PROC]);
    all->goroutine_count = tp_idset_count(&in->sets.of[TP_COUNTS_GOROUTINE]);
    int code = tp_inventory_input_end(&in->found, report, err);
    if (code == 0)
        code = tp_inventory_print(call, input, report, &in->found, err);
    if (code == 0 && in->strict_error.code != 0) {
        *err = in->strict_error;
        code = err->code;
    }
    return code;
}

static int run_begin(const struct tp_sink_call *call, struct tp_error *err)
{
    const struct tp_stats_config *config = call->config;
    struct tp_inventory_run *run = call->run_state;
    run->printer = printer_of((enum tp_stats_format)config->format);
    run->guards_csv = config->guard;
    return tp_inventory_begin(call, err);
}

const struct tp_sink_plan tp_stats_counts_plan = {
    .suffix = ".stats",
    .need = TP_NEED_UNITS,
    .unit_kind = TP_UNIT_SEGMENT,
    .output = TP_OUTPUT_FOR_ALL,
    .accepts = TP_KIND_TRACES,
    .has_reference = true,
    .unit_state_bytes = sizeof(struct counts_unit),
    .input_state_bytes = sizeof(struct counts_input),
    .run_state_bytes = sizeof(struct tp_inventory_run),
    .unit_extra_bytes = TP_COUNTS_IDS_MAX_BYTES,
    .unit = {.fini = unit_fini, .work = work},
    .input = {.open = open_input,
              .commit = commit,
              .generation = generation,
              .finish = finish,
              .refuse = tp_inventory_refuse,
              .fini = input_fini},
    .run = {.begin = run_begin, .end = tp_inventory_end},
};
