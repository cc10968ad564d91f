// Puts the events of a trace from before Go 1.5 in order as the parser of its time does: by
// their times alone. Events of equal times keep their order in the file (that parser's sort
// leaves their order to chance). No event waits for another one.
//
//   Ps whose times rise ──cursors──────────▶ heap by (time, place in the file) ──▶ out
//   all others          ──cursors─▶ sorter ─▶
//
// The runtime writes rising times, but the format does not require them, so begin walks over each P
// once to find the Ps whose times fall. The events of these Ps are sorted, in a spill if they do
// not fit into memory.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_ORDER_V0_H
#define TP_MERGE_V1_ORDER_V0_H

#include "base/sort/sorter.h"
#include "merge/v1/cursor.h"

// The state of one walk. Owns its memory and the spill; borrows the trace, which must outlive it.
struct tp_v0_order {
    struct tp_v1_cursor *cursors;     // of Ps whose times rise
    size_t cursor_count;
    struct tp_v0_front {
        int64_t ticks;
        uint64_t offset;
        struct tp_v1_cursor *cursor;  // NULL: the sorter
    } *heap;
    size_t heap_count;
    struct tp_sorter sorter;          // events of all other Ps
    struct tp_v1_ordered sorted;      // the next one of the sorter
    uint64_t sorted_left_bytes;       // of the events after `sorted`
    bool first_is_out;                // the first event of the heap was handed out
};

// Reads the events of each P once, and sorts those of the Ps whose times do not always rise. Fails
// with the error of a P, or as the sorter does; fini may also follow a failure.
int tp_v0_order_begin(struct tp_v0_order *o, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v0_order_fini(struct tp_v0_order *o); // a zeroed one is fine

// Returns the bytes of the events after the next one; for sorted Ps without their Batch events.
uint64_t tp_v0_order_left_bytes(const struct tp_v0_order *o);

// Does the work of tp_v1_order_next, which calls it for traces from before Go 1.5. Accepts events
// in any order: BAD means only that memory is out or that a file failed.
enum tp_cursor_status tp_v0_order_next(struct tp_v0_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err);

#endif
