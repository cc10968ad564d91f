// Filling and forwarding struct tp_error. Every function returns the code it
// was given, so that `return tp_fail(err, TP_E_READ, ...)` is one statement.
// `err` may be NULL where the caller only wants the code.
#ifndef TP_BASE_ERR_H
#define TP_BASE_ERR_H

#include "base/attr.h"
#include "tracepipe/error.h"

int tp_fail(struct tp_error *err, int code, const char *fmt, ...) TP_PRINTF(3, 4);

// What went wrong: its text, or else the sentence of its code. Never empty.
const char *tp_error_words(const struct tp_error *err);

// Adds the text of `sys_errno` after the message.
int tp_fail_errno(struct tp_error *err, int code, int sys_errno, const char *fmt, ...)
    TP_PRINTF(4, 5);

// Same as tp_fail, with the place in the file as stored.
int tp_fail_at(struct tp_error *err, int code, uint64_t offset, const char *fmt, ...)
    TP_PRINTF(4, 5);

// Spoils one input, and the run goes on.
static inline bool tp_error_is_of_input(int code)
{
    enum tp_error_class c = tp_error_class_of(code);
    return c == TP_CLASS_INPUT || c == TP_CLASS_BOUND;
}

// More than can be held, by whichever limit: what was made so far is no salvage.
static inline bool tp_error_is_of_size(int code)
{
    return code == TP_E_TOO_LARGE || code == TP_E_LIMIT;
}

#endif
