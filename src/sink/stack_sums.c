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
                         uint64_t count, tp_wide total_ns)
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
    c->items[at].total_ns = tp_wide_add(c->items[at].total_ns, total_ns);
    return true;
}

bool tp_stack_counts_take(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                          struct tp_stack_count *ret_count)
{
    uint64_t key = tp_stack_count_key(stack, type);
    uint32_t at = tp_map_get(&c->by_key, key);
    if (at == TP_MAP_NONE)
        return false;
    *ret_count = c->items[at];
    tp_map_remove(&c->by_key, key);
    const struct tp_stack_count *last = &c->items[--c->item_count];
    if (last->key != key) {
        tp_map_set(&c->by_key, last->key, at);
        c->items[at] = *last;
    }
    return true;
}

bool tp_stack_counts_renumber(struct tp_stack_counts *c, void (*number)(void *ctx, uint32_t *stack),
                              void *ctx)
{
    bool fits = true;
    tp_map_clear(&c->by_key);
    for (uint32_t i = 0; i < c->item_count && fits; i++) {
        uint32_t stack = tp_stack_count_stack(&c->items[i]);
        number(ctx, &stack);
        c->items[i].key = tp_stack_count_key(stack, tp_stack_count_type(&c->items[i]));
        fits = tp_map_put(&c->by_key, c->items[i].key, i);
    }
    return fits;
}
