// The raw text form: one line an event, as Go's raw text writer prints it
// (internal/trace/raw; `go tool trace -d=wire` is the same without the header).
//
// Printing is the hottest loop of the program. A table made once from the event table drives it:
// it has the fixed text before each argument (" g=", or "GoStart dt=" before the first), in blocks
// of fixed size, so that copying one takes two vector stores and an addition. Numbers are printed
// without branches on their length (base/text/decimal.h). The loop checks no room: an event of n
// bytes prints to at most TEXT_PER_BYTE * n bytes, and buffers have that room.
#include <pthread.h>

#include "base/text/decimal.h"
#include "base/text/quote.h"
#include "decode/varint.h"
#include "sink/sink.h"
#include "sink/strict.h"
#include "sink/text/block.h"
#include "sink/text/frame_cache.h"
#include "sink/text/raw_v1.h"

// Limit of text bytes for each wire byte: "EndOfGeneration\n" has 16 for one byte, all other events
// have less (tests/unit/test_text_sink.c checks the table).
#define TEXT_PER_BYTE 16
// Copies of whole blocks and digits may write this far beyond the end of the text.
#define OVERRUN_BYTES 64
#define UNIT_OUTPUT_BYTES (TEXT_PER_BYTE * TP_SEGMENT_MAX_BYTES + OVERRUN_BYTES)
// Limit of text bytes for each wire byte of an event with a tail: a frame of four one-byte numbers
// prints to 35 bytes, a byte of data to four.
#define TAILED_PER_BYTE 9
#define HEAD_TEXT_BYTES 512
_Static_assert(TAILED_PER_BYTE * TP_FLAT_CARRY_BYTES + HEAD_TEXT_BYTES + OVERRUN_BYTES <=
                   UNIT_OUTPUT_BYTES,
               "the longest event that is read flat fits into an empty buffer");

static struct tp_text_block before_arg[TP_EVENT_CODES][TP_MAX_EVENT_ARGS]; // "Name a=" or " b="
static struct tp_text_block bare_name[TP_EVENT_CODES];                     // without arguments
static struct tp_text_block before_frame_arg[TP_FRAME_ARGS];
static pthread_once_t blocks_once = PTHREAD_ONCE_INIT;

static void make_blocks(void)
{
    tp_small_decimals_make();
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        tp_text_block_append(&bare_name[code], spec->name != NULL ? spec->name : "");
        for (unsigned i = 0; i < spec->arg_count; i++) {
            struct tp_text_block *b = &before_arg[code][i];
            tp_text_block_append(b, i == 0 ? spec->name : "");
            tp_text_block_append(b, " ");
            tp_text_block_append(b, spec->args[i]);
            tp_text_block_append(b, "=");
        }
    }
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
        tp_text_block_append(&before_frame_arg[k], k == 0 ? "\n\t" : " ");
        tp_text_block_append(&before_frame_arg[k], tp_frame_arg_names[k]);
        tp_text_block_append(&before_frame_arg[k], "=");
    }
}

// Bytes that the reading of a frame may touch; with so many left nothing is compared with the end.
#define FRAME_ROOM_BYTES (TP_FRAME_ARGS * TP_VARINT_MAX_BYTES)
_Static_assert(TP_FRAME_TEXT_MAX_BYTES <= OVERRUN_BYTES, "a text is copied as a whole");

// Prints the frame at *p_io; false if it is cut or has an invalid number.
TP_INLINE bool put_frame(const unsigned char **p_io, const unsigned char *end,
                         unsigned char **to_io)
{
    bool is_roomy = end - *p_io >= FRAME_ROOM_BYTES;
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
        uint64_t value = 0;
        if (tp_unlikely(is_roomy ? !tp_varint_get_roomy_unchecked(p_io, &value)
                                 : tp_varint_get(p_io, end, &value) != TP_VARINT_OK))
            return false;
        *to_io = tp_put_decimal_tabled(tp_text_block_put(*to_io, &before_frame_arg[k]), value);
    }
    return true;
}

// Prints `frame_count` frames; false as put_frame.
static bool put_frames(struct tp_frame_cache *cache, const unsigned char **p_io,
                       const unsigned char *end, uint64_t frame_count, unsigned char **to_io)
{
    const unsigned char *p = *p_io;
    unsigned char *to = *to_io;
    for (uint64_t i = 0; i < frame_count; i++) {
        const unsigned char *wire = p;
        unsigned char *text = to;
        bool is_roomy = end - p >= FRAME_ROOM_BYTES;
        const struct tp_frame_text *known = is_roomy ? tp_frame_cache_find(cache, p) : NULL;
        if (tp_likely(known != NULL)) {
            memcpy(to, known->text, sizeof known->text);
            p += known->key.wire_bytes;
            to += known->text_bytes;
            continue;
        }
        if (!put_frame(&p, end, &to))
            return false;
        if (is_roomy)
            tp_frame_cache_put(cache, wire, (size_t)(p - wire), text, (size_t)(to - text));
    }
    *p_io = p;
    *to_io = to;
    return true;
}

static unsigned char *put_data(unsigned char *to, struct tp_span data)
{
    static const char key[] = "\n\tdata=";
    if (data.len_bytes == 0)
        return to; // as Go, print no line
    memcpy(to, key, sizeof key - 1);
    return tp_quote(to + sizeof key - 1, data);
}

// Prints any event, with its tail.
static unsigned char *put_event(unsigned char *to, const struct tp_wire_event *ev)
{
    if (ev->arg_count == 0)
        to = tp_text_block_put(to, &bare_name[ev->type]);
    for (unsigned i = 0; i < ev->arg_count; i++)
        to = tp_put_decimal_tabled(tp_text_block_put(to, &before_arg[ev->type][i]), ev->args[i]);
    switch (tp_event_specs[ev->type].kind) {
    case TP_WIRE_STACK: {
        const unsigned char *p = ev->tail.ptr;
        for (uint64_t i = 0; i < ev->frame_count; i++)
            (void)put_frame(&p, ev->tail.ptr + ev->tail.len_bytes, &to); // cannot fail: was read
        break;
    }
    case TP_WIRE_DATA: to = put_data(to, ev->tail); break;
    default: break;
    }
    *to++ = '\n';
    return to;
}

// Prints events without a tail, the bulk of every trace. Stops at the end, or at an event that
// needs the general way, and returns this place.
static const unsigned char *put_plain_events(const unsigned char *p, const unsigned char *end,
                                             const struct tp_arg_table *table,
                                             unsigned char **to_io)
{
    unsigned char *to = *to_io;
    while (p < end) {
        uint8_t type = *p;
        unsigned n = table->plain[type];
        if (tp_unlikely(n == TP_ARGS_INVALID))
            break;
        const unsigned char *at = p + 1;
        unsigned char *line = to;
        if (tp_unlikely(n == 0))
            line = tp_text_block_put(line, &bare_name[type]);
        for (unsigned i = 0; i < n; i++) {
            uint64_t value = 0;
            if (tp_unlikely(tp_varint_get(&at, end, &value) != TP_VARINT_OK))
                goto out;
            line = tp_put_decimal_tabled(tp_text_block_put(line, &before_arg[type][i]), value);
        }
        *line++ = '\n';
        to = line;
        p = at;
    }
out:
    *to_io = to;
    return p;
}

// Reads and prints a stack in one pass, because half of a trace can be stacks. False, and nothing
// printed, if something is wrong with it: the general way then finds out what.
static bool put_stack(struct tp_frame_cache *cache, const unsigned char **p_io,
                      const unsigned char *end, const struct tp_arg_table *table,
                      unsigned char **to_io)
{
    const unsigned char *p = *p_io;
    uint64_t id = 0, frame_count = 0;
    if (*p++ != TP_EV_Stack || table->count[TP_EV_Stack] == TP_ARGS_INVALID ||
        tp_varint_get(&p, end, &id) != TP_VARINT_OK ||
        tp_varint_get(&p, end, &frame_count) != TP_VARINT_OK || frame_count > INT64_MAX)
        return false;
    unsigned char *to = *to_io;
    to = tp_put_decimal_tabled(tp_text_block_put(to, &before_arg[TP_EV_Stack][0]), id);
    to = tp_put_decimal_tabled(tp_text_block_put(to, &before_arg[TP_EV_Stack][1]), frame_count);
    if (!put_frames(cache, &p, end, frame_count, &to))
        return false;
    *to++ = '\n';
    *p_io = p;
    *to_io = to;
    return true;
}

struct unit_state {
    struct tp_buf *buf;              // of the unit; set while `work` runs
    const struct tp_arg_table *table;
    size_t flat_from;
    struct tp_sink_notes notes;
    struct tp_frame_cache frames;    // kept from unit to unit, whatever the input
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

static void defaults(void *config)
{
    ((struct config *)config)->header = true;
}

static unsigned char *text_end(const struct tp_buf *buf)
{
    return buf->ptr + buf->len_bytes;
}

static void set_text_end(struct tp_buf *buf, const unsigned char *end)
{
    buf->len_bytes = (size_t)(end - buf->ptr);
    assert(buf->len_bytes + OVERRUN_BYTES <= buf->max_bytes);
}

static int visit_event(void *ctx, const struct tp_wire_event *ev, struct tp_span wire,
                       struct tp_error *err)
{
    (void)wire, (void)err;
    struct unit_state *u = ctx;
    set_text_end(u->buf, put_event(text_end(u->buf), ev));
    return 0;
}

static int visit_body(void *ctx, struct tp_span bytes, size_t *ret_used_bytes,
                      struct tp_error *err)
{
    (void)err;
    struct unit_state *u = ctx;
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    unsigned char *to = text_end(u->buf);
    while (p < end) {
        struct tp_wire_event ev;
        p = put_plain_events(p, end, u->table, &to);
        if (p < end && put_stack(&u->frames, &p, end, u->table, &to))
            continue;
        if (p == end || tp_event_read(&p, end, u->table, &ev) != TP_EVENT_OK)
            break;
        to = put_event(to, &ev);
    }
    set_text_end(u->buf, to);
    *ret_used_bytes = (size_t)(p - bytes.ptr);
    return 0;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err)
{
    struct unit_state *u = unit_state;
    const struct tp_event_visitor visitor = {visit_event, visit_body, u, call->strict, &u->notes};
    u->notes = (struct tp_sink_notes){0};
    if (tp_format_is_old(&unit->input->format)) {
        tp_text_v1_print(unit, buf);
        return 0;
    }
    u->buf = buf;
    u->table = tp_arg_table(unit->input->format.minor,
                            call->strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT);
    pthread_once(&blocks_once, make_blocks);
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
    size_t most = TAILED_PER_BYTE * wire.len_bytes + HEAD_TEXT_BYTES;
    int rc = tp_buf_room(in->buf) < most + OVERRUN_BYTES ? flush(in, err) : 0;
    if (rc == 0)
        set_text_end(in->buf, put_event(text_end(in->buf), ev));
    return rc;
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      void *state, struct tp_out *out, struct tp_error *err)
{
    const struct config *config = call->config;
    struct input_state *in = state;
    bool is_old = tp_format_is_old(&input->format);
    if (!is_old)
        tp_strict_init(&in->strict, &input->format, flat_event, in);
    pthread_once(&blocks_once, make_blocks);
    if (!config->header)
        return 0;
    unsigned char line[TP_TEXT_BLOCK_BYTES] = "Trace Go1.";
    uint32_t minor = is_old ? tp_text_v1_minor(&input->format) : input->format.minor;
    unsigned char *end = tp_put_decimal(line + strlen((char *)line), minor);
    *end++ = '\n';
    return tp_out_put(out, tp_span_of(line, (size_t)(end - line)), err);
}

static int commit(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                  const struct tp_unit_made *made, struct tp_out *out, struct tp_error *err)
{
    struct input_state *in = state;
    const struct unit_state *u = made->state;
    tp_sink_notes_add(call->notes, &u->notes);
    if (tp_format_is_old(&unit->input->format))
        return tp_out_put(out, tp_span_of(made->buf->ptr, made->buf->len_bytes), err);
    if (!tp_strict_takes_work(&in->strict))
        tp_buf_reset(made->buf);
    in->buf = made->buf;
    in->out = out;
    int rc = tp_strict_commit(&in->strict, unit, u->flat_from, err);
    // As Go, print the events before the place where reading failed. An error of the output goes
    // before an error of reading.
    struct tp_error flush_err;
    int flush_rc = flush(in, &flush_err);
    if (flush_rc == 0)
        return rc;
    *err = flush_err;
    return flush_rc;
}

static int finish(const struct tp_sink_call *call, void *state, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_out *out, struct tp_error *err)
{
    (void)call, (void)report, (void)out;
    if (tp_format_is_old(&input->format))
        return 0;
    return tp_strict_end(&((struct input_state *)state)->strict, err);
}

static void input_fini(void *state)
{
    tp_strict_fini(&((struct input_state *)state)->strict);
}

static const struct tp_unit_hooks unit_hooks = {.work = work};

static const struct tp_input_hooks input_hooks = {
    .open = open_input, .commit = commit, .finish = finish, .fini = input_fini};

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
        .unit = &unit_hooks,
        .input = &input_hooks,
    };
}

const struct tp_sink_def tp_sink_text = {
    .name = "text",
    .summary = "raw text of the batches in file order, as Go's raw text writer",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = defaults,
    .plan = make_plan,
};
