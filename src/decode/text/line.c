// Go's reader splits a line at any Unicode space. Programs write single blanks and plain decimals,
// so the code first tries to read each argument in that form. Other arguments are read in the
// general way, which also makes the message of a refusal.
#include "decode/text/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text/quote.h"
#include "decode/format.h"
#include "decode/put_v1.h"
#include "decode/put_v2.h"
#include "decode/raw_text.h"
#include "decode/text/token.h"
#include "decode/text/wiretext.h"
#include "decode/varint.h"

// Maximum length of a line without its newline, as in the scanner of Go's reader.
#define LINE_MAX_BYTES 65535

// Both formats have the number of frames of a Stack at the same index.
#define ARG_NFRAMES TP_WIRE_ARG_Stack_nframes
_Static_assert((int)TP_V1_ARG_Stack_nframes == (int)ARG_NFRAMES, "in the same place");
#define ARG_PAD TP_V1_ARGS_Stack // of a Stack from before Go 1.22, after its arguments

// REFUSALS
//
// The functions that refuse set the place and begin the message, the others append to it.

static void refuse(struct tp_wireline *w, size_t column, const char *words)
{
    tp_fail_at(&w->refusal, TP_E_TEXT, w->line_offset, "%s", words);
    w->refusal.line = w->line_no;
    w->refusal.column = column;
}

static void refuse_at(struct tp_wireline *w, const unsigned char *at, const char *words)
{
    refuse(w, (size_t)(at - w->current.ptr) + 1, words);
}

static TP_PRINTF(2, 3) void say(struct tp_wireline *w, const char *fmt, ...)
{
    size_t used = strlen(w->refusal.text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->refusal.text + used, sizeof w->refusal.text - used, fmt, ap);
    va_end(ap);
}

// Appends the bytes unchanged, except NULs, which would end the message.
static void say_bytes(struct tp_wireline *w, struct tp_span bytes)
{
    for (size_t i = 0; i < bytes.len_bytes && i < TP_ERROR_TEXT_BYTES; i++) {
        if (bytes.ptr[i] == 0)
            say(w, "\\x00");
        else
            say(w, "%c", bytes.ptr[i]);
    }
}

static void say_quoted(struct tp_wireline *w, struct tp_span bytes)
{
    // Quoting never shortens, so the bytes cut off here would not fit anyway. The margin keeps a
    // cut rune out of the visible part.
    enum { SHOWN = TP_ERROR_TEXT_BYTES + 4 };
    if (bytes.len_bytes > SHOWN)
        bytes.len_bytes = SHOWN;
    unsigned char quoted[4 * SHOWN + 3];
    *tp_quote(quoted, bytes) = 0;
    say(w, "%s", (const char *)quoted);
}

// Appends the values read so far, as Go prints a slice.
static void say_args(struct tp_wireline *w)
{
    const unsigned char *p = w->event + w->numbers_at;
    const unsigned char *end = w->event + w->event_bytes;
    const char *before = "args=[";
    // A value takes at least two bytes of the message: stop when no more can fit.
    for (int i = 0; p < end && i < TP_ERROR_TEXT_BYTES; i++) {
        uint64_t value = 0;
        if (tp_varint_get(&p, end, &value) != TP_VARINT_OK)
            break;
        say(w, "%s%" PRIu64, before, value);
        before = " ";
    }
    say(w, "]");
}

static const char *event_name(const struct tp_wireline *w)
{
    return w->names.events[w->code].name;
}

// Refuses an argument. Names the event for an error in the event's own line, but not for one in its
// frames, as Go does.
static void refuse_arg_at(struct tp_wireline *w, const unsigned char *at, const char *words)
{
    bool is_event = w->state == TP_WIRELINE_EVENT;
    refuse_at(w, at, is_event ? "reading args for " : "");
    if (is_event)
        say(w, "%s: ", event_name(w));
    say(w, "%s", words);
}

// ARGUMENTS

// Reads a blank, the name, '=', and up to 19 digits (which cannot overflow), before a blank or the
// end. False: the argument has another form.
TP_INLINE bool take_plain_arg(struct tp_span *s, const char *name, size_t name_bytes,
                              uint64_t *ret_value)
{
    const unsigned char *p = s->ptr;
    const unsigned char *end = p + s->len_bytes;
    if (s->len_bytes < name_bytes + 3 || (*p != ' ' && *p != '\t') ||
        memcmp(p + 1, name, name_bytes) != 0 || p[name_bytes + 1] != '=')
        return false;
    p += name_bytes + 2;
    const unsigned char *digits = p;
    uint64_t value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (p == digits || p - digits > 19 || (p < end && *p != ' '))
        return false;
    *ret_value = value;
    *s = tp_span_of(p, (size_t)(end - p));
    return true;
}

static bool take_arg(struct tp_wireline *w, struct tp_span *s, const char *name,
                     uint64_t *ret_value)
{
    struct tp_span before = *s;
    struct tp_span token = tp_take_token(s);
    if (token.len_bytes == 0) {
        refuse_arg_at(w, before.ptr, "no argument");
        return false;
    }
    const unsigned char *equals = memchr(token.ptr, '=', token.len_bytes);
    if (equals == NULL) {
        refuse_arg_at(w, token.ptr, "malformed argument: ");
        say_quoted(w, token);
        return false;
    }
    struct tp_span key = tp_span_of(token.ptr, (size_t)(equals - token.ptr));
    struct tp_span value = tp_span_skip(token, key.len_bytes + 1);
    if (tp_parse_decimal(value, ret_value) != TP_DECIMAL_OK) {
        refuse_arg_at(w, value.ptr, "failed to parse argument value ");
        say_quoted(w, value);
        say(w, " for arg ");
        say_quoted(w, key);
        return false;
    }
    if (!tp_span_is(key, name)) {
        refuse_arg_at(w, token.ptr, "expected argument ");
        say_quoted(w, tp_span_of_text(name));
        say(w, ", but got ");
        say_quoted(w, key);
        return false;
    }
    return true;
}

// Reads the arguments of an event or frame, which must fill the line, and appends them to the
// event, which must have room for them.
static bool read_args(struct tp_wireline *w, struct tp_span s, const struct tp_wirename *names)
{
    unsigned char *to = w->event + w->event_bytes;
    for (unsigned i = 0; i < names->arg_count; i++) {
        const char *name = names->args[i];
        if (tp_unlikely(!take_plain_arg(&s, name, names->arg_lens[i], &w->args[i])) &&
            !take_arg(w, &s, name, &w->args[i]))
            return false;
        to = tp_varint_put(to, w->args[i]);
    }
    struct tp_span extra = tp_skip_spaces(s);
    if (extra.len_bytes != 0) {
        refuse_arg_at(w, extra.ptr, "encountered unexpected non-space at the end of an event: ");
        say_quoted(w, s);
        return false;
    }
    w->event_bytes = (size_t)(to - w->event);
    return true;
}

// READING LINES, ONE FUNCTION FOR EACH STATE

// Returns whether Go's reader knows the header of the release, but no events.
static bool is_eventless(uint32_t minor)
{
    return minor == 11 || minor == 19 || minor == 21;
}

// Returns the event table from before Go 1.22 for a text with this release number; NULL: none.
static const struct tp_v1_table *old_table(const struct tp_wireline *w, uint32_t minor)
{
    if (w->dialect == TP_DIALECT_GO_RAW || minor == 0)
        return NULL;
    return tp_v1_table(minor == TP_RAW_TEXT_BEFORE_1_5 ? 0 : minor);
}

// Writes the header of the trace, and selects the table of events.
static void begin_trace(struct tp_wireline *w, uint32_t minor)
{
    static const char v0[] = TP_FORMAT_V0_MAGIC;
    if (w->old != NULL)
        tp_wirenames_learn_old(&w->names, w->old);
    else if (tp_version_is_v2(minor))
        tp_wirenames_learn(&w->names, minor, w->dialect);
    if (w->old != NULL && w->old->minor == 0) {
        memcpy(w->event, v0, sizeof v0);
        w->event_bytes = sizeof v0;
    } else {
        tp_put_v2_header(w->event, minor);
        w->event_bytes = TP_PUT_V2_HEADER_BYTES;
    }
    w->is_whole = true;
    w->state = TP_WIRELINE_EVENT;
}

static void read_header(struct tp_wireline *w, struct tp_span s)
{
    static const char release[] = "Go1.";
    const size_t release_bytes = sizeof release - 1;
    struct tp_span token = tp_take_token(&s);
    if (!tp_span_is(token, "Trace")) {
        refuse_at(w, token.ptr, "failed to parse header");
        return;
    }
    token = tp_take_token(&s);
    if (token.len_bytes < release_bytes || memcmp(token.ptr, release, release_bytes) != 0) {
        refuse_at(w, token.ptr, "failed to parse header Go version");
        return;
    }
    struct tp_span number = tp_span_skip(token, release_bytes);
    uint64_t value = 0;
    enum tp_decimal verdict = tp_parse_decimal(number, &value);
    if (verdict != TP_DECIMAL_OK) {
        refuse_at(w, number.ptr, "failed to parse header Go version: strconv.ParseUint: parsing ");
        say_quoted(w, number);
        say(w, ": %s", verdict == TP_DECIMAL_RANGE ? "value out of range" : "invalid syntax");
        return;
    }
    uint32_t minor = (uint32_t)value; // Go, too, keeps only 32 bits
    w->old = old_table(w, minor);
    if (!tp_version_is_v2(minor) && !is_eventless(minor) && w->old == NULL) {
        refuse_at(w, number.ptr, "unknown or unsupported Go version 1.");
        say(w, "%" PRIu32, minor);
        return;
    }
    struct tp_span extra = tp_skip_spaces(s);
    if (extra.len_bytes != 0) {
        refuse_at(w, extra.ptr, "encountered unexpected non-space at the end of the header: ");
        say_quoted(w, s);
        return;
    }
    begin_trace(w, minor);
}

// Ends the numbers of an event. Call after its last number, before its data.
static void end_numbers(struct tp_wireline *w)
{
    if (w->old == NULL)
        return;
    size_t end_bytes = tp_put_v1_end(w->event, w->event_bytes, w->pad_bytes);
    if (end_bytes == 0) {
        refuse(w, 1, "no length has ");
        say(w, "%" PRIu64 " bytes more than it needs", w->pad_bytes);
        return;
    }
    w->numbers_at -= w->event_bytes - end_bytes;
    w->event_bytes = end_bytes;
}

static void read_event(struct tp_wireline *w, struct tp_span s)
{
    struct tp_span name = tp_take_token(&s);
    w->code = tp_wirenames_find(&w->names, name);
    if (w->code == TP_EV_NONE) {
        refuse_at(w, name.ptr, "unidentified event: ");
        say_bytes(w, name);
        return;
    }
    const struct tp_wirename *event = &w->names.events[w->code];
    w->event[0] = (unsigned char)w->code;
    w->numbers_at = w->old != NULL ? tp_put_v1_begin(w->event, w->old, w->code) : 1;
    w->event_bytes = w->numbers_at;
    if (!read_args(w, s, event))
        return;
    w->pad_bytes = 0;
    w->frames_left = event->tail == TP_WIRENAME_FRAMES ? w->args[ARG_NFRAMES] : 0;
    if (event->tail == TP_WIRENAME_FRAMES && w->old != NULL) {
        w->pad_bytes = w->args[ARG_PAD]; // not a number of the wire event
        w->event_bytes -= tp_varint_len(w->pad_bytes);
    }
    // A larger nframes is negative in Go, so no frames follow.
    if (w->frames_left != 0 && w->frames_left <= INT64_MAX) {
        w->state = TP_WIRELINE_FRAME;
        return;
    }
    end_numbers(w);
    if (event->tail == TP_WIRENAME_BYTES)
        w->state = TP_WIRELINE_DATA;
    else
        w->is_whole = w->refusal.code == 0;
}

static void refuse_long_line(struct tp_wireline *w, size_t limit_bytes)
{
    refuse(w, limit_bytes + 1, "bufio.Scanner: token too long");
}

static void refuse_large_event(struct tp_wireline *w, const unsigned char *at)
{
    refuse_at(w, at, "event of more than ");
    say(w, "%zu bytes", TP_WIRETEXT_EVENT_BYTES);
}

static void read_frame(struct tp_wireline *w, struct tp_span s)
{
    if (TP_WIRETEXT_EVENT_BYTES - w->event_bytes < TP_FRAME_ARGS * TP_VARINT_MAX_BYTES) {
        refuse_large_event(w, s.ptr);
        return;
    }
    if (!read_args(w, s, &w->names.frame))
        return;
    if (--w->frames_left == 0) {
        end_numbers(w);
        w->is_whole = w->refusal.code == 0;
        w->state = TP_WIRELINE_EVENT;
    }
}

static void read_data(struct tp_wireline *w, struct tp_span s)
{
    const unsigned char *equals = memchr(s.ptr, '=', s.len_bytes);
    if (equals == NULL ||
        !tp_span_is(tp_trim(tp_span_of(s.ptr, (size_t)(equals - s.ptr))), "data")) {
        refuse_at(w, tp_skip_spaces(s).ptr, "malformed data: ");
        say_quoted(w, s);
        return;
    }
    struct tp_span quoted = tp_trim(tp_span_skip(s, (size_t)(equals - s.ptr) + 1));
    size_t len_bytes;
    if (!tp_unquote(quoted, NULL, &len_bytes)) {
        refuse_at(w, quoted.ptr, "failed to parse data: ");
        say_quoted(w, s);
        say(w, ": invalid syntax");
        return;
    }
    // The event's line was short, so this difference cannot be negative.
    if (len_bytes > TP_WIRETEXT_EVENT_BYTES - w->event_bytes - TP_VARINT_MAX_BYTES) {
        refuse_large_event(w, quoted.ptr);
        return;
    }
    unsigned char *to = tp_varint_put(w->event + w->event_bytes, len_bytes);
    w->event_bytes = (size_t)(to - w->event) + len_bytes;
    // The first pass has checked the literal.
    bool is_good = tp_unquote(quoted, to, &len_bytes);
    assert(is_good);
    (void)is_good;
    w->is_whole = true;
    w->state = TP_WIRELINE_EVENT;
}

static bool is_skipped(struct tp_span line)
{
    line = tp_skip_spaces(line);
    return line.len_bytes == 0 || line.ptr[0] == '#';
}

void tp_wireline_read(struct tp_wireline *w, struct tp_span line)
{
    size_t stored_bytes = line.len_bytes;
    if (line.len_bytes != 0 && line.ptr[line.len_bytes - 1] == '\r')
        line.len_bytes--;
    w->current = line;
    if (is_skipped(line)) {
        // Only a data line may exceed LINE_MAX_BYTES.
        if (stored_bytes > LINE_MAX_BYTES)
            refuse_long_line(w, LINE_MAX_BYTES);
        return;
    }
    switch (w->state) {
    case TP_WIRELINE_HEADER: read_header(w, line); break;
    case TP_WIRELINE_EVENT: read_event(w, line); break;
    case TP_WIRELINE_FRAME: read_frame(w, line); break;
    case TP_WIRELINE_DATA: read_data(w, line); break;
    }
}

void tp_wireline_end(struct tp_wireline *w)
{
    switch (w->state) {
    case TP_WIRELINE_HEADER: refuse(w, 1, "EOF"); break;
    case TP_WIRELINE_EVENT: break;
    case TP_WIRELINE_FRAME:
        refuse(w, 1, "unexpected EOF while reading stack: ");
        say_args(w);
        break;
    case TP_WIRELINE_DATA:
        refuse(w, 1, "unexpected EOF while reading data for ");
        say(w, "%s: ", event_name(w));
        say_args(w);
        break;
    }
}

size_t tp_wireline_limit_bytes(const struct tp_wireline *w)
{
    bool may_be_long = w->old != NULL || w->code == TP_EV_ExperimentalBatch;
    return w->state == TP_WIRELINE_DATA && may_be_long ? TP_WIRETEXT_EVENT_BYTES : LINE_MAX_BYTES;
}

void tp_wireline_refuse_long(struct tp_wireline *w)
{
    refuse_long_line(w, tp_wireline_limit_bytes(w));
}

void tp_wireline_init(struct tp_wireline *w, enum tp_dialect dialect, unsigned char *event)
{
    *w = (struct tp_wireline){.line_no = 1, .dialect = dialect, .event = event};
}
