#include "base/index.h"

#include <string.h>

#include "base/alloc.h"
#include "tracepipe/error.h"

#define FIRST_SLOTS 16

void tp_index_fini(struct tp_index *x)
{
    tp_free(x->numbers);
    *x = (struct tp_index){0};
}

void tp_index_clear(struct tp_index *x)
{
    _Static_assert(TP_INDEX_NONE == UINT32_MAX, "all bits of a free slot are set");
    if (x->count > 0)
        memset(x->numbers, 0xff, tp_index_bytes(x));
}

int tp_index_make_room_within(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                              const void *list, size_t *room_bytes)
{
    size_t growth_bytes = tp_index_growth_bytes(x, count);
    if (growth_bytes > *room_bytes)
        return TP_E_LIMIT;
    if (!tp_index_make_room(x, count, hash_of, list))
        return TP_E_MEMORY;
    *room_bytes -= growth_bytes;
    return 0;
}

uint32_t tp_index_put(struct tp_index *x, uint64_t hash, uint32_t number)
{
    uint32_t at = tp_index_home(x, hash);
    while (x->numbers[at] != TP_INDEX_NONE)
        at = tp_index_next(x, at);
    return x->numbers[at] = number;
}

void tp_index_refill(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                     const void *list)
{
    tp_index_clear(x);
    for (uint32_t i = 0; i < count; i++)
        tp_index_put(x, hash_of(list, i), i);
}

size_t tp_index_growth_bytes(const struct tp_index *x, uint32_t count)
{
    // Keep the table at most five eighths full, so that searches stay short.
    if (tp_likely(8 * ((uint64_t)count + 1) <= 5 * (uint64_t)x->count))
        return 0;
    return (x->count == 0 ? FIRST_SLOTS : x->count) * sizeof *x->numbers;
}

bool tp_index_make_room(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                        const void *list)
{
    size_t growth_bytes = tp_index_growth_bytes(x, count);
    if (tp_likely(growth_bytes == 0))
        return true;
    if (x->count > UINT32_MAX / 4)
        return false;
    uint32_t *numbers = tp_alloc(tp_index_bytes(x) + growth_bytes);
    if (numbers == NULL)
        return false;
    tp_free(x->numbers);
    uint32_t slots = x->count + (uint32_t)(growth_bytes / sizeof *numbers);
    *x = (struct tp_index){numbers, slots, 64 - (unsigned)__builtin_ctz(slots)};
    tp_index_refill(x, count, hash_of, list);
    return true;
}

static uint32_t slot_of(const struct tp_index *x, uint64_t hash, uint32_t number)
{
    uint32_t at = tp_index_home(x, hash);
    while (x->numbers[at] != number)
        at = tp_index_next(x, at);
    return at;
}

void tp_index_set(struct tp_index *x, uint64_t hash, uint32_t number, uint32_t new_number)
{
    x->numbers[slot_of(x, hash, number)] = new_number;
}

void tp_index_remove(struct tp_index *x, uint32_t number, tp_index_hash_fn *hash_of,
                     const void *list)
{
    uint32_t mask = x->count - 1;
    uint32_t hole = slot_of(x, hash_of(list, number), number);
    // Move into the hole each item that a search would no longer find after it.
    for (uint32_t at = tp_index_next(x, hole); x->numbers[at] != TP_INDEX_NONE;
         at = tp_index_next(x, at)) {
        uint32_t home = tp_index_home(x, hash_of(list, x->numbers[at]));
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            x->numbers[hole] = x->numbers[at];
            hole = at;
        }
    }
    x->numbers[hole] = TP_INDEX_NONE;
}
