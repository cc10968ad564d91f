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

// What was made of the input before such an error is not kept. More than can be held, by
// whichever limit: how far it went says how much memory there was. TP_E_INTERNAL: our own work
// is wrong, and nobody knows since when.
static inline bool tp_error_voids_input(int code)
{
    return code == TP_E_TOO_LARGE || code == TP_E_LIMIT || code == TP_E_INTERNAL;
}

// The input's own fault: what is before the fault, or beside it, is worth keeping.
static inline bool tp_error_may_be_salvaged(int code)
{
    return tp_error_class_of(code) == TP_CLASS_INPUT && !tp_error_voids_input(code);
}

#endif
