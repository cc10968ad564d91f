#include "base/slots.h"

#include <string.h>

uint32_t tp_slots_take(struct tp_slots *s, size_t item_bytes)
{
    uint32_t slot = s->free;
    if (slot != 0) {
        memcpy(&s->free, tp_slots_at(s, slot, item_bytes), sizeof s->free);
        return slot;
    }
    // The array has one item more than slots: items[0].
    if (s->list.capacity - s->list.count < 2 && !tp_list_grow(&s->list, 2, item_bytes))
        return 0;
    return ++s->list.count;
}

void tp_slots_give(struct tp_slots *s, uint32_t slot, size_t item_bytes)
{
    memcpy(tp_slots_at(s, slot, item_bytes), &s->free, sizeof s->free);
    s->free = slot;
}

bool tp_slots_push(struct tp_slots *s, uint32_t *top, size_t item_bytes)
{
    uint32_t slot = tp_slots_take(s, item_bytes);
    if (slot == 0)
        return false;
    memcpy(tp_slots_at(s, slot, item_bytes), top, sizeof *top);
    *top = slot;
    return true;
}

void tp_slots_pop(struct tp_slots *s, uint32_t *top, size_t item_bytes)
{
    uint32_t slot = *top;
    memcpy(top, tp_slots_at(s, slot, item_bytes), sizeof *top);
    tp_slots_give(s, slot, item_bytes);
}
