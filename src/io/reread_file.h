// Reads parts of a regular file again, at any offset, in addition to the engine that reads the file
// once from its beginning to its end (source.h). Another process may write to the file meanwhile,
// so callers must check the bytes. One thread opens and closes a file; any thread may use it
// between.
#ifndef TP_IO_REREAD_FILE_H
#define TP_IO_REREAD_FILE_H

#include "base/err.h"

// An open file, with a descriptor of its own.
struct tp_reread_file {
    int fd;              // owned; -1: not open
    uint64_t size_bytes; // at the time of the opening
};

// Opens `path` if it names a regular file that is not empty and has at least `least_bytes` bytes.
// False: `path` names no such file or cannot be opened, and *f is not open. Does not wait for the
// writer of a pipe.
bool tp_reread_file_open(struct tp_reread_file *f, const char *path, uint64_t least_bytes);
// Closes the file; does nothing if it is not open.
void tp_reread_file_close(struct tp_reread_file *f);

// Reads exactly `len_bytes` bytes. May wait for the disk. Fails with TP_E_READ, also if the file
// has become shorter, or with TP_E_KERNEL if the kernel lacks memory; later reads may succeed.
// err->offset is that of the first byte that could not be read; `err` must not be NULL.
int tp_reread_file_read(const struct tp_reread_file *f, uint64_t offset, unsigned char *to,
                        size_t len_bytes, struct tp_error *err) TP_MUST_USE;

// Asks the kernel to read a range ahead. Does not wait; ignores failures.
void tp_reread_file_prefetch(const struct tp_reread_file *f, uint64_t offset, uint64_t len_bytes);
// Tells the kernel whether the offsets of later reads will be far apart. Ignores failures.
void tp_reread_file_expect_jumps(const struct tp_reread_file *f, bool are_expected);

#endif
