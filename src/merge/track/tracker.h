// Follows the states of goroutines through the ordered events of a trace, and gives out a span
// (tracepipe/span.h) for each state that an event ends. It keeps who is in which state since when;
// sinks that get its spans keep nothing.
//
//   block of events ─▶ tp_tracker_block ─▶ spans that these events end, in their order
//   after the last block: tp_tracker_rest ─▶ spans of the states that the trace cuts
//
// The rules are those of the statistics (stats/fold, stats/stitch), so durations added up over spans are
// the report's: a state that an event contradicts has no span; a goroutine that the trace announces
// is in its state since the last Sync, and had begun it before. If the end of that state is missing, it
// is known to have lasted until the announcement only.
//
// Open states refer to texts and stacks of tables that they outlive. At the first block of a
// generation the tracker copies those texts and stacks to which a state refers since the last
// generation, so that the new tables have them.
//
// A tracker belongs to one thread at a time.
#ifndef TP_MERGE_TRACK_TRACKER_H
#define TP_MERGE_TRACK_TRACKER_H

#include "base/nests.h"
#include "base/slab.h"
#include "merge/tables/block.h"
#include "tracepipe/span.h"

// A goroutine that lives. References are those of struct tp_state_span.
struct tp_track_g {
    int64_t id;
    int64_t since_ns;      // of its state
    int64_t announced_ns;  // if had_begun: time of the event that announced it in that state
    int64_t waker;         // runnable: who made it so
    uint64_t reason;       // of its state
    uint64_t stack;        // where its state began
    uint64_t waker_stack;  // runnable: where it was made so
    uint64_t function;     // the best name so far
    uint64_t named_by;     // the last stack that was looked up for a name; of the current tables
    uint32_t region;       // its innermost open region, in `regions`; 0: none
    uint32_t task;         // the open task that it began last, in `tasks`; 0: none
    uint8_t state;         // enum tp_state; UNDETERMINED: no event has shown it
    uint8_t name_rank;     // enum tp_name_rank
    bool had_begun;        // the state had begun before since_ns
    bool is_live;          // false: the slot is free
};

// An open task that a living goroutine began. The tasks of a goroutine form a chain.
struct tp_track_task {
    uint64_t id;
    uint32_t older, newer; // slots; 0: none
    int64_t g;
};

struct tp_track_region {
    struct tp_nest_item nest;
};

struct tp_tracker {
    TP_SLAB(struct tp_track_g) gs;
    TP_SLAB(struct tp_track_task) tasks;
    TP_NESTS(struct tp_track_region) regions;
    // Slots of goroutines that refer to the current tables, and by slot, whether it is listed.
    TP_LIST(uint32_t) current;
    TP_LIST(bool) is_current;
    struct tp_tables *tables; // of the last block that had any; one hold
    int64_t sync_ns;          // time of the last Sync; -1: there was none
    int64_t last_ns;          // time of the last event
    uint32_t rest_slot;       // of the last goroutine that tp_tracker_rest has looked at
    uint64_t max_bytes;       // limit of tp_tracker_bytes
};

// Initializes a tracker that knows no goroutine. Allocates nothing.
void tp_tracker_init(struct tp_tracker *t, uint64_t max_bytes);
// Frees all memory and releases the tables; a zeroed tracker is fine.
void tp_tracker_fini(struct tp_tracker *t);
// Returns the memory of the tracker and of what its tables carry, in bytes.
uint64_t tp_tracker_bytes(const struct tp_tracker *t);

// Follows the events of the block, and writes the spans that they end to `spans`, which has room for
// one span for each event. May set block->tables->carried_states, so no other thread may have seen
// tables that come for the first time. Fails with TP_E_MEMORY or TP_E_LIMIT, also if the stacks of the
// last generation do not fit into memory; then only tp_tracker_fini may follow.
int tp_tracker_block(struct tp_tracker *t, const struct tp_block *block,
                     struct tp_state_span *spans, size_t *ret_count,
                     struct tp_error *err) TP_MUST_USE;

// Writes the next spans that the trace cuts, at most `room`, for the tables of the last block, which
// the tracker holds. Returns their number; less than `room`: there are no more.
size_t tp_tracker_rest(struct tp_tracker *t, struct tp_state_span *spans, size_t room);

#endif
