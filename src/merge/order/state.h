// Access to the states that the rules read and change. Only for the scheduler model (order.h), on
// the thread to which the order belongs. Functions that may allocate return false after filling the
// error with TP_E_MEMORY or TP_E_LIMIT; then nothing has been added.
#ifndef TP_MERGE_ORDER_STATE_H
#define TP_MERGE_ORDER_STATE_H

#include "merge/order/order.h"

// Return the slot of the goroutine, P or thread `id`, TP_MAP_NONE if it has none.
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

// Returns the slot of the goroutine to which a thread is bound, TP_MAP_NONE if there is none. In a
// broken trace another thread may have destroyed that goroutine, and its slot may now belong to
// another goroutine.
TP_INLINE uint32_t tp_order_g_at(const struct tp_order *o, const struct tp_binding *at)
{
    if (tp_likely(at->g_slot != TP_MAP_NONE)) {
        const struct tp_g_state *g = &o->gs.items[at->g_slot];
        if (tp_likely(g->is_live && g->id == at->g))
            return at->g_slot;
    }
    return tp_order_g(o, at->g);
}
// Returns the slot of the P to which a thread is bound. A P keeps its slot, so the slot of the
// binding cannot be stale.
TP_INLINE uint32_t tp_order_p_at(const struct tp_order *o, const struct tp_binding *at)
{
    return tp_likely(at->p_slot != TP_MAP_NONE) ? at->p_slot : tp_order_p(o, at->p);
}

// Add a new state, with a counter of 0 in the current generation. The id must not exist yet.
// Pointers to states of the same kind become invalid.
bool tp_order_add_g(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err);
bool tp_order_add_p(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err);
bool tp_order_add_m(struct tp_order *o, int64_t id, uint32_t *ret_slot, struct tp_error *err);
// Frees the goroutine's slot, with its ranges and regions.
void tp_order_remove_g(struct tp_order *o, uint32_t slot);

// Adds an open task. The id must not exist yet. For names.c.
bool tp_order_add_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                       uint32_t *ret_slot, struct tp_error *err);
// Frees the task's slot.
void tp_order_remove_task(struct tp_order *o, uint32_t slot);

// Returns whether a range with this type and detail is in the chain that begins with `first`.
bool tp_order_has_range(const struct tp_order *o, uint32_t first, struct tp_range_key key);
// Appends an open range to the chain.
bool tp_order_add_range(struct tp_order *o, uint32_t *first, struct tp_range_key key,
                        struct tp_error *err);
// Removes the first range of this type from the chain and sets *ret_detail to its detail. False: there
// is none.
bool tp_order_end_range(struct tp_order *o, uint32_t *first, uint8_t type, uint64_t *ret_detail);
// Removes all ranges of the chain.
void tp_order_remove_ranges(struct tp_order *o, uint32_t *first);
// Makes room for one more item in a list of `o`, which counts for the limit.
bool tp_order_grow_list(struct tp_order *o, struct tp_list *l, size_t item_bytes,
                        struct tp_error *err);
// Fills the error and returns TP_E_MEMORY.
int tp_order_no_memory(struct tp_error *err);

// Returns the text of a name, borrowed from the current tables, which it does not outlive.
struct tp_span tp_order_name(const struct tp_order *o, tp_name_ref name);
// Returns whether two references name the same text. Compares the bytes, because the reference to a
// name changes from generation to generation, and differs between the order proper and a speculator.
bool tp_order_is_name(const struct tp_order *o, tp_name_ref a, tp_name_ref b);
// Returns whether two keys are those of the same region.
TP_INLINE bool tp_order_is_region(const struct tp_order *o, struct tp_nest_key a,
                                  struct tp_nest_key b)
{
    return a.task == b.task && (a.name == b.name || tp_order_is_name(o, a.name, b.name));
}

// Opens a region inside those of the goroutine, for names.c; `stack` is the stack of its beginning.
bool tp_order_push_region(struct tp_order *o, struct tp_g_state *g, struct tp_nest_key key,
                          uint64_t stack, struct tp_error *err);
// Returns the slot of the goroutine's innermost open region with this key; 0: there is none.
uint32_t tp_order_find_region(struct tp_order *o, const struct tp_g_state *g,
                              struct tp_nest_key key);
// Removes an open region of the goroutine.
TP_INLINE void tp_order_remove_region(struct tp_order *o, struct tp_g_state *g, uint32_t slot)
{
    TP_NESTS_REMOVE(&o->regions, &g->region, (uint64_t)g->id, slot);
}
void tp_order_remove_regions(struct tp_order *o, struct tp_g_state *g);
// Forgets all open regions, and that all those of a goroutine are known, because events are missing.
void tp_order_forget_regions(struct tp_order *o);
// Returns the key of an open region.
TP_INLINE struct tp_nest_key tp_order_region_key(const struct tp_order *o, uint32_t slot)
{
    return o->regions.items[slot].nest.key;
}


#endif
