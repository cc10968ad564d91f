// Tasks and regions with their names, which outlive the generation that has given them. Only for the
// scheduler model (order.h), on the thread to which the order belongs.
#ifndef TP_MERGE_ORDER_NAMES_H
#define TP_MERGE_ORDER_NAMES_H

#include "merge/order/state.h"

// Begin a task, whose id must not exist yet, or the innermost region of a goroutine. False after
// filling the error; then nothing has begun.
bool tp_order_begin_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                         struct tp_error *err);
bool tp_order_begin_region(struct tp_order *o, struct tp_g_state *g, struct tp_region_key key,
                           struct tp_error *err);
// Takes note of the regions of the goroutine in a slot that came there by other means.
bool tp_order_list_regions(struct tp_order *o, uint32_t slot, struct tp_error *err);

// Returns the text of a name, borrowed from the current tables, which it does not outlive.
struct tp_span tp_order_name(const struct tp_order *o, tp_name_ref name);
// Returns whether two references name the same text. Compares the bytes, because the reference to a
// name changes from generation to generation, and differs between the order proper and a speculator.
bool tp_order_is_name(const struct tp_order *o, tp_name_ref a, tp_name_ref b);
// Returns whether two keys are those of the same region.
TP_INLINE bool tp_order_is_region(const struct tp_order *o, struct tp_region_key a,
                                  struct tp_region_key b)
{
    return a.task == b.task && (a.name == b.name || tp_order_is_name(o, a.name, b.name));
}

#endif
