// Fills struct tp_error. Each tp_fail* function returns the code it was given, so that
// `return tp_fail(err, TP_E_READ, ...)` is one statement. `err` may be NULL if the caller
// only wants the code. Any thread.
#ifndef TP_BASE_ERR_H
#define TP_BASE_ERR_H

#include "base/attr.h"
#include "tracepipe/error.h"

// tp_fail(err, code, fmt, ...) fills the error with the code and a formatted text, without offset
// and errno. Cuts a text that is too long for tp_error.text.
#define tp_fail tp_error_set

// Returns the error's text or, if that is empty, the sentence of its code. Borrowed from `err`;
// never empty.
const char *tp_error_words(const struct tp_error *err);

// Fills the error as tp_fail does and appends the text of `sys_errno` to the message.
int tp_fail_errno(struct tp_error *err, int code, int sys_errno, const char *fmt, ...)
    TP_PRINTF(4, 5);

// Fills the error as tp_fail does and sets its offset, which counts bytes of the file as stored.
int tp_fail_at(struct tp_error *err, int code, uint64_t offset, const char *fmt, ...)
    TP_PRINTF(4, 5);

// Returns whether the error makes only one input fail, so that the run goes on.
static inline bool tp_error_is_of_input(int code)
{
    enum tp_error_class c = tp_error_class_of(code);
    return c == TP_CLASS_INPUT || c == TP_CLASS_BOUND;
}

// Returns whether the error voids all results of the input, also those from before the error.
// After TP_E_TOO_LARGE and TP_E_LIMIT the results would depend on the memory available; after
// TP_E_INTERNAL any earlier result may be wrong.
static inline bool tp_error_voids_input(int code)
{
    return code == TP_E_TOO_LARGE || code == TP_E_LIMIT || code == TP_E_TIMEOUT ||
           code == TP_E_INTERNAL;
}

// Returns whether the fault is in the input itself, so that results from before it, and from sound
// parts after it, are worth keeping.
static inline bool tp_error_may_be_salvaged(int code)
{
    return tp_error_class_of(code) == TP_CLASS_INPUT && !tp_error_voids_input(code);
}

#endif
