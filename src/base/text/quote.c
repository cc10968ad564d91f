#include "base/text/quote.h"

struct range {
    uint32_t first, last;
};

#include "base/text/unicode_print.inc"

#define RUNE_BAD 0xfffdu // replaces bytes that are not UTF-8
#define RUNE_MAX 0x10ffffu

uint32_t tp_rune_decode(struct tp_span s, size_t *ret_len_bytes)
{
    // The least rune of each length in bytes; a smaller one must have a shorter form.
    static const uint32_t least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
    const unsigned char *p = s.ptr;
    *ret_len_bytes = 1;
    if (p[0] < 0x80)
        return p[0];
    size_t n = tp_rune_bytes(p[0]);
    if (n == 1 || n > s.len_bytes)
        return RUNE_BAD;
    uint32_t rune = p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return RUNE_BAD;
        rune = rune << 6 | (p[i] & 0x3f);
    }
    if (rune < least[n] || (rune >= 0xd800 && rune <= 0xdfff) || rune > RUNE_MAX)
        return RUNE_BAD;
    *ret_len_bytes = n;
    return rune;
}

bool tp_utf8_is_valid(struct tp_span s)
{
    while (s.len_bytes > 0) {
        size_t n;
        if (tp_rune_decode(s, &n) == RUNE_BAD && n == 1)
            return false;
        s = tp_span_skip(s, n);
    }
    return true;
}

static unsigned char *put_rune(unsigned char *to, uint32_t rune)
{
    // The bits in front of the rune's own in the first byte, by the length in bytes.
    static const unsigned char lead[] = {[2] = 0xc0, [3] = 0xe0, [4] = 0xf0};
    size_t n = rune < 0x80 ? 1 : rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, rune >>= 6)
        to[i] = (unsigned char)(0x80 | (rune & 0x3f));
    to[0] = (unsigned char)(lead[n] | rune);
    return to + n;
}

static bool in_ranges(const struct range *ranges, size_t count, uint32_t rune)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < rune)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].first <= rune;
}

bool tp_rune_is_print(uint32_t rune)
{
    if (rune < 0x80)
        return rune >= ' ' && rune < 0x7f;
    return in_ranges(print_ranges, TP_ARRAY_LEN(print_ranges), rune);
}

bool tp_rune_shows(struct tp_span s, size_t *ret_len_bytes)
{
    uint32_t rune = tp_rune_decode(s, ret_len_bytes);
    return tp_rune_is_print(rune) && (s.ptr[0] < 0x80 || *ret_len_bytes > 1);
}

unsigned tp_rune_count(struct tp_span text)
{
    unsigned count = 0;
    for (size_t len_bytes; text.len_bytes > 0; count++) {
        tp_rune_decode(text, &len_bytes);
        text = tp_span_skip(text, len_bytes);
    }
    return count;
}

bool tp_rune_is_space(uint32_t rune)
{
    if (rune < 0x80)
        return rune == ' ' || (rune >= '\t' && rune <= '\r');
    return in_ranges(space_ranges, TP_ARRAY_LEN(space_ranges), rune);
}

// The letter after the backslash for bytes that have one, else 0.
static const char escape_letters[0x80] = {
    ['\a'] = 'a', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n',  ['\r'] = 'r',
    ['\t'] = 't', ['\v'] = 'v', ['"'] = '"',  ['\\'] = '\\',
};

unsigned char *tp_put_hex(unsigned char *to, char letter, uint32_t value, int digit_count)
{
    *to++ = '\\';
    *to++ = (unsigned char)letter;
    for (int shift = 4 * (digit_count - 1); shift >= 0; shift -= 4)
        *to++ = (unsigned char)"0123456789abcdef"[value >> shift & 0xf];
    return to;
}

unsigned char *tp_put_escape(unsigned char *to, unsigned char byte, uint32_t rune, size_t len_bytes)
{
    if (len_bytes == 1)
        return tp_put_hex(to, 'x', byte, 2);
    return rune < 0x10000 ? tp_put_hex(to, 'u', rune, 4) : tp_put_hex(to, 'U', rune, 8);
}

unsigned char *tp_put_shown(unsigned char *to, struct tp_span s, size_t *ret_len_bytes)
{
    if (tp_rune_shows(s, ret_len_bytes))
        return (unsigned char *)mempcpy(to, s.ptr, *ret_len_bytes);
    uint32_t rune = tp_rune_decode(s, ret_len_bytes);
    return tp_put_escape(to, s.ptr[0], rune, *ret_len_bytes);
}

unsigned char *tp_quote(unsigned char *to, struct tp_span bytes)
{
    const unsigned char *p = bytes.ptr;
    const unsigned char *end = p + bytes.len_bytes;
    *to++ = '"';
    while (p < end) {
        unsigned char c = *p;
        if (tp_likely(c < 0x80)) {
            p++;
            if (escape_letters[c] != 0) {
                *to++ = '\\';
                *to++ = (unsigned char)escape_letters[c];
            } else if (c < ' ' || c == 0x7f) {
                to = tp_put_hex(to, 'x', c, 2);
            } else {
                *to++ = c;
            }
            continue;
        }
        size_t len_bytes;
        uint32_t rune = tp_rune_decode(tp_span_of(p, (size_t)(end - p)), &len_bytes);
        if (len_bytes > 1 && tp_rune_is_print(rune))
            to = (unsigned char *)mempcpy(to, p, len_bytes);
        else
            to = tp_put_escape(to, c, rune, len_bytes);
        p += len_bytes;
    }
    *to++ = '"';
    return to;
}

// Takes the decoded bytes of a literal: writes them to `to`, or only counts them if `to` is NULL.
struct sink {
    unsigned char *to;
    size_t len_bytes;
};

static void put_bytes(struct sink *s, const void *bytes, size_t len_bytes)
{
    if (s->to != NULL)
        memcpy(s->to + s->len_bytes, bytes, len_bytes);
    s->len_bytes += len_bytes;
}

static void put_encoded(struct sink *s, uint32_t rune)
{
    unsigned char bytes[4];
    put_bytes(s, bytes, (size_t)(put_rune(bytes, rune) - bytes));
}

static int digit_of(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

// Reads exactly `digit_count` digits; false if there are fewer.
static bool take_digits(struct tp_span *in, int digit_count, int base, uint32_t *ret_value)
{
    if (in->len_bytes < (size_t)digit_count)
        return false;
    uint32_t value = 0;
    for (int i = 0; i < digit_count; i++) {
        int digit = digit_of(in->ptr[i]);
        if (digit >= base)
            return false;
        value = value * (uint32_t)base + (uint32_t)digit;
    }
    *in = tp_span_skip(*in, (size_t)digit_count);
    *ret_value = value;
    return true;
}

// Decodes an escape after its backslash. Octal and \x escapes stand for bytes, \u and \U for
// runes. Of the two quotes only the one that delimits the literal may be escaped.
static bool take_escape(struct tp_span *in, unsigned char quote, struct sink *sink)
{
    if (in->len_bytes == 0)
        return false;
    unsigned char c = in->ptr[0];
    uint32_t value;
    if (c >= '0' && c <= '7') {
        if (!take_digits(in, 3, 8, &value) || value > 0xff)
            return false;
        put_bytes(sink, &(unsigned char){(unsigned char)value}, 1);
        return true;
    }
    *in = tp_span_skip(*in, 1);
    static const char letters[] = "abfnrtv\\", bytes[] = "\a\b\f\n\r\t\v\\";
    const char *letter = memchr(letters, c, sizeof letters - 1);
    if (c == 'u' || c == 'U') {
        if (!take_digits(in, c == 'u' ? 4 : 8, 16, &value) || value > RUNE_MAX ||
            (value >= 0xd800 && value <= 0xdfff))
            return false;
        put_encoded(sink, value);
        return true;
    }
    if (letter != NULL)
        c = (unsigned char)bytes[letter - letters];
    else if (c == 'x' && take_digits(in, 2, 16, &value))
        c = (unsigned char)value;
    else if (c == 'x' || c != quote)
        return false;
    put_bytes(sink, &c, 1);
    return true;
}

static bool unquote_raw(struct tp_span in, struct sink *sink)
{
    const unsigned char *end = memchr(in.ptr, '`', in.len_bytes);
    if (end == NULL || end + 1 != in.ptr + in.len_bytes)
        return false;
    for (const unsigned char *p = in.ptr; p < end;) {
        const unsigned char *cr = memchr(p, '\r', (size_t)(end - p));
        const unsigned char *stop = cr != NULL ? cr : end;
        put_bytes(sink, p, (size_t)(stop - p));
        p = stop + (cr != NULL);
    }
    return true;
}

// Returns the length of the part at the front of `in` that needs no decoding.
static size_t plain_bytes(struct tp_span in, unsigned char quote)
{
    size_t n = 0;
    while (n < in.len_bytes && in.ptr[n] != quote && in.ptr[n] != '\\' && in.ptr[n] != '\n' &&
           in.ptr[n] < 0x80)
        n++;
    return n;
}

// Decodes the bytes up to the closing '"'.
static bool unquote_string(struct tp_span in, struct sink *sink)
{
    for (;;) {
        size_t plain = plain_bytes(in, '"');
        put_bytes(sink, in.ptr, plain);
        in = tp_span_skip(in, plain);
        if (in.len_bytes == 0 || in.ptr[0] == '\n')
            return false;
        if (in.ptr[0] == '"')
            return in.len_bytes == 1;
        if (in.ptr[0] == '\\') {
            in = tp_span_skip(in, 1);
            if (!take_escape(&in, '"', sink))
                return false;
            continue;
        }
        size_t len_bytes;
        put_encoded(sink, tp_rune_decode(in, &len_bytes));
        in = tp_span_skip(in, len_bytes);
    }
}

// Decodes one rune or escape and the closing quote; in Go '' is the empty string.
static bool unquote_rune(struct tp_span in, struct sink *sink)
{
    if (in.ptr[0] == '\n')
        return false;
    if (in.ptr[0] == '\\') {
        in = tp_span_skip(in, 1);
        if (!take_escape(&in, '\'', sink))
            return false;
    } else if (in.ptr[0] != '\'') {
        size_t len_bytes;
        put_encoded(sink, tp_rune_decode(in, &len_bytes));
        in = tp_span_skip(in, len_bytes);
    }
    return tp_span_is(in, "'");
}

bool tp_unquote(struct tp_span text, unsigned char *to, size_t *ret_len_bytes)
{
    if (text.len_bytes < 2)
        return false;
    struct sink sink = {to, 0};
    struct tp_span in = tp_span_skip(text, 1);
    bool is_good = false;
    switch (text.ptr[0]) {
    case '`': is_good = unquote_raw(in, &sink); break;
    case '"': is_good = unquote_string(in, &sink); break;
    case '\'': is_good = unquote_rune(in, &sink); break;
    default: break;
    }
    if (is_good)
        *ret_len_bytes = sink.len_bytes;
    return is_good;
}
