// The thing about writing JSON that is easy to get wrong: strings, in our form and in
// Go's.
#ifndef TP_BASE_TEXT_JSON_H
#define TP_BASE_TEXT_JSON_H

#include "base/buf.h"

// A JSON string of `text`, which need not be UTF-8: an invalid byte 0xNN becomes
// the lone surrogate \udcNN, as Python's "surrogateescape" does, so that the
// original bytes can be had back. False: no room.
bool tp_json_put_string(struct tp_buf *b, struct tp_span text) TP_MUST_USE;

// What stands between the quotes of a JSON string as Go's encoding/json writes it without
// SetEscapeHTML; `utf8` is UTF-8. Returns one past the last byte. Needs room for
// tp_json_go_max_bytes.
unsigned char *tp_json_put_go(unsigned char *to, struct tp_span utf8);
TP_INLINE size_t tp_json_go_max_bytes(size_t len_bytes) { return 6 * len_bytes; }

#endif
