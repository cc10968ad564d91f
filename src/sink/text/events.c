// Prints the ordered events as text, as `go tool trace -d=parsed` does; with model=v1 prints legacy
// events from before Go 1.22 (legacy_event_text.h).
//
// A worker prints as much of a block as fits into its buffer, which is nearly always the whole
// block. Stacks can make one event as long as 600 KB, so commit prints the rest. With a task, what is
// selected depends on the blocks before, so commit selects, and prints, all.
#include "merge/track/tracker.h"
#include "sink/buf_out.h"
#include "sink/sink.h"
#include "sink/text/event_filter.h"
#include "sink/text/event_json.h"
#include "sink/text/event_text.h"
#include "sink/text/legacy_event_text.h"

#define OUTPUT_BYTES TP_MIB(1)
_Static_assert(TP_EVENT_TEXT_MAX_BYTES + TP_EVENT_TEXT_OVERRUN_BYTES <= OUTPUT_BYTES,
               "any event fits into an empty buffer");
_Static_assert(TP_LEGACY_EVENT_TEXT_MAX_BYTES <= OUTPUT_BYTES, "any event of old fits, too");

enum model { MODEL_V2, MODEL_V1 };
enum format { FORMAT_TEXT, FORMAT_LINE, FORMAT_JSONL };

struct config {
    struct tp_event_choice choice; // first
    int format;                    // enum format
    int time;                      // enum tp_event_time
    int model;
    char tz[TP_OPT_TEXT_MAX_BYTES + 1];
};

struct unit_state {
    struct tp_zone zone;
    struct tp_event_text text;
    struct tp_event_filter filter;
    size_t printed_count; // events of the block, or with a choice of the picked ones, that were printed
};
static_assert(offsetof(struct config, choice) == 0, "a pointer to one is a pointer to the other");

static const struct tp_opt_spec options[] = {
    TP_OPTION_INT(struct tp_event_choice, goroutine, 0, INT64_MAX,
                  "only events of this goroutine, and of others that change its state"),
    TP_OPTION_TEXT(struct tp_event_choice, function, "REGEX",
                   "only events of goroutines whose start function matches"),
    TP_OPTION_TEXT(struct tp_event_choice, task, "ID|NAME",
                   "only events of this task, its child tasks, and goroutines that work for them"),
    TP_OPTION_ENUM(struct config, format, "text|line|jsonl",
                   "text (default), one line for each event, or lines of JSON"),
    TP_OPTION_ENUM(struct config, time, "trace|relative|wall",
                   "nanoseconds of the trace clock (default), time since its beginning, or of day"),
    TP_OPTION_ENUM(struct config, model, "v2|v1",
                   "v1: events from before Go 1.22 in the terms of the trace parser of that time"),
    TP_OPTION_TEXT(struct config, tz, "UTC|local|NAME", "time zone of wall-clock times (default UTC)"),
    {.key = NULL},
};

static const struct config defaults = {.choice.goroutine = -1, .tz = "UTC"};

static bool is_v1(const void *config)
{
    return ((const struct config *)config)->model == MODEL_V1;
}

static const struct tp_event_choice *choice_of(const void *config)
{
    return &((const struct config *)config)->choice;
}

static int check(const void *config, struct tp_error *err)
{
    const struct config *c = config;
    const char *name = c->tz;
    struct tp_zone zone;
    if (is_v1(config) && (tp_event_choice_needs_whose(choice_of(config)) ||
                          c->format != FORMAT_TEXT || c->time != TP_TIME_OF_TRACE))
        return tp_fail(err, TP_E_USAGE,
                       "sink events: options 'function', 'task', 'format' and 'time' need model=v2");
    if (tp_event_choice_check(choice_of(config), err) != 0)
        return err->code;
    int rc = tp_zone_load(&zone, name, err);
    if (rc == TP_E_USAGE)
        return tp_fail(err, rc,
                       "sink events: option 'tz' must be UTC, local or a time zone like Asia/Tokyo, "
                       "not '%.48s'",
                       name);
    if (rc == 0)
        tp_zone_fini(&zone);
    return rc;
}

static int unit_init(const struct tp_sink_call *call, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    const struct config *c = call->config;
    tp_event_text_init(&u->text, &u->zone);
    u->text.is_short = c->format == FORMAT_LINE;
    u->text.time_form = (enum tp_event_time)c->time;
    int rc = tp_zone_load(&u->zone, c->tz, err);
    return rc != 0 ? rc : tp_event_filter_init(&u->filter, choice_of(call->config), err);
}

static void unit_fini(void *unit_state)
{
    struct unit_state *u = unit_state;
    tp_zone_fini(&u->zone);
    tp_event_filter_fini(&u->filter);
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    (void)input;
    return tp_event_tasks_init(call->input_state, choice_of(call->config), err);
}

static void input_fini(void *input_state)
{
    tp_event_tasks_fini(input_state);
}

static size_t grown_bytes(const void *input_state)
{
    return tp_idset_bytes(&((const struct tp_event_tasks *)input_state)->ids);
}

static bool is_json(const void *config)
{
    return ((const struct config *)config)->format == FORMAT_JSONL;
}

// Whether the blocks need struct tp_track_whose.
static bool needs_whose(const void *config)
{
    return is_json(config) || tp_event_choice_needs_whose(choice_of(config));
}

// Returns how many events of the unit are to be printed. If the tracker had no memory, it has dropped its
// facts, and the events end here.
static size_t count_of(const struct tp_sink_call *call, const struct tp_unit *unit,
                       const struct unit_state *u)
{
    if (tp_event_choice_is_any(choice_of(call->config)))
        return u->filter.picked_count;
    return is_json(call->config) ? unit->block->facts->whose.count : unit->block->event_count;
}

// Returns the index in the block of the event that is to be printed as number `number`.
static size_t at(const struct tp_sink_call *call, const struct unit_state *u, size_t number)
{
    return tp_event_choice_is_any(choice_of(call->config)) ? u->filter.picked[number] : number;
}

// Prints an event as JSON. If `out` fails, it may have got a part of the event.
static int put_json(const struct tp_unit *unit, const struct unit_state *u, size_t idx,
                    struct tp_out *out, struct tp_error *err)
{
    struct tp_emit e;
    tp_emit_init(&e, out, err);
    tp_event_json_put(&e, unit->block, idx,
                      (struct tp_event_json_time){u->text.time_form, unit->begin});
    return tp_emit_end(&e);
}

static size_t print_json(const struct tp_sink_call *call, const struct tp_unit *unit,
                         const struct unit_state *u, size_t idx)
{
    struct tp_buf_out to = {{tp_buf_out_put}, call->buf};
    size_t before_bytes = call->buf->len_bytes;
    struct tp_error full;
    if (put_json(unit, u, idx, &to.out, &full) == 0)
        return 1;
    call->buf->len_bytes = before_bytes;
    return 0;
}

// Prints `count` consecutive events of the block from the index `first` on, or as many of them as fit
// into the buffer. Returns how many did.
static size_t print(const struct tp_sink_call *call, const struct tp_unit *unit,
                    struct unit_state *u, size_t first, size_t count)
{
    const struct tp_block *b = unit->block;
    if (is_json(call->config))
        return print_json(call, unit, u, first);
    return is_v1(call->config)
               ? tp_legacy_event_text_fill(unit->input->format.minor, b->tables,
                                           b->legacy_events + first, count, call->buf)
               : tp_event_text_fill(&u->text, b->events + first, count, call->buf);
}

// Prints more events of the unit, as many as fit into the buffer.
static void fill(const struct tp_sink_call *call, const struct tp_unit *unit, struct unit_state *u)
{
    size_t count = count_of(call, unit, u);
    if (!tp_event_choice_is_any(choice_of(call->config)) && !is_json(call->config)) {
        u->printed_count += print(call, unit, u, u->printed_count, count - u->printed_count);
        return;
    }
    while (u->printed_count < count && print(call, unit, u, at(call, u, u->printed_count), 1) == 1)
        u->printed_count++;
}

// Selects events, unless that needs the tasks of the blocks before and `tasks` is NULL.
static int pick(const struct tp_sink_call *call, const struct tp_unit *unit, struct unit_state *u,
                struct tp_event_tasks *tasks, struct tp_error *err)
{
    const struct tp_event_choice *c = choice_of(call->config);
    bool needs_tasks = c->task[0] != '\0';
    if (!tp_event_choice_is_any(c) || needs_tasks != (tasks != NULL))
        return 0;
    if (!is_v1(call->config))
        return tp_event_filter_pick(&u->filter, unit->block, tasks, err);
    tp_event_filter_pick_legacy(&u->filter, unit->block);
    return 0;
}

// Begins to print the events. Frames are resolved only if there are any.
static int begin(const struct tp_sink_call *call, const struct tp_unit *unit, struct unit_state *u,
                 struct tp_error *err)
{
    const struct tp_tables *tables = unit->block->tables;
    u->text.begin = unit->begin;
    if (u->text.time_form == TP_TIME_OF_DAY && !unit->begin->has_wall)
        return tp_fail(err, TP_E_ORDER, "the trace has no wall-clock time (Go 1.25 and later record "
                                        "it): use time=relative");
    if (count_of(call, unit, u) == 0)
        return 0;
    if (!is_v1(call->config) && tp_event_text_use(&u->text, tables) != 0)
        return tp_tables_stacks_failure(tables, err);
    fill(call, unit, u);
    return 0;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    u->printed_count = 0;
    u->filter.picked_count = 0;
    return pick(call, unit, u, NULL, err) != 0 ? err->code : begin(call, unit, u, err);
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    bool needs_tasks = choice_of(call->config)->task[0] != '\0';
    if (needs_tasks && (pick(call, unit, u, call->input_state, err) != 0 ||
                        begin(call, unit, u, err) != 0))
        return err->code;
    int rc = tp_sink_put_buf(call, err);
    call->notes->selected_count += u->filter.picked_count;
    for (size_t count = count_of(call, unit, u); rc == 0 && u->printed_count < count;) {
        tp_buf_reset(call->buf);
        if (is_json(call->config)) {
            rc = put_json(unit, u, at(call, u, u->printed_count++), call->out, err);
            continue;
        }
        fill(call, unit, u);
        rc = tp_sink_put_buf(call, err);
    }
    return rc;
}

// THE SINK

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    *plan = (struct tp_sink_plan){
        .suffix = is_json(config) ? ".events.jsonl" : ".events",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .model = is_v1(config) ? TP_MODEL_LEGACY : TP_MODEL_EVENTS,
        .accepts = is_v1(config) ? TP_KIND_V1 : TP_KIND_TRACES,
        .has_texts_as_they_are = true,
        .has_reference = true,
        .selects = tp_event_choice_is_any(choice_of(config)),
        .selects_by = choice_of(config)->function[0] != '\0' ? TP_SELECTS_BY_FUNCTION : NULL,
        .tracks = needs_whose(config) ? TP_TRACK_WHOSE : 0,
        .unit_state_bytes = sizeof(struct unit_state),
        .input_state_bytes = sizeof(struct tp_event_tasks),
        .unit_output_bytes = OUTPUT_BYTES,
        .unit = {unit_init, unit_fini, work},
        .input = {.open = open_input,
                  .commit = commit,
                  .fini = input_fini,
                  .grown_bytes = grown_bytes},
    };
}

const struct tp_sink_def tp_sink_events = {
    .name = "events",
    .summary = "ordered events as text, like go tool trace -d=parsed",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = &defaults,
    .check = check,
    .plan = make_plan,
};
