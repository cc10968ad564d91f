// Folds ends of waits, with who ended them, and other evidence for findings.
#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial.h"

// PAIRS

static uint64_t hash_of(uint32_t wait, uint32_t wake)
{
    return tp_index_hash_u64((uint64_t)wait << 32 | wake);
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    const struct tp_partial_pair *p = &((const struct tp_partial *)list)->pairs.items[number];
    return hash_of(p->wait, p->wake);
}

static bool is_pair(const void *list, uint32_t number, const void *key)
{
    const struct tp_partial_pair *p = &((const struct tp_partial *)list)->pairs.items[number];
    const struct tp_partial_pair *wanted = key;
    return p->wait == wanted->wait && p->wake == wanted->wake;
}

// Returns the number of a pair, which is added if it is new. TP_INDEX_NONE: out of memory.
static uint32_t put_pair(struct tp_partial *s, uint32_t wait, uint32_t wake)
{
    struct tp_partial_pair pair = {.wait = wait, .wake = wake};
    uint64_t hash = hash_of(wait, wake);
    uint32_t known = tp_index_find(&s->pairs_by_key, hash, s, is_pair, &pair);
    if (known != TP_INDEX_NONE)
        return known;
    uint32_t number = s->pairs.count;
    pair.group = tp_durations_group_of(&s->durations, TP_SPACE_WAKE, number);
    if (pair.group == TP_DURATIONS_NONE || !TP_LIST_ROOM(&s->pairs) ||
        !tp_index_make_room(&s->pairs_by_key, number, hash_by_number, s))
        return TP_INDEX_NONE;
    s->pairs.items[s->pairs.count++] = pair;
    return tp_index_put(&s->pairs_by_key, hash, number);
}

static TP_NOINLINE uint32_t find_pair(struct tp_partial *s, struct tp_partial_pair_slot *slot,
                                      uint64_t wait_id, uint64_t wake_id)
{
    uint32_t number = put_pair(s, tp_partial_stack(s, wait_id), tp_partial_stack(s, wake_id));
    if (number != TP_INDEX_NONE)
        *slot = (struct tp_partial_pair_slot){wait_id, wake_id, number + 1};
    return number;
}

static uint32_t pair_of(struct tp_partial *s, uint64_t wait_id, uint64_t wake_id)
{
    static_assert((TP_PARTIAL_PAIR_SLOTS & (TP_PARTIAL_PAIR_SLOTS - 1)) == 0, "a power of two");
    struct tp_partial_pair_slot *slot =
        &s->pair_cache[(wait_id + 31 * wake_id) % TP_PARTIAL_PAIR_SLOTS];
    return tp_likely(slot->number != 0 && slot->wait_id == wait_id && slot->wake_id == wake_id)
               ? slot->number - 1
               : find_pair(s, slot, wait_id, wake_id);
}

struct tp_partial_pair *tp_partial_pair_of(struct tp_partial *s, uint64_t wait_id, uint64_t wake_id)
{
    uint32_t number = pair_of(s, wait_id, wake_id);
    return number != TP_INDEX_NONE ? &s->pairs.items[number] : NULL;
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

static const struct tp_partial_reason *reason_of(const struct tp_partial *s, uint32_t measure)
{
    return &s->reasons.items[measure - TP_MEASURE_FIRST_BLOCK];
}

// Leaves the wait to the stitch. `waker` is NULL if the partial has no record of the waker.
static TP_NOINLINE bool leave_wake(struct tp_partial *s, const struct tp_partial_g *g,
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

// Whether only the stitch knows when the waker of a wait from `since_ns` on last left a wait that
// counts by the rule.
static bool has_unknown(const struct tp_partial_left *left, enum tp_blame rule, int64_t since_ns)
{
    return left->known_ns[rule] == TP_NEVER_NS && left->unknown_ns > since_ns;
}

// Records a wait that began here.
static bool record_wake(struct tp_partial *s, const struct tp_partial_g *g,
                        const struct tp_event *e)
{
    const struct tp_partial_reason *reason = reason_of(s, g->measure);
    bool has_blame = tp_has_blame(reason->stack_type);
    int64_t left_ns = TP_NEVER_NS;
    if (has_blame) {
        const struct tp_partial_g *waker = TP_SLAB_GET(&s->gs, e->g);
        if (waker != NULL && has_unknown(&waker->left, reason->blame, g->since_ns))
            return leave_wake(s, g, waker, e);
        left_ns = waker != NULL ? waker->left.known_ns[reason->blame] : TP_NEVER_NS;
    }
    struct tp_partial_pair *pair =
        tp_partial_pair_of(s, g->wait_stack, tp_arg(e, GoUnblock, stack));
    if (pair == NULL)
        return false;
    s->spans[s->span_count++] =
        (struct tp_partial_span){e->time_ns - g->since_ns, pair->group, g->measure};
    if (has_blame) {
        pair->blamed_count++;
        pair->blamed_ns += tp_blamed_ns(g->since_ns, e->time_ns, left_ns);
    }
    return true;
}

TP_NOINLINE bool tp_partial_wake(struct tp_partial *s, const struct tp_event *e)
{
    struct tp_partial_g *g = tp_partial_g_of(s, (int64_t)tp_arg(e, GoUnblock, g));
    if (g == NULL)
        return false;
    g->woken_ns = e->time_ns;
    if (tp_unlikely(g->state == TP_STATE_UNSEEN)) {
        if (g->first_from != TP_STATE_UNSEEN)
            return true;
        g->left.unknown_ns = e->time_ns;
        return leave_wake(s, g, TP_SLAB_GET(&s->gs, e->g), e);
    }
    if (g->state != TP_STATE_WAITING || g->measure == TP_MEASURE_NONE)
        return true;
    g->left.known_ns[TP_BLAME_OTHERS] = e->time_ns;
    g->left.known_ns[reason_of(s, g->measure)->blame] = e->time_ns;
    return g->is_cut || record_wake(s, g, e);
}
