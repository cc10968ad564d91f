// Does the same as Go's strconv.Quote (%q) and strconv.Unquote, byte for byte, with the Unicode
// tables of Go 1.26. The functions write to their arguments only, so any thread may call them.
#ifndef TP_BASE_TEXT_QUOTE_H
#define TP_BASE_TEXT_QUOTE_H

#include "base/span.h"

// Returns the most bytes that tp_quote writes for `len_bytes` of input: every byte may become
// \xNN, and there are two quotes.
TP_INLINE size_t tp_quote_max_bytes(size_t len_bytes) { return 4 * len_bytes + 2; }

// Writes the double-quoted form to `to`; returns one past its end.
unsigned char *tp_quote(unsigned char *to, struct tp_span bytes);

// Writes "\", `letter` and `value` as `digit_count` hexadecimal digits. Returns one past the end.
unsigned char *tp_put_hex(unsigned char *to, char letter, uint32_t value, int digit_count);
// Writes the escape that tp_quote uses for a rune of `len_bytes` that is not printable: \uNNNN or
// \UNNNNNNNN. If `len_bytes` is 1, writes `byte` as \xNN. Returns one past the end.
unsigned char *tp_put_escape(unsigned char *to, unsigned char byte, uint32_t rune,
                             size_t len_bytes);

// The most bytes that tp_put_escape and tp_put_shown write.
#define TP_ESCAPE_BYTES 10
// Writes the first rune of `s`, which must not be empty, as it is if tp_rune_shows accepts it, else as
// tp_put_escape does. *ret_len_bytes is the rune's length. Returns one past the end.
unsigned char *tp_put_shown(unsigned char *to, struct tp_span s, size_t *ret_len_bytes);

// Decodes a double-quoted, back-quoted or single-quoted (one rune) literal that fills all of
// `text`. The result has at most three times text.len_bytes, since an invalid byte becomes
// U+FFFD; with `to` NULL the function only finds the length. Returns false if strconv.Unquote
// reports invalid syntax; `to` may be half written then.
bool tp_unquote(struct tp_span text, unsigned char *to, size_t *ret_len_bytes) TP_MUST_USE;

// Returns what Go's unicode.IsPrint does.
bool tp_rune_is_print(uint32_t rune);
// Returns what Go's unicode.IsSpace does.
bool tp_rune_is_space(uint32_t rune);

// Returns whether the first rune of `s`, which must not be empty, is safe on a terminal: it is
// UTF-8 and passes unicode.IsPrint. *ret_len_bytes is the rune's length, as for tp_rune_decode.
bool tp_rune_shows(struct tp_span s, size_t *ret_len_bytes);

// Returns the length in bytes of a rune whose first byte this is; 1: it is no first byte of a longer one.
TP_INLINE size_t tp_rune_bytes(unsigned char first)
{
    return first < 0xc0 || first >= 0xf8 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
// Returns the first rune of `s`, which must not be empty, and its length in bytes, as Go's
// utf8.DecodeRune does. For an invalid byte returns 0xFFFD and sets *ret_len_bytes to 1.
uint32_t tp_rune_decode(struct tp_span s, size_t *ret_len_bytes);
// Returns the number of runes of a text, of which each takes one column on a terminal.
unsigned tp_rune_count(struct tp_span text);

// Returns what Go's utf8.Valid does.
bool tp_utf8_is_valid(struct tp_span s);

#endif
