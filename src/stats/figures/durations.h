// Records durations by kind and name. Sums (sums/sums.h), an input, and a run each own a
// `struct tp_durations`. Each owner numbers names in its own way: sums by reference, an
// input and a run by `names` of struct tp_totals.
//
//   durations ─▶ group (space, name) ─▶ one distribution for each measure
//
// All values are sums or maxima of integers, so durations add up exactly, in any order and
// grouping. One thread at a time uses an object; a zeroed struct is empty. Functions fail only for
// lack of memory. After a failure the object may contain a part of what was to be added, so the
// owner can only clear or free it.
#ifndef TP_STATS_FIGURES_DURATIONS_H
#define TP_STATS_FIGURES_DURATIONS_H

#include "base/histogram.h"
#include "base/index.h"
#include "base/list.h"
#include "base/slab.h"
#include "base/wide.h"
#include "stats/figures/breakdown.h"
#include "stats/figures/moment.h"

// Spaces, which are kinds of groups, each with names of its own. X(SPACE, name)
#define TP_DURATIONS_SPACES(X)                                                                  \
    X(GOROUTINE, "goroutine") /* by start function; see TP_MEASURES */                          \
    X(TASK, "task")           /* by name */                                                     \
    X(REGION, "region")       /* by name */                                                     \
    X(PAUSE, "pause")         /* stop-the-world pauses, by reason */                            \
    X(MARK, "mark")           /* the concurrent part of GC cycles */                            \
    X(ASSIST, "assist")       /* mark assists of goroutines */                                  \
    X(SWEEP, "sweep")         /* sweeps of Ps */                                                \
    X(LOG, "log")             /* log messages by category; without times */                     \
    X(COARSE, "coarse_stack") /* stacks that are not kept; see stats/stack_limit.h */           \
    X(WAKE, "waker")          /* waits by who ended them; see stats/pair_limit.h */             \
    X(EVIDENCE, "")           /* for findings; see stats/pair_limit.h */                        \
    X(UNNAMED, "")            /* goroutines without a name yet: numbers of lives */             \
    X(FILE_TASK, "trace_task") /* tasks by input; see file_tasks.h */                           \
    X(WRAPPED, "wrapped")     /* goroutines by what their start function wraps */               \
    X(PEAK, "peak")           /* goroutines runnable at once, by start function */

enum tp_durations_space {
#define TP_X(space, name) TP_SPACE_##space,
    TP_DURATIONS_SPACES(TP_X)
#undef TP_X
    TP_SPACES
};

// A measure says what a duration of a group measures. These are the measures of goroutines;
// measures of blocking follow them, one for each reason. Groups of TP_SPACE_WAKE have measures of
// blocking and TP_WAKE_BLAMED (stats/pair_limit.h). Groups of TP_SPACE_COARSE use tp_coarse_measure
// (stats/stack_limit.h), and groups of TP_SPACE_EVIDENCE enum tp_evidence (stats/evidence.h).
// Groups of TP_SPACE_WRAPPED have sums for each goroutine: the measures RUN, SCHED, SYSCALL and LIFE, and
// TP_MEASURE_FIRST_BLOCK for the time blocked, whatever for, and then one for each class of blocking, with
// count and total only; their name is that of the start function, a zero byte, and that of the function
// which it wraps.
// Groups of TP_SPACE_PEAK use enum tp_peak_measure. Groups of other spaces have only measure 0.
// X(MEASURE, name)
#define TP_MEASURES(X)                                                                  \
    X(RUN, "running")          /* from being scheduled to giving up the P */            \
    X(SCHED, "runnable")       /* from being runnable to running */                     \
    X(SYSCALL, "syscall")                                                               \
    X(LIFE, "lifetime")        /* from creation to end */

// Numbers of measures; TP_MEASURE_FIRST_BLOCK + i is the measure of being blocked for reason i.
enum tp_measure {
#define TP_X(measure, name) TP_MEASURE_##measure,
    TP_MEASURES(TP_X)
#undef TP_X
    TP_MEASURE_FIRST_BLOCK // + number of the reason
};
// The measure of the time blocked by a class (time_class.h), and the number of measures, of TP_SPACE_WRAPPED.
#define TP_MEASURE_BLOCKED_BY(class) (TP_MEASURE_FIRST_BLOCK + 1u + ((class) - TP_CLASS_FIRST_BLOCK))
#define TP_WRAPPED_MEASURES TP_MEASURE_BLOCKED_BY(TP_CLASS_COUNTED)
// Stands in place of a measure if there is none.
#define TP_MEASURE_NONE UINT32_MAX

// Measures of TP_SPACE_PEAK, each with a value of each input (peaks.h): the peak of a start function in
// thousandths of goroutines; that of all goroutines, under the function with most of them; and
// beside that the width of the buckets in ns.
enum tp_peak_measure { TP_PEAK_OF_FUNCTION, TP_PEAK_OF_ALL, TP_PEAK_WIDTH, TP_PEAK_MEASURES };

// Whether groups of this space have measures from TP_MEASURE_FIRST_BLOCK on, so that their numbers
// depend on who numbers the reasons of blocking.
TP_INLINE bool tp_has_reasons(enum tp_durations_space space)
{
    return space == TP_SPACE_GOROUTINE || space == TP_SPACE_UNNAMED || space == TP_SPACE_WAKE;
}

// The count and sum of cut durations: those that began before the trace or ended after it, so that
// only their part within the trace is known.
struct tp_dist_cut {
    uint64_t count;
    tp_wide ns;
};

// Distribution of durations, in nanoseconds. Cut durations are in `cut` only. tp_dist_fini frees
// what it owns.
struct tp_dist {
    tp_wide total_ns;
    uint64_t count;
    uint64_t max_ns;
    uint64_t max_at;         // when the longest began (moment.h); 0 if max_ns is
    struct tp_hist hist;     // of the `count` durations; tp_dist_add_sum adds none to it
    struct tp_dist_cut *cut; // owned; NULL: no cut durations
};
_Static_assert(sizeof(struct tp_dist) <= TP_CACHE_LINE, "one cache line");

// Returns the number of cut durations.
TP_INLINE uint64_t tp_dist_cut_count(const struct tp_dist *d)
{
    return d->cut != NULL ? d->cut->count : 0;
}
// Returns the total time of the cut durations, in ns.
TP_INLINE tp_wide tp_dist_cut_ns(const struct tp_dist *d)
{
    return d->cut != NULL ? d->cut->ns : 0;
}
// Returns the number of all durations, including cut ones.
TP_INLINE tp_wide tp_dist_all_count(const struct tp_dist *d)
{
    return (tp_wide)d->count + tp_dist_cut_count(d);
}
// Returns the total time of all durations, including cut ones, in ns.
TP_INLINE tp_wide tp_dist_all_ns(const struct tp_dist *d)
{
    return tp_wide_add(d->total_ns, tp_dist_cut_ns(d));
}

// Makes a duration that began at this moment the longest if it is, by the rule of moment.h.
TP_INLINE void tp_dist_raise(struct tp_dist *d, uint64_t ns, uint64_t at)
{
    if (ns > d->max_ns || (ns == d->max_ns && ns > 0 && at < d->max_at)) {
        d->max_ns = ns;
        d->max_at = at;
    }
}
// Adds an uncut duration that began at `at`: to `count`, `total_ns` and the longest, but not to the
// histogram. Cannot fail.
TP_INLINE void tp_dist_add_total(struct tp_dist *d, uint64_t ns, uint64_t at)
{
    d->count++;
    d->total_ns += ns;
    if (tp_unlikely(ns >= d->max_ns))
        tp_dist_raise(d, ns, at);
}
// Turns the time at which the longest began, which is on the clock of the trace, into a moment.
TP_INLINE void tp_dist_place(struct tp_dist *d, const struct tp_trace_zero *zero)
{
    if (d->max_ns > 0 && d->max_at != TP_NO_MOMENT)
        d->max_at = tp_as_moment((int64_t)d->max_at, zero);
}
// Adds `count` uncut durations of which only the sum is known: to `count` and `total_ns` only.
TP_INLINE void tp_dist_add_sum(struct tp_dist *d, uint64_t count, tp_wide total_ns)
{
    d->count += count;
    d->total_ns = tp_wide_add(d->total_ns, total_ns);
}
// Functions of distributions that return bool return false only if memory is out.

// Adds an uncut duration that began at `at`. After a failure only the histogram lacks it.
TP_INLINE TP_MUST_USE bool tp_dist_add(struct tp_dist *d, uint64_t ns, uint64_t at)
{
    tp_dist_add_total(d, ns, at);
    return tp_hist_add(&d->hist, ns);
}
// Returns the distribution of one uncut duration that began at `at`; there is nothing to free.
TP_INLINE struct tp_dist tp_dist_of_one(uint64_t ns, uint64_t at)
{
    struct tp_dist d = {.count = 0};
    bool fits = tp_dist_add(&d, ns, at); // the first bucket lies in the struct
    assert(fits);
    return d;
}
// Adds `count` cut durations with a sum of `ns`. After a failure nothing has changed.
bool tp_dist_add_cut(struct tp_dist *d, uint64_t count, tp_wide ns) TP_MUST_USE;
// Adds all durations of `from`. After a failure `into` may have a part of them.
bool tp_dist_merge(struct tp_dist *into, const struct tp_dist *from) TP_MUST_USE;
// Returns the least duration in ns that `thousandths` / 1000 of the durations do not exceed, with
// an error of at most 1 part in 128; 0 if there are no durations.
uint64_t tp_dist_quantile_ns(const struct tp_dist *d, unsigned thousandths);
// Frees the memory of the members; the distribution is then empty and can be used again.
void tp_dist_fini(struct tp_dist *d);

// Distributions of measures below this limit are found by index in an array, those of other
// measures by a map. The runtime has approximately fifty reasons for blocking, so only artificial
// traces have measures above the limit.
#define TP_DURATIONS_NEAR_MEASURES 128

// The distributions of a group for measures from TP_DURATIONS_NEAR_MEASURES on.
struct tp_durations_far {
    TP_SLAB(struct tp_durations_far_dist {
        uint32_t measure;
        struct tp_dist *dist;
    }); // the id is the measure; slots in the order of first use
};

// All distributions of one name in one space. They belong to the struct tp_durations. Adding a
// group may move the other groups, but never their distributions.
struct tp_durations_group {
    uint32_t space;          // enum tp_durations_space
    uint32_t name;           // numbered by the owner of the durations
    uint32_t dist_count;     // length of `dists`; 0: the group is empty, `far` is NULL, too
    struct tp_dist **dists;  // by measure; an item is NULL if nothing was added
    struct tp_durations_far *far; // of measures from the limit on; NULL: none
    // Says where the time of tasks or regions went, without cut ones; owned. NULL: there are none.
    struct tp_breakdown *breakdown;
};

// Returned in place of the index of a group, or of the number of a name, if memory is out.
#define TP_DURATIONS_NONE TP_INDEX_NONE

struct tp_durations_dists; // one allocation of several distributions

// All durations of one owner. Owns its groups and their distributions.
struct tp_durations {
    // Groups, and their index by space and name.
    struct tp_index by_key;
    TP_LIST(struct tp_durations_group) groups;
    // The distributions of all groups, and unused ones for later groups.
    uint32_t dist_count;          // number of distributions in use
    uint32_t made_dist_count;     // number of allocated distributions, used or not
    struct tp_durations_dists *dists; // list of all allocations
    struct tp_dist *free_dists;   // list of unused ones; each begins with a pointer to the next
    uint32_t breakdown_count;     // number of groups with a breakdown
    uint32_t breakdown_row_count; // number of rows of these breakdowns
    size_t hist_bytes;            // memory of all histograms (tp_hist_bytes)
    bool is_quick;                // form of all its histograms; set before the first duration
    uint32_t found[TP_SPACES];    // by space: what tp_durations_group_of last found; may be stale
};

// Removes all groups. Keeps the list of groups and the structs of distributions for reuse, and
// frees the histograms.
void tp_durations_clear(struct tp_durations *l);
// Frees everything; accepts a zeroed struct. The struct is then empty.
void tp_durations_fini(struct tp_durations *l);
// Returns the approximate memory in bytes.
size_t tp_durations_bytes(const struct tp_durations *l);

// Returns the index of the group of this space and name, creating it if needed. The index is valid
// until tp_durations_clear or tp_durations_renumber. TP_DURATIONS_NONE: no memory, and no group was
// added.
uint32_t tp_durations_group_of(struct tp_durations *l, enum tp_durations_space space,
                               uint32_t name) TP_MUST_USE;

// Whether an index, which may be stale, is that of the group of this space and name.
TP_INLINE bool tp_durations_group_is(const struct tp_durations *l, uint32_t idx,
                                     enum tp_durations_space space, uint32_t name)
{
    return idx < l->groups.count && l->groups.items[idx].name == name &&
           l->groups.items[idx].space == space;
}
// Does the same as tp_durations_group_of, but fast if *likely, an index that may be stale or of
// another group, is that of the group. Sets *likely to the index.
TP_INLINE TP_MUST_USE uint32_t tp_durations_group_likely(struct tp_durations *l,
                                                         enum tp_durations_space space,
                                                         uint32_t name, uint32_t *likely)
{
    if (tp_unlikely(!tp_durations_group_is(l, *likely, space, name)))
        *likely = tp_durations_group_of(l, space, name);
    return *likely;
}
// Does the same as tp_durations_group_of, but fast for the group that tp_durations_group_of last
// found in the space.
TP_INLINE TP_MUST_USE uint32_t tp_durations_group_again(struct tp_durations *l,
                                                        enum tp_durations_space space,
                                                        uint32_t name)
{
    return tp_durations_group_likely(l, space, name, &l->found[space]);
}

// Returns the index of the group of this space and name; TP_DURATIONS_NONE: there is none.
uint32_t tp_durations_find_group(const struct tp_durations *l, enum tp_durations_space space,
                                 uint32_t name);
// Returns the distribution of this space, name and measure, borrowed as that of
// tp_durations_make_dist. NULL: there is none.
const struct tp_dist *tp_durations_find(const struct tp_durations *l, enum tp_durations_space space,
                                        uint32_t name, uint32_t measure);

// Returns the group's distribution of a measure, creating it if needed. `group` is an index. The
// distribution is borrowed until tp_durations_clear, tp_durations_fini, or until
// tp_durations_move_group empties the group. NULL: no memory.
struct tp_dist *tp_durations_make_dist(struct tp_durations *l, uint32_t group,
                                       uint32_t measure) TP_MUST_USE;

// Does the same as tp_durations_make_dist, but inlined for distributions that exist in `dists`.
TP_INLINE struct tp_dist *tp_durations_dist(struct tp_durations *l, uint32_t group,
                                            uint32_t measure)
{
    const struct tp_durations_group *g = &l->groups.items[group];
    if (tp_likely(measure < g->dist_count && g->dists[measure] != NULL))
        return g->dists[measure];
    return tp_durations_make_dist(l, group, measure);
}

// Code that adds to a histogram of `l` counts the memory by which the histogram grows, too, in
// l->hist_bytes (tp_hist_add_measured); the next two functions do so. False: no memory.
//
// Adds an uncut duration that began at `at`, and to *hist_bytes by how much the histogram grows.
TP_INLINE TP_MUST_USE bool tp_dist_add_measured(struct tp_dist *d, uint64_t ns, uint64_t at,
                                                size_t *hist_bytes)
{
    unsigned bucket = tp_hist_bucket(ns);
    uint16_t *low = tp_hist_low(&d->hist, bucket);
    tp_dist_add_total(d, ns, at);
    if (tp_unlikely(low == NULL))
        return tp_hist_add_here(&d->hist, bucket) ||
               tp_hist_add_measured(&d->hist, bucket, 1, hist_bytes);
    return tp_likely(++*low != 0) || tp_hist_carry(&d->hist, bucket);
}
// Adds a duration that began at `at` to a distribution of `l`; a cut one changes only the member `cut`.
TP_INLINE TP_MUST_USE bool tp_durations_add(struct tp_durations *l, struct tp_dist *d, uint64_t ns,
                                            uint64_t at, bool is_cut)
{
    return tp_unlikely(is_cut) ? tp_dist_add_cut(d, 1, ns)
                               : tp_dist_add_measured(d, ns, at, &l->hist_bytes);
}
// Adds all durations of another distribution to one of `l`.
bool tp_durations_add_dist(struct tp_durations *l, struct tp_dist *into,
                           const struct tp_dist *from) TP_MUST_USE;

// Walks the distributions of a group: first those in `dists`, in the order of their measures, then
// those in `far`. Initialize with {.group = ...}. Borrows the group, which must not change during
// the walk.
struct tp_durations_walk {
    const struct tp_durations_group *group;
    uint32_t next;        // position of the walk, for tp_durations_walk_next only
    uint32_t measure;     // result
    struct tp_dist *dist; // result; never NULL
};
// Moves to the next distribution and sets `measure` and `dist`. False: there is no further one.
bool tp_durations_walk_next(struct tp_durations_walk *walk);

// Adds a duration of `ns` that began at `at`, by `measure`, to the group of this kind (`space`) and
// name, and creates the group if needed. `is_cut`: the duration began before the trace, or ended after
// it. False: no memory.
bool tp_durations_record(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                         uint32_t measure, uint64_t ns, uint64_t at, bool is_cut) TP_MUST_USE;
// Does the same as tp_durations_record for `count` durations of which only the sum is known:
// changes count and total, but neither histogram nor maximum. False: no memory, and nothing was
// recorded.
bool tp_durations_record_sum(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                             uint32_t measure, uint64_t count, tp_wide total_ns) TP_MUST_USE;
// Returns the distribution of measure 0 of the group of this space and name, if the group is the
// one that was looked up last in its space, and else NULL.
TP_INLINE struct tp_dist *tp_durations_dist_again(const struct tp_durations *l,
                                                  enum tp_durations_space space, uint32_t name)
{
    uint32_t found = l->found[space];
    if (tp_unlikely(!tp_durations_group_is(l, found, space, name)))
        return NULL;
    const struct tp_durations_group *g = &l->groups.items[found];
    return tp_likely(g->dist_count > 0) ? g->dists[0] : NULL;
}
// Does the same as tp_durations_record for measure 0. Fast if the group is mostly the one that was
// looked up last in its space.
TP_INLINE TP_MUST_USE bool tp_durations_record_again(struct tp_durations *l,
                                                     enum tp_durations_space space, uint32_t name,
                                                     uint64_t ns, uint64_t at, bool is_cut)
{
    struct tp_dist *d = tp_durations_dist_again(l, space, name);
    return tp_likely(d != NULL) ? tp_durations_add(l, d, ns, at, is_cut)
                                : tp_durations_record(l, space, name, 0, ns, at, is_cut);
}

// Returns the breakdown of a group, creating it if needed. `group` is an index. NULL: no memory.
// Call the second function when rows may have been added to it, with the number of rows before.
struct tp_breakdown *tp_durations_make_breakdown(struct tp_durations *l,
                                                 uint32_t group) TP_MUST_USE;
TP_INLINE void tp_durations_count_rows(struct tp_durations *l, const struct tp_breakdown *b,
                                       uint32_t before)
{
    l->breakdown_row_count += b->rows.count - before;
}
// A row of a breakdown, to which a caller adds a sum later. The breakdown is borrowed until its
// group is emptied.
struct tp_durations_row {
    struct tp_breakdown *of;
    uint32_t number; // in of->rows
};
// Returns the sum of a row. Valid until the next row is added to its breakdown.
TP_INLINE struct tp_breakdown_sum *tp_durations_row_sum(const struct tp_durations_row *row)
{
    return &row->of->rows.items[row->number];
}
// Finds the row of a bucket in the breakdown of the group of this space and name, creating the
// group, the breakdown and the row if they are missing. False: no memory.
bool tp_durations_find_row(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                           unsigned bucket, struct tp_durations_row *ret) TP_MUST_USE;

// Functions that translate the numbers of names and measures when durations `from` are added to
// durations `into`: they return the number that the same name or measure has in `into`. They may be
// called repeatedly for the same number, and return TP_DURATIONS_NONE if memory is out. Borrowed
// during the call.
struct tp_durations_words {
    uint32_t (*name)(void *ctx, enum tp_durations_space space, uint32_t name);
    // Called only for measures of spaces that have reasons of blocking (tp_has_reasons). NULL:
    // `from` and `into` number their measures alike.
    uint32_t (*measure)(void *ctx, uint32_t measure);
    void *ctx;
};
// Adds the durations of all groups of `from` except those of TP_SPACE_UNNAMED. Keeps no pointer to
// `from`. False: no memory; `into` may have a part of them.
bool tp_durations_merge(struct tp_durations *into, const struct tp_durations *from,
                        const struct tp_durations_words *words) TP_MUST_USE;
// Frees the distributions of all groups of this space; the groups remain, and are empty. Cannot
// fail.
void tp_durations_empty_space(struct tp_durations *l, enum tp_durations_space space);
// Turns the times of all longest durations, which are on the clock of the trace, into moments. Cannot
// fail.
void tp_durations_place(struct tp_durations *l, const struct tp_trace_zero *zero);
// Calls `number` to renumber the name of each group except those of TP_SPACE_UNNAMED. Different
// names of a space must get different numbers. Drops empty groups, so indices of groups become
// invalid. Cannot fail.
void tp_durations_renumber(struct tp_durations *l,
                           void (*number)(void *ctx, enum tp_durations_space space, uint32_t *name),
                           void *ctx);
// Adds the durations of `from` to the group of this space and name. Uses only `measure` of `words`.
// False: no memory.
bool tp_durations_merge_group(struct tp_durations *into, enum tp_durations_space space,
                              uint32_t name, const struct tp_durations_group *from,
                              const struct tp_durations_words *words) TP_MUST_USE;
// Adds the durations of group number `group` of `from` to the group of this space and name, and
// empties the former, which remains as a group. `into` may be `from` itself, else both must have
// the same measures. False: no memory; the emptied group's durations are lost in part.
bool tp_durations_move_group(struct tp_durations *into, enum tp_durations_space space,
                             uint32_t name, struct tp_durations *from, uint32_t group) TP_MUST_USE;

#endif
