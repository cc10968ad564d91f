// A row for each span of a goroutine's state (tracepipe/span.h), as CSV or as lines of JSON. The spans
// come with their blocks, so the sink keeps nothing from block to block.
//
// A worker prints as many rows of a block as fit into its buffer, which nearly always are all; commit
// prints the rest.
#include <inttypes.h>

#include "base/time/time_arg.h"
#include "merge/track/tracker.h"
#include "sink/buf_out.h"
#include "sink/print/emit.h"
#include "sink/sink.h"
#include "sink/span_filter.h"
#include "sink/span_states.h"
#include "tracepipe/span.h"

#define OUTPUT_BYTES TP_MIB(1)

enum format { FORMAT_CSV, FORMAT_JSONL };

// Indexed by the value of the option `state`, of which the first, "all", stands for every state.
static const uint8_t states[] = {
    TP_STATE_UNDETERMINED,
#define TP_X(state, word) TP_STATE_##state,
    TP_SPAN_STATES(TP_X)
#undef TP_X
};
#define OR_WORD(state, word) "|" word
#define STATE_CHOICES "all" TP_SPAN_STATES(OR_WORD)

struct config {
    struct tp_span_filter filter; // first
    int format;        // enum format
    int state;         // index in `states`
    char longer[TP_OPT_TEXT_MAX_BYTES + 1];
    bool guard;
};

static_assert(offsetof(struct config, filter) == 0, "a pointer to one is a pointer to the other");

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct config, format, "csv|jsonl", "CSV (default) or lines of JSON"),
    TP_SPAN_FILTER_OPTIONS,
    TP_OPTION_ENUM(struct config, state, STATE_CHOICES, "only this state (default all)"),
    TP_OPTION_TEXT(struct config, longer, "DURATION", "only what lasts longer, like 10ms"),
    TP_OPTION_BOOL(struct config, guard,
                   "guard formulas of spreadsheets in CSV with an apostrophe (default yes)"),
    {.key = NULL},
};

static const struct config defaults = {.filter = TP_SPAN_FILTER_ALL, .guard = true, .longer = ""};

// Reads the option "longer" as nanoseconds; -1: not given. False: it is no duration.
static bool read_longer(const struct config *c, int64_t *ret_ns)
{
    struct tp_time_arg arg;
    *ret_ns = -1;
    if (c->longer[0] == '\0')
        return true;
    if (!tp_time_arg_parse(c->longer, &arg) || arg.kind != TP_TIME_ARG_SINCE)
        return false;
    *ret_ns = arg.since_ns;
    return true;
}

static int check(const void *config, struct tp_error *err)
{
    int64_t ns;
    const struct config *c = config;
    if (read_longer(c, &ns))
        return 0;
    return tp_fail(err, TP_E_USAGE,
                   "sink spans: option 'longer' must be a duration like 10ms or 1.5s, not '%.48s'",
                   c->longer);
}

// FILTERS

// Whether options leave spans out.
static bool selects(const struct config *c)
{
    return c->state != 0 || c->longer[0] != '\0' || c->filter.goroutine != -1 ||
           c->filter.task != 0 || c->filter.function[0] != '\0';
}

static bool is_wanted(const struct config *c, int64_t longer_ns, const struct tp_tables *tables,
                      const struct tp_state_span *s)
{
    return (c->state == 0 || s->state == states[c->state]) &&
           s->end_ns - s->begin_ns > longer_ns && tp_span_filter_takes(&c->filter, s, tables);
}

// ROWS

// Returns the word for what the trace does not show of the state: its beginning, its end, or both. Empty:
// the trace shows both.
static const char *cut_word(const struct tp_state_span *s)
{
    static const char *const words[2][2] = {{"", "end"}, {"begin", "both"}};
    return words[s->had_begun][s->goes_on];
}

#define CSV_HEAD \
    "goroutine,function,state,reason,begin_ns,duration_ns,stack,waker,waker_stack,task,cut\n"

// Prints a stack as one field: the frames from the innermost on, each as "function (file:line)",
// separated by semicolons.
static void put_csv_stack(struct tp_emit *e, struct tp_stack stack)
{
    if (stack.frame_count == 0)
        return;
    tp_emit_text(e, "\"");
    for (uint32_t i = 0; i < stack.frame_count; i++) {
        struct tp_frame f = tp_stack_frame(&stack, i);
        if (i == 0)
            tp_emit_csv_guard(e, tp_text_span(f.function));
        else
            tp_emit_text(e, ";");
        tp_emit_csv_inside(e, tp_text_span(f.function));
        tp_emit_text(e, " (");
        tp_emit_csv_inside(e, tp_text_span(f.file));
        tp_emit_text(e, ":");
        tp_emit_u64(e, f.line);
        tp_emit_text(e, ")");
    }
    tp_emit_text(e, "\"");
}

static void put_csv(struct tp_emit *e, const struct tp_tables *tables,
                    const struct tp_state_span *s)
{
    tp_emit_i64(e, s->goroutine);
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, tp_text_span(tp_state_span_function(s, tables)));
    tp_emit_printf(e, ",%s,", tp_span_state_word(s->state));
    tp_emit_csv_text(e, tp_text_span(tp_state_span_reason(s, tables)));
    tp_emit_printf(e, ",%" PRId64 ",%" PRId64 ",", s->begin_ns, s->end_ns - s->begin_ns);
    put_csv_stack(e, tp_state_span_stack(s, tables));
    tp_emit_text(e, ",");
    if (s->waker != TP_NO_GOROUTINE)
        tp_emit_i64(e, s->waker);
    tp_emit_text(e, ",");
    put_csv_stack(e, tp_state_span_waker_stack(s, tables));
    tp_emit_text(e, ",");
    if (s->task != TP_NO_TASK)
        tp_emit_u64(e, s->task);
    tp_emit_printf(e, ",%s\n", cut_word(s));
}

static void put_json_stack(struct tp_emit *e, const char *key, struct tp_stack stack)
{
    tp_emit_json_key(e, key);
    tp_emit_text(e, "[");
    for (uint32_t i = 0; i < stack.frame_count; i++) {
        struct tp_frame f = tp_stack_frame(&stack, i);
        tp_emit_text(e, i == 0 ? "{\"function\":" : ",{\"function\":");
        tp_emit_json_string(e, tp_text_span(f.function));
        tp_emit_text(e, ",\"file\":");
        tp_emit_json_string(e, tp_text_span(f.file));
        tp_emit_text(e, ",\"line\":");
        tp_emit_u64(e, f.line);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]");
}

static void put_json_text(struct tp_emit *e, const char *key, struct tp_span text)
{
    tp_emit_json_key(e, key);
    tp_emit_json_string(e, text);
}

static void put_json(struct tp_emit *e, const struct tp_tables *tables,
                     const struct tp_state_span *s)
{
    tp_emit_text(e, "{");
    e->has_items = false;
    tp_emit_json_key(e, "goroutine");
    tp_emit_i64(e, s->goroutine);
    put_json_text(e, "function", tp_text_span(tp_state_span_function(s, tables)));
    put_json_text(e, "state", tp_span_of_text(tp_span_state_word(s->state)));
    put_json_text(e, "reason", tp_text_span(tp_state_span_reason(s, tables)));
    tp_emit_json_key(e, "begin_ns");
    tp_emit_i64(e, s->begin_ns);
    tp_emit_json_key(e, "duration_ns");
    tp_emit_i64(e, s->end_ns - s->begin_ns);
    put_json_stack(e, "stack", tp_state_span_stack(s, tables));
    tp_emit_json_key(e, "waker");
    if (s->waker != TP_NO_GOROUTINE)
        tp_emit_i64(e, s->waker);
    else
        tp_emit_text(e, "null");
    put_json_stack(e, "waker_stack", tp_state_span_waker_stack(s, tables));
    tp_emit_json_key(e, "task");
    if (s->task != TP_NO_TASK)
        tp_emit_u64(e, s->task);
    else
        tp_emit_text(e, "null");
    put_json_text(e, "cut", tp_span_of_text(cut_word(s)));
    tp_emit_text(e, "}\n");
}

// Prints the row of a span. If `out` fails, it may have got a part of the row.
static int put_row(const struct config *c, const struct tp_tables *tables,
                   const struct tp_state_span *s, struct tp_out *out, struct tp_error *err)
{
    struct tp_emit e;
    tp_emit_init(&e, out, err);
    e.guards_csv = c->guard;
    (c->format == FORMAT_CSV ? put_csv : put_json)(&e, tables, s);
    return tp_emit_end(&e);
}

// UNITS

struct unit_state {
    int64_t longer_ns;
    size_t done_count; // spans of the block that `work` has printed or left out
    size_t row_count;  // that `work` has printed
};

static int unit_init(const struct tp_sink_call *call, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    (void)err;
    (void)read_longer(call->config, &u->longer_ns);
    return 0;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    const struct tp_block *b = unit->block;
    struct tp_buf_out to = {{tp_buf_out_put}, call->buf};
    struct tp_error full;
    (void)err;
    u->row_count = 0;
    for (u->done_count = 0; u->done_count < b->span_count; u->done_count++) {
        const struct tp_state_span *s = &b->spans[u->done_count];
        size_t before_bytes = call->buf->len_bytes;
        if (!is_wanted(call->config, u->longer_ns, b->tables, s))
            continue;
        if (put_row(call->config, b->tables, s, &to.out, &full) != 0) {
            call->buf->len_bytes = before_bytes;
            break;
        }
        u->row_count++;
    }
    return 0;
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    (void)input;
    const struct config *c = call->config;
    return c->format == FORMAT_CSV ? tp_out_put(call->out, tp_span_of_text(CSV_HEAD), err) : 0;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    const struct unit_state *u = call->unit_state;
    const struct tp_block *b = unit->block;
    int rc = tp_sink_put_buf(call, err);
    call->notes->selected_count += u->row_count;
    for (size_t i = u->done_count; i < b->span_count && rc == 0; i++) {
        if (!is_wanted(call->config, u->longer_ns, b->tables, &b->spans[i]))
            continue;
        rc = put_row(call->config, b->tables, &b->spans[i], call->out, err);
        call->notes->selected_count++;
    }
    return rc;
}

// THE SINK

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct config *c = config;
    *plan = (struct tp_sink_plan){
        .suffix = c->format == FORMAT_CSV ? ".spans.csv" : ".spans.jsonl",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .accepts = TP_KIND_TRACES,
        .has_texts_as_they_are = true,
        .has_reference = true,
        .selects = selects(c),
        .selects_by = c->filter.function[0] != '\0' ? TP_SELECTS_BY_FUNCTION : NULL,
        .tracks = TP_TRACK_SPANS,
        .unit_state_bytes = sizeof(struct unit_state),
        .unit_output_bytes = OUTPUT_BYTES,
        .unit = {.init = unit_init, .work = work},
        .input = {.open = open_input, .commit = commit},
    };
}

const struct tp_sink_def tp_sink_spans = {
    .name = "spans",
    .summary = "a row for each state of a goroutine: when, how long, why, where",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = &defaults,
    .check = check,
    .plan = make_plan,
};
