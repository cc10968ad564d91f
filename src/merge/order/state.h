// The state that the rules read and change; for order*.c only. Functions that allocate return
// false after filling the error.
#ifndef TP_MERGE_ORDER_STATE_H
#define TP_MERGE_ORDER_STATE_H

#include "merge/order/order.h"

// Slots of `id`, TP_MAP_NONE if there is none.
TP_INLINE uint32_t tp_order_g(const struct tp_order *o, int64_t id)
{
    return tp_map_get(&o->gs.by_id, (uint64_t)id);
}
TP_INLINE uint32_t tp_order_p(const struct tp_order *o, int64_t id)
{
    return tp_map_get(&o->ps.by_id, (uint64_t)id);
}
TP_INLINE uint32_t tp_order_m(const struct tp_order *o, int64_t id)
{
    return tp_map_get(&o->ms.by_id, (uint64_t)id);
}

// The slot of the goroutine to which a thread is bound. In a broken trace another thread may have
// destroyed that goroutine, and its slot may now be another goroutine's.
TP_INLINE uint32_t tp_order_g_at(const struct tp_order *o, const struct tp_binding *at)
{
    if (tp_likely(at->g_slot != TP_MAP_NONE)) {
        const struct tp_g_state *g = &o->gs.items[at->g_slot];
        if (tp_likely(g->is_live && g->id == at->g))
            return at->g_slot;
    }
    return tp_order_g(o, at->g);
}
TP_INLINE uint32_t tp_order_p_at(const struct tp_order *o, const struct tp_binding *at)
{
    return tp_likely(at->p_slot != TP_MAP_NONE) ? at->p_slot : tp_order_p(o, at->p);
}

// Add new states; the id must not exist yet.
bool tp_order_add_g(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err);
bool tp_order_add_p(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err);
bool tp_order_add_m(struct tp_order *o, int64_t id, uint32_t *ret_slot, struct tp_error *err);
void tp_order_remove_g(struct tp_order *o, uint32_t slot);

bool tp_order_add_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                       struct tp_error *err);
void tp_order_remove_task(struct tp_order *o, uint32_t slot);

bool tp_ranges_have(const struct tp_range_list *l, struct tp_range_key key);
bool tp_order_add_range(struct tp_order *o, struct tp_range_list *l, struct tp_range_key key,
                        struct tp_error *err);
bool tp_order_push_region(struct tp_order *o, struct tp_region_list *l, struct tp_region_key key,
                          struct tp_error *err);

// The text of a name; borrowed from the current tables.
struct tp_span tp_order_name(const struct tp_order *o, tp_name_ref name);

#endif
