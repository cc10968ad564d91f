// Reads and writes the numbers and texts of a state (section.h).
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "decode/varint.h"
#include "stats/state/section.h"

// PUT

void tp_state_flush(struct tp_state_stream *to)
{
    struct tp_span bytes = tp_span_of(to->buf, to->buf_bytes);
    to->len_bytes += to->buf_bytes;
    to->buf_bytes = 0;
    if (to->out == NULL)
        return;
    tp_digest_add(to->digest, bytes);
    if (to->code == 0)
        to->code = tp_out_put(to->out, bytes, to->err);
}

void tp_state_put(struct tp_state_stream *to, tp_wide value)
{
    enum { MOST_BYTES = 19 };
    if (to->buf_bytes > TP_STATE_BUF_BYTES - MOST_BYTES)
        tp_state_flush(to);
    unsigned char *at = to->buf + to->buf_bytes;
    for (; value > UINT64_MAX; value >>= 7)
        *at++ = (unsigned char)(value | 0x80);
    to->buf_bytes = (size_t)(tp_varint_put(at, (uint64_t)value) - to->buf);
}

void tp_state_put_bytes(struct tp_state_stream *to, struct tp_span bytes)
{
    while (bytes.len_bytes > 0) {
        size_t room_bytes = TP_STATE_BUF_BYTES - to->buf_bytes;
        size_t len_bytes = bytes.len_bytes < room_bytes ? bytes.len_bytes : room_bytes;
        memcpy(to->buf + to->buf_bytes, bytes.ptr, len_bytes);
        to->buf_bytes += len_bytes;
        bytes = tp_span_of(bytes.ptr + len_bytes, bytes.len_bytes - len_bytes);
        if (bytes.len_bytes > 0)
            tp_state_flush(to);
    }
}

// GET

static void end_with(struct tp_state_reader *r, int code)
{
    if (r->code == 0)
        r->code = code;
    r->at = r->end;
}

void tp_state_refuse(struct tp_state_reader *r, const char *format, ...)
{
    char what[TP_ERROR_TEXT_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (r->code == 0)
        tp_fail_at(r->err, TP_E_STATE, (uint64_t)(r->at - r->begin),
                   "damaged statistics state: %s", what);
    end_with(r, TP_E_STATE);
}

void tp_state_lack_memory(struct tp_state_reader *r)
{
    if (r->code == 0)
        tp_fail(r->err, TP_E_MEMORY, "out of memory for a statistics state");
    end_with(r, TP_E_MEMORY);
}

// Bytes that are given back at a time.
#define GIVE_BACK_BYTES TP_MIB(1)

// Gives the bytes before the next item back, if that is due. Returns the bytes of the file that are
// still in memory, if its memory is the reader's.
static size_t give_back(struct tp_state_reader *r)
{
    if (!r->terms->gives_back)
        return 0;
    size_t read_bytes = (size_t)(r->at - r->given_back);
    if (read_bytes >= GIVE_BACK_BYTES) {
        tp_map_give_back((void *)(uintptr_t)r->given_back, read_bytes);
        r->given_back = r->at;
    }
    return (size_t)(r->file_end - r->given_back);
}

void tp_state_turn_row(struct tp_state_reader *r)
{
    if (r->code != 0 || tp_totals_bytes(r->all) + give_back(r) <= r->terms->most_bytes)
        return;
    tp_totals_outgrow(r->err);
    end_with(r, TP_E_LIMIT);
}

uint64_t tp_state_get(struct tp_state_reader *r)
{
    uint64_t value = 0;
    switch (tp_varint_get(&r->at, r->end, &value)) {
    case TP_VARINT_OK: return value;
    case TP_VARINT_CUT: tp_state_refuse(r, "it ends early"); return 0;
    default: tp_state_refuse(r, "a number does not fit into 64 bits"); return 0;
    }
}

// Reads a number of up to 128 bits: up to 19 bytes of 7 bits each; the 19th holds two bits.
tp_wide tp_state_get_wide(struct tp_state_reader *r)
{
    const unsigned char *at = r->at;
    tp_wide value = 0;
    for (unsigned shift = 0; shift < 128; shift += 7) {
        if (at == r->end) {
            tp_state_refuse(r, "it ends early");
            return 0;
        }
        unsigned byte = *at++;
        if (shift == 126 && byte > 3)
            break;
        value |= (tp_wide)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            r->at = at;
            return value;
        }
    }
    tp_state_refuse(r, "a number does not fit into 128 bits");
    return 0;
}

uint64_t tp_state_get_below(struct tp_state_reader *r, uint64_t end, const char *what)
{
    const unsigned char *at = r->at;
    uint64_t value = tp_state_get(r);
    if (r->code == 0 && value >= end) {
        r->at = at;
        tp_state_refuse(r, "there is no such %s", what);
    }
    return r->code == 0 ? value : 0;
}

uint32_t tp_state_get_count(struct tp_state_reader *r, size_t item_bytes)
{
    const unsigned char *at = r->at;
    uint64_t count = tp_state_get(r);
    if (r->code == 0 && (count > UINT32_MAX || count > (size_t)(r->end - r->at) / item_bytes)) {
        r->at = at;
        tp_state_refuse(r, "more items than bytes for them");
    }
    return r->code == 0 ? (uint32_t)count : 0;
}

struct tp_span tp_state_get_text(struct tp_state_reader *r)
{
    struct tp_span text = {.len_bytes = tp_state_get_count(r, 1)};
    text.ptr = r->at;
    r->at += text.len_bytes;
    return text;
}
