// Stores the ends of syscalls in the order in which they happened. A trace from before Go 1.22
// records an end when the goroutine runs again, which is too late for a walk in order: so the
// prescan or the first walk collects the ends, and later walks look them up. However many there
// are, memory holds only a buffer and two blocks of them; the others are in spills.
//
// One thread at a time uses them. After a failure of add or sort only tp_v1_exits_fini may follow.
#ifndef TP_MERGE_V1_SYSCALL_EXITS_H
#define TP_MERGE_V1_SYSCALL_EXITS_H

#include "base/sort/sorter.h"
#include "base/spill/spilled_array.h"

// The end of a syscall; a plain value, which is written to spills byte for byte.
struct tp_v1_exit {
    int64_t ticks;           // when it happened
    int64_t key;             // sorted by this: ticks, or its sequence number
    uint64_t order;          // its place among all events of the first walk; prescanned: offset
    uint64_t g;
    uint64_t other;          // its sequence number if `key` is its time, else its time
    uint64_t offset;         // of the event in the stream
    uint64_t wire_bytes;     // of the event
};

// All ends of a trace. Owns its memory and the spills.
struct tp_v1_exits {
    struct tp_sorter sorter; // holds the ends until they are sorted
    struct tp_spilled_array list; // holds the ends after that
    bool has_ties;           // valid after sorting: two ends have the same key
};

// Adds a copy of an end to `x`; a zeroed *x is empty. `most_bytes` limits the buffer, which has at
// least TP_SORTER_LEAST_BYTES. Fails as tp_sorter_put does.
int tp_v1_exits_add(struct tp_v1_exits *x, const struct tp_v1_exit *e, uint64_t most_bytes,
                    struct tp_error *err) TP_MUST_USE;
// Sorts the ends, after the last one was added. Fails as tp_v1_exits_add does.
int tp_v1_exits_sort(struct tp_v1_exits *x, struct tp_error *err) TP_MUST_USE;
// Frees the memory and the spills; zeroed or unsorted ends are fine.
void tp_v1_exits_fini(struct tp_v1_exits *x);

// Copies the end with index `idx` to *ret_exit; ends are sorted by `key`, and those with the same
// key by `order`. Sets *ret_has to false if `idx` is after the last end. Call it after
// tp_v1_exits_sort. If it fails (TP_E_MEMORY, TP_E_KERNEL), it may be called again.
int tp_v1_exits_get(struct tp_v1_exits *x, uint64_t idx, struct tp_v1_exit *ret_exit,
                    bool *ret_has, struct tp_error *err) TP_MUST_USE;

#endif
