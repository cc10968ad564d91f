#include <stdio.h>

#include "base/text/quote.h"
#include "tracepipe/error.h"

// Room for the longest escape, \UNNNNNNNN, and NUL.
#define ESCAPE_BYTES 11

// Writes the escape of the rune `s`, or of its first byte if `s` is not UTF-8; returns the
// length of the escape.
static int put_escape(char to[ESCAPE_BYTES], struct tp_span s)
{
    size_t len_bytes;
    uint32_t rune = tp_rune_decode(s, &len_bytes);
    if (len_bytes == 1)
        return snprintf(to, ESCAPE_BYTES, "\\x%02x", (unsigned)s.ptr[0]);
    return snprintf(to, ESCAPE_BYTES, rune < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)rune);
}

char *tp_printable(char *to, size_t to_bytes, const char *text)
{
    const char *end = to + to_bytes;
    struct tp_span rest = tp_span_of_text(text);
    while (rest.len_bytes > 0) {
        char escape[ESCAPE_BYTES];
        size_t len_bytes;
        struct tp_span piece = rest;
        if (tp_rune_shows(rest, &len_bytes))
            piece.len_bytes = len_bytes;
        else
            piece = tp_span_of(escape, (size_t)put_escape(escape, rest));
        if (piece.len_bytes >= (size_t)(end - to))
            break;
        memcpy(to, piece.ptr, piece.len_bytes);
        to += piece.len_bytes;
        rest = tp_span_skip(rest, len_bytes);
    }
    *to = '\0';
    return to;
}
