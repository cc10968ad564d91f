// Compares the record of runs with "resume" (tracepipe.h) with the files that it names.
#ifndef TRACEPIPE_RECORD_H
#define TRACEPIPE_RECORD_H

#include "tracepipe/api.h"
#include "tracepipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

// Signs of files, as `rclone check --combined` prints them where the record is the source.
enum tp_verify_sign {
    TP_VERIFY_SAME = '=',       // an output has the bytes that were written
    TP_VERIFY_CHANGED = '*',    // it has other bytes; or an input is not the file that was read
    TP_VERIFY_MISSING = '+',    // an output is not there
    TP_VERIFY_EXTRA = '-',      // a file in a folder of outputs is no output of the record
    TP_VERIFY_UNREADABLE = '!'  // a file or folder cannot be read
};

// Takes one file; `path` is valid during the call.
typedef void (*tp_verify_fn)(void *ctx, char sign, const char *path);

// Calls `fn` for each output that the record has as done, for each input that has changed since, and
// for other files in the folders of outputs, in the order of their paths. Reads all outputs; changes nothing. An input that is gone
// gives no call. Relative paths begin in the current folder, as when they were written. Fails with
// TP_E_USAGE (no record), TP_E_KERNEL or TP_E_MEMORY; then `fn` was not called.
TP_API int tp_record_verify(const char *path, tp_verify_fn fn, void *ctx, struct tp_error *err);

#ifdef __cplusplus
}
#endif

#endif
