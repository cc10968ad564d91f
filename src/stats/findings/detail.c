#include "stats/findings/detail.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"
#include "stats/findings/pool.h"
#include "stats/findings/wakes.h"

// ROWS BY FUNCTION

// A row and the function of its culprit, so that a frame finds the rows that blame it.
struct target {
    uint32_t function;
    uint32_t row;
    uint32_t lock; // of which the row has got the waits
};

// A stack that has the culprit of a row, and its weight.
struct candidate {
    uint32_t row;
    bool is_anywhere; // the culprit is in any frame, and not the place of a stack of the kind
    uint32_t stack;
    unsigned type;
    tp_wide weight;
};

// Waits that the culprit of a row ended, or for a lock of which it ended any, of one pair of stacks.
struct wait {
    uint32_t row;
    struct tp_source_place place;
    const struct tp_dist *blocked;
};

// The walk over the totals.
struct finder {
    const struct tp_totals *s;
    const struct tp_fleet *fleet;
    struct target *targets; // sorted
    TP_LIST(struct candidate) candidates;
    TP_LIST(struct wait) waits;
};

static int compare_targets(const void *left, const void *right)
{
    const struct target *a = left, *b = right;
    return tp_compare_u64(a->function, b->function) ?: tp_compare_u64(a->row, b->row);
}

static bool make_targets(struct finder *f)
{
    f->targets = tp_alloc_array((size_t)f->fleet->count + 1, sizeof *f->targets);
    for (uint32_t i = 0; f->targets != NULL && i < f->fleet->count; i++)
        f->targets[i] = (struct target){f->fleet->items[i].culprit.function, i, TP_INTERN_NONE};
    if (f->targets != NULL)
        qsort(f->targets, f->fleet->count, sizeof *f->targets, compare_targets);
    return f->targets != NULL;
}

// Returns the index of the first target of the function; the number of targets if there is none, or
// no function.
static uint32_t first_target(const struct finder *f, uint32_t function)
{
    uint32_t low = function != TP_INTERN_NONE ? 0 : f->fleet->count, high = f->fleet->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->targets[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->fleet->count && f->targets[low].function == function ? low : f->fleet->count;
}

// Returns the next row that blames the function of the place, and in the same file, from target *i
// on, and moves *i behind it. NULL: there is none.
static const struct tp_fleet_row *next_row(const struct finder *f, uint32_t *i,
                                           const struct tp_source_place *place)
{
    for (; *i < f->fleet->count && f->targets[*i].function == place->function; (*i)++) {
        const struct tp_fleet_row *row = &f->fleet->items[f->targets[*i].row];
        if (row->culprit.file == place->file)
            return &f->fleet->items[f->targets[(*i)++].row];
    }
    return NULL;
}

static uint32_t index_of(const struct finder *f, const struct tp_fleet_row *row)
{
    return (uint32_t)(row - f->fleet->items);
}

// WAITS THAT WERE ENDED

static bool add_waker(struct finder *f, const struct tp_fleet_row *row, const struct tp_source_place *waker,
                      uint32_t stack, tp_wide weight)
{
    return row->culprit.line != waker->line ||
           TP_LIST_ADD(&f->candidates,
                       (struct candidate){index_of(f, row), false, stack, TP_DETAIL_WAKER, weight});
}

static bool add_waits(struct finder *f, uint32_t row, const struct tp_lock_wait *waits, uint32_t count)
{
    bool fits = true;
    for (uint32_t i = 0; i < count && fits; i++) {
        const struct tp_totals_pair *pair = waits[i].wake.pair;
        struct tp_source_place waiter = tp_source_place_beside(f->s, pair->left, pair->right, TP_STACK_SYNC);
        fits = TP_LIST_ADD(&f->waits, (struct wait){row, waiter, waits[i].wake.blocked});
    }
    return fits;
}

// Adds the waits for one lock to the rows that blame a function which ended any of them: who waited behind
// another waiter waited for the culprit, too.
static bool add_lock(struct finder *f, const struct tp_lock_wait *waits, uint32_t count)
{
    bool fits = true;
    for (uint32_t k = 0; k < count && fits; k++) {
        uint32_t left = waits[k].wake.pair->left, right = waits[k].wake.pair->right;
        struct tp_source_place waker = tp_source_place_beside(f->s, right, left, TP_STACK_SYNC);
        uint32_t i = first_target(f, waker.function);
        const struct tp_fleet_row *row;
        while (fits && (row = next_row(f, &i, &waker)) != NULL) {
            struct target *target = &f->targets[i - 1];
            if (row->kind != TP_FINDS_LOCK)
                continue;
            fits = add_waker(f, row, &waker, right, waits[k].wake.blamed_ns) &&
                   (target->lock == waits->lock || add_waits(f, target->row, waits, count));
            target->lock = waits->lock;
        }
    }
    return fits;
}

static bool add_locks(struct finder *f)
{
    struct tp_lock_waits l;
    bool fits = tp_lock_waits_make(f->s, &l);
    for (uint32_t first = 0, end; first < l.count && fits; first = end) {
        end = tp_lock_waits_end(&l, first);
        fits = add_lock(f, l.items + first, end - first);
    }
    tp_free(l.items);
    return fits;
}

// Whether one of the findings of the row has the waiter as its victim.
static bool is_victim(const struct tp_fleet_row *row, const struct tp_source_place *waiter)
{
    bool is = false;
    for (uint32_t i = 0; i < row->found_count && !is; i++)
        is = row->found[i]->victim.function == waiter->function && row->found[i]->victim.file == waiter->file;
    return is;
}

// Adds waits on channels to the rows that blame the function which ended them. Others than the victims wait for
// something to do.
static bool add_channel_wake(struct finder *f, const struct tp_wake *wake)
{
    uint32_t left = wake->pair->left, right = wake->pair->right;
    struct tp_source_place waker = tp_source_place_of(f->s, right, TP_STACK_SYNC);
    struct tp_source_place waiter = tp_source_place_of(f->s, left, TP_STACK_SYNC);
    uint32_t i = first_target(f, waker.function);
    const struct tp_fleet_row *row;
    bool fits = true;
    while (fits && (row = next_row(f, &i, &waker)) != NULL) {
        if (row->kind == TP_FINDS_CHANNEL && is_victim(row, &waiter))
            fits = TP_LIST_ADD(&f->waits, (struct wait){index_of(f, row), waiter, wake->blocked}) &&
                   add_waker(f, row, &waker, right, wake->blocked->total_ns);
    }
    return fits;
}

static bool add_channel_wakes(struct finder *f)
{
    struct tp_wakes wakes = {.s = f->s};
    struct tp_wake wake;
    bool fits = true;
    while (fits && tp_wakes_next(&wakes, &wake)) {
        bool is_of_channel = wake.reason != TP_WAKE_SYNC && wake.reason != TP_WAKE_OTHER;
        if (is_of_channel && wake.pair->left != TP_INTERN_NONE && !tp_wake_is_for_slot(f->s, &wake))
            fits = add_channel_wake(f, &wake);
    }
    return fits;
}

// OTHER STACKS

#define BIT(type) (1u << TP_STACK_##type)

// By kind: the types of stacks of which the judge took the culprit as the place. Evidence of the
// other kinds is not kept, so their culprits are looked for in all frames.
static const unsigned own_types[TP_FINDS_COUNT] = {
    [TP_FINDS_SYSCALL] = BIT(SYSCALL) | BIT(SYSCALL_OPEN),
    [TP_FINDS_LEAK] = BIT(SYNC_OPEN) | BIT(NET_OPEN),
    [TP_FINDS_SCHED_LATENCY] = BIT(SCHED),
    [TP_FINDS_POOL] = BIT(SYNC) | BIT(SYNC_OPEN),
    [TP_FINDS_SLOW_TASK] = BIT(SYNC) | BIT(NET) | BIT(SYSCALL),
};

static bool has_waits(enum tp_finding_kind kind)
{
    return kind == TP_FINDS_LOCK || kind == TP_FINDS_CHANNEL;
}

// Adds a stack to the rows that blame one of its frames.
static bool add_frame(struct finder *f, const struct tp_stack_count *c, uint32_t frame,
                      bool is_place)
{
    struct tp_totals_frame at = tp_totals_frames_get(&f->s->frames, frame);
    const struct tp_source_place place = {at.function, at.file, at.line};
    uint32_t i = first_target(f, at.function);
    const struct tp_fleet_row *row;
    bool fits = true;
    while (fits && (row = next_row(f, &i, &place)) != NULL) {
        unsigned type = tp_stack_count_type(c);
        bool is_own = is_place && (own_types[row->kind] >> type & 1) != 0;
        if (row->culprit.line != at.line || has_waits(row->kind))
            continue;
        fits = TP_LIST_ADD(&f->candidates,
                           (struct candidate){index_of(f, row), !is_own, tp_stack_count_stack(c),
                                              type, type == TP_STACK_CPU ? 0 : c->total_ns});
    }
    return fits;
}

static bool add_stacks(struct finder *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->s->by_stack.count; i++) {
        const struct tp_stack_count *c = &f->s->by_stack.items[i];
        const uint32_t *frames;
        if (tp_stack_count_type(c) == TP_STACK_BEFORE)
            continue; // findings do not count waits that began before the trace
        size_t count = tp_totals_stack_frames(&f->s->stacks, tp_stack_count_stack(c), &frames);
        size_t place = tp_frames_place(f->s, frames, count, tp_stack_count_type(c));
        for (size_t k = 0; k < count && fits; k++)
            fits = add_frame(f, c, frames[k], k == place);
    }
    return fits;
}

// CHOICE

// Puts candidates of one stack together.
static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return tp_compare_u64(a->row, b->row)
        ?: tp_compare_u64(a->is_anywhere, b->is_anywhere)
        ?: tp_compare_u64(a->type, b->type)
        ?: tp_compare_u64(a->stack, b->stack);
}

static bool is_better(const struct tp_totals *s, const struct candidate *a,
                      const struct candidate *b)
{
    return (tp_compare_u64(a->is_anywhere, b->is_anywhere)
            ?: tp_compare_wide(b->weight, a->weight)
            ?: tp_compare_u64(a->type, b->type)
            ?: tp_totals_compare_stacks(s, a->stack, b->stack)) < 0;
}

static void choose_stacks(struct finder *f, struct tp_details *d)
{
    uint32_t row = UINT32_MAX;
    struct candidate best = {0};
    TP_LIST_SORT(&f->candidates, compare_candidates);
    for (uint32_t i = 0; i < f->candidates.count;) {
        struct candidate c = f->candidates.items[i];
        for (i++; i < f->candidates.count &&
                  compare_candidates(&c, &f->candidates.items[i]) == 0; i++)
            c.weight = tp_wide_add(c.weight, f->candidates.items[i].weight);
        if (c.row == row && !is_better(f->s, &c, &best))
            continue;
        row = c.row;
        best = c;
        d->items[row].stack = c.stack;
        d->items[row].stack_type = c.type;
        d->items[row].is_other_stack = c.is_anywhere;
    }
}

static int compare_waits(const void *left, const void *right, void *ctx)
{
    const struct wait *a = left, *b = right;
    return tp_compare_u64(a->row, b->row) ?: tp_source_place_compare(ctx, &a->place, &b->place);
}

// Returns the index of the victim that waits at this place; if it is none of them, their number.
static uint32_t victim_at(const struct tp_fleet_row *row, const struct tp_source_place *place)
{
    uint32_t i = 0;
    while (i < row->victim_count && (row->victims[i].place.function != place->function ||
                                     row->victims[i].place.file != place->file))
        i++;
    return i;
}

// A row and the totals in which its waiters are.
struct row_of {
    const struct tp_fleet_row *row;
    const struct tp_totals *s;
};

// The victims that reports name beside the culprit come first, and in their order.
static int compare_waiters(const void *left, const void *right, void *ctx)
{
    const struct tp_detail_waiter *a = left, *b = right;
    const struct row_of *of = ctx;
    return tp_compare_u64(victim_at(of->row, &a->place), victim_at(of->row, &b->place))
        ?: tp_compare_wide(b->waits.total_ns, a->waits.total_ns)
        ?: tp_source_place_compare(of->s, &a->place, &b->place);
}

static bool is_same_waiter(const struct finder *f, const struct wait *a, const struct wait *b)
{
    return a->row == b->row &&
           tp_source_place_compare_functions(f->s, &a->place, &b->place) == 0;
}

// Adds the waits in one function to the details of their row.
static bool add_waiter(const struct finder *f, struct tp_details *d, const struct wait *waits,
                       size_t count)
{
    struct tp_detail *of = &d->items[waits[0].row];
    struct tp_shares lines = {0};
    bool fits = TP_LIST_ADD(&of->waiters, (struct tp_detail_waiter){.place = waits[0].place});
    for (size_t i = 0; i < count && fits; i++)
        fits = tp_dist_merge(&of->waiters.items[of->waiters.count - 1].waits, waits[i].blocked) &&
               tp_shares_add(&lines, &waits[i].place, waits[i].blocked->total_ns);
    if (fits && lines.count > 0)
        of->waiters.items[of->waiters.count - 1].place = tp_shares_greatest(&lines, f->s);
    tp_free(lines.items);
    return fits;
}

static bool choose_waiters(struct finder *f, struct tp_details *d)
{
    const struct wait *waits = f->waits.items;
    bool fits = true;
    TP_LIST_SORT_BY(&f->waits, compare_waits, f->s);
    for (uint32_t first = 0, end; first < f->waits.count && fits; first = end) {
        for (end = first + 1;
             end < f->waits.count && is_same_waiter(f, &waits[first], &waits[end]);)
            end++;
        fits = add_waiter(f, d, waits + first, end - first);
    }
    for (uint32_t i = 0; i < d->count; i++) {
        struct row_of of = {&f->fleet->items[i], f->s};
        TP_LIST_SORT_BY(&d->items[i].waiters, compare_waiters, &of);
    }
    return fits;
}

int tp_details_make(const struct tp_totals *s, const struct tp_fleet *fleet, struct tp_details *ret,
                    struct tp_error *err)
{
    struct finder f = {.s = s, .fleet = fleet};
    bool fits = make_targets(&f);
    *ret = (struct tp_details){0};
    for (uint32_t i = 0; i < fleet->count && fits; i++)
        fits = TP_LIST_ADD(ret, (struct tp_detail){.stack = TP_INTERN_NONE});
    fits = fits && add_locks(&f) && add_channel_wakes(&f) && add_stacks(&f);
    if (fits)
        choose_stacks(&f, ret);
    fits = fits && choose_waiters(&f, ret);
    tp_free(f.targets);
    tp_free(f.candidates.items);
    tp_free(f.waits.items);
    if (!fits)
        tp_details_fini(ret);
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for findings");
}

void tp_details_fini(struct tp_details *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        for (uint32_t k = 0; k < d->items[i].waiters.count; k++)
            tp_dist_fini(&d->items[i].waiters.items[k].waits);
        tp_free(d->items[i].waiters.items);
    }
    tp_free(d->items);
    *d = (struct tp_details){0};
}
