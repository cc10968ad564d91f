#include "stats/figures/log_lines.h"

// Whether the byte continues a rune of UTF-8.
static bool continues(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

struct tp_span tp_log_text_kept(struct tp_span text)
{
    if (text.len_bytes <= TP_LOG_TEXT_BYTES)
        return text;
    size_t len_bytes = TP_LOG_TEXT_BYTES;
    // A rune has at most 4 bytes; what is longer is no UTF-8, and is cut anywhere.
    while (len_bytes > TP_LOG_TEXT_BYTES - 3 && continues(text.ptr[len_bytes]))
        len_bytes--;
    return tp_span_of(text.ptr, continues(text.ptr[len_bytes]) ? TP_LOG_TEXT_BYTES : len_bytes);
}
