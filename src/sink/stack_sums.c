#include "sink/stack_sums.h"

#include "base/alloc.h"

void tp_stack_counts_clear(struct tp_stack_counts *c)
{
    tp_map_clear(&c->by_key);
    c->item_count = 0;
}

void tp_stack_counts_fini(struct tp_stack_counts *c)
{
    tp_map_fini(&c->by_key);
    tp_free(c->items);
    *c = (struct tp_stack_counts){0};
}

static bool grow(struct tp_stack_counts *c)
{
    uint32_t capacity = c->capacity == 0 ? 64 : 2 * c->capacity;
    struct tp_stack_count *items = tp_realloc(c->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    c->items = items;
    c->capacity = capacity;
    return true;
}

bool tp_stack_counts_add(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                         uint64_t count, uint64_t total_ns)
{
    uint64_t key = tp_stack_count_key(stack, type);
    uint32_t at = tp_map_get(&c->by_key, key);
    if (tp_unlikely(at == TP_MAP_NONE)) {
        if ((c->item_count == c->capacity && !grow(c)) ||
            !tp_map_put(&c->by_key, key, c->item_count))
            return false;
        at = c->item_count++;
        c->items[at] = (struct tp_stack_count){.key = key};
    }
    c->items[at].count += count;
    c->items[at].total_ns += total_ns;
    return true;
}
