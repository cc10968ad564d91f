// Ends of syscalls in the order in which they happened. A trace from before Go 1.22 tells an end
// when the goroutine runs again, too late for a walk in order: so the prescan or the first walk
// collects them, and later walks look them up. However many there are, they take a buffer and two
// blocks of memory; the rest is in spills.
//
// One thread at a time.
#ifndef TP_MERGE_V1_SYSCALL_EXITS_H
#define TP_MERGE_V1_SYSCALL_EXITS_H

#include "base/sort/sorter.h"
#include "base/spill/spilled_array.h"

struct tp_v1_exit {
    int64_t ticks;           // when it happened
    int64_t key;             // sorted by this: ticks, or its sequence number
    uint64_t order;          // its place among all events of the first walk; prescanned: offset
    uint64_t g;
    uint64_t other;          // of its sequence number and its time, the one that is not the key
    uint64_t offset;         // of the event in the stream
};

struct tp_v1_exits {
    struct tp_sorter sorter; // until they are sorted
    struct tp_spilled_array list; // then
    bool has_ties;           // valid then: two have the same key
};

// A zeroed struct is empty. `most_bytes` limits the buffer, which is no less than
// TP_SORTER_LEAST_BYTES. TP_E_MEMORY, TP_E_WRITE.
int tp_v1_exits_add(struct tp_v1_exits *x, const struct tp_v1_exit *e, uint64_t most_bytes,
                    struct tp_error *err) TP_MUST_USE;
// After the last. Also TP_E_KERNEL.
int tp_v1_exits_sort(struct tp_v1_exits *x, struct tp_error *err) TP_MUST_USE;
void tp_v1_exits_fini(struct tp_v1_exits *x);

// Exit `idx` in order of keys, equal ones in order of `order`. *ret_has: false behind the last.
int tp_v1_exits_get(struct tp_v1_exits *x, uint64_t idx, struct tp_v1_exit *ret_exit,
                    bool *ret_has, struct tp_error *err) TP_MUST_USE;

#endif
