// Makes texts of traces those of Protocol Buffers, which must be UTF-8.
#ifndef TP_SINK_PROTO_UTF8_H
#define TP_SINK_PROTO_UTF8_H

#include "base/span.h"

// Returns the first piece of `text`, which must not be empty, as it is written: a rune or, for a byte that
// is not UTF-8, U+FFFD. *text is then what follows.
struct tp_span tp_utf8_take(struct tp_span *text);

#endif
