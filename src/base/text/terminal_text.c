#include "base/text/terminal_text.h"

#include "base/text/quote.h"

// At most so many bytes are escaped with the byte that completes a rune, or shows that it is none.
#define STEP_BYTES (4 * TP_ESCAPE_BYTES)

_Static_assert(TP_TERMINAL_PIECE_BYTES >= STEP_BYTES, "a step fits into a piece");

// Whether the bytes are the beginning of a rune that needs more bytes.
static bool needs_more(const unsigned char *p, size_t len_bytes)
{
    return len_bytes < tp_rune_bytes(p[0]) && (len_bytes == 1 || (p[len_bytes - 1] & 0xc0) == 0x80);
}

// Writes the first rune, or byte that is none, of what has begun. Returns one past the end.
static unsigned char *put_first(struct tp_terminal_text *t, unsigned char *to)
{
    size_t len_bytes = 1;
    if (t->begun[0] == '\n' || t->begun[0] == '\t')
        *to++ = t->begun[0];
    else
        to = tp_put_shown(to, tp_span_of(t->begun, t->begun_bytes), &len_bytes);
    t->begun_bytes -= len_bytes;
    memmove(t->begun, t->begun + len_bytes, t->begun_bytes);
    return to;
}

size_t tp_terminal_text_piece(struct tp_terminal_text *t, struct tp_span *bytes, unsigned char *to)
{
    unsigned char *at = to, *last = to + TP_TERMINAL_PIECE_BYTES - STEP_BYTES;
    while (bytes->len_bytes > 0 && at <= last) {
        t->begun[t->begun_bytes++] = bytes->ptr[0];
        *bytes = tp_span_skip(*bytes, 1);
        while (t->begun_bytes > 0 && !needs_more(t->begun, t->begun_bytes))
            at = put_first(t, at);
    }
    return (size_t)(at - to);
}

size_t tp_terminal_text_end(struct tp_terminal_text *t, unsigned char *to)
{
    unsigned char *at = to;
    while (t->begun_bytes > 0)
        at = put_first(t, at);
    return (size_t)(at - to);
}
