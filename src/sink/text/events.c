// Prints the ordered events as text, as `go tool trace -d=parsed` does; with model=v1 prints legacy
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
    TP_OPTION_ENUM(struct config, model, "v2|v1",
                   "v1: events from before Go 1.22 in the terms of the trace parser of that time"),
    TP_OPTION_TEXT(struct config, tz, "UTC|local|NAME", "time zone of wall-clock times (default UTC)"),
    {.key = NULL},
};

static const struct config defaults = {.tz = "UTC"};

static int check(const void *config, struct tp_error *err)
{
    const char *name = ((const struct config *)config)->tz;
    struct tp_zone zone;
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
    tp_event_text_init(&u->text, &u->zone);
    return tp_zone_load(&u->zone, ((const struct config *)call->config)->tz, err);
}

static void unit_fini(void *unit_state)
{
    tp_zone_fini(&((struct unit_state *)unit_state)->zone);
}

static bool is_v1(const void *config)
{
    return ((const struct config *)config)->model == MODEL_V1;
}

// Prints more events of the unit, as many as fit into the buffer.
static void fill(const struct tp_sink_call *call, const struct tp_unit *unit,
                 struct unit_state *u, struct tp_buf *buf)
{
    const struct tp_block *b = unit->block;
    size_t first = u->printed_count, left_count = b->event_count - first;
    if (is_v1(call->config))
        u->printed_count += tp_legacy_event_text_fill(unit->input->format.minor, b->tables,
                                                      b->legacy_events + first, left_count, buf);
    else
        u->printed_count += tp_event_text_fill(&u->text, b->events + first, left_count, buf);
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    struct tp_tables *tables = unit->block->tables;
    if (!is_v1(call->config) && tp_event_text_use(&u->text, tables) != 0)
        return tp_tables_stacks_failure(tables, err);
    u->printed_count = 0;
    fill(call, unit, u, call->buf);
    return 0;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    struct tp_buf *buf = call->buf;
    for (;;) {
        int rc = tp_out_put(call->out, tp_span_of(buf->ptr, buf->len_bytes), err);
        if (rc != 0 || u->printed_count == unit->block->event_count)
            return rc;
        tp_buf_reset(buf);
        fill(call, unit, u, buf);
    }
}

// THE SINK

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    *plan = (struct tp_sink_plan){
        .suffix = ".events",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .model = is_v1(config) ? TP_MODEL_LEGACY : TP_MODEL_EVENTS,
        .accepts = is_v1(config) ? TP_KIND_V1 : TP_KIND_TRACES,
        .has_texts_as_they_are = true,
        .has_reference = true,
        .unit_state_bytes = sizeof(struct unit_state),
        .unit_output_bytes = OUTPUT_BYTES,
        .unit = {unit_init, unit_fini, work},
        .input = {.commit = commit},
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
