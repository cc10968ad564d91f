#include "base/text/json.h"

#include "base/text/quote.h"

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

// Writes \u and four digits.
static unsigned char *put_code(unsigned char *to, uint32_t rune)
{
    static const char digits[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (unsigned shift = 16; shift > 0; shift -= 4)
        *to++ = (unsigned char)digits[rune >> (shift - 4) & 15];
    return to;
}

static unsigned char *put_go_escape(unsigned char *to, unsigned char byte)
{
    char letter;
    switch (byte) {
    case '"':
    case '\\': letter = (char)byte; break;
    case '\b': letter = 'b'; break;
    case '\f': letter = 'f'; break;
    case '\n': letter = 'n'; break;
    case '\r': letter = 'r'; break;
    case '\t': letter = 't'; break;
    default: return put_code(to, byte);
    }
    *to++ = '\\';
    *to++ = (unsigned char)letter;
    return to;
}

// Whether `s` begins with U+2028 or U+2029, which end lines in JavaScript.
static bool is_line_separator(struct tp_span s)
{
    return s.len_bytes >= 3 && s.ptr[0] == 0xe2 && s.ptr[1] == 0x80 && (s.ptr[2] | 1) == 0xa9;
}

unsigned char *tp_json_put_go(unsigned char *to, struct tp_span utf8)
{
    while (utf8.len_bytes > 0) {
        unsigned char byte = utf8.ptr[0];
        size_t used = 1;
        if (tp_unlikely(byte < 0x20 || byte == '"' || byte == '\\')) {
            to = put_go_escape(to, byte);
        } else if (tp_unlikely(byte == 0xe2) && is_line_separator(utf8)) {
            to = put_code(to, 0x2000u | (utf8.ptr[2] & 0x2f));
            used = 3;
        } else {
            *to++ = byte;
        }
        utf8 = tp_span_skip(utf8, used);
    }
    return to;
}
