#include "stats/findings/wakes.h"

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/place.h"

static enum tp_wake_reason reason_of(const struct tp_totals *s, uint32_t measure)
{
    static const char *const texts[] = {[TP_WAKE_SYNC] = "sync",
                                        [TP_WAKE_SEND] = "chan send",
                                        [TP_WAKE_RECEIVE] = "chan receive",
                                        [TP_WAKE_SELECT] = "select"};
    unsigned reason = 0;
    struct tp_span text = tp_intern_text(&s->reasons, measure - TP_MEASURE_FIRST_BLOCK);
    while (reason < TP_WAKE_OTHER && !tp_span_is(text, texts[reason]))
        reason++;
    return (enum tp_wake_reason)reason;
}

// Moves to the next waits of the group. False: there are no more.
static bool next_in_group(struct tp_wakes *w)
{
    while (w->is_in_group && tp_durations_walk_next(&w->walk)) {
        if (w->walk.measure >= TP_MEASURE_FIRST_BLOCK)
            return true;
    }
    w->is_in_group = false;
    return false;
}

bool tp_wakes_next(struct tp_wakes *w, struct tp_wake *ret_wake)
{
    const struct tp_durations *l = &w->s->durations;
    while (!next_in_group(w)) {
        if (w->next_group >= l->groups.count)
            return false;
        const struct tp_durations_group *g = &l->groups.items[w->next_group++];
        w->is_in_group = g->space == TP_SPACE_WAKE && g->name != TP_TOTALS_OTHERS;
        w->walk = (struct tp_durations_walk){.group = g};
    }
    const struct tp_durations_group *g = w->walk.group;
    const struct tp_dist *blamed = g->dists[TP_WAKE_BLAMED];
    *ret_wake = (struct tp_wake){&w->s->pairs.of.items[g->name], reason_of(w->s, w->walk.measure),
                                 w->walk.dist, blamed != NULL ? blamed->total_ns : 0};
    if (ret_wake->blamed_ns > ret_wake->blocked->total_ns)
        ret_wake->blamed_ns = ret_wake->blocked->total_ns;
    return true;
}

// LOCKS

// Sets of functions that use one lock. Sets are trees: the parent of a function is a function, or itself.
struct locks {
    const struct tp_totals *s;
    uint32_t *parents; // by number of a name
    struct tp_lock_waits *waits;
};

static uint32_t root_of(const struct locks *l, uint32_t function)
{
    while (l->parents[function] != function) {
        l->parents[function] = l->parents[l->parents[function]];
        function = l->parents[function];
    }
    return function;
}

// The smaller number becomes the root. Which functions are together does not depend on it.
static void join(const struct locks *l, uint32_t a, uint32_t b)
{
    a = root_of(l, a);
    b = root_of(l, b);
    l->parents[a > b ? a : b] = a > b ? b : a;
}

static bool add_wait(struct locks *l, const struct tp_wake *wake)
{
    bool is_lock = false;
    uint32_t left = wake->pair->left, right = wake->pair->right;
    if (wake->reason != TP_WAKE_SYNC || left == TP_INTERN_NONE)
        return true;
    tp_totals_place_of(l->s, left, TP_STACK_SYNC, &is_lock);
    // A goroutine that waits for sync.Once waits for work to be done, which takes what it takes.
    if (!is_lock || tp_stack_waits_for_once(l->s, left))
        return true;
    uint32_t function = tp_source_place_of(l->s, left, TP_STACK_SYNC).function;
    if (tp_stack_has_program(l->s, right))
        join(l, function, tp_source_place_of(l->s, right, TP_STACK_SYNC).function);
    return TP_LIST_ADD(l->waits, (struct tp_lock_wait){*wake, function, 0});
}

static int compare_waits(const void *left, const void *right)
{
    const struct tp_lock_wait *a = left, *b = right;
    return tp_compare_u64(a->lock, b->lock);
}

bool tp_lock_waits_make(const struct tp_totals *s, struct tp_lock_waits *ret)
{
    struct locks l = {s, tp_alloc_array((size_t)s->names.count + 1, sizeof *l.parents), ret};
    struct tp_wakes wakes = {.s = s};
    struct tp_wake wake;
    bool fits = l.parents != NULL;
    *ret = (struct tp_lock_waits){0};
    for (uint32_t i = 0; i < s->names.count && fits; i++)
        l.parents[i] = i;
    while (fits && tp_wakes_next(&wakes, &wake))
        fits = add_wait(&l, &wake);
    for (uint32_t i = 0; i < ret->count && fits; i++)
        ret->items[i].lock = root_of(&l, ret->items[i].function);
    TP_LIST_SORT(ret, compare_waits);
    tp_free(l.parents);
    return fits;
}

uint32_t tp_lock_waits_end(const struct tp_lock_waits *l, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < l->count && l->items[end].lock == l->items[first].lock)
        end++;
    return end;
}
