// The raw text form (decode/raw_text.h): one line an event, as Go's raw text writer prints it.
#include "base/text/decimal.h"
#include "decode/raw_text.h"
#include "sink/sink.h"
#include "sink/strict.h"

#define UNIT_OUTPUT_BYTES (TP_RAW_TEXT_PER_BYTE * TP_SEGMENT_MAX_BYTES + TP_RAW_TEXT_OVERRUN_BYTES)
_Static_assert(TP_RAW_TEXT_TAILED_PER_BYTE *TP_FLAT_CARRY_BYTES + TP_RAW_TEXT_HEAD_BYTES +
                       TP_RAW_TEXT_OVERRUN_BYTES <=
                   UNIT_OUTPUT_BYTES,
               "the longest event that is read flat fits into an empty buffer");

struct unit_state {
    struct tp_buf *buf;              // of the unit; set while `work` runs
    const struct tp_decoder *decoder;
    size_t flat_from;
    struct tp_sink_notes notes;
    struct tp_raw_text text;
};

struct input_state {
    struct tp_strict strict;
    struct tp_buf *buf;              // scratch for a commit that reads flat
    struct tp_out *out;
};

struct config {
    bool header;
};

static const struct tp_opt_spec options[] = {
    TP_OPTION_BOOL(struct config, header, "begin with the line \"Trace Go1.N\" (default yes)"),
    {.key = NULL},
};

static const struct config defaults = {.header = true};

static unsigned char *text_end(const struct tp_buf *buf)
{
    return buf->ptr + buf->len_bytes;
}

static void set_text_end(struct tp_buf *buf, const unsigned char *end)
{
    buf->len_bytes = (size_t)(end - buf->ptr);
    assert(buf->len_bytes + TP_RAW_TEXT_OVERRUN_BYTES <= buf->max_bytes);
}

static int visit_event(void *ctx, const struct tp_wire_event *ev, struct tp_span wire,
                       struct tp_error *err)
{
    (void)wire, (void)err;
    struct unit_state *u = ctx;
    set_text_end(u->buf, tp_raw_text_v2_put_event(text_end(u->buf), ev));
    return 0;
}

static int visit_body(void *ctx, struct tp_span bytes, size_t *ret_used_bytes,
                      struct tp_error *err)
{
    (void)err;
    struct unit_state *u = ctx;
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    set_text_end(u->buf, u->decoder->put_text(&u->text, &p, end, text_end(u->buf)));
    *ret_used_bytes = (size_t)(p - bytes.ptr);
    return 0;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    const struct tp_event_visitor visitor = {visit_event, visit_body, u, call->strict, &u->notes};
    u->notes = (struct tp_sink_notes){0};
    const struct tp_format *f = &unit->input->format;
    u->buf = call->buf;
    u->decoder = f->decoder;
    f->decoder->text_begin(&u->text, f->minor,
                           call->strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT);
    return tp_walk_events(unit, &visitor, &u->flat_from, err);
}

static int flush(struct input_state *in, struct tp_error *err)
{
    int rc = tp_out_put(in->out, tp_span_of(in->buf->ptr, in->buf->len_bytes), err);
    tp_buf_reset(in->buf);
    return rc;
}

static int flat_event(void *ctx, const struct tp_wire_event *ev, struct tp_span wire,
                      struct tp_error *err)
{
    struct input_state *in = ctx;
    size_t most = TP_RAW_TEXT_TAILED_PER_BYTE * wire.len_bytes + TP_RAW_TEXT_HEAD_BYTES;
    int rc = tp_buf_room(in->buf) < most + TP_RAW_TEXT_OVERRUN_BYTES ? flush(in, err) : 0;
    if (rc == 0)
        set_text_end(in->buf, tp_raw_text_v2_put_event(text_end(in->buf), ev));
    return rc;
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    const struct config *config = call->config;
    struct input_state *in = call->input_state;
    const struct tp_format *f = &input->format;
    tp_strict_init(&in->strict, f, flat_event, in);
    if (!config->header)
        return 0;
    unsigned char line[64] = "Trace Go1.";
    uint32_t minor = f->decoder->text_minor != 0 ? f->decoder->text_minor : f->minor;
    unsigned char *end = tp_put_decimal(line + strlen((char *)line), minor);
    *end++ = '\n';
    return tp_out_put(call->out, tp_span_of(line, (size_t)(end - line)), err);
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct input_state *in = call->input_state;
    const struct unit_state *u = call->unit_state;
    tp_sink_notes_add(call->notes, &u->notes);
    if (!tp_strict_takes_work(&in->strict))
        tp_buf_reset(call->buf);
    in->buf = call->buf;
    in->out = call->out;
    int rc = tp_strict_commit(&in->strict, unit, u->flat_from, err);
    // Like Go, print the events before the place where reading failed. An error of the output takes
    // precedence over an error of reading.
    struct tp_error flush_err;
    int flush_rc = flush(in, &flush_err);
    if (flush_rc == 0)
        return rc;
    *err = flush_err;
    return flush_rc;
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input, (void)report;
    return tp_strict_end(&((struct input_state *)call->input_state)->strict, err);
}

static void input_fini(void *state)
{
    tp_strict_fini(&((struct input_state *)state)->strict);
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){
        .suffix = ".txt",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_SEGMENT,
        .accepts = TP_KIND_TRACES,
        .has_reference = true,
        .unit_state_bytes = sizeof(struct unit_state),
        .input_state_bytes = sizeof(struct input_state),
        .unit_output_bytes = UNIT_OUTPUT_BYTES,
        .unit = {.work = work},
        .input = {.open = open_input, .commit = commit, .finish = finish, .fini = input_fini},
    };
}

const struct tp_sink_def tp_sink_text = {
    .name = "text",
    .summary = "batches as raw text in file order, like go tool trace -d=wire",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = &defaults,
    .plan = make_plan,
};
