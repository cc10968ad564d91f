// `stats:level=full`: how programs spent their time, from ordered events.
//
//   fold      adds facts of blocks to sums (stats/sums/sums.h)
//   commit    adds the sums to those of their input (stats/input/input.h)
//   finish    adds the input to the run (stats/totals.h);
//             or adds the totals of a state file (stats/state/state.h)
//   refuse    adds the row of an input that gives no totals, with the reason
//   end       prints the run
#include "sink/stats/forms.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/level.h"
#include "stats/findings/judge.h"
#include "stats/hosts/tops.h"
#include "stats/state/state.h"
#include "stats/input/input.h"

// Memory at which sums are full. Up to half of it are their array by stack.
#define SUMS_BYTES TP_MIB(3)

// The unit state: sums, and the floor of the input to which the unit's last sums were committed.
struct unit {
    struct tp_sums sums;
    struct tp_history_unit history;
    size_t of_input; // index of that input + 1; 0: none yet
    struct tp_sums_floor floor;
};

static void unit_fini(void *unit_state)
{
    struct unit *unit = unit_state;
    tp_sums_fini(&unit->sums);
    tp_history_unit_fini(&unit->history);
}

// The run state: of each side the totals, and whether those of doubtful files were added to them.
struct run_state {
    struct side {
        struct tp_totals totals;
        bool includes_doubtful;
    } sides[TP_STATS_SIDES];
};

static struct tp_totals *totals_of(const struct tp_sink_call *call, const struct tp_input_info *input)
{
    struct run_state *r = call->run_state;
    return &r->sides[input->is_baseline ? TP_STATS_BASELINE : TP_STATS_NEW].totals;
}

// Returns the parts that the report prints. JSON and CSV have all figures of files whose clock is
// in doubt, whatever the options select.
static unsigned parts_of(const struct tp_stats_config *config)
{
    static const unsigned parts_by[] = {
        [TP_STATS_BY_ALL] = TP_PARTS_ALL,
        [TP_STATS_BY_FINDING] = TP_PARTS_ALL,
        [TP_STATS_BY_FILE] = TP_PARTS_ALL,
        [TP_STATS_BY_FUNCTION] = TP_PART_GOROUTINES | TP_PART_STACKS,
        [TP_STATS_BY_GOROUTINE] = TP_PART_LONGEST,
        [TP_STATS_BY_TASK] = TP_PART_INTERVALS,
        [TP_STATS_BY_REGION] = TP_PART_INTERVALS,
        [TP_STATS_BY_STACK] = TP_PART_STACKS,
        [TP_STATS_BY_WAKER] = TP_PART_WAKES,
    };
    if (config->labels)
        return TP_PART_LABELS;
    switch ((enum tp_stats_format)config->format) {
    case TP_STATS_FORMAT_AUTO:
    case TP_STATS_FORMAT_TEXT: return parts_by[config->by];
    case TP_STATS_FORMAT_FOLDED:
    case TP_STATS_FORMAT_FLAMEGRAPH:
        return config->by == TP_STATS_BY_WAKER ? TP_PART_WAKES : TP_PART_STACKS;
    default: return TP_PARTS_ALL;
    }
}

bool tp_stats_full_has_equal_state(const void *config, const void *other_config)
{
    const struct tp_stats_config *a = config, *b = other_config;
    return parts_of(a) == parts_of(b) && a->keep == b->keep && a->pc == b->pc &&
           a->depth == b->depth && a->clocks == b->clocks && a->detail == b->detail &&
           (!a->labels || a->kind == b->kind);
}

// Empties sums for reuse. Frees their memory if they were full, or would keep more than their
// unit is planned with: idle units would hold it while others need it.
static void empty(struct tp_sums *s)
{
    if (tp_sums_bytes(s) > SUMS_BYTES || tp_sums_kept_bytes(s) > SUMS_BYTES)
        tp_sums_fini(s);
    tp_sums_clear(s);
}

static void fold_begin(const struct tp_sink_call *call)
{
    const struct tp_stats_config *config = call->config;
    struct unit *unit = call->unit_state;
    struct tp_sums *s = &unit->sums;
    empty(s);
    tp_history_unit_clear(&unit->history);
    s->parts = parts_of(config);
    s->labelled.type = (unsigned)config->kind;
    if (unit->of_input != call->input_index + 1)
        unit->floor = (struct tp_sums_floor){0};
    tp_sums_set_limit(s, (uint32_t)config->keep, &unit->floor);
}

static int fold(const struct tp_sink_call *call, const struct tp_block *block, struct tp_error *err)
{
    struct unit *unit = call->unit_state;
    const struct tp_stats_config *config = call->config;
    if (config->detail && !tp_history_unit_add(&unit->history, block))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    return tp_sums_add(&unit->sums, block, err);
}

static size_t fold_grown_bytes(const void *unit_state)
{
    const struct unit *unit = unit_state;
    return tp_sums_bytes(&unit->sums) + tp_history_unit_bytes(&unit->history);
}

// Keeps at most so many goroutines, tasks and regions one by one.
static void limit(struct tp_totals *s, uint32_t most)
{
    tp_totals_limit_gs(s, most);
    tp_totals_limit_slow(s, most);
    if (s->doubtful != NULL)
        limit(s->doubtful, most);
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    (void)err;
    const struct tp_stats_config *config = call->config;
    struct tp_stats_input *c = call->input_state;
    c->parts = parts_of(config);
    c->keeps_pcs = config->pc;
    c->wrapped_depth = (unsigned)config->depth;
    c->path = tp_span_of_text(input->path);
    c->totals.stacks.label_count = config->labels ? TP_STACK_LABEL_COUNT : 0;
    if (input->format.decoder->kind != TP_KIND_STATE)
        limit(&c->totals, (uint32_t)config->keep);
    return 0;
}

// Fails if the state of the input takes more than the states of the run leave it, with what it needs
// later: first `copied_bytes`, then the rows that the report will have of it.
static int check_bytes(const struct tp_sink_call *call, size_t copied_bytes, struct tp_error *err)
{
    const struct tp_stats_input *c = call->input_state;
    size_t rows_bytes = c->totals.durations.dist_count * sizeof(struct tp_full_row);
    size_t more_bytes = rows_bytes > copied_bytes ? rows_bytes : copied_bytes;
    return tp_stats_input_bytes(c) + more_bytes <= call->left_bytes ? 0 : tp_totals_outgrow(err);
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    (void)unit;
    struct unit *state = call->unit_state;
    const struct tp_stats_config *config = call->config;
    struct tp_stats_input *c = call->input_state;
    int rc = check_bytes(call, 0, err); // other sinks may have taken what was left
    if (rc == 0)
        rc = tp_stats_input_add(c, &state->sums, err);
    if (rc == 0 && config->detail &&
        !tp_history_input_add(&c->history, &state->history, state->sums.tables, (uint32_t)config->keep))
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    if (rc != 0)
        return rc;
    state->of_input = call->input_index + 1;
    state->floor = tp_stats_input_floor(call->input_state);
    return check_bytes(call, 0, err);
}

static int take_state(const struct tp_sink_call *call, struct tp_span bytes, bool is_last,
                      struct tp_error *err)
{
    // Bytes and totals together are a little more than the totals that they were written of.
    uint64_t bytes_and_slack = bytes.len_bytes + call->limit_bytes / 32;
    const struct tp_stats_config *config = call->config;
    const struct tp_state_terms terms = {
        .most_bytes = call->left_bytes + (is_last ? bytes_and_slack : 0),
        .gives_back = is_last,
        .pcs = config->pc ? TP_STATE_PCS_REQUIRED : TP_STATE_PCS_REMOVED};
    struct tp_stats_input *c = call->input_state;
    return tp_totals_read_by(bytes, &terms, &c->totals, err);
}

// Returns from when until when the trace was taken, or what of it is in the time window. If all events
// lie before its beginning, they are the marks of generations without events, whose times are 1, 2, ...
static struct tp_taken taken_of(const struct tp_stats_input *c, const struct tp_beginning *b)
{
    int64_t first_ns, last_ns;
    if (!b->has_wall || c->totals.event_count == 0 || c->last_ns < b->ns ||
        __builtin_sub_overflow(c->first_ns, b->ns, &first_ns) ||
        __builtin_sub_overflow(c->last_ns, b->ns, &last_ns))
        return (struct tp_taken){0};
    return (struct tp_taken){1, tp_wall_after(b->wall, first_ns), tp_wall_after(b->wall, last_ns)};
}

// Returns when the trace was taken; wall_ns is TP_NO_WALL_NS if it does not tell the time of day.
static struct tp_wall_place wall_place_of(const struct tp_stats_input *c)
{
    struct tp_wall_place place = {.first_ns = c->first_ns,
                                  .last_ns = c->last_ns,
                                  .first_bucket = c->levels.first};
    if (c->totals.taken.file_count == 0 || !tp_wall_ns(c->totals.taken.first, &place.wall_ns))
        place.wall_ns = TP_NO_WALL_NS;
    return place;
}

// Completes the history of the trace. False: no memory.
static bool end_history(struct tp_stats_input *c, const char *path, const struct tp_beginning *begin)
{
    const struct tp_history_place place = {path, begin->ns, wall_place_of(c)};
    c->totals.history = tp_history_input_end(&c->history, &c->totals.timeline, &place);
    return c->totals.history != NULL;
}

// Lays the levels of the trace on the wall clock, if it tells the time of day. False: no memory.
static bool lay_on_wall(struct tp_stats_input *c)
{
    const struct tp_wall_place place = wall_place_of(c);
    return place.wall_ns == TP_NO_WALL_NS ||
           tp_wall_timeline_lay(&c->totals.wall_timeline, &c->totals.timeline, &place);
}

static struct tp_clock_doubt clock_doubt_of(const struct tp_stats_input *c,
                                            const struct tp_input_report *report)
{
    struct tp_clock_doubt doubt = report->clock_doubt;
    tp_clock_doubt_end(&doubt, tp_wide_limited(c->totals.duration_ns));
    return doubt;
}

static int end_trace(struct tp_stats_input *c, const struct tp_sink_call *call, const struct tp_input_info *input,
                     const struct tp_input_report *report, struct tp_error *err)
{
    bool wants_detail = ((const struct tp_stats_config *)call->config)->detail;
    int rc = tp_stats_input_end(c, err);
    if (rc != 0)
        return rc;
    c->totals.file_count = 1;
    c->totals.damaged_count = report->damage_count > 0 || report->order_loss_count > 0 ||
                              report->error.code != 0;
    c->totals.stored_bytes = report->stored_bytes;
    c->totals.stream_bytes = report->stream_bytes;
    c->totals.lost_bytes = report->lost_bytes;
    c->totals.unordered_bytes = report->unordered_bytes;
    c->totals.doubt_count = report->doubt_count;
    c->totals.taken = taken_of(c, &report->begin);
    const struct tp_judged_input judged = {
        .has_doubtful_clock = clock_doubt_of(c, report).kind != TP_CLOCK_DOUBT_NONE,
        .lost_stack_count = report->unknown_id_count,
        .lacks_names = c->totals.damaged_count > 0 &&
                       c->nameless_count > c->totals.event_count / 2,
    };
    if (!lay_on_wall(c) || (wants_detail && !end_history(c, input->path, &report->begin)) ||
        !tp_totals_add_file(&c->totals, input->path) ||
        !tp_findings_judge(&c->totals, &judged) || !tp_hosts_add_tops(&c->totals, c->event_counts) ||
        (call->group != NULL && !tp_hosts_name(&c->totals, call->group, input->path)))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    uint32_t path = c->totals.files.items[0].path;
    const struct tp_trace_zero zero = {report->begin.ns, report->begin.has_wall, report->begin.wall};
    tp_totals_place_gs(&c->totals, path, c->first_ns);
    tp_totals_place_slow(&c->totals, path, &zero);
    tp_totals_place_moments(&c->totals, &zero);
    return 0;
}

static int refuse(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_error *why, struct tp_error *err)
{
    if (!tp_totals_add_refused(totals_of(call, input), input->path, why))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    return 0;
}

// Sets an input apart if its clock is in doubt, so that absurd times do not dominate the totals.
static int set_apart_if_doubtful(const struct tp_sink_call *call, struct tp_stats_input *c,
                                 const struct tp_input_report *report, struct tp_error *err)
{
    const struct tp_stats_config *config = call->config;
    struct tp_clock_doubt doubt = clock_doubt_of(c, report);
    if (doubt.kind == TP_CLOCK_DOUBT_NONE)
        return 0;
    const struct tp_sink_notes found = {
        .clock_doubt = doubt.kind,
        .doubt_ns = doubt.ns,
        .includes_doubtful = config->clocks == TP_STATS_CLOCKS_ALL,
    };
    tp_sink_notes_add(call->notes, &found);
    return tp_totals_set_doubtful(&c->totals)
               ? 0
               : tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct tp_stats_input *c = call->input_state;
    struct tp_totals *total = totals_of(call, input);
    const struct tp_stats_config *config = call->config;
    bool is_state = input->format.decoder->kind == TP_KIND_STATE;
    // A state file that could not be read to its end gives no totals.
    if (is_state && report->error.code != 0)
        return refuse(call, input, &report->error, err);
    int rc = is_state ? tp_hosts_check(&c->totals, call->group, err)
                      : end_trace(c, call, input, report, err);
    if (rc == 0 && !is_state)
        rc = set_apart_if_doubtful(call, c, report, err);
    if (rc == 0)
        rc = check_bytes(call, tp_totals_copied_bytes(total, &c->totals), err);
    if (rc != 0) {
        struct tp_error why = *err;
        return refuse(call, input, &why, err) != 0 ? err->code : (*err = why).code;
    }
    limit(&c->totals, (uint32_t)config->keep);
    return tp_totals_move(total, &c->totals, err);
}

static void input_fini(void *state)
{
    tp_stats_input_fini(state);
}

static size_t input_grown_bytes(const void *state)
{
    return tp_stats_input_bytes(state);
}

static size_t run_grown_bytes(const void *run_state)
{
    const struct run_state *r = run_state;
    return tp_totals_bytes(&r->sides[TP_STATS_NEW].totals) +
           tp_totals_bytes(&r->sides[TP_STATS_BASELINE].totals);
}

static void (*printer(const struct tp_stats_config *config, bool is_screen))(
    struct tp_emit *, const struct tp_full_report *)
{
    switch ((enum tp_stats_format)config->format) {
    case TP_STATS_FORMAT_JSON: return tp_full_print_json;
    case TP_STATS_FORMAT_CSV: return tp_full_print_csv;
    case TP_STATS_FORMAT_FOLDED: return tp_full_print_folded;
    case TP_STATS_FORMAT_FLAMEGRAPH: return tp_full_print_flamegraph;
    case TP_STATS_FORMAT_MARKDOWN: return tp_full_print_markdown;
    default: return is_screen ? tp_full_print_screen : tp_full_print_text;
    }
}

// Returns whether the totals are to include doubtful files: on request, or if a single such file is
// the only input.
static bool wants_doubtful(const struct tp_stats_config *config, const struct tp_totals *s)
{
    return s->doubtful != NULL && (config->clocks == TP_STATS_CLOCKS_ALL ||
                                   (s->file_count == 0 && s->doubtful->file_count == 1));
}

int tp_stats_full_totals(const struct tp_sink_call *call, const struct tp_stats_config *config,
                         enum tp_stats_side side, const struct tp_totals **ret_totals,
                         struct tp_error *err)
{
    struct run_state *r = call->run_state;
    struct side *s = &r->sides[side];
    *ret_totals = &s->totals;
    if (s->includes_doubtful || !wants_doubtful(config, &s->totals))
        return 0;
    s->includes_doubtful = true;
    return tp_totals_merge(&s->totals, s->totals.doubtful, err);
}

int tp_stats_full_report(const struct tp_sink_call *call, const struct tp_stats_config *config,
                         struct tp_full_report *ret_report, struct tp_error *err)
{
    struct run_state *r = call->run_state;
    const struct tp_totals *total;
    int rc = tp_stats_full_totals(call, config, TP_STATS_NEW, &total, err);
    tp_history_sort(r->sides[TP_STATS_NEW].totals.history);
    if (rc == 0)
        rc = tp_full_report_make(config, total, ret_report, err);
    if (rc != 0)
        return rc;
    ret_report->includes_doubtful = r->sides[TP_STATS_NEW].includes_doubtful;
    ret_report->zone = call->zone;
    ret_report->reading = call->reading;
    ret_report->screen = call->screen;
    return 0;
}

// Compares the sides if there is a baseline. Frees the report after a failure.
static int compare_sides(const struct tp_sink_call *call, struct tp_full_report *report, struct tp_error *err)
{
    const struct tp_stats_config *config = call->config;
    const struct tp_totals *baseline;
    int rc = tp_stats_full_totals(call, config, TP_STATS_BASELINE, &baseline, err);
    bool is_given = baseline->file_count > 0 || baseline->refused_count > 0 || baseline->doubtful != NULL;
    bool shows_stacks = config->format == TP_STATS_FORMAT_FOLDED || config->format == TP_STATS_FORMAT_FLAMEGRAPH;
    if (rc == 0 && is_given && shows_stacks)
        rc = tp_full_report_set_baseline(report, config, baseline, err);
    else if (rc == 0 && is_given && tp_full_is_whole(report))
        rc = tp_versus_make(baseline, report->totals, &report->versus, err);
    if (rc != 0)
        tp_full_report_fini(report);
    return rc;
}

static int print(const struct tp_sink_call *call, struct tp_error *err)
{
    const struct tp_stats_config *config = call->config;
    struct tp_stats_config chosen = *config;
    if (call->wants_all && chosen.top < 0)
        chosen.top = 0;
    struct tp_full_report report;
    int rc = tp_stats_full_report(call, &chosen, &report, err);
    if (rc == 0)
        rc = compare_sides(call, &report, err);
    if (rc != 0)
        return rc;
    if (call->wants_all || config->top >= 0 || !tp_full_is_whole(&report))
        report.screen.rows = 0;
    struct tp_emit e;
    tp_emit_init(&e, call->out, err);
    e.has_colour = call->has_colour;
    e.guards_csv = config->guard;
    printer(config, report.screen.rows > 0)(&e, &report);
    tp_full_report_fini(&report);
    return tp_emit_end(&e);
}

// Sets the limit here, too: a state has it even if every input was refused.
static struct tp_totals *limited_totals(const struct tp_sink_call *call)
{
    const struct tp_stats_config *config = call->config;
    struct run_state *r = call->run_state;
    limit(&r->sides[TP_STATS_NEW].totals, (uint32_t)config->keep);
    return &r->sides[TP_STATS_NEW].totals;
}

static int save(const struct tp_sink_call *call, struct tp_error *err)
{
    return tp_totals_write(limited_totals(call), call->out, err);
}

static int run_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                   struct tp_error *err)
{
    (void)figures;
    const struct tp_stats_config *config = call->config;
    if (config->format == TP_STATS_FORMAT_STATE)
        return save(call, err);
    limited_totals(call);
    return print(call, err);
}

static void run_fini(const struct tp_sink_call *call)
{
    struct run_state *r = call->run_state;
    for (unsigned side = 0; side < TP_STATS_SIDES; side++)
        tp_totals_fini(&r->sides[side].totals);
}

const struct tp_sink_plan tp_stats_full_plan = {
    .suffix = ".stats",
    .need = TP_NEED_FOLD,
    .unit_kind = TP_UNIT_BLOCK,
    .output = TP_OUTPUT_FOR_ALL,
    .accepts = TP_KIND_TRACES | TP_KIND_STATE,
    .has_reference = true,
    // Whatever the parts: the tracker is fastest where it gives out all that statistics may need.
    .tracks = TP_TRACK_FOR_STATS,
    .unit_state_bytes = sizeof(struct unit),
    .input_state_bytes = sizeof(struct tp_stats_input),
    .run_state_bytes = sizeof(struct run_state),
    .unit_extra_bytes = SUMS_BYTES,
    .unit = {.fini = unit_fini},
    .fold = {fold_begin, fold, fold_grown_bytes},
    .input = {.open = open_input,
              .commit = commit,
              .take_state = take_state,
              .finish = finish,
              .refuse = refuse,
              .fini = input_fini,
              .grown_bytes = input_grown_bytes},
    .run = {.end = run_end, .fini = run_fini, .save = save, .grown_bytes = run_grown_bytes},
};

void tp_stats_full_make_plan(const struct tp_stats_config *config, struct tp_sink_plan *plan)
{
    *plan = tp_stats_full_plan;
    if (!config->detail)
        return;
    plan->tracks |= TP_TRACK_SPANS | TP_TRACK_LASTING;
    plan->run.save = NULL; // states have no details
}

bool tp_stats_gather_as(struct tp_stats_config *config, const struct tp_sink_plan *plan,
                        const void *other_config)
{
    const struct tp_stats_config *other = other_config;
    if (plan->input.finish != tp_stats_full_plan.input.finish || other->labels)
        return false;
    config->keep = other->keep;
    config->pc = other->pc;
    config->clocks = other->clocks;
    config->detail = other->detail;
    return true;
}
