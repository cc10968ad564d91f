// Errors as values. A struct tp_error allocates nothing and may be copied freely between
// threads. Only its `path` is borrowed: from the list of inputs or from an option, which
// both outlive every error about them.
//
// A function returns 0, or a negative TP_E_* code after filling the error; on success it
// leaves the error as it was. The class of a code decides what happens next:
//
//   TP_CLASS_INPUT   one file is spoiled; the run goes on and exits with 1
//   TP_CLASS_BOUND   one file needs more memory than the run may use; the run goes on and
//                    exits with 3
//   TP_CLASS_HOST    disk, memory or kernel failed; the run ends and exits with 3
//   TP_CLASS_USAGE   an option is wrong; the run ends and exits with 2
//
// All functions here are pure or write only to their arguments: any thread may call them.
#ifndef TRACEPIPE_ERROR_H
#define TRACEPIPE_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tp_error_class {
    TP_CLASS_NONE,
    TP_CLASS_INPUT,
    TP_CLASS_HOST,
    TP_CLASS_USAGE,
    TP_CLASS_BOUND
};

// All codes. X(name, value, class, sentence): the code is TP_E_name, its class TP_CLASS_class.
#define TP_ERR_MAP(X)                                                           \
    X(OK, 0, NONE, "success")                                                   \
    X(USAGE, -1, USAGE, "wrong use of an option")                               \
    X(OPEN, -10, INPUT, "input cannot be opened")                               \
    X(READ, -11, INPUT, "input cannot be read to its end")                      \
    X(NOT_TRACE, -12, INPUT, "not a Go execution trace")                        \
    X(NEW_TRACE, -14, INPUT, "trace of an unknown Go release")                  \
    X(CODEC, -15, INPUT, "compressed input is damaged")                         \
    X(TEXT, -16, INPUT, "text form cannot be parsed")                           \
    X(DAMAGED, -17, INPUT, "trace is damaged")                                  \
    X(EVENT, -18, INPUT, "event cannot be decoded")                             \
    X(TOO_LARGE, -19, INPUT, "too many items of one kind")               \
    X(ORDER, -20, INPUT, "events cannot be put in order")                       \
    X(STATE, -21, INPUT, "statistics state is damaged or of another version") \
    X(LINK, -22, INPUT, "output would pass a symbolic link")                    \
    X(INTERNAL, -23, INPUT, "internal error: please report it")                 \
    X(FORMAT, -24, INPUT, "trace format that a sink of this run does not support")       \
    X(MEMORY, -30, HOST, "out of memory")                                       \
    X(WRITE, -31, HOST, "output cannot be written")                             \
    X(PIPE, -32, HOST, "output pipe was closed")                                \
    X(EXISTS, -33, HOST, "output exists")                                       \
    X(KERNEL, -34, HOST, "the kernel refused a request")                        \
    X(ENCODE, -35, HOST, "the compressor failed")                               \
    X(STOPPED, -36, HOST, "stopped")                                            \
    X(LIMIT, -40, BOUND, "does not fit into --max-memory")                       \
    X(TIMEOUT, -41, BOUND, "takes longer than --timeout")

enum tp_error_code {
#define TP_X(name, value, class, sentence) TP_E_##name = (value),
    TP_ERR_MAP(TP_X)
#undef TP_X
};

#define TP_ERROR_TEXT_BYTES 224
#define TP_NO_OFFSET UINT64_MAX

struct tp_error {
    int code;             // enum tp_error_code
    int sys_errno;        // errno of the system call at fault, else 0
    uint64_t offset;      // place in the file, in bytes as stored, or TP_NO_OFFSET
    uint64_t line;        // input in text form: line, from 1; else 0
    uint64_t column;      // input in text form: column, from 1; else 0
    const char *path;     // borrowed; NULL if no file is at fault
    char text[TP_ERROR_TEXT_BYTES]; // what happened, without path and place; ends with NUL
};

// Returns the class of a TP_E_* code; TP_CLASS_NONE for TP_E_OK, TP_CLASS_HOST for a number that is
// no code.
TP_API enum tp_error_class tp_error_class_of(int code);
// Returns the sentence of the code in TP_ERR_MAP. A constant, never NULL.
TP_API const char *tp_error_sentence(int code);
// Fills an error, for programs with hooks of their own, and returns `code`. `err` may be
// NULL. Cuts a text that is too long for tp_error.text. Appends to the text of TP_E_LIMIT the name
// of the option that would help. Cannot fail.
TP_API int tp_error_set(struct tp_error *err, int code, const char *fmt, ...)
    TP_API_PRINTF(3, 4);

// Copies `text` to `to` in a form that is safe on a terminal. For programs that print errors
// and messages: these hold names of files byte for byte. Escapes as \xNN, \uNNNN or \UNNNNNNNN
// everything that Go's unicode.IsPrint refuses: control characters, bytes that are not UTF-8,
// line separators, marks that turn the direction of text. Quotes and backslashes stay.
// Returns the address of the final NUL. `to_bytes` is at least 1; the copy ends before the first
// character or escape that does not fit as a whole. 4 * strlen(text) + 1 bytes are always enough.
TP_API char *tp_printable(char *to, size_t to_bytes, const char *text);

#ifdef __cplusplus
}
#endif
#endif
