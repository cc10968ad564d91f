#include "merge/v1/wakeups.h"

#include <stdlib.h>

#include "base/sort/compare.h"

enum part { PART_NONE, PART_BEGIN, PART_MEMBER, PART_END, PART_GONE };

// Returns the part that an event of this type has in a wake-up.
static enum part part_of(uint8_t type)
{
    switch (type) {
    case TP_V1_GoUnblock: return PART_BEGIN;
    case TP_V1_GoStart:
    case TP_V1_GoPreempt:
    case TP_V1_FutileWakeup: return PART_MEMBER;
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend ... TP_V1_GoBlockCond: return PART_END;
    case TP_V1_GoEnd: return PART_GONE;
    default: return PART_NONE;
    }
}

static bool is_over(enum part part)
{
    return part == PART_END || part == PART_GONE;
}

// Ends the wake-up of a goroutine. Returns whether it was futile.
static bool end(struct tp_v1_wakeup *of, enum part part)
{
    bool was_futile = part == PART_END && of->is_futile;
    *of = (struct tp_v1_wakeup){0};
    return was_futile;
}

bool tp_v1_wakeups_note(struct tp_v1_wakeups *w, struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, struct tp_v1_noted_wakeup *of)
{
    struct tp_v1_wakeup *wakeup = &of->wakeup;
    enum part part = part_of(e->type);
    if (part == PART_NONE)
        return true;
    if (is_over(part)) {
        if (!end(wakeup, part))
            return true;
        return TP_LIST_ADD(&t->futile, of->begin);
    }
    // A goroutine that is woken anew keeps its mark, as in Go.
    if (part == PART_BEGIN || !wakeup->has_begun)
        of->begin = w->count;
    wakeup->has_begun = true;
    wakeup->is_futile = wakeup->is_futile || e->type == TP_V1_FutileWakeup;
    w->count++;
    return true;
}

void tp_v1_wakeups_sort(struct tp_v1_trace *t)
{
    if (t->futile.count > 0)
        qsort(t->futile.items, t->futile.count, sizeof *t->futile.items, tp_compare_u64_at);
}

bool tp_v1_wakeups_drop(struct tp_v1_wakeups *w, const struct tp_v1_trace *t,
                        const struct tp_v1_ordered *e, struct tp_v1_wakeup *of)
{
    enum part part = part_of(e->type);
    if (part == PART_NONE)
        return false;
    if (is_over(part))
        return end(of, part);
    if (part == PART_BEGIN || !of->has_begun) {
        of->is_futile = w->futile_idx < t->futile.count &&
                        t->futile.items[w->futile_idx] == w->count;
        w->futile_idx += of->is_futile;
    }
    of->has_begun = true;
    w->count++;
    return of->is_futile;
}
