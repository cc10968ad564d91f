#include "base/slab.h"

#include <string.h>

#include "base/alloc.h"

void tp_slab_fini(struct tp_slab *s)
{
    tp_map_fini(&s->by_id);
    tp_free(s->items);
    *s = (struct tp_slab){0};
}

TP_NOINLINE void *tp_slab_add(struct tp_slab *s, uint64_t id, size_t each_bytes)
{
    s->each_bytes = each_bytes;
    bool is_free = s->free_plus_1 != 0;
    uint32_t slot = is_free ? s->free_plus_1 - 1 : s->count;
    if ((slot == s->capacity && !tp_list_grow(&s->as_list, 1, each_bytes)) ||
        !tp_map_put(&s->by_id, id, slot))
        return NULL;
    unsigned char *item = s->items + slot * s->each_bytes;
    if (is_free)
        memcpy(&s->free_plus_1, item, sizeof s->free_plus_1);
    else
        s->count++;
    memset(item, 0, s->each_bytes);
    return item;
}

void tp_slab_remove(struct tp_slab *s, uint64_t id)
{
    unsigned char *item = tp_slab_get(s, id);
    if (item == NULL)
        return;
    memcpy(item, &s->free_plus_1, sizeof s->free_plus_1);
    s->free_plus_1 = (uint32_t)((size_t)(item - s->items) / s->each_bytes) + 1;
    tp_map_remove(&s->by_id, id);
}
