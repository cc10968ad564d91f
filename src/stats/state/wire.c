// Reads and writes the numbers and texts of a state (section.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "decode/varint.h"
#include "stats/state/section.h"

// PUT

static void pass_on(struct tp_state_writer *w, struct tp_span bytes)
{
    tp_digest_add(w->digest, bytes);
    if (w->code == 0)
        w->code = tp_out_put(w->out, bytes, w->err);
}

void tp_state_flush(struct tp_state_writer *w)
{
    pass_on(w, tp_span_of(w->buf, w->buf_bytes));
    w->buf_bytes = 0;
}

void tp_state_put_bytes(struct tp_state_writer *w, struct tp_span bytes)
{
    w->len_bytes += bytes.len_bytes;
    if (w->out == NULL || bytes.len_bytes == 0)
        return;
    if (bytes.len_bytes > TP_STATE_BUF_BYTES - w->buf_bytes)
        tp_state_flush(w);
    if (bytes.len_bytes > TP_STATE_BUF_BYTES) {
        pass_on(w, bytes);
        return;
    }
    memcpy(w->buf + w->buf_bytes, bytes.ptr, bytes.len_bytes);
    w->buf_bytes += bytes.len_bytes;
}

void tp_state_put(struct tp_state_writer *w, uint64_t value)
{
    unsigned char digits[TP_VARINT_MAX_BYTES];
    const unsigned char *end = tp_varint_put(digits, value);
    tp_state_put_bytes(w, tp_span_of(digits, (size_t)(end - digits)));
}

void tp_state_put_wide(struct tp_state_writer *w, tp_wide value)
{
    while (value > UINT64_MAX) {
        const unsigned char byte = (unsigned char)(value | 0x80);
        tp_state_put_bytes(w, tp_span_of(&byte, 1));
        value >>= 7;
    }
    tp_state_put(w, (uint64_t)value);
}

void tp_state_put_text(struct tp_state_writer *w, struct tp_span text)
{
    tp_state_put(w, text.len_bytes);
    tp_state_put_bytes(w, text);
}

void *tp_state_items(struct tp_state_writer *w, size_t count, size_t item_bytes)
{
    void *items = tp_alloc_array(count + 1, item_bytes);
    w->lacks_memory = w->lacks_memory || items == NULL;
    return items;
}

static int compare_rows(const void *left, const void *right, void *columns)
{
    const tp_wide *a = left, *b = right;
    int order = 0;
    for (unsigned i = 0; i < *(const unsigned *)columns && order == 0; i++)
        order = tp_compare_wide(a[i], b[i]);
    return order;
}

void tp_state_put_rows(struct tp_state_writer *w, uint32_t count, unsigned columns,
                       void (*fill)(struct tp_state_writer *w, uint32_t i, tp_wide *row))
{
    size_t row_bytes = columns * sizeof(tp_wide);
    tp_wide *rows = tp_state_items(w, count, row_bytes);
    if (rows == NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        fill(w, i, &rows[(size_t)i * columns]);
    if (w->has_numbers) {
        qsort_r(rows, count, row_bytes, compare_rows, &columns);
        for (size_t i = 0; i < (size_t)count * columns; i++)
            tp_state_put_wide(w, rows[i]);
    }
    tp_free(rows);
}

// GET

static void end_with(struct tp_state_reader *r, int code)
{
    if (r->code == 0)
        r->code = code;
    r->at = r->end;
}

static void refuse_at(struct tp_state_reader *r, const unsigned char *at, const char *what)
{
    if (r->code == 0)
        tp_fail_at(r->err, TP_E_STATE, (uint64_t)(at - r->begin),
                   "damaged statistics state: %s", what);
    end_with(r, TP_E_STATE);
}

void tp_state_refuse(struct tp_state_reader *r, const char *what)
{
    refuse_at(r, r->at, what);
}

void tp_state_lack_memory(struct tp_state_reader *r)
{
    if (r->code == 0)
        tp_fail(r->err, TP_E_MEMORY, "out of memory for a statistics state");
    end_with(r, TP_E_MEMORY);
}

void tp_state_outgrow(struct tp_state_reader *r)
{
    if (r->code == 0)
        tp_totals_outgrow(r->err);
    end_with(r, TP_E_LIMIT);
}

// Bytes that are given back at a time.
#define GIVE_BACK_BYTES TP_MIB(1)

// Gives the bytes before the next item back, if that is due. Returns the bytes of the file that are
// still in memory, if its memory is the reader's.
static size_t give_back(struct tp_state_reader *r)
{
    if (!r->terms.gives_back)
        return 0;
    size_t read_bytes = (size_t)(r->at - r->given_back);
    if (read_bytes >= GIVE_BACK_BYTES) {
        tp_map_give_back((void *)(uintptr_t)r->given_back, read_bytes);
        r->given_back = r->at;
    }
    return (size_t)(r->file_end - r->given_back);
}

bool tp_state_has_more(struct tp_state_reader *r)
{
    if (r->at < r->end && tp_totals_bytes(r->totals) + give_back(r) > r->terms.most_bytes)
        tp_state_outgrow(r);
    return r->at < r->end;
}

void tp_state_expect(struct tp_state_reader *r, uint32_t number, uint32_t wanted, const char *what)
{
    if (number == TP_INTERN_NONE)
        tp_state_lack_memory(r);
    else if (number != wanted)
        tp_state_refuse(r, what);
}

uint64_t tp_state_get(struct tp_state_reader *r)
{
    uint64_t value = 0;
    switch (tp_varint_get(&r->at, r->end, &value)) {
    case TP_VARINT_OK: return value;
    case TP_VARINT_CUT: tp_state_refuse(r, "a section ends early"); return 0;
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
            tp_state_refuse(r, "a section ends early");
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

uint32_t tp_state_get_below(struct tp_state_reader *r, uint64_t end, const char *what)
{
    const unsigned char *at = r->at;
    uint64_t value = tp_state_get(r);
    if (r->code == 0 && value >= end) {
        char text[64];
        snprintf(text, sizeof text, "there is no such %s", what);
        refuse_at(r, at, text);
    }
    return r->code == 0 ? (uint32_t)value : 0;
}

uint32_t tp_state_get_any(struct tp_state_reader *r, uint32_t count, const char *what)
{
    uint32_t number = tp_state_get_below(r, UINT64_C(1) + count, what);
    return number == 0 ? TP_INTERN_NONE : number - 1;
}

struct tp_span tp_state_get_text(struct tp_state_reader *r)
{
    const unsigned char *at = r->at;
    uint64_t len_bytes = tp_state_get(r);
    if (len_bytes > tp_state_left_bytes(r)) {
        refuse_at(r, at, "a text is longer than its section");
        len_bytes = 0;
    }
    struct tp_span text = tp_span_of(r->at, (size_t)len_bytes);
    r->at += len_bytes;
    return text;
}

uint32_t tp_state_get_count(struct tp_state_reader *r, size_t item_bytes)
{
    const unsigned char *at = r->at;
    uint64_t count = tp_state_get(r);
    if (r->code == 0 && (count > UINT32_MAX || count > tp_state_left_bytes(r) / item_bytes))
        refuse_at(r, at, "more items than bytes for them");
    return r->code == 0 ? (uint32_t)count : 0;
}

struct tp_wall tp_state_get_wall(struct tp_state_reader *r)
{
    struct tp_wall wall = {.sec = (int64_t)tp_state_get(r)};
    wall.nsec = tp_state_get_below(r, 1000000000, "nanosecond of a second");
    return wall;
}
