// Writes JSON strings, in tracepipe's form and in Go's. Pure but for the output.
#ifndef TP_BASE_TEXT_JSON_H
#define TP_BASE_TEXT_JSON_H

#include "base/buf.h"

// Appends a JSON string, with its quotes, of `text`, which need not be UTF-8. An invalid byte
// 0xNN becomes the lone surrogate \udcNN, as with Python's "surrogateescape", so that a
// reader can restore the original bytes. False: no room; a part may have been written.
bool tp_json_put_string(struct tp_buf *b, struct tp_span text) TP_MUST_USE;

// Writes `utf8`, which must be UTF-8, as Go's encoding/json writes the inside of a JSON string
// after SetEscapeHTML(false). Returns one past the last byte. Needs room for
// tp_json_go_max_bytes(utf8.len_bytes).
unsigned char *tp_json_put_go(unsigned char *to, struct tp_span utf8);
// Limit of the bytes that tp_json_put_go writes for `len_bytes` of text: a byte may become \u00NN.
TP_INLINE size_t tp_json_go_max_bytes(size_t len_bytes) { return 6 * len_bytes; }

#endif
