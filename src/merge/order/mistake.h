// Mistakes in a program's use of tasks and regions (package runtime/trace): regions that are not
// nested, that end twice, on another goroutine or never; tasks that end twice. No event is missing
// then, so the events are taken, and counted as doubts (doubt.h) with their place in the program.
//
// An end closes the innermost open region of its own goroutine with the same task and name. An end
// without such a region closes nothing. It is a mistake if all regions of the goroutine are known,
// because an event created the goroutine, or if another region is open inside the one that it would
// have to close; else it ends a region from before the trace.
//
// Used by the order of all formats. Belongs to the thread of the order.
#ifndef TP_MERGE_ORDER_MISTAKE_H
#define TP_MERGE_ORDER_MISTAKE_H

#include "merge/order/doubt.h"
#include "merge/tables/place.h"

// A mistake, and the event that shows it. Borrows the texts.
struct tp_mistake {
    enum tp_doubt_kind kind;
    struct tp_event at;
    uint64_t generation;
    uint64_t task;         // of the region, or the task itself; 0: the background task
    struct tp_span name;   // of the region or task
    // Where the program made it: a stack of the tables, or the text of a place if `tables` is NULL.
    const struct tp_tables *tables;
    uint64_t stack;
    struct tp_span place;
};

// Counts the mistake, and keeps its words if it is among the first TP_DOUBTS_KEPT.
void tp_doubts_add_mistake(struct tp_doubts *d, const struct tp_mistake *mistake);

// Counts a mistake of the event `e`, an end with this key, whose stack is `stack`. The order has
// doubts.
void tp_order_mistake(struct tp_order *o, enum tp_doubt_kind kind, const struct tp_event *e,
                      struct tp_nest_key key, uint64_t stack);
// Counts the open regions of a goroutine that `e` ends. The order has doubts.
void tp_order_mistake_open(struct tp_order *o, const struct tp_g_state *g,
                           const struct tp_event *e);

#endif
