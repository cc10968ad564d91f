// Adds waits by pair of stacks: where the wait began, and where its waker ended it.
#include "stats/sums/sums.h"

// Returns the only slot of the cache that can hold the pair of stacks and the reason of `w`.
TP_INLINE struct tp_sums_pair_slot *pair_slot(struct tp_sums *s, const struct tp_track_wake *w)
{
    static_assert(TP_SUMS_PAIR_SLOTS == 1024, "10 bits");
    // One stack is multiplied: stacks of one program have numbers close together, so that the plain sum
    // would be the same for many pairs.
    uint64_t all = w->wait + ((uint64_t)w->reason << 32) + w->wake * UINT64_C(0xc2b2ae3d27d4eb4f);
    return &s->pairs.cache[all * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

TP_INLINE bool is_in(const struct tp_sums_pair_slot *slot, const struct tp_track_wake *w)
{
    return slot->wait == w->wait && slot->wake == w->wake && slot->reason == w->reason;
}

// Adds the second wait of the pair in the slot: gives the pair a sum, which has both waits.
static bool add_second(struct tp_sums *s, struct tp_sums_pair_slot *slot,
                       const struct tp_track_wake *w)
{
    struct tp_sums_pair *pair = &s->pairs.of.items[slot->pair - 1];
    struct tp_sums_pair_sum sum = {.blamed_ns = (tp_wide)pair->blamed_ns + w->blamed_ns,
                                   .dist = {.hist = {.is_quick = true}}};
    if (!tp_dist_add(&sum.dist, pair->ns, pair->at) || !tp_dist_add(&sum.dist, w->ns, w->at) ||
        !TP_LIST_ADD(&s->pairs.sums, sum)) {
        tp_dist_fini(&sum.dist);
        return false;
    }
    pair->sum = slot->sum = s->pairs.sums.count;
    return true;
}

static TP_NOINLINE bool add_other_pair(struct tp_sums *s, struct tp_sums_pair_slot *slot,
                                       const struct tp_track_wake *w)
{
    if (slot->pair != 0 && is_in(slot, w) && !w->is_before_run)
        return add_second(s, slot, w);
    const struct tp_sums_pair pair = {.wait = w->wait,
                                      .wake = w->wake,
                                      .measure = tp_sums_measure(s, w->reason),
                                      .ns = w->ns,
                                      .blamed_ns = w->blamed_ns,
                                      .at = w->at,
                                      .is_pair_only = w->is_before_run};
    if (pair.measure == TP_MEASURE_NONE || !TP_LIST_ADD(&s->pairs.of, pair))
        return false;
    if (!w->is_before_run)
        *slot = (struct tp_sums_pair_slot){w->wait, w->wake, w->reason, 0, s->pairs.of.count};
    return true;
}

TP_INLINE bool add_pair(struct tp_sums *s, const struct tp_track_wake *w)
{
    struct tp_sums_pair_slot *slot = pair_slot(s, w);
    if (tp_unlikely(slot->sum == 0 || !is_in(slot, w) || w->is_before_run))
        return add_other_pair(s, slot, w);
    struct tp_sums_pair_sum *sum = &s->pairs.sums.items[slot->sum - 1];
    sum->blamed_ns += w->blamed_ns;
    return tp_dist_add_measured(&sum->dist, w->ns, w->at, &s->pairs.hist_bytes);
}

bool tp_sums_add_wakes(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->wakes.count && fits && tp_sums_wants(s, TP_PART_WAKES); i++)
        fits = add_pair(s, &f->wakes.items[i]);
    return fits;
}
