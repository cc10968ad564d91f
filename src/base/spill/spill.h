// A file without a name for bytes that do not fit into memory and are needed later: batches
// that wait to be ordered, sorted runs. One thread at a time appends; any thread may read
// bytes whose append has returned. The file lies in the folder that TMPDIR names (its data mostly
// in the kernel's page cache); the kernel removes it when it is closed or the process ends.
#ifndef TP_BASE_SPILL_SPILL_H
#define TP_BASE_SPILL_SPILL_H

#include "base/err.h"
#include "base/span.h"

// Returns the folder of all spills. Borrowed from the environment.
const char *tp_spill_folder(void);

// A zeroed spill is empty and has no file.
struct tp_spill {
    bool has_file;
    int fd;             // if has_file
    uint64_t len_bytes;
};

// Appends bytes and sets *ret_offset to where they begin; first creates the file if there is none.
// Fails with TP_E_WRITE; then part of the bytes may have been appended, and earlier bytes remain
// readable. Blocks.
int tp_spill_append(struct tp_spill *s, struct tp_span bytes, uint64_t *ret_offset,
                    struct tp_error *err) TP_MUST_USE;
// Reads bytes that were appended into `to`. Fails with TP_E_KERNEL if they cannot be read. Blocks.
int tp_spill_read(const struct tp_spill *s, uint64_t offset, unsigned char *to, size_t len_bytes,
                  struct tp_error *err) TP_MUST_USE;
// Closes the file, which frees its space; the spill is empty then. A zeroed spill is fine.
void tp_spill_fini(struct tp_spill *s);

#endif
