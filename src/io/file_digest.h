// Tells files by their kind and their bytes. Blocks. Any thread.
#ifndef TP_IO_FILE_DIGEST_H
#define TP_IO_FILE_DIGEST_H

#include "base/attr.h"
#include "base/digest.h"

// Returns whether `path` is a regular file, and no link to one.
bool tp_is_regular(const char *path);
// Writes the digest of a file's bytes as text. Returns 0 or the errno; fails with ELOOP for a symbolic
// link.
int tp_file_digest(const char *path, char ret_text[TP_DIGEST_TEXT_BYTES]) TP_MUST_USE;
// The same of a file in the folder `folder_fd`, read from the disk and not from memory, as far as the
// system does that.
int tp_file_digest_stored(int folder_fd, const char *name, char ret_text[TP_DIGEST_TEXT_BYTES])
    TP_MUST_USE;

#endif
