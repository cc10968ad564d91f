#include "sink/print/emit.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/decimal.h"
#include "base/text/json.h"
#include "base/text/quote.h"

#define PRINTF_MAX_BYTES 512

void tp_emit_init(struct tp_emit *e, struct tp_out *out, struct tp_error *err)
{
    e->out = out;
    e->err = err;
    e->code = 0;
    e->has_colour = false;
    e->guards_csv = true;
    e->has_items = false;
    e->has_spaces = false;
    e->columns = 0;
    e->leaves_out = false;
    e->csv = NULL;
    e->csv_space = e->csv_number = NULL;
    e->csv_name = e->csv_kind = tp_span_of("", 0);
    e->len_bytes = 0;
}

static void flush(struct tp_emit *e)
{
    if (e->code == 0)
        e->code = tp_out_put(e->out, tp_span_of(e->bytes, e->len_bytes), e->err);
    e->len_bytes = 0;
}

int tp_emit_end(struct tp_emit *e)
{
    flush(e);
    return e->code;
}

// Returns room for `len_bytes`, which must fit into the empty buffer.
static unsigned char *reserve(struct tp_emit *e, size_t len_bytes)
{
    if (sizeof e->bytes - e->len_bytes < len_bytes)
        flush(e);
    return e->bytes + e->len_bytes;
}

void tp_emit_span(struct tp_emit *e, struct tp_span bytes)
{
    while (bytes.len_bytes > 0) {
        unsigned char *to = reserve(e, 1);
        size_t room_bytes = sizeof e->bytes - e->len_bytes;
        size_t part_bytes = bytes.len_bytes < room_bytes ? bytes.len_bytes : room_bytes;
        memcpy(to, bytes.ptr, part_bytes);
        e->len_bytes += part_bytes;
        bytes = tp_span_skip(bytes, part_bytes);
    }
}

void tp_emit_text(struct tp_emit *e, const char *text)
{
    tp_emit_span(e, tp_span_of_text(text));
}

void tp_emit_json_key(struct tp_emit *e, const char *key)
{
    size_t key_bytes = key != NULL ? strlen(key) : 0;
    unsigned char *to = reserve(e, key_bytes + sizeof ", \"\": "), *const begin = to;
    if (e->has_items)
        *to++ = ',';
    if (e->has_items && e->has_spaces)
        *to++ = ' ';
    if (key != NULL) {
        *to++ = '"';
        to = mempcpy(to, key, key_bytes);
        *to++ = '"';
        *to++ = ':';
        if (e->has_spaces)
            *to++ = ' ';
    }
    e->has_items = true;
    e->len_bytes += (size_t)(to - begin);
}

void tp_emit_style(struct tp_emit *e, enum tp_style style)
{
    static const char *const escapes[] = {
#define TP_X(style, escape) escape,
        TP_STYLES(TP_X)
#undef TP_X
    };
    if (e->has_colour)
        tp_emit_text(e, escapes[style]);
}

void tp_emit_u64(struct tp_emit *e, uint64_t value)
{
    unsigned char *to = reserve(e, TP_DECIMAL_MAX_BYTES + TP_DECIMAL_SLACK);
    e->len_bytes += (size_t)(tp_put_decimal(to, value) - to);
}

void tp_emit_wide(struct tp_emit *e, tp_wide value)
{
    if (tp_likely(value <= UINT64_MAX))
        tp_emit_u64(e, (uint64_t)value);
    else
        tp_emit_text(e, tp_wide_text(value).text);
}

void tp_emit_i64(struct tp_emit *e, int64_t value)
{
    if (value < 0)
        tp_emit_text(e, "-");
    tp_emit_u64(e, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void tp_emit_printf(struct tp_emit *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    unsigned char *to = reserve(e, PRINTF_MAX_BYTES);
    int len_bytes = vsnprintf((char *)to, PRINTF_MAX_BYTES, fmt, ap);
    va_end(ap);
    assert(len_bytes >= 0 && len_bytes < PRINTF_MAX_BYTES);
    e->len_bytes += (size_t)len_bytes;
}

// Largest size of a piece in bytes: literals of JSON and Go are written in pieces, because their
// length has no limit. No piece ends inside a rune.
#define PIECE_BYTES 64

static struct tp_span take_piece(struct tp_span *rest)
{
    struct tp_span all = *rest;
    while (rest->len_bytes > 0 && all.len_bytes - rest->len_bytes < PIECE_BYTES - 4) {
        size_t len_bytes = 1;
        if (rest->ptr[0] >= 0x80)
            tp_rune_decode(*rest, &len_bytes);
        *rest = tp_span_skip(*rest, len_bytes);
    }
    return tp_span_of(all.ptr, all.len_bytes - rest->len_bytes);
}

typedef unsigned char *(*put_json_fn)(unsigned char *to, struct tp_span text);

static void put_json(struct tp_emit *e, struct tp_span text, put_json_fn put)
{
    tp_emit_text(e, "\"");
    while (text.len_bytes > 0) {
        struct tp_span piece = take_piece(&text);
        unsigned char *to = reserve(e, tp_json_max_bytes(PIECE_BYTES));
        e->len_bytes += (size_t)(put(to, piece) - to);
    }
    tp_emit_text(e, "\"");
}

void tp_emit_json_string(struct tp_emit *e, struct tp_span bytes)
{
    put_json(e, bytes, tp_json_put);
}

void tp_emit_go_json_string(struct tp_emit *e, struct tp_span utf8)
{
    put_json(e, utf8, tp_json_put_go);
}

void tp_emit_quoted(struct tp_emit *e, struct tp_span bytes)
{
    tp_emit_text(e, "\"");
    while (bytes.len_bytes > 0) {
        unsigned char literal[4 * PIECE_BYTES + 2];
        unsigned char *end = tp_quote(literal, take_piece(&bytes));
        tp_emit_span(e, tp_span_of(literal + 1, (size_t)(end - literal) - 2)); // no quotes
    }
    tp_emit_text(e, "\"");
}

void tp_emit_path(struct tp_emit *e, const char *path)
{
    struct tp_span rest = tp_span_of_text(path);
    bool is_plain = rest.len_bytes > 0;
    while (rest.len_bytes > 0 && is_plain) {
        size_t len_bytes;
        is_plain = tp_rune_shows(rest, &len_bytes);
        rest = tp_span_skip(rest, len_bytes);
    }
    if (is_plain)
        tp_emit_text(e, path);
    else
        tp_emit_quoted(e, tp_span_of_text(path));
}

static bool is_one_of(unsigned char byte, const char *bytes)
{
    return byte != '\0' && strchr(bytes, byte) != NULL;
}

// Whether a spreadsheet may take the text for a formula; some take full-width signs, too.
static bool is_formula(struct tp_span bytes)
{
    static const char wide[][4] = {"\uff1d", "\uff0b", "\uff0d", "\uff20"}; // = + - @
    if (bytes.len_bytes > 0 && is_one_of(bytes.ptr[0], "=+-@\t\r\n"))
        return true;
    for (size_t i = 0; i < TP_ARRAY_LEN(wide); i++) {
        if (bytes.len_bytes >= 3 && memcmp(bytes.ptr, wide[i], 3) == 0)
            return true;
    }
    return false;
}

void tp_emit_csv_guard(struct tp_emit *e, struct tp_span bytes)
{
    if (e->guards_csv && is_formula(bytes))
        tp_emit_text(e, "'");
}

void tp_emit_csv_inside(struct tp_emit *e, struct tp_span bytes)
{
    for (size_t i = 0; i < bytes.len_bytes; i++) {
        if (bytes.ptr[i] == '"')
            tp_emit_text(e, "\"");
        tp_emit_span(e, tp_span_of(&bytes.ptr[i], 1));
    }
}

void tp_emit_csv_text(struct tp_emit *e, struct tp_span bytes)
{
    bool needs_quotes = false;
    for (size_t i = 0; i < bytes.len_bytes; i++)
        needs_quotes |= is_one_of(bytes.ptr[i], "\",\r\n");
    if (!needs_quotes) {
        tp_emit_csv_guard(e, bytes);
        tp_emit_span(e, bytes);
        return;
    }
    tp_emit_text(e, "\"");
    tp_emit_csv_guard(e, bytes);
    tp_emit_csv_inside(e, bytes);
    tp_emit_text(e, "\"");
}
