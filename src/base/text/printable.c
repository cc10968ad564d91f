#include "base/text/quote.h"
#include "tracepipe/error.h"

char *tp_printable(char *to, size_t to_bytes, const char *text)
{
    const char *end = to + to_bytes;
    struct tp_span rest = tp_span_of_text(text);
    while (rest.len_bytes > 0) {
        unsigned char shown[TP_ESCAPE_BYTES];
        size_t len_bytes;
        size_t shown_bytes = (size_t)(tp_put_shown(shown, rest, &len_bytes) - shown);
        if (shown_bytes >= (size_t)(end - to))
            break;
        memcpy(to, shown, shown_bytes);
        to += shown_bytes;
        rest = tp_span_skip(rest, len_bytes);
    }
    *to = '\0';
    return to;
}
