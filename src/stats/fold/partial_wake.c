// Folds ends of waits, with who ended them, and other evidence for findings.
#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial_wake.h"

// PAIRS

static uint64_t hash_of(const struct tp_partial_pair *p)
{
    return tp_index_hash_u64(((uint64_t)p->wait << 32 | p->wake) + 31 * (uint64_t)p->measure);
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return hash_of(&((const struct tp_partial *)list)->pairs.items[number]);
}

static bool is_pair(const void *list, uint32_t number, const void *key)
{
    const struct tp_partial_pair *p = &((const struct tp_partial *)list)->pairs.items[number];
    const struct tp_partial_pair *wanted = key;
    return p->wait == wanted->wait && p->wake == wanted->wake && p->measure == wanted->measure;
}

// Returns the number of a pair, which is added with one wait if it is new. TP_INDEX_NONE: out of
// memory.
static uint32_t put_pair(struct tp_partial *s, const struct tp_partial_pair *pair)
{
    uint64_t hash = hash_of(pair);
    uint32_t known = tp_index_find(&s->pairs_by_key, hash, s, is_pair, pair);
    if (known != TP_INDEX_NONE)
        return known;
    uint32_t number = s->pairs.count;
    if (!TP_LIST_ROOM(&s->pairs) ||
        !tp_index_make_room(&s->pairs_by_key, number, hash_by_number, s))
        return TP_INDEX_NONE;
    s->pairs.items[s->pairs.count++] = *pair;
    return tp_index_put(&s->pairs_by_key, hash, number);
}

// Returns the sum of the pair with this number, which is added if the pair has none.
static struct tp_partial_pair_sum *make_sum(struct tp_partial *s, uint32_t number)
{
    struct tp_partial_pair *pair = &s->pairs.items[number];
    if (pair->sum == 0) {
        const struct tp_partial_pair_sum sum = {.dist = {.hist = {.is_quick = true}}};
        if (!TP_LIST_ADD(&s->pair_sums, sum))
            return NULL;
        pair->sum = s->pair_sums.count;
    }
    return &s->pair_sums.items[pair->sum - 1];
}

TP_NOINLINE bool tp_partial_add_other_pair(struct tp_partial *s, uint64_t wait_id,
                                           uint64_t wake_id, uint32_t measure, uint64_t ns,
                                           uint64_t blamed_ns)
{
    const struct tp_partial_pair added = {.wait = tp_partial_stack(s, wait_id),
                                          .wake = tp_partial_stack(s, wake_id),
                                          .measure = measure,
                                          .ns = ns,
                                          .blamed_ns = blamed_ns};
    uint32_t count = s->pairs.count, number = put_pair(s, &added);
    if (number == TP_INDEX_NONE || number == count)
        return number == count;
    const struct tp_partial_pair *pair = &s->pairs.items[number];
    bool is_first = pair->sum == 0;
    struct tp_partial_pair_sum *sum = make_sum(s, number);
    if (sum == NULL || (is_first && !tp_dist_add(&sum->dist, pair->ns)) ||
        !tp_dist_add(&sum->dist, ns))
        return false;
    sum->blamed_ns += (is_first ? pair->blamed_ns : 0) + blamed_ns;
    *tp_partial_pair_slot(s, wait_id, wake_id) =
        (struct tp_partial_pair_slot){wait_id, wake_id, measure, pair->sum};
    return true;
}

void tp_partial_clear_pairs(struct tp_partial *s)
{
    for (uint32_t i = 0; i < s->pair_sums.count; i++)
        tp_dist_fini(&s->pair_sums.items[i].dist);
    s->pairs.count = s->pair_sums.count = 0;
    tp_index_clear(&s->pairs_by_key);
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
