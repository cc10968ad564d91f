#include "base/json.h"

#include "base/quote.h"

#define RUNE_ERROR 0xfffd

static bool put_plain(struct tp_buf *b, struct tp_span s, uint32_t rune)
{
    switch (rune) {
    case '"': return tp_buf_put(b, "\\\"", 2);
    case '\\': return tp_buf_put(b, "\\\\", 2);
    case '\n': return tp_buf_put(b, "\\n", 2);
    case '\t': return tp_buf_put(b, "\\t", 2);
    default: break;
    }
    if (rune < 0x20 || rune == 0x7f)
        return tp_buf_printf(b, "\\u%04x", (unsigned)rune);
    return tp_buf_put(b, s.ptr, s.len_bytes);
}

bool tp_json_put_string(struct tp_buf *b, struct tp_span text)
{
    bool fits = tp_buf_put(b, "\"", 1);
    while (fits && text.len_bytes > 0) {
        size_t n;
        uint32_t rune = tp_rune_decode(text, &n);
        fits = rune == RUNE_ERROR && n == 1
                   ? tp_buf_printf(b, "\\udc%02x", (unsigned)text.ptr[0])
                   : put_plain(b, tp_span_of(text.ptr, n), rune);
        text = tp_span_skip(text, n);
    }
    return fits && tp_buf_put(b, "\"", 1);
}
