// Go's quoting of byte strings: strconv.Quote (%q) and strconv.Unquote, byte
// for byte, with the Unicode tables of Go 1.26. Pure functions.
#ifndef TP_BASE_TEXT_QUOTE_H
#define TP_BASE_TEXT_QUOTE_H

#include "base/span.h"

// The most bytes tp_quote writes for `len_bytes` of input: every byte may
// become \xNN, two quotes come on top.
TP_INLINE size_t tp_quote_max_bytes(size_t len_bytes) { return 4 * len_bytes + 2; }

// Writes the double-quoted form to `to`; returns one past its end.
unsigned char *tp_quote(unsigned char *to, struct tp_span bytes);

// Decodes a double-quoted, back-quoted or single-quoted (one rune) literal that
// fills all of `text`. With `to` NULL only the length is found: at most three
// times text.len_bytes, since an invalid byte becomes U+FFFD. Returns false for
// whatever strconv.Unquote calls invalid syntax; `to` may be half written then.
bool tp_unquote(struct tp_span text, unsigned char *to, size_t *ret_len_bytes) TP_MUST_USE;

// Go's unicode.IsPrint and unicode.IsSpace.
bool tp_rune_is_print(uint32_t rune);
bool tp_rune_is_space(uint32_t rune);

// Whether a terminal shows the first rune of `s`, which must not be empty, and nothing else
// comes of it: it is UTF-8 and unicode.IsPrint.
bool tp_rune_shows(struct tp_span s, size_t *ret_len_bytes);

// Go's utf8.DecodeRune: ret_len_bytes is 1 and the answer 0xFFFD for invalid
// bytes; `s` must not be empty.
uint32_t tp_rune_decode(struct tp_span s, size_t *ret_len_bytes);

// Go's utf8.Valid.
bool tp_utf8_is_valid(struct tp_span s);

#endif
