// Durations by kind and name. `stats` keeps them for a partial, for an input, and for the run.
// All three use this struct; they differ in what a name's number means (see `names` of the
// struct that owns the durations).
//
//   durations ─▶ group (space, name) ─▶ one distribution for each measure
//
// Everything in it is a sum of integers, so durations add up exactly, in any order and
// grouping. One thread at a time uses it; zeroed is empty.
#ifndef TP_STATS_DURATIONS_H
#define TP_STATS_DURATIONS_H

#include "base/histogram.h"
#include "base/list.h"
#include "base/map.h"
#include "base/slots.h"
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

// Measures of goroutines. Measures of blocking follow, one for each reason. Groups of coarse
// stacks use tp_coarse_measure (stack_limit.h); groups of other spaces have one measure, 0.
// X(MEASURE, name)
#define TP_MEASURES(X)                                                                  \
    X(RUN, "running")          /* from being scheduled to giving up the P */            \
    X(SCHED, "scheduling")     /* from being runnable to running */                     \
    X(SYSCALL, "syscall")                                                               \
    X(LIFE, "lifetime")        /* from creation to end */

enum tp_measure {
#define TP_X(measure, name) TP_MEASURE_##measure,
    TP_MEASURES(TP_X)
#undef TP_X
    TP_MEASURE_FIRST_BLOCK // + number of the reason
};
#define TP_MEASURE_NONE UINT32_MAX

// Durations that had begun before the trace or had not ended with it: their lengths are not known.
struct tp_dist_cut {
    uint64_t count;
    tp_wide ns;
};

// Durations, in nanoseconds. Those that are cut are in `cut` and nowhere else.
struct tp_dist {
    tp_wide total_ns;
    uint64_t count;
    uint64_t max_ns;
    struct tp_hist hist;     // of `count` durations
    struct tp_dist_cut *cut; // owned; NULL: there are none
};
_Static_assert(sizeof(struct tp_dist) == 64, "one cache line");

// Number and total time of the cut durations.
TP_INLINE uint64_t tp_dist_cut_count(const struct tp_dist *d)
{
    return d->cut != NULL ? d->cut->count : 0;
}
TP_INLINE tp_wide tp_dist_cut_ns(const struct tp_dist *d)
{
    return d->cut != NULL ? d->cut->ns : 0;
}
// Number and total time of all durations, cut ones too.
TP_INLINE tp_wide tp_dist_all_count(const struct tp_dist *d)
{
    return (tp_wide)d->count + tp_dist_cut_count(d);
}
TP_INLINE tp_wide tp_dist_all_ns(const struct tp_dist *d)
{
    return tp_wide_add(d->total_ns, tp_dist_cut_ns(d));
}

// Adds a duration that is not cut, but not to the histogram.
TP_INLINE void tp_dist_add_total(struct tp_dist *d, uint64_t ns)
{
    d->count++;
    d->total_ns += ns;
    d->max_ns = ns > d->max_ns ? ns : d->max_ns;
}
// The functions below that return bool: false, out of memory.
TP_INLINE TP_MUST_USE bool tp_dist_add(struct tp_dist *d, uint64_t ns)
{
    tp_dist_add_total(d, ns);
    return tp_hist_add(&d->hist, ns);
}
// Adds `count` cut durations of `ns` in total.
bool tp_dist_add_cut(struct tp_dist *d, uint64_t count, tp_wide ns) TP_MUST_USE;
// After a failure `into` may hold a part of `from`.
bool tp_dist_merge(struct tp_dist *into, const struct tp_dist *from) TP_MUST_USE;
// Adds a duration, cut or not; a cut one changes nothing but `cut`.
TP_INLINE TP_MUST_USE bool tp_dist_add_either(struct tp_dist *d, uint64_t ns, bool is_cut)
{
    return is_cut ? tp_dist_add_cut(d, 1, ns) : tp_dist_add(d, ns);
}
void tp_dist_fini(struct tp_dist *d); // empty again

// Measures below this are found by index. The runtime has some fifty reasons; only a made-up
// trace has more, and a group takes memory only for those of them that it uses.
#define TP_DURATIONS_NEAR_MEASURES 128

// The distributions of a group with larger measures, found by a map.
struct tp_durations_far {
    struct tp_map by_measure;
    TP_LIST(struct tp_durations_far_dist {
        uint32_t measure;
        struct tp_dist *dist;
    }) items;                // in the order of their first use
};

// All distributions of one name in one space.
struct tp_durations_group {
    uint32_t space;          // enum tp_durations_space
    uint32_t name;           // numbered by the owner of the durations
    uint32_t dist_count;     // length of `dists`; 0: there are no far ones either
    struct tp_dist **dists;  // by measure; NULL where nothing was added
    struct tp_durations_far *far; // NULL: there are none
};

#define TP_DURATIONS_NONE UINT32_MAX

struct tp_durations_dists; // several distributions in one allocation

struct tp_durations {
    struct tp_slots by_key;
    struct tp_durations_group *groups;
    uint32_t group_count;
    uint32_t group_capacity;
    uint32_t dist_count;          // of all groups
    uint32_t made_dist_count;     // free ones included
    struct tp_durations_dists *dists; // all that were made
    struct tp_dist *free_dists;   // the first bytes of each are a pointer to the next
    bool is_quick;                // of all its histograms; set before the first is made
    struct tp_durations_found {
        uint32_t name;
        uint32_t group_plus_1; // 0: none
    } found[TP_SPACES];        // the last group looked up, by space
};

void tp_durations_clear(struct tp_durations *l); // keeps memory of groups and distributions
void tp_durations_fini(struct tp_durations *l);
// Approximate memory in bytes: each histogram counts as a few buckets.
size_t tp_durations_bytes(const struct tp_durations *l);

// Index of the group, which is made if needed; valid until tp_durations_clear or _renumber.
// TP_DURATIONS_NONE: out of memory.
uint32_t tp_durations_group_of(struct tp_durations *l, enum tp_durations_space space,
                               uint32_t name) TP_MUST_USE;

// The distribution of a measure, made if needed. NULL: out of memory.
struct tp_dist *tp_durations_make_dist(struct tp_durations *l, uint32_t group,
                                       uint32_t measure) TP_MUST_USE;

// As tp_durations_make_dist, inlined for distributions that exist.
TP_INLINE struct tp_dist *tp_durations_dist(struct tp_durations *l, uint32_t group,
                                            uint32_t measure)
{
    const struct tp_durations_group *g = &l->groups[group];
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
// False: there is no further distribution.
bool tp_durations_walk_next(struct tp_durations_walk *walk);

// Adds a duration to the group with this name. False: out of memory.
bool tp_durations_record(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                         uint32_t measure, uint64_t ns, bool is_cut) TP_MUST_USE;
// As tp_durations_record for measure 0; fast if the group is mostly the last one of its space.
TP_INLINE TP_MUST_USE bool tp_durations_record_again(struct tp_durations *l,
                                                     enum tp_durations_space space, uint32_t name,
                                                     uint64_t ns, bool is_cut)
{
    const struct tp_durations_found *f = &l->found[space];
    if (tp_unlikely(f->name != name || f->group_plus_1 == 0))
        return tp_durations_record(l, space, name, 0, ns, is_cut);
    const struct tp_durations_group *g = &l->groups[f->group_plus_1 - 1];
    if (tp_unlikely(g->dist_count == 0 || g->dists[0] == NULL))
        return tp_durations_record(l, space, name, 0, ns, is_cut);
    return tp_dist_add_either(g->dists[0], ns, is_cut);
}

// Translates numbers of one durations to those of another. The functions may be called often for
// the same number; they return TP_DURATIONS_NONE when out of memory.
struct tp_durations_words {
    uint32_t (*name)(void *ctx, enum tp_durations_space space, uint32_t name);
    uint32_t (*measure)(void *ctx, uint32_t measure); // of goroutines; NULL: the same numbers
    void *ctx;
};
// Adds all groups except those of TP_SPACE_UNNAMED. False: out of memory.
bool tp_durations_merge(struct tp_durations *into, const struct tp_durations *from,
                        const struct tp_durations_words *words) TP_MUST_USE;
// Renumbers the names of all groups except those of TP_SPACE_UNNAMED; `number` keeps different
// names different. Empty groups are dropped, so the indices of others change.
void tp_durations_renumber(struct tp_durations *l, void (*number)(void *ctx, uint32_t *name),
                           void *ctx);
// Adds one group of a goroutine to another; of `words`, only `measure` is used.
bool tp_durations_merge_group(struct tp_durations *into, enum tp_durations_space space,
                              uint32_t name, const struct tp_durations_group *from,
                              const struct tp_durations_words *words) TP_MUST_USE;
// Moves the distributions of a group to another one, of the same durations or of one with the
// same measures. The emptied group stays. False: out of memory.
bool tp_durations_move_group(struct tp_durations *into, enum tp_durations_space space,
                             uint32_t name, struct tp_durations *from, uint32_t group) TP_MUST_USE;

#endif
