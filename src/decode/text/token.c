#include "decode/text/token.h"

struct tp_span tp_skip_spaces(struct tp_span s)
{
    size_t len_bytes;
    while (s.len_bytes != 0 && tp_space_at(s, &len_bytes))
        s = tp_span_skip(s, len_bytes);
    return s;
}

struct tp_span tp_take_token(struct tp_span *s)
{
    struct tp_span from = tp_skip_spaces(*s);
    if (from.len_bytes == 0 || from.ptr[0] == '#') {
        *s = tp_span_skip(from, from.len_bytes);
        return *s;
    }
    struct tp_span rest = from;
    size_t len_bytes;
    while (rest.len_bytes != 0 && rest.ptr[0] != '#' && !tp_space_at(rest, &len_bytes))
        rest = tp_span_skip(rest, len_bytes);
    *s = rest;
    return tp_span_of(from.ptr, (size_t)(rest.ptr - from.ptr));
}

struct tp_span tp_trim(struct tp_span s)
{
    s = tp_skip_spaces(s);
    while (s.len_bytes != 0) {
        // Finds the first byte of the last rune, which has at most four bytes.
        size_t start = s.len_bytes - 1;
        while (start > 0 && s.len_bytes - start < 4 && (s.ptr[start] & 0xc0) == 0x80)
            start--;
        struct tp_span last = tp_span_skip(s, start);
        size_t len_bytes;
        if (!tp_space_at(last, &len_bytes) || len_bytes != last.len_bytes)
            break;
        s.len_bytes = start;
    }
    return s;
}

enum tp_decimal tp_parse_decimal(struct tp_span s, uint64_t *ret_value)
{
    if (s.len_bytes == 0)
        return TP_DECIMAL_SYNTAX;
    uint64_t value = 0;
    for (size_t i = 0; i < s.len_bytes; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return TP_DECIMAL_SYNTAX;
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(s.ptr[i] - '0'), &value))
            return TP_DECIMAL_RANGE;
    }
    *ret_value = value;
    return TP_DECIMAL_OK;
}
