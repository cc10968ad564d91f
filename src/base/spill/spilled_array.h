// Records of one size, in the order in which they were added, however many: the newest lie
// in memory, the others in a spill. They can be read back at any place, which is cheap one
// after the other and takes a read of the file elsewhere.
//
// Memory is at most two blocks. One thread at a time.
#ifndef TP_BASE_SPILL_SPILLED_ARRAY_H
#define TP_BASE_SPILL_SPILLED_ARRAY_H

#include "base/spill/spill.h"

#define TP_SPILLED_ARRAY_BLOCK_BYTES TP_KIB(64)

struct tp_spilled_array {
    size_t each_bytes;
    uint64_t count;
    // For spilled_array.c only.
    unsigned char *newest;   // the last block, from record newest_first on
    size_t newest_capacity;  // records
    uint64_t newest_first;
    unsigned char *window;   // a block that was spilled, from record window_first on
    uint64_t window_first;
    bool has_window;
    struct tp_spill spill;
};

// `each_bytes` is at most TP_SPILLED_ARRAY_BLOCK_BYTES. Allocates nothing.
void tp_spilled_array_init(struct tp_spilled_array *r, size_t each_bytes);
void tp_spilled_array_fini(struct tp_spilled_array *r); // zeroed is fine

// Adds a copy. TP_E_MEMORY, TP_E_WRITE.
int tp_spilled_array_add(struct tp_spilled_array *r, const void *record,
                         struct tp_error *err) TP_MUST_USE;

// Copies record `idx`, which is below `count`, to `to`. TP_E_MEMORY, TP_E_KERNEL.
int tp_spilled_array_get(struct tp_spilled_array *r, uint64_t idx, void *to,
                         struct tp_error *err) TP_MUST_USE;

#endif
