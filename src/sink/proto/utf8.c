#include "sink/proto/utf8.h"

#include "base/text/quote.h"

struct tp_span tp_utf8_take(struct tp_span *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t rune_bytes;
    bool is_bad = tp_rune_decode(*text, &rune_bytes) == 0xfffd && rune_bytes == 1;
    struct tp_span piece = tp_span_of(text->ptr, rune_bytes);
    *text = tp_span_skip(*text, rune_bytes);
    return is_bad ? tp_span_of(replacement, sizeof replacement - 1) : piece;
}
