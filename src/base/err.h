// Filling and forwarding struct tp_error. Every function returns the code it
// was given, so that `return tp_fail(err, TP_E_READ, ...)` is one statement.
// `err` may be NULL where the caller only wants the code.
#ifndef TP_BASE_ERR_H
#define TP_BASE_ERR_H

#include "base/attr.h"
#include "tracepipe/error.h"

int tp_fail(struct tp_error *err, int code, const char *fmt, ...) TP_PRINTF(3, 4);

// Adds the text of `sys_errno` after the message.
int tp_fail_errno(struct tp_error *err, int code, int sys_errno, const char *fmt, ...)
    TP_PRINTF(4, 5);

// Same as tp_fail, with the place in the file as stored.
int tp_fail_at(struct tp_error *err, int code, uint64_t offset, const char *fmt, ...)
    TP_PRINTF(4, 5);

#endif
