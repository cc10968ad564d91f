// A file without a name for what does not fit into memory and is wanted back later:
// batches that wait to be ordered, sorted runs. One thread appends; what was appended
// may be read by any thread. Lies where TMPDIR says, mostly in the kernel's page cache,
// and goes with the process.
#ifndef TP_BASE_SPILL_SPILL_H
#define TP_BASE_SPILL_SPILL_H

#include "base/err.h"
#include "base/span.h"

struct tp_spill {
    int fd_plus_1;      // 0: not made yet
    uint64_t len_bytes;
};

// Appends; makes the file first if need be. TP_E_WRITE.
int tp_spill_append(struct tp_spill *s, struct tp_span bytes, uint64_t *ret_offset,
                    struct tp_error *err) TP_MUST_USE;
// TP_E_KERNEL: what was written cannot be read back.
int tp_spill_read(const struct tp_spill *s, uint64_t offset, unsigned char *to, size_t len_bytes,
                  struct tp_error *err) TP_MUST_USE;
void tp_spill_fini(struct tp_spill *s); // zeroed is fine

#endif
