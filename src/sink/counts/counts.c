// The sink `stats:level=counts`: counts what is in the traces, without ordering events.
//
//   work        counts one unit: events, ids, clock readings (counts/unit.h)
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
// An input stores totals and three sets of ids, so its memory does not grow with the number of
// generations, batches and events.
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/idset.h"
#include "sink/counts/batches.h"
#include "sink/counts/print.h"
#include "sink/counts/unit.h"
#include "sink/stats/level.h"
#include "sink/strict_tally.h"

// Limits of the sets of ids. Ids of goroutines are consecutive: this is room for 500 million of
// them. Ids of threads may be addresses, each of which takes a page of the set.
#define GOROUTINES_MAX_BYTES TP_MIB(64)
#define THREADS_MAX_BYTES TP_MIB(16)
#define PROCS_MAX_BYTES TP_MIB(16)

// Thread id of batches that belong to no thread.
#define NO_THREAD UINT64_MAX

// A generation, or its rest after a loss: consecutive batches.
struct part {
    uint64_t offset;     // of its first batch
    uint64_t last_ticks; // greatest clock reading; 0: none
};

// A queue of struct part: those whose generation is not known to have ended (the hook `generation`
// reports ends). The queue holds at most those in the last unit, one of which may have begun in an
// earlier unit.
struct part_queue {
    TP_LIST(struct part); // the parts taken out of the queue, then those in the queue
    uint32_t first; // index of the first part in the queue
};

struct stats_unit {
    struct tp_stats_unit found;
    struct tp_unit_tally strict;
};

struct stats_input {
    struct tp_stats totals;
    struct tp_stats_clock clock;
    struct tp_stats_batches batches; // of traces from before Go 1.22
    uint64_t frequency;              // of the clock of such a trace; 0: unknown
    struct tp_idset goroutines, threads, procs;
    struct part_queue queue;
    struct tp_input_tally strict;
    struct tp_error strict_error; // the error at which Go's raw reader stops; code 0: none
};

static const struct tp_stats_printer *printer(const struct tp_sink_call *call)
{
    const struct tp_stats_config *config = call->config;
    switch ((enum tp_stats_format)config->format) {
    case TP_STATS_FORMAT_JSON: return &tp_stats_print_json;
    case TP_STATS_FORMAT_CSV: return &tp_stats_print_csv;
    default: return &tp_stats_print_text;
    }
}

// Begins the output of an input, before the input is added to the total; or of the run.
static void begin_print(struct tp_emit *e, const struct tp_sink_call *call, struct tp_error *err)
{
    const struct tp_stats_config *config = call->config;
    const struct tp_stats *total = call->run_state;
    tp_emit_init(e, call->out, err);
    e->guards_csv = config->guard;
    e->has_items = tp_stats_file_count(total) + total->refused_count > 0;
    e->csv = printer(call)->csv;
}

static void unit_fini(void *unit_state)
{
    struct stats_unit *u = unit_state;
    tp_stats_unit_fini(&u->found);
}

// Whether counts by type are those of Go's raw reader.
static bool follows_go(const struct tp_sink_call *call, const struct tp_input_info *input)
{
    return call->strict && input->format.decoder->has_raw_reader;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct stats_unit *u = call->unit_state;
    int code = tp_stats_unit_count(&u->found, unit, err);
    return code == 0 && follows_go(call, unit->input)
               ? tp_unit_tally_count(&u->strict, unit, true, err)
               : code;
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    struct stats_input *in = call->input_state;
    (void)err;
    tp_input_tally_init(&in->strict, &input->format);
    tp_idset_init(&in->goroutines, GOROUTINES_MAX_BYTES);
    tp_idset_init(&in->threads, THREADS_MAX_BYTES);
    tp_idset_init(&in->procs, PROCS_MAX_BYTES);
    return 0;
}

static void input_fini(void *state)
{
    struct stats_input *in = state;
    tp_strict_fini(&in->strict.strict);
    tp_idset_fini(&in->goroutines);
    tp_idset_fini(&in->threads);
    tp_idset_fini(&in->procs);
    tp_free(in->queue.items);
}

static int add_ids(struct tp_idset *set, const struct tp_stats_ids *list, struct tp_error *err)
{
    int code = 0;
    for (size_t i = 0; i < list->count && code == 0; i++)
        code = tp_idset_add(set, list->items[i], err);
    return code;
}

static int add_small_procs(struct tp_idset *set, const struct tp_stats_unit *u,
                           struct tp_error *err)
{
    int code = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(u->small_ps); i++) {
        for (uint64_t left = u->small_ps[i]; left != 0 && code == 0; left &= left - 1)
            code = tp_idset_add(set, 64 * i + (uint64_t)__builtin_ctzll(left), err);
    }
    return code;
}

// Returns the part that a batch belongs to. NULL: out of memory.
static struct part *part_of(struct part_queue *q, const struct tp_extent *x)
{
    if (q->first < q->count && !x->first_of_generation)
        return &q->items[q->count - 1];
    q->count -= q->first;
    if (q->first > 0)
        memmove(q->items, q->items + q->first, q->count * sizeof *q->items);
    q->first = 0;
    return TP_LIST_ADD(q, (struct part){.offset = x->offset}) ? &q->items[q->count - 1] : NULL;
}

static int add_to_part(struct part_queue *q, const struct tp_extent *x,
                       const struct tp_tally_result *found, struct tp_error *err)
{
    struct part *part = part_of(q, x);
    uint64_t last_ticks;
    if (part == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for counting generations");
    if (found->has_times && !__builtin_add_overflow(x->time_ticks, found->dt_ticks, &last_ticks) &&
        last_ticks > part->last_ticks)
        part->last_ticks = last_ticks;
    return 0;
}

// Adds the batches of a unit; before Go 1.22 the last one may go on in the next unit.
static int add_batches(struct stats_input *in, const struct tp_unit *unit,
                       const struct tp_stats_unit *u, struct tp_error *err)
{
    int code = 0;
    for (size_t i = 0; i < unit->extent_count && code == 0; i++) {
        const struct tp_extent *x = &unit->extents[i];
        if (x->kind != TP_EXTENT_BATCH)
            continue;
        in->totals.batch_count += x->header_bytes > 0;
        if (unit->input->format.decoder->has_generations) {
            code = add_to_part(&in->queue, x, &u->found[i], err);
            continue;
        }
        if (x->header_bytes > 0)
            tp_stats_batches_begin(&in->batches, x->time_ticks);
        tp_stats_batches_add(&in->batches, &u->found[i]);
    }
    return code;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct stats_input *in = call->input_state;
    const struct stats_unit *su = call->unit_state;
    const struct tp_stats_unit *u = &su->found;
    // After its first failure tp_input_tally_add changes nothing.
    struct tp_error strict_err;
    if (follows_go(call, unit->input) &&
        tp_input_tally_add(&in->strict, &su->strict, unit, &strict_err) != 0)
        in->strict_error = strict_err;
    tp_sink_notes_add(call->notes, &u->notes);
    tp_tally_add(&in->totals.tally, &u->tally);
    if (u->frequency != 0)
        in->frequency = u->frequency;
    in->totals.undecoded_bytes += u->notes.undecoded_bytes;
    in->totals.undecoded_batch_count += u->notes.undecoded_batches;
    int code = add_batches(in, unit, u, err);
    if (code == 0)
        code = add_ids(&in->goroutines, &u->goroutines, err);
    if (code == 0)
        code = add_small_procs(&in->procs, u, err);
    if (code == 0)
        code = add_ids(&in->procs, &u->large_ps, err);
    if (code == 0)
        code = add_ids(&in->threads, &u->threads, err);
    return code;
}

// Takes out of the queue each struct part that begins at or before `offset`. Returns the greatest
// clock reading of the one that begins at `offset`; 0: none.
static uint64_t take_last_ticks(struct part_queue *q, uint64_t offset)
{
    uint64_t last_ticks = 0;
    for (; q->first < q->count && q->items[q->first].offset <= offset; q->first++) {
        if (q->items[q->first].offset == offset)
            last_ticks = q->items[q->first].last_ticks;
    }
    return last_ticks;
}

static int generation(const struct tp_sink_call *call, const struct tp_generation *g,
                      struct tp_error *err)
{
    struct stats_input *in = call->input_state;
    int code = 0;
    in->totals.generation_count++;
    tp_stats_clock_add(&in->clock, g, take_last_ticks(&in->queue, g->begin_offset));
    for (size_t i = 0; i < g->ms.count && code == 0; i++) {
        if (g->ms.items[i].m != NO_THREAD)
            code = tp_idset_add(&in->threads, g->ms.items[i].m, err);
    }
    return code;
}

// Completes the totals of an input that has ended.
static void complete_totals(struct stats_input *in, const struct tp_input_info *input,
                            const struct tp_input_report *report)
{
    struct tp_stats *s = &in->totals;
    bool is_complete = report->damage_count == 0 && report->error.code == 0;
    enum tp_version version = tp_version_of(input->format.minor);
    s->stored_bytes = report->stored_bytes;
    s->stream_bytes = report->stream_bytes;
    s->lost_bytes = report->lost_bytes;
    s->damage_count = report->damage_count;
    s->complete_count = is_complete;
    s->damaged_count = !is_complete;
    s->m_count = tp_idset_count(&in->threads);
    s->p_count = tp_idset_count(&in->procs);
    s->goroutine_count = tp_idset_count(&in->goroutines);
    assert(version < TP_VERSIONS);
    s->version_counts[version] = 1;
    if (in->clock.range.is_known) {
        s->timed_file_count = 1;
        s->duration_ns = (uint64_t)in->clock.range.greatest_ns - (uint64_t)in->clock.range.least_ns;
        s->rated_event_count = tp_stats_events(s).timed_count;
    }
    int64_t wall_start_ns;
    if (tp_stats_clock_wall_start(&in->clock, &wall_start_ns))
        tp_stats_span_add(&s->wall_start, wall_start_ns);
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct stats_input *in = call->input_state;
    if (!input->format.decoder->has_generations) {
        struct tp_stats_ticks ticks = tp_stats_batches_end(&in->batches);
        tp_stats_clock_set(&in->clock, &ticks, in->frequency);
    }
    if (follows_go(call, input)) {
        struct tp_error strict_err;
        if (tp_strict_end(&in->strict.strict, &strict_err) != 0)
            in->strict_error = strict_err;
        in->totals.tally = in->strict.tally;
    }
    complete_totals(in, input, report);

    struct tp_emit e;
    begin_print(&e, call, err);
    tp_stats_merge(call->run_state, &in->totals);
    const struct tp_stats_file file = {.path = input->path,
                                       .minor = input->format.minor,
                                       .is_text_form = input->is_text_form,
                                       .stats = &in->totals,
                                       .range = in->clock.range,
                                       .report = report};
    printer(call)->file(&e, &file);
    int code = tp_emit_end(&e);
    if (code == 0 && in->strict_error.code != 0) {
        *err = in->strict_error;
        code = err->code;
    }
    return code;
}

static int refuse(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_error *why, struct tp_error *err)
{
    struct tp_stats *total = call->run_state;
    struct tp_emit e;
    begin_print(&e, call, err);
    total->refused_count++;
    printer(call)->refused(&e, input->path, why);
    return tp_emit_end(&e);
}

static int run_begin(const struct tp_sink_call *call, struct tp_error *err)
{
    struct tp_emit e;
    begin_print(&e, call, err);
    if (printer(call)->begin != NULL)
        printer(call)->begin(&e);
    return tp_emit_end(&e);
}

static int run_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                   struct tp_error *err)
{
    struct tp_emit e;
    (void)figures;
    begin_print(&e, call, err);
    printer(call)->end(&e, call->run_state);
    return tp_emit_end(&e);
}

const struct tp_sink_plan tp_stats_counts_plan = {
    .suffix = ".stats",
    .need = TP_NEED_UNITS,
    .unit_kind = TP_UNIT_SEGMENT,
    .output = TP_OUTPUT_FOR_ALL,
    .accepts = TP_KIND_TRACES,
    .has_reference = true,
    .unit_state_bytes = sizeof(struct stats_unit),
    .input_state_bytes = sizeof(struct stats_input),
    .run_state_bytes = sizeof(struct tp_stats),
    .unit_extra_bytes = TP_STATS_UNIT_EXTRA_BYTES,
    .unit = {.fini = unit_fini, .work = work},
    .input = {.open = open_input,
              .commit = commit,
              .generation = generation,
              .finish = finish,
              .refuse = refuse,
              .fini = input_fini},
    .run = {.begin = run_begin, .end = run_end},
};
