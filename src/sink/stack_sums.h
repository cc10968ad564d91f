// Counts and times by stack. Two forms: by index of the stack in one generation's
// tables, and for good, by what the frames are.
#ifndef TP_SINK_STACK_SUMS_H
#define TP_SINK_STACK_SUMS_H

#include "base/intern.h"
#include "base/map.h"
#include "base/wide.h"

#define TP_NO_STACK UINT32_MAX

struct tp_stack_count {
    uint64_t key;   // index of the stack << 8 | type; in the lasting form the number
    uint64_t count;
    tp_wide total_ns;
};

// Of a generation, or lasting: what "stack" means is its owner's. Zeroed is empty.
struct tp_stack_counts {
    struct tp_map by_key;
    struct tp_stack_count *items;
    uint32_t item_count;
    uint32_t capacity;
};

void tp_stack_counts_clear(struct tp_stack_counts *c); // keeps memory
void tp_stack_counts_fini(struct tp_stack_counts *c);
// False: out of memory.
bool tp_stack_counts_add(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                         uint64_t count, tp_wide total_ns) TP_MUST_USE;

// Takes it out; another one takes its place. False: there is none.
bool tp_stack_counts_take(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                          struct tp_stack_count *ret_count);

// Gives all stacks other numbers; different ones stay different. False: out of memory.
bool tp_stack_counts_renumber(struct tp_stack_counts *c, void (*number)(void *ctx, uint32_t *stack),
                              void *ctx) TP_MUST_USE;

TP_INLINE uint64_t tp_stack_count_key(uint32_t stack, unsigned type)
{
    return (uint64_t)stack << 8 | type;
}

// NULL: there is none. Until the next one is added.
TP_INLINE struct tp_stack_count *tp_stack_counts_find(const struct tp_stack_counts *c,
                                                      uint32_t stack, unsigned type)
{
    uint32_t at = tp_map_get(&c->by_key, tp_stack_count_key(stack, type));
    return at != TP_MAP_NONE ? &c->items[at] : NULL;
}

// It will be added to soon.
TP_INLINE void tp_stack_counts_ask_for(const struct tp_stack_counts *c, uint32_t stack,
                                       unsigned type)
{
    tp_map_ask_for(&c->by_key, tp_stack_count_key(stack, type));
}

TP_INLINE uint32_t tp_stack_count_stack(const struct tp_stack_count *c)
{
    return (uint32_t)(c->key >> 8);
}
TP_INLINE unsigned tp_stack_count_type(const struct tp_stack_count *c)
{
    return c->key & 0xff;
}

#endif
