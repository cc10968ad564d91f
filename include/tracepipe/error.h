// What can go wrong, as a value. A struct tp_error allocates nothing and may be
// copied freely between threads; only `path` is borrowed, from the list of
// inputs or an option, which outlive every error about them.
//
// Functions return 0 or a negative TP_E_* code and fill the error only then.
// The class of a code decides what happens: TP_CLASS_INPUT spoils one file and
// the batch goes on (exit 1), and so does TP_CLASS_BOUND, a file that takes more memory
// than the run may have (exit 3); TP_CLASS_HOST (disk, memory, kernel) fails the run
// with exit 3, TP_CLASS_USAGE with exit 2.
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

// X(name, value, class, sentence)
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
    X(TOO_LARGE, -19, INPUT, "more of one kind than can be held")               \
    X(ORDER, -20, INPUT, "events cannot be put in order")                       \
    X(STATE, -21, INPUT, "state of statistics is damaged or of another version") \
    X(LINK, -22, INPUT, "output would pass a symbolic link")                    \
    X(INTERNAL, -23, INPUT, "internal error: please report it")                 \
    X(FORMAT, -24, INPUT, "trace of a kind that not all sinks here read")       \
    X(MEMORY, -30, HOST, "out of memory")                                       \
    X(WRITE, -31, HOST, "output cannot be written")                             \
    X(PIPE, -32, HOST, "output pipe was closed")                                \
    X(EXISTS, -33, HOST, "output exists")                                       \
    X(KERNEL, -34, HOST, "the kernel refused a request")                        \
    X(ENCODE, -35, HOST, "the compressor failed")                               \
    X(STOPPED, -36, HOST, "stopped")                                            \
    X(LIMIT, -40, BOUND, "does not fit into the memory allowed")

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
    uint64_t offset;      // byte of the file as stored, or TP_NO_OFFSET
    uint64_t line;        // text input: line and column from 1; else 0
    uint64_t column;
    const char *path;     // borrowed; NULL if no file is at fault
    char text[TP_ERROR_TEXT_BYTES]; // what happened, without path and place
};

TP_API enum tp_error_class tp_error_class_of(int code);
// The code's general sentence; never NULL.
TP_API const char *tp_error_sentence(int code);
// Fills an error, for programs with hooks of their own; returns `code`. `err` may be
// NULL. What is longer than the text holds is cut. Behind the text of TP_E_LIMIT it says
// which option would help.
TP_API int tp_error_set(struct tp_error *err, int code, const char *fmt, ...)
    TP_API_PRINTF(3, 4);

// `text` in a form that a terminal can be given, for programs that print errors and messages,
// which hold names of files as they are. What does not show as itself becomes \xNN, \uNNNN or
// \UNNNNNNNN: control characters, bytes that are no UTF-8, separators of lines, marks that turn
// the direction of text, and all else that Go's unicode.IsPrint refuses. Quotes and backslashes
// stay. Returns where the NUL is. What does not fit into `to_bytes`, at least 1, is left out,
// whole escapes only; 4 bytes for each one of `text`, and one, are always enough.
TP_API char *tp_printable(char *to, size_t to_bytes, const char *text);

#ifdef __cplusplus
}
#endif
#endif
