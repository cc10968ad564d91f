// Writes JSON strings, in tracepipe's form and in Go's. Pure but for the output.
#ifndef TP_BASE_TEXT_JSON_H
#define TP_BASE_TEXT_JSON_H

#include "base/span.h"

// Both write the inside of a JSON string, without its quotes, and return one past the last byte.
// They need room for tp_json_max_bytes of the text: a byte may become \u00NN.
TP_INLINE size_t tp_json_max_bytes(size_t len_bytes) { return 6 * len_bytes; }

// `text` need not be UTF-8. An invalid byte 0xNN becomes the lone surrogate \udcNN, as with
// Python's "surrogateescape", so that a reader can restore the original bytes.
unsigned char *tp_json_put(unsigned char *to, struct tp_span text);

// `utf8`, which must be UTF-8, as Go's encoding/json writes it after SetEscapeHTML(false).
unsigned char *tp_json_put_go(unsigned char *to, struct tp_span utf8);

#endif
