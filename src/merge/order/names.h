// Tasks and regions with their names, which outlive the generation that has given them. Only for the
// scheduler model (order.h), on the thread to which the order belongs.
#ifndef TP_MERGE_ORDER_NAMES_H
#define TP_MERGE_ORDER_NAMES_H

#include "merge/order/state.h"

// Begin a task, whose id must not exist yet, or the innermost region of a goroutine. False after
// filling the error; then nothing has begun.
bool tp_order_begin_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                         struct tp_error *err);
bool tp_order_begin_region(struct tp_order *o, struct tp_g_state *g, struct tp_nest_key key,
                           uint64_t stack, struct tp_error *err);
// Takes note of the regions of the goroutine in a slot that came there by other means.
bool tp_order_list_regions(struct tp_order *o, uint32_t slot, struct tp_error *err);

#endif
