// Joins the ends of waits, and other evidence, of a partial to the totals.
#include "stats/evidence.h"
#include "stats/stitch/stitch.h"

// PAIRS

// Returns the number of the totals' pair of two stacks of the partial, as tp_totals_seek_pair does.
static uint32_t seek_pair(struct tp_stitch_step *step, uint32_t wait, uint32_t wake)
{
    uint32_t left = tp_stitch_stack(step, wait), right = tp_stitch_stack(step, wake);
    return left != TP_INTERN_NONE && right != TP_INTERN_NONE
               ? tp_totals_seek_pair(&step->c->totals, TP_SPACE_WAKE, left, right)
               : TP_INTERN_NONE;
}

// WAITS

static struct tp_span reason_of(const struct tp_stitch *c, uint32_t measure)
{
    return tp_intern_text(&c->totals.reasons, measure - TP_MEASURE_FIRST_BLOCK);
}

// Whether the goroutine is in a wait that can end, with a known reason.
static bool is_in_wait(const struct tp_stitch_g *g)
{
    return g->state == TP_STATE_WAITING && g->measure != TP_MEASURE_NONE;
}

// Whether leaving the wait in which the goroutine is counts by this rule.
static bool counts(const struct tp_stitch *c, const struct tp_stitch_g *g, enum tp_blame rule)
{
    return is_in_wait(g) && (rule == TP_BLAME_OTHERS ||
                             tp_blame_of(reason_of(c, g->measure)) == TP_BLAME_LOCK);
}

// Returns when the waker last left a wait that counts by the rule, before it ended `open`.
static int64_t left_ns(const struct tp_stitch *c, const struct tp_partial_open_wake *open,
                       enum tp_blame rule)
{
    int64_t known_ns = open->left.known_ns[rule];
    const struct tp_stitch_g *waker =
        known_ns == TP_NEVER_NS && open->waker >= 0 ? TP_SLAB_GET(&c->gs, open->waker) : NULL;
    if (waker == NULL)
        return known_ns;
    bool has_left = open->left.unknown_ns != TP_NEVER_NS && counts(c, waker, rule);
    return has_left ? open->left.unknown_ns : waker->left_ns[rule];
}

// The wait of `open` in the terms of the totals.
struct wait {
    int64_t since_ns;
    uint32_t stack, measure;
};

// Fills in the wait. False in *ret_is_wait: what ended was no wait that began in the trace. False:
// out of memory.
static bool find_wait(struct tp_stitch_step *step, const struct tp_partial_open_wake *open,
                      struct wait *ret, bool *ret_is_wait)
{
    *ret_is_wait = true;
    if (open->since_ns != TP_NEVER_NS) {
        *ret = (struct wait){open->since_ns, tp_stitch_stack(step, open->wait_stack),
                             tp_stitch_measure(step, open->measure)};
        return ret->stack != TP_INTERN_NONE && ret->measure != TP_DURATIONS_NONE;
    }
    const struct tp_stitch_g *g = TP_SLAB_GET(&step->c->gs, open->waiter);
    *ret_is_wait = g != NULL && is_in_wait(g) && !g->is_cut;
    if (*ret_is_wait)
        *ret = (struct wait){g->since_ns, g->wait_stack, g->measure};
    return true;
}

static bool add_open(struct tp_stitch_step *step, const struct tp_partial_open_wake *open)
{
    struct tp_totals *totals = &step->c->totals;
    struct wait wait = {0};
    bool is_wait;
    if (!find_wait(step, open, &wait, &is_wait))
        return false;
    if (!is_wait)
        return true;
    struct tp_span reason = reason_of(step->c, wait.measure);
    if (!tp_has_waker(tp_stack_type_of_reason(reason)))
        return true;
    uint32_t right = tp_stitch_stack(step, open->wake_stack);
    uint32_t pair = right != TP_INTERN_NONE
                        ? tp_totals_seek_pair(totals, TP_SPACE_WAKE, wait.stack, right)
                        : TP_INTERN_NONE;
    int64_t left = left_ns(step->c, open, tp_blame_of(reason));
    const struct tp_totals_waits one = {
        .one_ns = (uint64_t)(open->end_ns - wait.since_ns),
        .blamed_ns = tp_blamed_ns(wait.since_ns, open->end_ns, left)};
    return pair != TP_INTERN_NONE && tp_totals_add_waits(totals, pair, wait.measure, &one);
}

// Adds the waits of a pair to those of the two stacks, with the blame for them, and to those of the
// stack at which they began.
static bool add_pair(struct tp_stitch_step *step, const struct tp_partial_pair *p)
{
    uint32_t number = seek_pair(step, p->wait, p->wake);
    uint32_t measure = tp_stitch_measure(step, p->measure);
    if (number == TP_INTERN_NONE || measure == TP_DURATIONS_NONE)
        return false;
    struct tp_totals_waits waits = {.one_ns = p->ns, .blamed_ns = p->blamed_ns};
    uint64_t count = 1;
    tp_wide total_ns = p->ns;
    if (p->sum != 0) {
        const struct tp_partial_pair_sum *sum = &step->s->pair_sums.items[p->sum - 1];
        waits = (struct tp_totals_waits){.dist = &sum->dist, .blamed_ns = sum->blamed_ns};
        count = sum->dist.count;
        total_ns = sum->dist.total_ns;
    }
    return (!tp_stitch_wants(step->c, TP_PART_STACKS) ||
            tp_stitch_add_waits(step, p->wait, TP_STACK_SYNC, count, total_ns)) &&
           tp_totals_add_waits(&step->c->totals, number, measure, &waits);
}

bool tp_stitch_add_evidence(struct tp_stitch_step *step)
{
    bool fits = tp_stitch_record_idle_runs(step->c, step->s->idle_runs.count,
                                           step->s->idle_runs.ns);
    for (uint32_t i = 0; i < step->s->evidence.count && fits; i++) {
        const struct tp_partial_evidence *e = &step->s->evidence.items[i];
        uint32_t stack = tp_stitch_stack(step, e->stack);
        fits = stack != TP_INTERN_NONE &&
               tp_stitch_record_evidence(step->c, e->evidence, stack, e->ns);
    }
    for (uint32_t i = 0; i < step->s->pairs.count && fits; i++) {
        tp_stitch_prefetch_pair(step, i);
        fits = add_pair(step, &step->s->pairs.items[i]);
    }
    return fits;
}

bool tp_stitch_add_wakes(struct tp_stitch_step *step, uint32_t *at, uint32_t ended_count,
                         uint32_t short_lived_count)
{
    bool fits = true;
    for (; *at < step->s->open_wakes.count && fits; ++*at) {
        const struct tp_partial_open_wake *open = &step->s->open_wakes.items[*at];
        if (open->ended_count > ended_count || open->short_lived_count > short_lived_count)
            break;
        fits = add_open(step, open);
    }
    return fits;
}

void tp_stitch_add_left(struct tp_stitch *c, struct tp_stitch_g *g, const struct tp_partial_g *from)
{
    for (unsigned rule = 0; rule < TP_BLAMES; rule++) {
        if (from->left.known_ns[rule] != TP_NEVER_NS)
            g->left_ns[rule] = from->left.known_ns[rule];
        else if (from->left.unknown_ns != TP_NEVER_NS && counts(c, g, (enum tp_blame)rule))
            g->left_ns[rule] = from->left.unknown_ns;
    }
}
