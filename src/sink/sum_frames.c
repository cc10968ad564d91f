#include "sink/sum_frames.h"

#include "base/alloc.h"
#include "base/list.h"

#define FIRST_SLOTS 64

void tp_sum_frames_fini(struct tp_sum_frames *frames)
{
    tp_free(frames->items);
    tp_free(frames->slots);
    *frames = (struct tp_sum_frames){0};
}

static uint32_t home_of(const struct tp_sum_frames *frames, const struct tp_sum_frame *f)
{
    uint64_t hash = f->pc * UINT64_C(0x9e3779b97f4a7c15) + f->line;
    hash ^= (uint64_t)f->function << 32 | f->file;
    hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(hash >> 32) & (frames->slot_count - 1);
}

static bool is_same(const struct tp_sum_frame *a, const struct tp_sum_frame *b)
{
    return a->pc == b->pc && a->line == b->line && a->function == b->function &&
           a->file == b->file;
}

// Its slot, or the free one where it belongs.
static uint32_t *slot_of(const struct tp_sum_frames *frames, const struct tp_sum_frame *f)
{
    uint32_t at = home_of(frames, f);
    while (frames->slots[at] != 0 && !is_same(&frames->items[frames->slots[at] - 1].frame, f))
        at = (at + 1) & (frames->slot_count - 1);
    return &frames->slots[at];
}

static bool grow(struct tp_sum_frames *frames)
{
    uint32_t count = frames->slot_count == 0 ? FIRST_SLOTS : 2 * frames->slot_count;
    uint32_t *slots = tp_alloc_zero(count * sizeof *slots);
    if (slots == NULL)
        return false;
    tp_free(frames->slots);
    frames->slots = slots;
    frames->slot_count = count;
    for (uint32_t i = 0; i < frames->count; i++)
        *slot_of(frames, &frames->items[i].frame) = i + 1;
    return true;
}

uint32_t tp_sum_frames_put(struct tp_sum_frames *frames, const struct tp_sum_frame *f,
                           bool *ret_is_new)
{
    *ret_is_new = false;
    // At most five eighths full, and never beyond what numbers can say.
    if (8 * ((uint64_t)frames->count + 1) > 5 * (uint64_t)frames->slot_count &&
        (frames->slot_count > UINT32_MAX / 4 || !grow(frames)))
        return TP_INTERN_NONE;
    uint32_t *slot = slot_of(frames, f);
    if (*slot != 0)
        return *slot - 1;
    if (!TP_LIST_ROOM(frames))
        return TP_INTERN_NONE;
    *ret_is_new = true;
    frames->items[frames->count].frame = *f;
    *slot = ++frames->count;
    return frames->count - 1;
}
