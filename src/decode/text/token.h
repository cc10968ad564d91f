// Spaces, tokens and numbers of the text form, by the rules of Go's reader. Pure functions
// over borrowed bytes.
#ifndef TP_DECODE_TEXT_TOKEN_H
#define TP_DECODE_TEXT_TOKEN_H

#include "base/span.h"
#include "base/text/quote.h"

// Returns whether `s`, which must not be empty, begins with a Unicode space. *ret_len_bytes is the
// length of the first rune.
TP_INLINE bool tp_space_at(struct tp_span s, size_t *ret_len_bytes)
{
    if (tp_likely(s.ptr[0] < 0x80)) {
        *ret_len_bytes = 1;
        return s.ptr[0] == ' ' || (s.ptr[0] >= '\t' && s.ptr[0] <= '\r');
    }
    return tp_rune_is_space(tp_rune_decode(s, ret_len_bytes));
}

// Returns `s` without leading spaces.
struct tp_span tp_skip_spaces(struct tp_span s);
// Returns `s` without leading and trailing spaces.
struct tp_span tp_trim(struct tp_span s);

// Removes a token, the longest sequence without a space or '#', from the beginning of *s and
// returns it. If a comment or the end comes first, the token is empty and *s becomes empty.
struct tp_span tp_take_token(struct tp_span *s);

// Parses a 64-bit decimal that fills `s`. If there are several errors, the leftmost one decides, as
// in strconv.ParseUint.
enum tp_decimal { TP_DECIMAL_OK, TP_DECIMAL_SYNTAX, TP_DECIMAL_RANGE };
enum tp_decimal tp_parse_decimal(struct tp_span s, uint64_t *ret_value);

#endif
