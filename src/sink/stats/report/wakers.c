// Blocked time by waker, in the report of `stats:level=full`: the waits of TP_SPACE_WAKE,
// added up by the waker's stack, with the places where the goroutines waited.

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/report/report.h"
#include "stats/findings/place.h"
#include "stats/idle_waits.h"

// The report while its wakers are found: the list of two indexes. The first finds a waker, the
// second a waiter of a waker.
struct building {
    struct tp_full_report *r;
    enum tp_full_look waker_look, waiter_look;
    struct tp_index wakers, waiters;
};

// WAKERS

static uint64_t waker_hash(const void *list, uint32_t number)
{
    const struct building *b = list;
    const struct tp_full_waker *w = &b->r->wakers.items[number];
    return tp_full_look_hash(b->r->totals, b->waker_look, &w->stack) + w->kind;
}

static bool is_waker(const void *list, uint32_t number, const void *key)
{
    const struct building *b = list;
    const struct tp_full_waker *w = &b->r->wakers.items[number], *wanted = key;
    return w->kind == wanted->kind &&
           tp_full_look_alike(b->r->totals, b->waker_look, &w->stack, &wanted->stack);
}

// Gives a row the frames of the least of its stacks, so that the result does not depend on the
// order in which they are added.
static void take_least(const struct building *b, struct tp_full_stack *row,
                       const struct tp_full_stack *s)
{
    if (tp_full_compare_stacks(b->r->totals, s, row) < 0) {
        row->frames = s->frames;
        row->frame_count = s->frame_count;
        row->place = s->place;
    }
}

// Returns the index of the row that looks like this one, which is added if there is none.
// TP_INDEX_NONE: out of memory.
static uint32_t find_waker(struct building *b, const struct tp_full_waker *wanted)
{
    struct tp_full_wakers *rows = &b->r->wakers;
    uint64_t hash = tp_full_look_hash(b->r->totals, b->waker_look, &wanted->stack) + wanted->kind;
    uint32_t known = tp_index_find(&b->wakers, hash, b, is_waker, wanted);
    if (known != TP_INDEX_NONE) {
        take_least(b, &rows->items[known].stack, &wanted->stack);
        return known;
    }
    if (!TP_LIST_ROOM(rows) || !tp_index_make_room(&b->wakers, rows->count, waker_hash, b))
        return TP_INDEX_NONE;
    rows->items[rows->count] = *wanted;
    return tp_index_put(&b->wakers, hash, rows->count++);
}

// WAITERS

static uint64_t hash_of_waiter(const struct building *b, const struct tp_full_waiter *w)
{
    return tp_full_look_hash(b->r->totals, b->waiter_look, &w->stack) ^ w->waker;
}

static uint64_t waiter_hash(const void *list, uint32_t number)
{
    const struct building *b = list;
    return hash_of_waiter(b, &b->r->waiters.items[number]);
}

static bool is_waiter(const void *list, uint32_t number, const void *key)
{
    const struct building *b = list;
    const struct tp_full_waiter *w = &b->r->waiters.items[number], *wanted = key;
    return w->waker == wanted->waker && w->stack.is_idle == wanted->stack.is_idle &&
           tp_intern_is_same(w->reason, wanted->reason) &&
           tp_full_look_alike(b->r->totals, b->waiter_look, &w->stack, &wanted->stack);
}

static bool add_waiter(struct building *b, const struct tp_full_waiter *added)
{
    struct tp_full_waiters *rows = &b->r->waiters;
    uint64_t hash = hash_of_waiter(b, added);
    uint32_t known = tp_index_find(&b->waiters, hash, b, is_waiter, added);
    if (known != TP_INDEX_NONE) {
        struct tp_full_stack *row = &rows->items[known].stack;
        row->count += added->stack.count;
        row->total_ns = tp_wide_add(row->total_ns, added->stack.total_ns);
        take_least(b, row, &added->stack);
        return true;
    }
    if (!TP_LIST_ROOM(rows) || !tp_index_make_room(&b->waiters, rows->count, waiter_hash, b))
        return false;
    rows->items[rows->count] = *added;
    (void)tp_index_put(&b->waiters, hash, rows->count++);
    return true;
}

// WAITS

// The pair of stacks of a group; no frames if the totals do not keep the pair.
struct pair {
    const struct tp_durations_group *group;
    struct tp_full_stack wait, wake;
};

static struct tp_full_stack stack_of(const struct tp_totals *s, uint32_t stack)
{
    struct tp_full_stack made = {.count = 0};
    if (stack != TP_INTERN_NONE)
        made.frame_count = tp_totals_stack_frames(&s->stacks, stack, &made.frames);
    made.place = tp_frames_place(s, made.frames, made.frame_count, TP_STACK_SYNC);
    return made;
}

static struct pair pair_of(const struct tp_totals *s, const struct tp_durations_group *g)
{
    struct pair made = {.group = g};
    if (g->name == TP_TOTALS_OTHERS)
        return made;
    const struct tp_totals_pair *p = &s->pairs.of.items[g->name];
    made.wait = stack_of(s, p->left);
    made.wake = stack_of(s, p->right);
    made.wait.is_idle =
        tp_frames_are_idle(s, made.wait.frames, made.wait.frame_count, TP_STACK_SYNC);
    return made;
}

static enum tp_full_waker_kind kind_of(const struct building *b, const struct pair *p)
{
    if (p->group->name == TP_TOTALS_OTHERS)
        return TP_FULL_WAKER_OTHERS;
    if (p->wait.is_idle && b->r->joins_idle)
        return TP_FULL_WAKER_IDLE;
    return p->wake.frame_count > 0 ? TP_FULL_WAKER_STACK : TP_FULL_WAKER_NONE;
}

// Returns whether the table has these waits.
static bool is_wanted(const struct tp_full_report *r, const struct pair *p, uint32_t measure)
{
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return false;
    struct tp_span reason = tp_full_measure_name(r->totals, TP_SPACE_GOROUTINE, measure);
    return tp_full_stack_matches(r, &p->wake) || tp_full_stack_matches(r, &p->wait) ||
           tp_full_matches(r, reason);
}

static bool add_waits(struct building *b, const struct pair *p, uint32_t waker,
                      const struct tp_durations_walk *at)
{
    struct tp_full_waker *row = &b->r->wakers.items[waker];
    struct tp_full_waiter waiter = {
        .waker = waker,
        .stack = p->wait,
        .reason = tp_full_measure_name(b->r->totals, TP_SPACE_GOROUTINE, at->measure)};
    waiter.stack.count = at->dist->count;
    waiter.stack.total_ns = at->dist->total_ns;
    return tp_dist_merge(&row->dist, at->dist) &&
           (row->kind == TP_FULL_WAKER_OTHERS || add_waiter(b, &waiter));
}

static bool add_pair(struct building *b, const struct tp_durations_group *g)
{
    const struct pair p = pair_of(b->r->totals, g);
    struct tp_full_waker wanted = {.kind = kind_of(b, &p)};
    if (wanted.kind == TP_FULL_WAKER_STACK)
        wanted.stack = p.wake;
    uint32_t waker = TP_INDEX_NONE;
    tp_wide waits_ns = 0;
    struct tp_durations_walk walk = {.group = g};
    while (tp_durations_walk_next(&walk)) {
        if (!is_wanted(b->r, &p, walk.measure))
            continue;
        if (waker == TP_INDEX_NONE)
            waker = find_waker(b, &wanted);
        if (waker == TP_INDEX_NONE || !add_waits(b, &p, waker, &walk))
            return false;
        waits_ns = tp_wide_add(waits_ns, walk.dist->total_ns);
    }
    bool has_blame = p.wake.frame_count > 0 || g->name == TP_TOTALS_OTHERS; // a timer has none
    if (waker != TP_INDEX_NONE && has_blame && g->dists[TP_WAKE_BLAMED] != NULL) {
        struct tp_full_waker *row = &b->r->wakers.items[waker];
        // The blame is for all reasons of the pair, of which a filter may leave some out.
        tp_wide blamed_ns = g->dists[TP_WAKE_BLAMED]->total_ns;
        row->blamed_ns = tp_wide_add(row->blamed_ns, blamed_ns < waits_ns ? blamed_ns : waits_ns);
    }
    return true;
}

static bool add_pairs(struct building *b)
{
    const struct tp_durations *l = &b->r->totals->durations;
    bool fits = true;
    for (uint32_t i = 0; i < l->groups.count && fits; i++) {
        if (l->groups.items[i].space == TP_SPACE_WAKE)
            fits = add_pair(b, &l->groups.items[i]);
    }
    return fits;
}

// ORDER

static int compare_waiters(const void *left, const void *right, void *ctx)
{
    const struct tp_full_waiter *a = left, *b = right;
    return tp_compare_u64(a->waker, b->waker)
        ?: tp_compare_wide(b->stack.total_ns, a->stack.total_ns)
        ?: tp_compare_u64(b->stack.count, a->stack.count)
        ?: tp_full_compare_stacks(ctx, &a->stack, &b->stack)
        ?: tp_span_compare(a->reason, b->reason);
}

// Gives each waker its waiters.
static void sort_waiters(struct tp_full_report *r)
{
    struct tp_full_waiters *all = &r->waiters;
    TP_LIST_SORT_BY(all, compare_waiters, r->totals);
    for (uint32_t i = 0; i < all->count; i++) {
        struct tp_full_waker *waker = &r->wakers.items[all->items[i].waker];
        if (waker->waiter_count++ == 0)
            waker->waiters = &all->items[i];
    }
}

struct order {
    const struct tp_totals *totals;
    enum tp_stats_sort sort;
};

static int compare_wakers(const void *left, const void *right, void *ctx)
{
    const struct tp_full_waker *a = left, *b = right;
    const struct order *by = ctx;
    return tp_compare_u64(a->kind, b->kind)
        ?: (by->sort == TP_STATS_SORT_BLAMED ? tp_compare_wide(b->blamed_ns, a->blamed_ns) : 0)
        ?: tp_compare_wide(tp_full_sort_key(&b->dist, by->sort), tp_full_sort_key(&a->dist, by->sort))
        ?: tp_compare_wide(b->dist.total_ns, a->dist.total_ns)
        ?: tp_compare_u64(b->dist.count, a->dist.count)
        ?: tp_full_compare_stacks(by->totals, &a->stack, &b->stack);
}

static enum tp_full_look waker_look_of(enum tp_full_look look)
{
    return look == TP_FULL_LOOK_TEXT ? TP_FULL_LOOK_TEXT_PLACE : look;
}

int tp_full_make_wakers(struct tp_full_report *r, enum tp_full_look look, enum tp_stats_sort sort,
                        struct tp_error *err)
{
    struct building b = {
        .r = r,
        .waker_look = waker_look_of(look),
        .waiter_look =
            look == TP_FULL_LOOK_TEXT ? TP_FULL_LOOK_TEXT_PLACE : TP_FULL_LOOK_PLACE,
    };
    struct order by = {r->totals, sort};
    bool fits = add_pairs(&b);
    tp_index_fini(&b.wakers);
    tp_index_fini(&b.waiters);
    if (!fits)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of wakers");
    sort_waiters(r);
    TP_LIST_SORT_BY(&r->wakers, compare_wakers, &by);
    return 0;
}

void tp_full_free_wakers(struct tp_full_report *r)
{
    for (uint32_t i = 0; i < r->wakers.count; i++)
        tp_dist_fini(&r->wakers.items[i].dist);
    tp_free(r->wakers.items);
    tp_free(r->waiters.items);
}
