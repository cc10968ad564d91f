// Durations by kind and name. `stats` keeps them for a partial, for an input, and for the run.
// All three use this struct, but number names in different ways: see `names` of the struct
// that owns the durations.
//
//   durations ─▶ group (space, name) ─▶ one distribution for each measure
//
// All values are sums of integers, so durations add up exactly, in any order and grouping. Not
// thread-safe; a zeroed struct is empty.
#ifndef TP_STATS_DURATIONS_H
#define TP_STATS_DURATIONS_H

#include "base/histogram.h"
#include "base/index.h"
#include "base/list.h"
#include "base/slab.h"
#include "base/wide.h"

// Kinds of groups. X(SPACE, name)
#define TP_DURATIONS_SPACES(X)                                                          \
    X(GOROUTINE, "goroutine") /* by start function; see TP_MEASURES */                  \
    X(TASK, "task")           /* by name */                                             \
    X(REGION, "region")       /* by name */                                             \
    X(PAUSE, "pause")         /* the world stopped; by reason */                        \
    X(MARK, "mark")           /* GC cycles, their concurrent part */                    \
    X(ASSIST, "assist")       /* goroutines helping to mark */                          \
    X(SWEEP, "sweep")         /* Ps sweeping */                                         \
    X(LOG, "log")             /* by category; counted only */                           \
    X(COARSE, "coarse_stack") /* stacks that are not kept; see stack_limit.h */         \
    X(UNNAMED, "")            /* goroutines without a name yet; see fold/stitch.h */

enum tp_durations_space {
#define TP_X(space, name) TP_SPACE_##space,
    TP_DURATIONS_SPACES(TP_X)
#undef TP_X
    TP_SPACES
};

// Measures of goroutines; measures of blocking follow them, one for each reason. Groups of
// coarse stacks use tp_coarse_measure (stack_limit.h). Groups of other spaces have only
// measure 0. X(MEASURE, name)
#define TP_MEASURES(X)                                                                  \
    X(RUN, "running")          /* from being scheduled to giving up the P */            \
    X(SCHED, "scheduling")     /* from being runnable to running */                     \
    X(SYSCALL, "syscall")                                                               \
    X(LIFE, "lifetime")        /* from creation to end */

// Numbers of measures; TP_MEASURE_FIRST_BLOCK + i is that of being blocked for reason i.
enum tp_measure {
#define TP_X(measure, name) TP_MEASURE_##measure,
    TP_MEASURES(TP_X)
#undef TP_X
    TP_MEASURE_FIRST_BLOCK // + number of the reason
};
// No measure has this number.
#define TP_MEASURE_NONE UINT32_MAX

// Sum of durations whose begin precedes the trace or whose end follows it, so that their full
// lengths are unknown.
struct tp_dist_cut {
    uint64_t count;
    tp_wide ns;
};

// Distribution of durations, in nanoseconds. Cut durations are counted only in `cut`.
struct tp_dist {
    tp_wide total_ns;
    uint64_t count;
    uint64_t max_ns;
    struct tp_hist hist;     // of `count` durations
    struct tp_dist_cut *cut; // owned; NULL: no cut durations
};
_Static_assert(sizeof(struct tp_dist) == 64, "one cache line");

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

// Adds a duration that is not cut to all members except the histogram. Cannot fail.
TP_INLINE void tp_dist_add_total(struct tp_dist *d, uint64_t ns)
{
    d->count++;
    d->total_ns += ns;
    d->max_ns = ns > d->max_ns ? ns : d->max_ns;
}
// The functions of distributions that return bool return false only if memory is out.

// Adds a duration that is not cut. After a failure all members but the histogram have it.
TP_INLINE TP_MUST_USE bool tp_dist_add(struct tp_dist *d, uint64_t ns)
{
    tp_dist_add_total(d, ns);
    return tp_hist_add(&d->hist, ns);
}
// Adds `count` cut durations of `ns` in total.
bool tp_dist_add_cut(struct tp_dist *d, uint64_t count, tp_wide ns) TP_MUST_USE;
// Adds all durations of `from`. After a failure `into` may have a part of them.
bool tp_dist_merge(struct tp_dist *into, const struct tp_dist *from) TP_MUST_USE;
// Adds a duration. A cut one changes only `cut`.
TP_INLINE TP_MUST_USE bool tp_dist_add_either(struct tp_dist *d, uint64_t ns, bool is_cut)
{
    return is_cut ? tp_dist_add_cut(d, 1, ns) : tp_dist_add(d, ns);
}
// Frees the memory of the members; the distribution is then empty.
void tp_dist_fini(struct tp_dist *d);

// Measures below this limit are found by index. The runtime has approximately fifty reasons;
// only an artificial trace has more, and a group uses memory only for those that it has.
#define TP_DURATIONS_NEAR_MEASURES 128

// The distributions of a group with larger measures, found by a map.
struct tp_durations_far {
    TP_SLAB(struct tp_durations_far_dist {
        uint32_t measure;
        struct tp_dist *dist;
    }); // by measure, in the order of their first use
};

// All distributions of one name in one space. The distributions belong to the durations; a group
// moves when others are added, its distributions do not.
struct tp_durations_group {
    uint32_t space;          // enum tp_durations_space
    uint32_t name;           // numbered by the owner of the durations
    uint32_t dist_count;     // length of `dists`; 0: no far distributions either
    struct tp_dist **dists;  // by measure; NULL: nothing was added
    struct tp_durations_far *far; // NULL: no far distributions
};

// The value in place of a group's index, or of a name's number, if memory is out.
#define TP_DURATIONS_NONE TP_INDEX_NONE

struct tp_durations_dists; // several distributions in one allocation

// All durations of one owner. Owns its groups and their distributions.
struct tp_durations {
    // Groups, and their index by space and name.
    struct tp_index by_key;
    TP_LIST(struct tp_durations_group) groups;
    // Distributions of all groups, and free ones, which later groups take.
    uint32_t dist_count;          // of all groups
    uint32_t made_dist_count;     // number of allocated ones, including free ones
    struct tp_durations_dists *dists; // list of all allocations
    struct tp_dist *free_dists;   // a list; each begins with a pointer to the next
    bool is_quick;                // mode of all its histograms; set before the first is created
    uint32_t found[TP_SPACES];    // the last group looked up, by space, if there is one
};

// Removes all groups; keeps the memory of groups and distributions for later ones.
void tp_durations_clear(struct tp_durations *l);
// Frees everything; zeroed durations are fine.
void tp_durations_fini(struct tp_durations *l);
// Returns the approximate memory in bytes; counts each histogram as a few buckets.
size_t tp_durations_bytes(const struct tp_durations *l);

// Returns the index of the group, which is created if needed. The index is valid until
// tp_durations_clear or tp_durations_renumber. TP_DURATIONS_NONE: no memory.
uint32_t tp_durations_group_of(struct tp_durations *l, enum tp_durations_space space,
                               uint32_t name) TP_MUST_USE;

// Returns the distribution of a measure, creating it if needed. Valid until tp_durations_clear, or
// until the group is moved. NULL: no memory.
struct tp_dist *tp_durations_make_dist(struct tp_durations *l, uint32_t group,
                                       uint32_t measure) TP_MUST_USE;

// As tp_durations_make_dist, inlined for distributions that exist.
TP_INLINE struct tp_dist *tp_durations_dist(struct tp_durations *l, uint32_t group,
                                            uint32_t measure)
{
    const struct tp_durations_group *g = &l->groups.items[group];
    if (tp_likely(measure < g->dist_count && g->dists[measure] != NULL))
        return g->dists[measure];
    return tp_durations_make_dist(l, group, measure);
}

// Walks the distributions of a group: near ones by measure, then far ones. Begin with
// {.group = ...}.
struct tp_durations_walk {
    const struct tp_durations_group *group;
    uint32_t next;        // position of the walk
    uint32_t measure;     // result
    struct tp_dist *dist; // result; never NULL
};
// Moves to the next distribution and sets the results. False: there is no further distribution.
bool tp_durations_walk_next(struct tp_durations_walk *walk);

// Adds a duration to the group with this name. False: no memory.
bool tp_durations_record(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                         uint32_t measure, uint64_t ns, bool is_cut) TP_MUST_USE;
// Adds the sum of `count` durations to the group, without the single ones: its distribution then
// has no histogram. False: no memory.
bool tp_durations_record_sum(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                             uint32_t measure, uint64_t count, tp_wide total_ns) TP_MUST_USE;
// As tp_durations_record for measure 0; fast if the group is mostly the last one of its space.
TP_INLINE TP_MUST_USE bool tp_durations_record_again(struct tp_durations *l,
                                                     enum tp_durations_space space, uint32_t name,
                                                     uint64_t ns, bool is_cut)
{
    uint32_t found = l->found[space];
    if (tp_unlikely(found >= l->groups.count))
        return tp_durations_record(l, space, name, 0, ns, is_cut);
    const struct tp_durations_group *g = &l->groups.items[found];
    if (tp_unlikely(g->name != name || g->space != space || g->dist_count == 0 ||
                    g->dists[0] == NULL))
        return tp_durations_record(l, space, name, 0, ns, is_cut);
    return tp_dist_add_either(g->dists[0], ns, is_cut);
}

// Translates numbers of one `struct tp_durations` to those of another. The functions may be
// called repeatedly for the same number; they return TP_DURATIONS_NONE without memory.
struct tp_durations_words {
    uint32_t (*name)(void *ctx, enum tp_durations_space space, uint32_t name);
    // Translates measures of goroutines only. NULL: both have the same measures.
    uint32_t (*measure)(void *ctx, uint32_t measure);
    void *ctx;
};
// Adds copies of all groups except those of TP_SPACE_UNNAMED. False: no memory; `into` may have a
// part of them.
bool tp_durations_merge(struct tp_durations *into, const struct tp_durations *from,
                        const struct tp_durations_words *words) TP_MUST_USE;
// Renumbers the names of all groups except those of TP_SPACE_UNNAMED; `number` must give
// different names different numbers. Drops empty groups, so the indices of others change.
void tp_durations_renumber(struct tp_durations *l, void (*number)(void *ctx, uint32_t *name),
                           void *ctx);
// Adds a copy of a group of goroutines to the group of this space and name; uses only `measure` of
// `words`. False: no memory.
bool tp_durations_merge_group(struct tp_durations *into, enum tp_durations_space space,
                              uint32_t name, const struct tp_durations_group *from,
                              const struct tp_durations_words *words) TP_MUST_USE;
// Moves the distributions of a group to another one, of the same durations or of others with
// the same measures. The emptied group remains. False: no memory.
bool tp_durations_move_group(struct tp_durations *into, enum tp_durations_space space,
                             uint32_t name, struct tp_durations *from, uint32_t group) TP_MUST_USE;

#endif
