// Locks that are held too long.
#include "base/alloc.h"
#include "stats/findings/judging.h"

// A lock matters if several waits take long, or goroutines wait all the time, or one wait takes very
// long and a twentieth of the time of the input.
#define LEAST_WAITS 3
#define LONG_NS 1000000
#define LONGEST_NS 50000000
#define LONGEST_PART 20

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
static bool add_to_lock(struct lock *lock, const struct tp_totals *s, const struct tp_wake *wait)
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

static bool judge_lock(struct tp_judging *j, const struct tp_lock_wait *waits, size_t count)
{
    struct lock lock = {0};
    struct tp_found found = tp_found_of(TP_FINDS_LOCK);
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = add_to_lock(&lock, j->s, &waits[i].wake);
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
    struct tp_lock_waits l;
    bool fits = tp_lock_waits_make(j->s, &l);
    tp_judging_note(j, TP_FINDS_LOCK);
    for (uint32_t first = 0, end; fits && first < l.count; first = end) {
        end = tp_lock_waits_end(&l, first);
        fits = judge_lock(j, l.items + first, end - first);
    }
    tp_free(l.items);
    return fits;
}
