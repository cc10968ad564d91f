// Folds ends of waits, with who ended them, and other evidence for findings.
#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial_wake.h"

// PAIRS

// Adds the second wait of the pair in the slot.
static bool add_second(struct tp_partial *s, struct tp_partial_pair_slot *slot, uint64_t ns,
                       uint64_t blamed_ns)
{
    struct tp_partial_pair *pair = &s->pairs.items[slot->pair - 1];
    struct tp_partial_pair_sum sum = {.blamed_ns = (tp_wide)pair->blamed_ns + blamed_ns,
                                      .dist = {.hist = {.is_quick = true}}};
    if (!tp_dist_add(&sum.dist, pair->ns) || !tp_dist_add(&sum.dist, ns) ||
        !TP_LIST_ADD(&s->pair_sums, sum)) {
        tp_dist_fini(&sum.dist);
        return false;
    }
    pair->sum = slot->sum = s->pair_sums.count;
    return true;
}

TP_NOINLINE bool tp_partial_add_other_pair(struct tp_partial *s, uint64_t wait_id,
                                           uint64_t wake_id, uint32_t measure, uint64_t ns,
                                           uint64_t blamed_ns)
{
    struct tp_partial_pair_slot *slot = tp_partial_pair_slot(s, wait_id, wake_id, measure);
    if (slot->pair != 0 && slot->wait_id == wait_id && slot->wake_id == wake_id &&
        slot->measure == measure)
        return add_second(s, slot, ns, blamed_ns);
    const struct tp_partial_pair added = {.wait = tp_partial_stack(s, wait_id),
                                          .wake = tp_partial_stack(s, wake_id),
                                          .measure = measure,
                                          .ns = ns,
                                          .blamed_ns = blamed_ns};
    if (!TP_LIST_ADD(&s->pairs, added))
        return false;
    *slot = (struct tp_partial_pair_slot){wait_id, wake_id, measure, 0, s->pairs.count};
    return true;
}

void tp_partial_clear_pairs(struct tp_partial *s)
{
    for (uint32_t i = 0; i < s->pair_sums.count; i++)
        tp_dist_fini(&s->pair_sums.items[i].dist);
    s->pairs.count = s->pair_sums.count = 0;
    s->pair_hist_bytes = 0;
}

// STOPS

bool tp_partial_stop(struct tp_partial *s, const struct tp_open *stop, int64_t end_ns)
{
    struct tp_partial_evidence added = {(uint64_t)(end_ns - stop->since_ns), stop->stack, 0};
    enum tp_evidence evidence;
    if (!tp_stop_evidence(tp_partial_text(s, stop->name), &evidence))
        return true;
    added.evidence = evidence;
    return TP_LIST_ADD(&s->evidence, added);
}

// WAITS

TP_NOINLINE bool tp_partial_leave_wake(struct tp_partial *s, const struct tp_partial_g *g,
                                   const struct tp_partial_g *waker, const struct tp_event *e)
{
    bool is_known = g->state != TP_STATE_UNSEEN;
    bool is_all = waker != NULL && tp_partial_g_is_whole(waker);
    struct tp_partial_open_wake open = {
        .waiter = g->id,
        .waker = is_all ? -1 : e->g,
        .since_ns = is_known ? g->since_ns : TP_NEVER_NS,
        .end_ns = e->time_ns,
        .left = {{TP_NEVER_NS, TP_NEVER_NS}, TP_NEVER_NS},
        .wait_stack = is_known ? tp_partial_stack(s, g->wait_stack) : TP_NO_STACK,
        .wake_stack = tp_partial_stack(s, tp_arg(e, GoUnblock, stack)),
        .measure = g->measure,
        .ended_count = s->ended.count,
        .short_lived_count = s->short_lived.count,
    };
    if (waker != NULL)
        open.left = waker->left;
    return TP_LIST_ADD(&s->open_wakes, open);
}

TP_NOINLINE bool tp_partial_wake_unseen(struct tp_partial *s, struct tp_partial_g *g,
                                    const struct tp_event *e)
{
    if (g->first_from != TP_STATE_UNSEEN)
        return true;
    g->left.unknown_ns = e->time_ns;
    return tp_partial_leave_wake(s, g, tp_partial_find_g(s, e->g), e);
}
