#include "base/slots.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_SLOTS 64

void tp_slots_fini(struct tp_slots *s)
{
    tp_free(s->numbers_plus_1);
    *s = (struct tp_slots){0};
}

void tp_slots_clear(struct tp_slots *s)
{
    if (s->count > 0)
        memset(s->numbers_plus_1, 0, tp_slots_bytes(s));
}

void tp_slots_put(struct tp_slots *s, uint64_t hash, uint32_t number)
{
    uint32_t at = tp_slots_home(s, hash);
    while (s->numbers_plus_1[at] != 0)
        at = tp_slots_next(s, at);
    s->numbers_plus_1[at] = number + 1;
}

void tp_slots_refill(struct tp_slots *s, uint32_t count, tp_slots_hash *hash_of, const void *list)
{
    tp_slots_clear(s);
    for (uint32_t i = 0; i < count; i++)
        tp_slots_put(s, hash_of(list, i), i);
}

bool tp_slots_make_room(struct tp_slots *s, uint32_t count, tp_slots_hash *hash_of,
                        const void *list)
{
    // Keep the table at most five eighths full, so that probes stay short.
    if (tp_likely(8 * ((uint64_t)count + 1) <= 5 * (uint64_t)s->count))
        return true;
    if (s->count > UINT32_MAX / 4)
        return false;
    uint32_t wanted = s->count == 0 ? FIRST_SLOTS : 2 * s->count;
    uint32_t *slots = tp_alloc_array(wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    tp_free(s->numbers_plus_1);
    *s = (struct tp_slots){slots, wanted};
    tp_slots_refill(s, count, hash_of, list);
    return true;
}

static uint32_t slot_of(const struct tp_slots *s, uint64_t hash, uint32_t number)
{
    uint32_t at = tp_slots_home(s, hash);
    while (s->numbers_plus_1[at] != number + 1)
        at = tp_slots_next(s, at);
    return at;
}

void tp_slots_set(struct tp_slots *s, uint64_t hash, uint32_t number, uint32_t new_number)
{
    s->numbers_plus_1[slot_of(s, hash, number)] = new_number + 1;
}

void tp_slots_remove(struct tp_slots *s, uint32_t number, tp_slots_hash *hash_of,
                     const void *list)
{
    uint32_t mask = s->count - 1;
    uint32_t hole = slot_of(s, hash_of(list, number), number);
    // Move into the hole each item that a probe would no longer find beyond it.
    for (uint32_t at = tp_slots_next(s, hole); s->numbers_plus_1[at] != 0;
         at = tp_slots_next(s, at)) {
        uint32_t home = tp_slots_home(s, hash_of(list, s->numbers_plus_1[at] - 1));
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            s->numbers_plus_1[hole] = s->numbers_plus_1[at];
            hole = at;
        }
    }
    s->numbers_plus_1[hole] = 0;
}
