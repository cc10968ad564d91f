#include "sink/sum_frames.h"

#include "base/alloc.h"
#include "base/list.h"

void tp_sum_frames_fini(struct tp_sum_frames *frames)
{
    tp_free(frames->items);
    tp_slots_fini(&frames->slots);
    *frames = (struct tp_sum_frames){0};
}

size_t tp_sum_frames_bytes(const struct tp_sum_frames *frames)
{
    return frames->count * sizeof *frames->items + tp_slots_bytes(&frames->slots);
}

static uint64_t hash_of(const struct tp_sum_frame *f)
{
    uint64_t hash = f->pc * UINT64_C(0x9e3779b97f4a7c15) + f->line;
    hash ^= (uint64_t)f->function << 32 | f->file;
    return (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    const struct tp_sum_frames *frames = list;
    return hash_of(&frames->items[number]);
}

static bool is_same(const struct tp_sum_frame *a, const struct tp_sum_frame *b)
{
    return a->pc == b->pc && a->line == b->line && a->function == b->function &&
           a->file == b->file;
}

uint32_t tp_sum_frames_put(struct tp_sum_frames *frames, const struct tp_sum_frame *f)
{
    struct tp_slots *slots = &frames->slots;
    if (!tp_slots_make_room(slots, frames->count, hash_by_number, frames))
        return TP_INTERN_NONE;
    uint32_t at = tp_slots_home(slots, hash_of(f));
    for (; slots->numbers_plus_1[at] != 0; at = tp_slots_next(slots, at)) {
        if (is_same(&frames->items[slots->numbers_plus_1[at] - 1], f))
            return slots->numbers_plus_1[at] - 1;
    }
    if (!TP_LIST_ROOM(frames))
        return TP_INTERN_NONE;
    frames->items[frames->count] = *f;
    slots->numbers_plus_1[at] = ++frames->count;
    return frames->count - 1;
}

void tp_sum_frames_pack(struct tp_sum_frames *frames, uint32_t *numbers, const uint32_t *names)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames->count; i++) {
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        struct tp_sum_frame f = frames->items[i];
        f.function = names[f.function];
        f.file = names[f.file];
        numbers[i] = count;
        frames->items[count++] = f;
    }
    frames->count = count;
    tp_slots_refill(&frames->slots, count, hash_by_number, frames);
}
