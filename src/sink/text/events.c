// Text of the ordered events, as `go tool trace -d=parsed` prints it; with model=v1 of legacy
// events from before Go 1.22 (legacy_event_text.h).
//
// A worker prints as much of a block as fits into its buffer, which is nearly always the whole
// block. Stacks can make one event as long as 600 KB, so commit prints the rest.
#include "sink/sink.h"
#include "sink/text/event_text.h"
#include "sink/text/legacy_event_text.h"

#define OUTPUT_BYTES TP_MIB(1)
_Static_assert(TP_EVENT_TEXT_MAX_BYTES + TP_EVENT_TEXT_OVERRUN_BYTES <= OUTPUT_BYTES,
               "any event fits into an empty buffer");
_Static_assert(TP_LEGACY_EVENT_TEXT_MAX_BYTES <= OUTPUT_BYTES, "any event of old fits, too");

enum model { MODEL_V2, MODEL_V1 };

struct config {
    int model;
    char tz[TP_OPT_TEXT_MAX_BYTES + 1];
};

struct unit_state {
    struct tp_zone zone;
    struct tp_event_text text;
    size_t printed_count; // events of the block that `work` has printed
};

static const struct tp_opt_spec options[] = {
    {"model", TP_OPT_ENUM, offsetof(struct config, model), 0, 0, "v2|v1",
     "v1: events of before Go 1.22 as the parser of that time had them"},
    {"tz", TP_OPT_TEXT, offsetof(struct config, tz), 0, 0, "UTC|local|NAME",
     "time zone of wall clocks (default UTC)"},
    {NULL, TP_OPT_BOOL, 0, 0, 0, NULL, NULL},
};

static void defaults(void *config)
{
    *(struct config *)config = (struct config){.tz = "UTC"};
}

static int check(const void *config, struct tp_error *err)
{
    const char *name = ((const struct config *)config)->tz;
    struct tp_zone zone;
    int rc = tp_zone_load(&zone, name, err);
    if (rc == TP_E_USAGE)
        return tp_fail(err, rc,
                       "sink events: option 'tz' is UTC, local or a time zone like Asia/Tokyo, "
                       "not '%.48s'",
                       name);
    if (rc == 0)
        tp_zone_fini(&zone);
    return rc;
}

static int unit_init(const struct tp_sink_call *call, void *unit_state, struct tp_error *err)
{
    struct unit_state *u = unit_state;
    tp_event_text_init(&u->text, &u->zone);
    return tp_zone_load(&u->zone, ((const struct config *)call->config)->tz, err);
}

static void unit_fini(void *unit_state)
{
    tp_zone_fini(&((struct unit_state *)unit_state)->zone);
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err)
{
    (void)call;
    struct unit_state *u = unit_state;
    const struct tp_block *block = unit->block;
    int rc = tp_event_text_use(&u->text, block->tables);
    if (rc != 0)
        return tp_tables_stacks_failure(block->tables, err);
    u->printed_count = tp_event_text_fill(&u->text, block->events, block->event_count, buf);
    return 0;
}

static int commit(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                  void *unit_state, struct tp_buf *buf, struct tp_out *out, struct tp_error *err)
{
    (void)call, (void)state;
    struct unit_state *u = unit_state;
    const struct tp_block *block = unit->block;
    for (;;) {
        int rc = tp_out_put(out, tp_span_of(buf->ptr, buf->len_bytes), err);
        if (rc != 0 || u->printed_count == block->event_count)
            return rc;
        tp_buf_reset(buf);
        u->printed_count += tp_event_text_fill(&u->text, block->events + u->printed_count,
                                               block->event_count - u->printed_count, buf);
    }
}

// MODEL V1

static int work_v1(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                   struct tp_buf *buf, struct tp_error *err)
{
    (void)call, (void)err;
    const struct tp_block *block = unit->block;
    *(size_t *)unit_state = tp_legacy_event_text_fill(
        unit->input->format.minor, block->tables, block->legacy_events, block->event_count, buf);
    return 0;
}

static int commit_v1(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                     void *unit_state, struct tp_buf *buf, struct tp_out *out,
                     struct tp_error *err)
{
    (void)call, (void)state;
    const struct tp_block *block = unit->block;
    size_t printed_count = *(size_t *)unit_state;
    for (;;) {
        int rc = tp_out_put(out, tp_span_of(buf->ptr, buf->len_bytes), err);
        if (rc != 0 || printed_count == block->event_count)
            return rc;
        tp_buf_reset(buf);
        printed_count += tp_legacy_event_text_fill(unit->input->format.minor, block->tables,
                                                   block->legacy_events + printed_count,
                                                   block->event_count - printed_count, buf);
    }
}

// THE SINK

static const struct tp_unit_hooks unit_hooks = {unit_init, unit_fini, work};
static const struct tp_input_hooks input_hooks = {.commit = commit};
static const struct tp_unit_hooks unit_hooks_v1 = {.work = work_v1};
static const struct tp_input_hooks input_hooks_v1 = {.commit = commit_v1};

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    bool is_v1 = ((const struct config *)config)->model == MODEL_V1;
    *plan = (struct tp_sink_plan){
        .suffix = ".events",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .model = is_v1 ? TP_MODEL_LEGACY : TP_MODEL_EVENTS,
        .accepts = is_v1 ? TP_KIND_V1 : TP_KIND_TRACES,
        .has_reference = true,
        .unit_state_bytes = is_v1 ? sizeof(size_t) : sizeof(struct unit_state),
        .unit_output_bytes = OUTPUT_BYTES,
        .unit = is_v1 ? &unit_hooks_v1 : &unit_hooks,
        .input = is_v1 ? &input_hooks_v1 : &input_hooks,
    };
}

const struct tp_sink_def tp_sink_events = {
    .name = "events",
    .summary = "text of the ordered events, as go tool trace -d=parsed",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = defaults,
    .check = check,
    .plan = make_plan,
};
