// An array of records of one size without a limit of their number: the newest records lie in
// memory, the others in a spill. Any record can be read: consecutive records are cheap to read,
// while a jump costs a read of the file.
//
// Takes memory for at most two blocks. One thread at a time.
#ifndef TP_BASE_SPILL_SPILLED_ARRAY_H
#define TP_BASE_SPILL_SPILLED_ARRAY_H

#include "base/list.h"
#include "base/spill/spill.h"

// Most bytes of a block, which is spilled as a whole.
#define TP_SPILLED_ARRAY_BLOCK_BYTES TP_KIB(64)

// An array of records of equal size. Owns its memory and its spill.
struct tp_spilled_array {
    size_t each_bytes;
    uint64_t count;
    // For spilled_array.c only.
    struct tp_list newest; // the last block
    unsigned char *window; // room for the copy of a spilled block
    uint64_t window_block; // number of that block, if has_window
    bool has_window;
    struct tp_spill spill;
};

// Makes an empty array of records of `each_bytes` bytes, at most TP_SPILLED_ARRAY_BLOCK_BYTES.
// Allocates nothing.
void tp_spilled_array_init(struct tp_spilled_array *r, size_t each_bytes);
// Frees the blocks and closes the file, which ends it. A zeroed array is fine.
void tp_spilled_array_fini(struct tp_spilled_array *r);

// Adds a copy of the record. Fails with TP_E_MEMORY or TP_E_WRITE; the record is then not added.
// After TP_E_WRITE no further record may be added; those in the array can still be read.
int tp_spilled_array_add(struct tp_spilled_array *r, const void *record,
                         struct tp_error *err) TP_MUST_USE;

// Copies record `idx`, which must be below `count`, to `to`. Fails with TP_E_MEMORY or
// TP_E_KERNEL; the array is then as before.
int tp_spilled_array_get(struct tp_spilled_array *r, uint64_t idx, void *to,
                         struct tp_error *err) TP_MUST_USE;

#endif
