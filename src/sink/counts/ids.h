// Collects the ids of goroutines, Ps and threads in a trace. A worker collects those in the events
// of a unit; the input adds them to its sets.
#ifndef TP_SINK_COUNTS_IDS_H
#define TP_SINK_COUNTS_IDS_H

#include "base/idset.h"
#include "base/list.h"
#include "sink/sink.h"

// The kinds of ids. Threads are in events only before Go 1.22, later batches name theirs.
enum tp_counts_id { TP_COUNTS_GOROUTINE, TP_COUNTS_PROC, TP_COUNTS_THREAD, TP_COUNTS_IDS };

// So many recent ids of a kind are remembered, so that repetitions are not stored: each start of a
// P names the P and its thread.
#define TP_COUNTS_RECENT 256

// The most ids of a kind in a segment: the shortest event that introduces one has 3 bytes.
#define TP_COUNTS_IDS_MAX (TP_SEGMENT_MAX_BYTES / 3)

// The ids in a unit. A worker fills them, commit reads them. Owns the lists, which take at most
// TP_COUNTS_IDS_MAX_BYTES.
struct tp_counts_ids {
    struct tp_counts_id_list {
        TP_LIST(uint64_t); // may contain repetitions
        uint64_t recent[TP_COUNTS_RECENT]; // by their low bits; UINT64_MAX: none
    } of[TP_COUNTS_IDS];
    bool out_of_memory; // ids are missing
};

#define TP_COUNTS_IDS_MAX_BYTES (TP_COUNTS_IDS * TP_COUNTS_IDS_MAX * sizeof(uint64_t))

// Empties the lists for the next unit.
void tp_counts_ids_reset(struct tp_counts_ids *ids);
// Frees the lists; a zeroed struct is fine.
void tp_counts_ids_fini(struct tp_counts_ids *ids);
// Adds an id of an event to the struct tp_counts_ids `ctx`: a tp_ident_fn.
void tp_counts_ids_put(void *ctx, enum tp_ident ident, uint64_t id);

// The distinct ids of an input. Owns the sets.
struct tp_counts_sets {
    struct tp_idset of[TP_COUNTS_IDS];
};

void tp_counts_sets_init(struct tp_counts_sets *sets);
void tp_counts_sets_fini(struct tp_counts_sets *sets);
// Adds the ids of a unit. Fails as tp_idset_add does.
int tp_counts_sets_add(struct tp_counts_sets *sets, const struct tp_counts_ids *ids,
                       struct tp_error *err) TP_MUST_USE;

#endif
