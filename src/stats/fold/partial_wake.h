// Records the end of a wait by who ended it. Inlined into partial_go.c, because one event in five
// ends a wait. Functions return false, or NULL, if memory is out.
#ifndef TP_STATS_FOLD_PARTIAL_WAKE_H
#define TP_STATS_FOLD_PARTIAL_WAKE_H

#include "merge/tables/event_shape.h"
#include "stats/fold/partial_find.h"

// Returns the only slot of the cache that can have the pair of these two stacks, given by id, and
// this measure.
TP_INLINE struct tp_partial_pair_slot *tp_partial_pair_slot(struct tp_partial *s, uint64_t wait_id,
                                                            uint64_t wake_id, uint32_t measure)
{
    static_assert(TP_PARTIAL_PAIR_SLOTS == 1024, "10 bits");
    // Stacks of one program have numbers close together, so a sum would often be the same.
    uint64_t all = wait_id + ((uint64_t)measure << 32) + wake_id * UINT64_C(0xc2b2ae3d27d4eb4f);
    return &s->pair_cache[all * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

// Returns whether a slot has the pair of two stacks and a measure, with several waits.
TP_INLINE bool tp_partial_pair_slot_has_sum(const struct tp_partial_pair_slot *slot,
                                            uint64_t wait_id, uint64_t wake_id,
                                            uint32_t measure)
{
    return tp_likely(slot->sum != 0 && slot->wait_id == wait_id && slot->wake_id == wake_id &&
                     slot->measure == measure);
}

// Adds a wait of a pair that the cache does not have, or that has only one wait so far.
bool tp_partial_add_other_pair(struct tp_partial *s, uint64_t wait_id, uint64_t wake_id,
                               uint32_t measure, uint64_t ns, uint64_t blamed_ns) TP_MUST_USE;
// Adds a wait to the pair of two stacks, given by id, and a measure.
TP_INLINE TP_MUST_USE bool tp_partial_add_to_pair(struct tp_partial *s, uint64_t wait_id,
                                                  uint64_t wake_id, uint32_t measure, uint64_t ns,
                                                  uint64_t blamed_ns)
{
    const struct tp_partial_pair_slot *slot = tp_partial_pair_slot(s, wait_id, wake_id, measure);
    if (!tp_partial_pair_slot_has_sum(slot, wait_id, wake_id, measure))
        return tp_partial_add_other_pair(s, wait_id, wake_id, measure, ns, blamed_ns);
    *s->paired_waits_end++ = (struct tp_partial_paired_wait){(int64_t)ns, blamed_ns, slot->sum - 1};
    return true;
}

// Leaves a wait to the stitch. `waker` is NULL if the partial has no record of the waker.
bool tp_partial_leave_wake(struct tp_partial *s, const struct tp_partial_g *g,
                           const struct tp_partial_g *waker, const struct tp_event *e) TP_MUST_USE;
// Adds the end of a wait of a goroutine of which the partial does not know the state.
bool tp_partial_wake_unseen(struct tp_partial *s, struct tp_partial_g *g,
                            const struct tp_event *e) TP_MUST_USE;

// Whether only the stitch knows when the waker of a wait from `since_ns` on last left a wait that
// counts by the rule.
TP_INLINE bool tp_partial_left_is_unknown(const struct tp_partial_left *left, enum tp_blame rule,
                                          int64_t since_ns)
{
    return left->known_ns[rule] == TP_NEVER_NS && left->unknown_ns > since_ns;
}

// Records the wait of the goroutine `g` that a GoUnblock ends, and by whom. Call it before the
// goroutine changes its state. Sets *ret_is_paired if it has recorded the wait by pair, and else
// leaves it. Needs TP_PART_WAKES.
TP_INLINE bool tp_partial_wake(struct tp_partial *s, struct tp_partial_g *g,
                               const struct tp_event *e, bool *ret_is_paired)
{
    int64_t end_ns = e->time_ns, since_ns = g->since_ns;
    if (tp_unlikely(g->state != TP_STATE_WAITING || g->measure == TP_MEASURE_NONE))
        return g->state != TP_STATE_UNSEEN || tp_partial_wake_unseen(s, g, e);
    const struct tp_partial_reason *reason = &s->reasons.items[g->measure - TP_MEASURE_FIRST_BLOCK];
    enum tp_blame rule = (enum tp_blame)reason->blame;
    g->left.known_ns[TP_BLAME_OTHERS] = end_ns;
    g->left.known_ns[rule] = end_ns;
    if (!tp_has_waker(reason->stack_type) || g->is_cut)
        return true;
    const struct tp_partial_g *waker = tp_partial_find_g(s, e->g);
    int64_t left_ns = TP_NEVER_NS;
    if (tp_unlikely(!g->has_run))
        return tp_partial_leave_wake(s, g, waker, e);
    if (tp_likely(waker != NULL)) {
        left_ns = waker->left.known_ns[rule];
        if (tp_unlikely(tp_partial_left_is_unknown(&waker->left, rule, since_ns)))
            return tp_partial_leave_wake(s, g, waker, e);
    }
    *ret_is_paired = true;
    return tp_partial_add_to_pair(s, g->wait_stack, tp_arg(e, GoUnblock, stack), g->measure,
                                  (uint64_t)(end_ns - since_ns),
                                  tp_blamed_ns(since_ns, end_ns, left_ns));
}

#endif
