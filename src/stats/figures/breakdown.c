#include "stats/figures/breakdown.h"

#include <string.h>

#include "base/alloc.h"

tp_wide tp_breakdown_sum_ns(const struct tp_breakdown_sum *sum)
{
    tp_wide all_ns = 0;
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        all_ns = tp_wide_add(all_ns, sum->ns[i]);
    return all_ns;
}

struct tp_breakdown_sum tp_breakdown_sum_of(const struct tp_interval_parts *parts)
{
    struct tp_breakdown_sum sum = {.count = 1};
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        sum.ns[i] = parts->ns[i];
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
        sum.delay_ns[i] = parts->delay_ns[i];
    return sum;
}

void tp_breakdown_sum_join(struct tp_breakdown_sum *into, const struct tp_breakdown_sum *from)
{
    into->count += from->count;
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        if (from->ns[i] != 0)
            into->ns[i] = tp_wide_add(into->ns[i], from->ns[i]);
    }
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
        into->delay_ns[i] = tp_wide_add(into->delay_ns[i], from->delay_ns[i]);
}

// ROWS

// Returns the place of the first item of `order` whose bucket is at least this one. The loop does
// not branch on the comparison, because the processor could not predict such a branch.
static uint32_t place_of(const struct tp_breakdown *b, unsigned bucket)
{
    uint32_t first = 0, count = b->order.count;
    while (count > 0) {
        uint32_t half = count / 2;
        bool is_behind = b->order.items[first + half] >> 16 < bucket;
        first += is_behind ? half + 1 : 0;
        count = is_behind ? count - half - 1 : half;
    }
    return first;
}

// Makes room for one more item in a list that begins with room for one.
static bool make_room(struct tp_list *list, size_t item_bytes)
{
    size_t capacity = list->capacity > 0 ? (size_t)list->capacity * 2 : 1;
    return list->count < list->capacity || tp_list_resize(list, capacity, item_bytes);
}

static bool insert(struct tp_breakdown *b, uint32_t at, unsigned bucket)
{
    if (!make_room(&b->rows.as_list, sizeof *b->rows.items) ||
        !make_room(&b->order.as_list, sizeof *b->order.items))
        return false;
    memmove(&b->order.items[at + 1], &b->order.items[at],
            (b->order.count - at) * sizeof *b->order.items);
    b->order.items[at] = bucket << 16 | b->rows.count;
    b->order.count++;
    b->rows.items[b->rows.count++] = (struct tp_breakdown_sum){0};
    return true;
}

struct tp_breakdown_sum *tp_breakdown_make_row(struct tp_breakdown *b, unsigned bucket)
{
    uint32_t at = place_of(b, bucket);
    bool is_there = at < b->order.count && b->order.items[at] >> 16 == bucket;
    if (!is_there && !insert(b, at, bucket))
        return NULL;
    uint32_t item = b->order.items[at];
    return &b->rows.items[item & UINT16_MAX];
}

bool tp_breakdown_merge(struct tp_breakdown *into, const struct tp_breakdown *from)
{
    for (uint32_t i = 0; i < from->order.count; i++) {
        uint32_t item = from->order.items[i];
        struct tp_breakdown_sum *row = tp_breakdown_make_row(into, item >> 16);
        if (row == NULL)
            return false;
        tp_breakdown_sum_join(row, &from->rows.items[item & UINT16_MAX]);
    }
    return true;
}

void tp_breakdown_fini(struct tp_breakdown *b)
{
    tp_free(b->rows.items);
    tp_free(b->order.items);
    *b = (struct tp_breakdown){0};
}

const struct tp_breakdown_sum *tp_breakdown_at(const struct tp_breakdown *b, uint32_t at,
                                               unsigned *ret_bucket)
{
    uint32_t item = b->order.items[at];
    *ret_bucket = item >> 16;
    return &b->rows.items[item & UINT16_MAX];
}

// PARTS

// Returns the place in `order` of the bucket of the duration that `thousandths` / 1000 of the
// durations do not exceed, as tp_dist_quantile_ns chooses it.
static uint32_t place_of_quantile(const struct tp_breakdown *b, unsigned thousandths)
{
    uint64_t count = 0, before = 0;
    unsigned bucket;
    for (uint32_t i = 0; i < b->order.count; i++)
        count += tp_breakdown_at(b, i, &bucket)->count;
    uint64_t rank = (count / 1000) * thousandths + (count % 1000 * thousandths + 999) / 1000;
    for (uint32_t i = 0; i < b->order.count; i++) {
        before += tp_breakdown_at(b, i, &bucket)->count;
        if (before >= rank)
            return i;
    }
    return b->order.count;
}

struct tp_breakdown_sum tp_breakdown_part_of(const struct tp_breakdown *b,
                                             enum tp_breakdown_part part)
{
    struct tp_breakdown_sum sum = {0};
    uint32_t first = 0, end = b->order.count;
    unsigned bucket;
    if (part == TP_BREAKDOWN_MEDIAN) {
        first = place_of_quantile(b, 500);
        end = first < end ? first + 1 : end;
    } else if (part == TP_BREAKDOWN_SLOWEST) {
        first = place_of_quantile(b, 990);
    }
    for (uint32_t i = first; i < end; i++)
        tp_breakdown_sum_join(&sum, tp_breakdown_at(b, i, &bucket));
    return sum;
}
