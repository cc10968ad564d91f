// A distribution of time over mutator utilisation: a sum of uniform densities and point
// masses, added one by one (mmu.h uses it). While they are added, a histogram of 1024
// buckets gives an upper bound of the utilisation below which a given mass lies.
//
// Adds the same doubles in the same order as Go's `mud`, so that results are equal to
// the last bit. Masses are times in ns, utilisation is 0 to 1. One thread at a time may use a
// distribution.
#ifndef TP_STATS_GC_MUD_H
#define TP_STATS_GC_MUD_H

#include "base/list.h"

// Buckets of the histogram, as in Go.
#define TP_MUD_BUCKETS 1024

// A change of the density, and a point mass.
struct tp_mud_edge {
    double at;      // utilisation of the edge
    double density; // by how much the density rises at `at`
    double mass;    // time in ns whose utilisation is exactly `at`
};

// The distribution. Zeroed is empty. The owner of the struct frees `edges.items` with tp_free.
struct tp_mud {
    TP_LIST(struct tp_mud_edge) edges;
    bool is_sorted;
    double tracked_mass;   // ns
    size_t tracked_bucket; // the bucket in which the sum of masses exceeds the tracked mass;
                           // TP_MUD_BUCKETS: there is none yet
    double sum_below;      // mass below the tracked bucket
    double histogram[TP_MUD_BUCKETS]; // mass by utilisation
};

// Empties the distribution, keeps its memory, and tracks another mass.
void tp_mud_reset(struct tp_mud *d, double tracked_mass);

// Adds the time `mass`, spread evenly between the utilisations `from` and `to`, in either order; if
// they are equal, adds a point mass. Must not follow tp_mud_utilisation_at without a reset. False:
// out of memory, and the distribution is unchanged.
bool tp_mud_add(struct tp_mud *d, double from, double to, double mass) TP_MUST_USE;

// Sets *ret_bound to a utilisation below which the tracked mass lies. False: no more than the
// tracked mass was added, and *ret_bound is unchanged.
bool tp_mud_tracked_bound(const struct tp_mud *d, double *ret_bound);

// Sets *ret_utilisation to the least utilisation up to which the distribution has `mass`, or to
// its greatest utilisation if its whole mass is less. Sorts the edges on the first call. False: the
// distribution is empty, and *ret_utilisation is unchanged.
bool tp_mud_utilisation_at(struct tp_mud *d, double mass, double *ret_utilisation);

#endif
