#include "base/slab.h"

#include "base/alloc.h"

void tp_slab_fini(struct tp_slab *s)
{
    tp_map_fini(&s->by_id);
    tp_free(s->slots.list.items);
    *s = (struct tp_slab){0};
}

TP_NOINLINE uint32_t tp_slab_add(struct tp_slab *s, uint64_t id, size_t item_bytes)
{
    uint32_t before = s->slots.list.count, slot = tp_slots_take(&s->slots, item_bytes);
    if (slot == 0)
        return 0;
    if (tp_likely(tp_map_put(&s->by_id, id, slot)))
        return slot;
    // The memory of a new slot is not initialized: shrink the array, so that no walk meets it.
    if (slot > before)
        s->slots.list.count = before;
    else
        tp_slots_give(&s->slots, slot, item_bytes);
    return 0;
}

void tp_slab_remove(struct tp_slab *s, uint64_t id, size_t item_bytes)
{
    uint32_t slot = tp_map_remove(&s->by_id, id);
    if (slot != 0)
        tp_slots_give(&s->slots, slot, item_bytes);
}
