// A whole line is read in place in the caller's bytes; the pieces of a cut line are joined in
// `line`. An event is built in `event` and handed out after its last line was read, so a refusal
// never leaves half an event in the output.
//
//   in ──▶ [line] ──▶ tp_wireline_read ──▶ [event] ──▶ hand_out ──▶ out
#include "decode/text/wiretext.h"

#include "base/alloc.h"
#include "decode/text/line.h"
#include "decode/text/token.h"

#define DETECT_MAX_BYTES TP_KIB(64)

struct tp_wiretext {
    struct tp_wireline reader;
    unsigned char *event; // TP_WIRETEXT_EVENT_BYTES, lent to the reader
    size_t sent_bytes;    // bytes of the whole event already handed out
    unsigned char *line;  // TP_WIRETEXT_EVENT_BYTES, the limit of a line
    size_t line_bytes;    // bytes so far of a line whose end has not come
};

enum line_verdict { LINE_READY, LINE_WAIT, LINE_END, LINE_REFUSED };

// Takes the next line, without its newline, from *in. The line is valid until the next call.
// *ret_used_bytes is its length in the file.
static enum line_verdict next_line(struct tp_wiretext *t, struct tp_span *in, bool at_end,
                                   struct tp_span *ret_line, size_t *ret_used_bytes)
{
    if (in->len_bytes == 0) {
        if (!at_end)
            return LINE_WAIT;
        if (t->line_bytes == 0)
            return LINE_END;
        *ret_line = tp_span_of(t->line, t->line_bytes);
        *ret_used_bytes = t->line_bytes;
        t->line_bytes = 0;
        return LINE_READY;
    }
    const unsigned char *newline = memchr(in->ptr, '\n', in->len_bytes);
    size_t here_bytes = newline != NULL ? (size_t)(newline - in->ptr) : in->len_bytes;
    size_t total_bytes = t->line_bytes + here_bytes;
    if (total_bytes > tp_wireline_limit_bytes(&t->reader)) {
        tp_wireline_refuse_long(&t->reader);
        return LINE_REFUSED;
    }
    bool is_complete = newline != NULL || at_end;
    if (t->line_bytes == 0 && is_complete) {
        *ret_line = tp_span_of(in->ptr, here_bytes);
    } else {
        memcpy(t->line + t->line_bytes, in->ptr, here_bytes);
        t->line_bytes = total_bytes;
        *ret_line = tp_span_of(t->line, total_bytes);
    }
    *in = tp_span_skip(*in, here_bytes + (newline != NULL));
    if (!is_complete)
        return LINE_WAIT;
    *ret_used_bytes = total_bytes + (newline != NULL);
    t->line_bytes = 0;
    return LINE_READY;
}

// Adds as much of a whole event to `out` as fits.
static void hand_out(struct tp_wiretext *t, struct tp_buf *out)
{
    struct tp_wireline *reader = &t->reader;
    size_t n = reader->event_bytes - t->sent_bytes, room_bytes = out->max_bytes - out->len_bytes;
    if (n > room_bytes)
        n = room_bytes;
    if (room_bytes == 0)
        return;
    memcpy(out->ptr + out->len_bytes, t->event + t->sent_bytes, n);
    out->len_bytes += n;
    t->sent_bytes += n;
    if (t->sent_bytes == reader->event_bytes) {
        reader->is_whole = false;
        t->sent_bytes = 0;
    }
}

int tp_wiretext_step(struct tp_wiretext *t, struct tp_span *in, bool at_end, struct tp_buf *out,
                     bool *ret_done, struct tp_error *err)
{
    struct tp_wireline *reader = &t->reader;
    const size_t before_bytes = out->len_bytes;
    *ret_done = false;
    for (;;) {
        if (reader->is_whole)
            hand_out(t, out);
        if (reader->is_whole)
            break;
        if (reader->refusal.code != 0) {
            // A call that succeeds hands out the bytes before the refusal.
            if (out->len_bytes != before_bytes)
                break;
            if (err != NULL)
                *err = reader->refusal;
            return reader->refusal.code;
        }
        struct tp_span line;
        size_t used_bytes;
        enum line_verdict verdict = next_line(t, in, at_end, &line, &used_bytes);
        if (verdict == LINE_WAIT)
            break;
        if (verdict == LINE_READY) {
            tp_wireline_read(reader, line);
            reader->line_no++;
            reader->line_offset += used_bytes;
        } else if (verdict == LINE_END) {
            tp_wireline_end(reader);
            if (reader->refusal.code == 0) {
                *ret_done = true;
                break;
            }
        }
    }
    return TP_E_OK;
}

size_t tp_wiretext_need_bytes(void)
{
    return sizeof(struct tp_wiretext) + 2 * TP_WIRETEXT_EVENT_BYTES;
}

int tp_wiretext_create(struct tp_wiretext **ret_text, enum tp_dialect dialect,
                       struct tp_error *err)
{
    struct tp_wiretext *t = tp_alloc_zero(sizeof *t);
    if (t != NULL) {
        t->event = tp_map(TP_WIRETEXT_EVENT_BYTES);
        t->line = tp_map(TP_WIRETEXT_EVENT_BYTES);
    }
    if (t == NULL || t->event == NULL || t->line == NULL) {
        tp_wiretext_destroy(t);
        return tp_fail(err, TP_E_MEMORY, "out of memory for the text form");
    }
    tp_wireline_init(&t->reader, dialect, t->event);
    *ret_text = t;
    return TP_E_OK;
}

void tp_wiretext_destroy(struct tp_wiretext *t)
{
    if (t == NULL)
        return;
    tp_unmap(t->event, TP_WIRETEXT_EVENT_BYTES);
    tp_unmap(t->line, TP_WIRETEXT_EVENT_BYTES);
    tp_free(t);
}

// Returns whether `s` may be the beginning of a rune whose other bytes are missing.
static bool is_cut_rune(struct tp_span s)
{
    size_t need_bytes = s.ptr[0] < 0xc2 ? 1 : s.ptr[0] < 0xe0 ? 2 : s.ptr[0] < 0xf0 ? 3 : 4;
    return s.len_bytes < need_bytes;
}

enum tp_wiretext_verdict tp_wiretext_detect(struct tp_span head, bool at_end)
{
    if (head.len_bytes >= DETECT_MAX_BYTES) {
        head.len_bytes = DETECT_MAX_BYTES;
        at_end = true;
    }
    const enum tp_wiretext_verdict too_few = at_end ? TP_WIRETEXT_NO : TP_WIRETEXT_MORE;
    for (;;) {
        head = tp_skip_spaces(head); // newlines included
        if (head.len_bytes == 0)
            return too_few;
        if (head.ptr[0] != '#')
            break;
        const unsigned char *newline = memchr(head.ptr, '\n', head.len_bytes);
        if (newline == NULL)
            return too_few;
        head = tp_span_skip(head, (size_t)(newline - head.ptr));
    }
    if (is_cut_rune(head))
        return too_few;
    static const char word[] = "Trace";
    const size_t word_bytes = sizeof word - 1;
    size_t seen_bytes = head.len_bytes < word_bytes ? head.len_bytes : word_bytes;
    if (memcmp(head.ptr, word, seen_bytes) != 0)
        return TP_WIRETEXT_NO;
    if (seen_bytes < word_bytes)
        return too_few;
    struct tp_span rest = tp_span_skip(head, word_bytes);
    if (rest.len_bytes == 0)
        return at_end ? TP_WIRETEXT_YES : TP_WIRETEXT_MORE;
    if (is_cut_rune(rest))
        return too_few;
    size_t len_bytes;
    return rest.ptr[0] == '#' || tp_space_at(rest, &len_bytes) ? TP_WIRETEXT_YES : TP_WIRETEXT_NO;
}
