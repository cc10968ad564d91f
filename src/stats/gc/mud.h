// A distribution of time over mutator utilisation, made of uniform densities and single
// masses that are added one by one (mmu.h uses it). Meanwhile it knows roughly, from a
// histogram of 1024 buckets, below which utilisation a given mass lies.
//
// Sums the same doubles in the same order as Go's `mud`, so that results are equal to
// the last bit. Belongs to one thread at a time.
#ifndef TP_STATS_GC_MUD_H
#define TP_STATS_GC_MUD_H

#include "base/err.h"

#define TP_MUD_BUCKETS 1024

struct tp_mud_edge {
    double at;      // utilisation where the density
    double density; // rises by this,
    double mass;    // and where this much time has just this utilisation
};

struct tp_mud {
    struct tp_mud_edge *edges;
    size_t edge_count;
    size_t edge_capacity;
    bool is_sorted;
    double tracked_mass;
    size_t tracked_bucket; // where the tracked mass lies; TP_MUD_BUCKETS: not reached
    double sum_below;      // mass below the tracked bucket
    double histogram[TP_MUD_BUCKETS];
};

// Zeroed is an empty one that holds no memory; fini makes it that again.
void tp_mud_fini(struct tp_mud *d);
// Empties it, keeps its memory, and tracks another mass.
void tp_mud_reset(struct tp_mud *d, double tracked_mass);

// Time `mass` spread evenly from one utilisation to the other; the same twice: all at
// this one. False: out of memory.
bool tp_mud_add(struct tp_mud *d, double from, double to, double mass) TP_MUST_USE;

// False: less than the tracked mass was added. Else it lies below *ret_bound.
bool tp_mud_tracked_bound(const struct tp_mud *d, double *ret_bound);

// The least utilisation up to which there is `mass`; the greatest of all if there is
// less. False: it is empty.
bool tp_mud_utilisation_at(struct tp_mud *d, double mass, double *ret_utilisation);

#endif
