// Puts the events of a trace from before Go 1.5 in order as the parser of its time does: by
// their times alone, and where these are equal as they stand in the file (that parser's sort
// leaves it to chance). Nothing has to be ready.
//
//   Ps whose times rise ──cursors──────────▶ heap by (time, place in the file) ──▶ out
//   all others          ──cursors─▶ sorter ─▶
//
// Times rise in what the runtime writes, but nothing in the form makes them: so each P is
// walked over once before the first event. What is to be sorted goes to a file without a name
// where it does not fit into memory.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_ORDER_V0_H
#define TP_MERGE_V1_ORDER_V0_H

#include "base/sort/sorter.h"
#include "merge/v1/cursor.h"

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
    struct tp_v1_ordered sorted;      // its next one
    uint64_t sorted_left_bytes;       // of those behind it
    bool first_is_out;                // the first event of the heap was handed out
};

int tp_v0_order_begin(struct tp_v0_order *o, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v0_order_fini(struct tp_v0_order *o); // zeroed is fine

// Bytes of events behind the next one; of those that are sorted without their Batch events.
uint64_t tp_v0_order_left_bytes(const struct tp_v0_order *o);

// As tp_v1_order_next, which calls it. Nothing is refused here: BAD is for want of memory, or
// a file.
enum tp_cursor_status tp_v0_order_next(struct tp_v0_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err);

#endif
