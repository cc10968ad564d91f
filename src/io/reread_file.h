// A regular file that is read at any offset, again and again, beside the engine that reads it once
// from begin to end (source.h). Another process may write to it meanwhile: callers check what they
// read.
#ifndef TP_IO_REREAD_FILE_H
#define TP_IO_REREAD_FILE_H

#include "base/err.h"

struct tp_reread_file {
    int fd;             // owned; -1: not open
    uint64_t size_bytes; // when it was opened
};

// Opens `path` if it names a regular file of at least `least_bytes`, and 1. False: it does not, or
// cannot be opened, and *f is not open. Does not wait for the writer of a pipe.
bool tp_reread_file_open(struct tp_reread_file *f, const char *path, uint64_t least_bytes);
void tp_reread_file_close(struct tp_reread_file *f); // fine if it is not open

// Any thread; may wait for the disk. TP_E_READ, also if the file has become shorter; the error's
// offset is that of the first byte that could not be read.
int tp_reread_file_read(const struct tp_reread_file *f, uint64_t offset, unsigned char *to,
                        size_t len_bytes, struct tp_error *err) TP_MUST_USE;

// Asks the kernel to read a range ahead; or says that offsets will be far apart, or not any more.
void tp_reread_file_prefetch(const struct tp_reread_file *f, uint64_t offset, uint64_t len_bytes);
void tp_reread_file_expect_jumps(const struct tp_reread_file *f, bool are_expected);

#endif
