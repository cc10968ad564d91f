// A file without a name for bytes that do not fit into memory and are needed later: batches
// that wait to be ordered, sorted runs. One thread at a time appends; any thread may read
// bytes whose append has returned. The file lies in the folder that TMPDIR names, mostly in
// the kernel's page cache, and ends with the process.
#ifndef TP_BASE_SPILL_SPILL_H
#define TP_BASE_SPILL_SPILL_H

#include "base/err.h"
#include "base/span.h"

// Zeroed is an empty spill without a file.
struct tp_spill {
    bool has_file;
    int fd;             // if has_file
    uint64_t len_bytes;
};

// Appends bytes at *ret_offset; makes the file first if need be. Fails with TP_E_WRITE. Blocks.
int tp_spill_append(struct tp_spill *s, struct tp_span bytes, uint64_t *ret_offset,
                    struct tp_error *err) TP_MUST_USE;
// Reads bytes that were appended. Fails with TP_E_KERNEL if they cannot be read. Blocks.
int tp_spill_read(const struct tp_spill *s, uint64_t offset, unsigned char *to, size_t len_bytes,
                  struct tp_error *err) TP_MUST_USE;
// Closes the file, which ends it. A zeroed spill is fine.
void tp_spill_fini(struct tp_spill *s);

#endif
