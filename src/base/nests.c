#include "base/nests.h"

#include <assert.h>

#include "base/alloc.h"

TP_INLINE struct tp_nest_item *item_at(const struct tp_nests *n, uint32_t slot, size_t item_bytes)
{
    return tp_slots_at(&n->slots, slot, item_bytes);
}

// THE INDEX

static uint64_t hash_of(uint64_t owner, struct tp_nest_key key)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (owner * odd ^ key.task) * odd;
    return ((hash ^ hash >> 32) * odd) ^ key.name;
}

TP_INLINE bool is_indexed(const struct tp_nests *n, const struct tp_nest_item *item)
{
    return item->index_no == n->drop_count + 1;
}

// Makes `slot` the innermost item with this hash; 0: there is none any more. False: out of memory.
static bool set_innermost(struct tp_nests *n, uint64_t hash, uint32_t slot)
{
    tp_map_remove(&n->by_hash, hash);
    return slot == 0 || tp_map_put(&n->by_hash, hash, slot);
}

// Adds an item that is inside all indexed items of its chain. Out of memory: drops the index.
static bool index_item(struct tp_nests *n, uint64_t owner, uint32_t slot, size_t item_bytes)
{
    struct tp_nest_item *item = item_at(n, slot, item_bytes);
    uint64_t hash = hash_of(owner, item->key);
    item->same = tp_map_get(&n->by_hash, hash);
    item->index_no = n->drop_count + 1;
    if (set_innermost(n, hash, slot))
        return true;
    tp_nests_drop_index(n);
    return false;
}

static bool index_chain(struct tp_nests *n, uint32_t top, uint64_t owner, size_t item_bytes)
{
    uint32_t at = top;
    bool fits = true;
    while (item_at(n, at, item_bytes)->next != 0)
        at = item_at(n, at, item_bytes)->next;
    for (; at != 0 && fits; at = item_at(n, at, item_bytes)->inner)
        fits = index_item(n, owner, at, item_bytes);
    return fits;
}

static void unindex_item(struct tp_nests *n, uint64_t owner, uint32_t slot, size_t item_bytes)
{
    const struct tp_nest_item *item = item_at(n, slot, item_bytes);
    uint64_t hash = hash_of(owner, item->key);
    uint32_t at = tp_map_get(&n->by_hash, hash);
    if (at == slot) {
        // The map has room for a hash that it had.
        bool fits = set_innermost(n, hash, item->same);
        assert(fits);
        return;
    }
    while (item_at(n, at, item_bytes)->same != slot)
        at = item_at(n, at, item_bytes)->same;
    item_at(n, at, item_bytes)->same = item->same;
}

static uint32_t find_in_index(const struct tp_nests *n, uint64_t owner, struct tp_nest_key key,
                              size_t item_bytes)
{
    uint32_t at = tp_map_get(&n->by_hash, hash_of(owner, key));
    while (at != 0 && !tp_nest_key_equals(item_at(n, at, item_bytes)->key, key))
        at = item_at(n, at, item_bytes)->same;
    return at;
}

void tp_nests_drop_index(struct tp_nests *n)
{
    tp_map_clear(&n->by_hash);
    n->drop_count++;
}

// ITEMS

bool tp_nests_push(struct tp_nests *n, uint32_t *top, uint64_t owner, struct tp_nest_key key,
                   size_t item_bytes)
{
    uint32_t outer = *top;
    if (tp_unlikely(!tp_slots_push(&n->slots, top, item_bytes)))
        return false;
    struct tp_nest_item *item = item_at(n, *top, item_bytes);
    item->inner = item->index_no = 0;
    item->key = key;
    if (outer == 0)
        return true;
    struct tp_nest_item *around = item_at(n, outer, item_bytes);
    around->inner = *top;
    if (tp_unlikely(is_indexed(n, around)))
        (void)index_item(n, owner, *top, item_bytes);
    return true;
}

uint32_t tp_nests_find(struct tp_nests *n, uint32_t top, uint64_t owner, struct tp_nest_key key,
                       size_t item_bytes)
{
    uint32_t at = top;
    for (unsigned look = 0; at != 0; look++) {
        const struct tp_nest_item *item = item_at(n, at, item_bytes);
        if (tp_nest_key_equals(item->key, key))
            return at;
        // Without memory for the index the search goes on item by item.
        if (look == TP_NEST_LOOKS && (is_indexed(n, item_at(n, top, item_bytes)) ||
                                      index_chain(n, top, owner, item_bytes)))
            return find_in_index(n, owner, key, item_bytes);
        at = item->next;
    }
    return 0;
}

void tp_nests_remove(struct tp_nests *n, uint32_t *top, uint64_t owner, uint32_t slot,
                     size_t item_bytes)
{
    const struct tp_nest_item *item = item_at(n, slot, item_bytes);
    if (tp_unlikely(is_indexed(n, item)))
        unindex_item(n, owner, slot, item_bytes);
    if (item->next != 0)
        item_at(n, item->next, item_bytes)->inner = item->inner;
    if (item->inner != 0)
        item_at(n, item->inner, item_bytes)->next = item->next;
    else
        *top = item->next;
    tp_slots_give(&n->slots, slot, item_bytes);
}

void tp_nests_join(struct tp_nests *n, uint32_t *top, uint32_t inner, size_t item_bytes)
{
    uint32_t last = inner;
    if (inner == 0)
        return;
    tp_nests_drop_index(n);
    while (item_at(n, last, item_bytes)->next != 0)
        last = item_at(n, last, item_bytes)->next;
    item_at(n, last, item_bytes)->next = *top;
    if (*top != 0)
        item_at(n, *top, item_bytes)->inner = last;
    *top = inner;
}

void tp_nests_fini(struct tp_nests *n)
{
    tp_free(n->slots.list.items);
    tp_map_fini(&n->by_hash);
    *n = (struct tp_nests){0};
}
