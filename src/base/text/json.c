#include "base/text/json.h"

#include <string.h>

#include "base/text/quote.h"

#define RUNE_ERROR 0xfffd

// The letter after the backslash for bytes that have one, else 0.
static const char escape_letters[UINT8_MAX + 1] = {
    ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
    ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
};

static unsigned char *put_escape(unsigned char *to, unsigned char byte)
{
    if (escape_letters[byte] == 0)
        return tp_put_hex(to, 'u', byte, 4);
    *to++ = '\\';
    *to++ = (unsigned char)escape_letters[byte];
    return to;
}

// Returns how many bytes the text begins with that JSON has as they are. Nearly all texts are only these.
static size_t plain_bytes(struct tp_span text)
{
    size_t n = 0;
    while (n < text.len_bytes && text.ptr[n] >= 0x20 && text.ptr[n] < 0x7f && text.ptr[n] != '"' &&
           text.ptr[n] != '\\')
        n++;
    return n;
}

unsigned char *tp_json_put(unsigned char *to, struct tp_span text)
{
    for (;;) {
        size_t n = plain_bytes(text);
        if (n > 0)
            to = (unsigned char *)mempcpy(to, text.ptr, n);
        text = tp_span_skip(text, n);
        if (text.len_bytes == 0)
            return to;
        uint32_t rune = tp_rune_decode(text, &n);
        if (rune == RUNE_ERROR && n == 1)
            to = tp_put_hex(to, 'u', 0xdc00u | text.ptr[0], 4);
        else if (rune == '"' || rune == '\\' || rune == '\n' || rune == '\t')
            to = put_escape(to, (unsigned char)rune);
        else if (rune < 0x20 || rune == 0x7f)
            to = tp_put_hex(to, 'u', rune, 4);
        else if (rune >= 0x80 && rune <= 0xffff && rune != RUNE_ERROR && !tp_rune_shows(text, &n))
            to = tp_put_hex(to, 'u', rune, 4); // a control of terminals, or of the direction of text
        else
            to = (unsigned char *)mempcpy(to, text.ptr, n);
        text = tp_span_skip(text, n);
    }
}

// Returns whether `s` begins with U+2028 or U+2029, which end lines in JavaScript.
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
            to = put_escape(to, byte);
        } else if (tp_unlikely(byte == 0xe2) && is_line_separator(utf8)) {
            to = tp_put_hex(to, 'u', 0x2000u | (utf8.ptr[2] & 0x2f), 4);
            used = 3;
        } else {
            *to++ = byte;
        }
        utf8 = tp_span_skip(utf8, used);
    }
    return to;
}
