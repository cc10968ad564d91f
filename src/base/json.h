// The two things about writing JSON that are easy to get wrong: strings and
// separators. Everything else is tp_buf_printf.
#ifndef TP_BASE_JSON_H
#define TP_BASE_JSON_H

#include "base/buf.h"

// A JSON string of `text`, which need not be UTF-8: an invalid byte 0xNN becomes
// the lone surrogate \udcNN, as Python's "surrogateescape" does, so that the
// original bytes can be had back. False: no room.
bool tp_json_put_string(struct tp_buf *b, struct tp_span text) TP_MUST_USE;

#endif
