#include "base/text/quote.h"
#include "tracepipe/error.h"

// Room for the longest escape, \UNNNNNNNN.
#define ESCAPE_BYTES 10

char *tp_printable(char *to, size_t to_bytes, const char *text)
{
    const char *end = to + to_bytes;
    struct tp_span rest = tp_span_of_text(text);
    while (rest.len_bytes > 0) {
        unsigned char escape[ESCAPE_BYTES];
        size_t len_bytes;
        uint32_t rune = tp_rune_decode(rest, &len_bytes);
        struct tp_span piece = tp_span_of(rest.ptr, len_bytes);
        if (!tp_rune_shows(rest, &len_bytes)) {
            const unsigned char *stop = tp_put_escape(escape, rest.ptr[0], rune, len_bytes);
            piece = tp_span_of(escape, (size_t)(stop - escape));
        }
        if (piece.len_bytes >= (size_t)(end - to))
            break;
        memcpy(to, piece.ptr, piece.len_bytes);
        to += piece.len_bytes;
        rest = tp_span_skip(rest, len_bytes);
    }
    *to = '\0';
    return to;
}
