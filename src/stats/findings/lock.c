// Locks that are held too long. A trace has no addresses of locks, so waits are joined by place:
// two pairs of a wait and its wake belong to one lock if their waits are in one function, or if one
// waits in the function that wakes the other.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/judging.h"

// A lock matters if several waits take long, or goroutines wait all the time, or one wait takes very
// long and a twentieth of the time of the input.
#define LEAST_WAITS 3
#define LONG_NS 1000000
#define LONGEST_NS 50000000
#define LONGEST_PART 20

// Waits for a lock, of one pair.
struct wait {
    const struct tp_totals_pair *pair;
    const struct tp_dist *blocked;
    tp_wide blamed_ns;
    uint32_t function; // where it waited; a node of the sets
};

// All waits for locks. Sets are trees: the parent of a function is a function, or itself.
struct locks {
    const struct tp_totals *s;
    uint32_t *parents; // by number of a name
    TP_LIST(struct wait) waits;
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
    if (wake->reason != TP_WAKE_SYNC || wake->pair->left == TP_INTERN_NONE)
        return true;
    tp_totals_place_of(l->s, wake->pair->left, TP_STACK_SYNC, &is_lock);
    // A goroutine that waits for sync.Once waits for work to be done, which takes what it takes.
    if (!is_lock || tp_stack_waits_for_once(l->s, wake->pair->left))
        return true;
    uint32_t right = wake->pair->right;
    struct wait wait = {wake->pair, wake->blocked, wake->blamed_ns, TP_INTERN_NONE};
    wait.function = tp_source_place_of(l->s, wake->pair->left, TP_STACK_SYNC).function;
    if (tp_stack_has_program(l->s, right))
        join(l, wait.function, tp_source_place_of(l->s, right, TP_STACK_SYNC).function);
    return TP_LIST_ADD(&l->waits, wait);
}

static bool collect(struct locks *l)
{
    struct tp_wakes wakes = {.s = l->s};
    struct tp_wake wake;
    l->parents = tp_alloc_array((size_t)l->s->names.count + 1, sizeof *l->parents);
    if (l->parents == NULL)
        return false;
    for (uint32_t i = 0; i < l->s->names.count; i++)
        l->parents[i] = i;
    bool fits = true;
    while (fits && tp_wakes_next(&wakes, &wake))
        fits = add_wait(l, &wake);
    return fits;
}

static int compare_waits(const void *left, const void *right, void *ctx)
{
    const struct wait *a = left, *b = right;
    return tp_compare_u64(root_of(ctx, a->function), root_of(ctx, b->function));
}

// Sums of the waits for one lock.
struct lock {
    struct tp_dist blocked; // owned
    struct tp_shares holders, blocked_holders, waiters;
    struct tp_shares library_holders; // of stacks without a function of the program
};

static void lock_fini(struct lock *lock)
{
    tp_dist_fini(&lock->blocked);
    tp_free(lock->holders.items);
    tp_free(lock->blocked_holders.items);
    tp_free(lock->waiters.items);
    tp_free(lock->library_holders.items);
}

// A function that is in both stacks is a helper that locks: it holds nothing by itself.
static bool add_to_lock(struct lock *lock, const struct tp_totals *s, const struct wait *wait)
{
    uint32_t left = wait->pair->left, right = wait->pair->right;
    struct tp_source_place waiter = tp_source_place_beside(s, left, right, TP_STACK_SYNC);
    struct tp_source_place holder = TP_SOURCE_PLACE_NONE, library = holder;
    if (tp_stack_has_program(s, right))
        holder = tp_source_place_beside(s, right, left, TP_STACK_SYNC);
    else
        library = tp_source_place_outside_runtime(s, right);
    return tp_dist_merge(&lock->blocked, wait->blocked) &&
           tp_shares_add(&lock->waiters, &waiter, wait->blocked->total_ns) &&
           tp_shares_add(&lock->holders, &holder, wait->blamed_ns) &&
           tp_shares_add(&lock->blocked_holders, &holder, wait->blocked->total_ns) &&
           tp_shares_add(&lock->library_holders, &library, wait->blocked->total_ns);
}

static struct tp_source_place holder_of(struct lock *lock, const struct tp_totals *s)
{
    struct tp_source_place place = tp_shares_greatest(&lock->holders, s);
    if (place.function == TP_INTERN_NONE)
        place = tp_shares_greatest(&lock->blocked_holders, s);
    return place.function != TP_INTERN_NONE ? place
                                            : tp_shares_greatest(&lock->library_holders, s);
}

// Returns how nearly the waits matter.
static uint64_t nearness_of(const struct tp_found *found, tp_wide duration_ns)
{
    uint64_t many = tp_lesser(tp_nearness(found->count, LEAST_WAITS),
                                 tp_greater(tp_nearness(found->p99_ns, LONG_NS),
                                           tp_nearness(found->lost, duration_ns)));
    uint64_t one = tp_lesser(tp_nearness(found->max_ns, LONGEST_NS),
                                tp_nearness((tp_wide)found->max_ns * LONGEST_PART, duration_ns));
    return tp_greater(many, one);
}

static bool judge_lock(struct tp_judging *j, const struct wait *waits, size_t count)
{
    struct lock lock = {0};
    struct tp_found found = tp_found_of(TP_FINDS_LOCK);
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = add_to_lock(&lock, j->s, &waits[i]);
    if (fits) {
        tp_found_set_times(&found, &lock.blocked);
        found.value_ppm = tp_ppm_of(found.lost, j->row->figures[TP_FILE_DURATION]);
        found.victim = tp_shares_greatest(&lock.waiters, j->s);
        found.culprit = holder_of(&lock, j->s);
        fits = tp_judging_add(j, &found,
                              nearness_of(&found, j->row->figures[TP_FILE_DURATION]));
    }
    lock_fini(&lock);
    return fits;
}

bool tp_judge_lock(struct tp_judging *j)
{
    struct locks l = {.s = j->s};
    bool fits = collect(&l);
    tp_judging_note(j, TP_FINDS_LOCK);
    if (fits && l.waits.count > 0)
        qsort_r(l.waits.items, l.waits.count, sizeof *l.waits.items, compare_waits, &l);
    for (uint32_t first = 0, end; fits && first < l.waits.count; first = end) {
        end = first + 1;
        while (end < l.waits.count &&
               compare_waits(&l.waits.items[first], &l.waits.items[end], &l) == 0)
            end++;
        fits = judge_lock(j, l.waits.items + first, end - first);
    }
    tp_free(l.parents);
    tp_free(l.waits.items);
    return fits;
}
