// Writes the insides of JSON strings, without their quotes, in tracepipe's form and in Go's. The
// functions write to their arguments only, so any thread may call them; they cannot fail.
#ifndef TP_BASE_TEXT_JSON_H
#define TP_BASE_TEXT_JSON_H

#include "base/span.h"

// Returns the bytes that `to` must have room for if the text has `len_bytes`: each byte may become
// \u00NN.
TP_INLINE size_t tp_json_max_bytes(size_t len_bytes) { return 6 * len_bytes; }

// Writes `text`, which need not be UTF-8, and returns one past the last byte. An invalid byte 0xNN
// becomes the lone surrogate \udcNN, as with Python's "surrogateescape", so that a reader can
// restore the original bytes.
unsigned char *tp_json_put(unsigned char *to, struct tp_span text);

// Writes `utf8`, which must be UTF-8, as Go's encoding/json does after SetEscapeHTML(false), and
// returns one past the last byte.
unsigned char *tp_json_put_go(unsigned char *to, struct tp_span utf8);

#endif
