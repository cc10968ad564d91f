// Counts one unit of a trace for `stats`. A worker counts a unit independently of other units;
// the input adds the results to its state in stream order.
//
// Memory: the struct, and 8 bytes for each goroutine and thread that an event of the
// unit introduces, bounded by the size of a segment.
#ifndef TP_SINK_COUNTS_UNIT_H
#define TP_SINK_COUNTS_UNIT_H

#include "base/list.h"
#include "sink/sink.h"

// A start of a P names its thread. This many recent threads are remembered, so that
// repetitions are not stored.
#define TP_STATS_RECENT_THREADS 64
// Ps below this number are stored in a bitmap; GOMAXPROCS is rarely higher.
#define TP_STATS_SMALL_PS 1024

// Limits of the lists for one segment. The shortest event that introduces a goroutine, or a
// thread, has 3 bytes; one with a large P has 5 bytes. (Before Go 1.22 a large P takes a Batch
// event of 4 bytes and another event.)
#define TP_STATS_GOROUTINES_MAX (TP_SEGMENT_MAX_BYTES / 3)
#define TP_STATS_THREADS_MAX (TP_SEGMENT_MAX_BYTES / 3)
#define TP_STATS_LARGE_PS_MAX (TP_SEGMENT_MAX_BYTES / 5)

// Ids that occur in a unit.
struct tp_stats_ids {
    TP_LIST(uint64_t); // may contain repetitions
};

// The counts of a unit. A worker fills them, commit reads them. Owns its lists.
struct tp_stats_unit {
    struct tp_tally tally;
    struct tp_tally_result found[TP_UNIT_EXTENTS]; // by extent
    struct tp_sink_notes notes;
    uint64_t small_ps[TP_STATS_SMALL_PS / 64];
    struct tp_stats_ids large_ps;
    struct tp_stats_ids goroutines;
    // For traces from before Go 1.22:
    struct tp_stats_ids threads;
    uint64_t recent_threads[TP_STATS_RECENT_THREADS]; // by their low bits; 0: none
    uint64_t frequency;            // last frequency in the unit; 0: none
    bool out_of_memory;
};

// Largest memory of a unit in addition to its struct, in bytes.
#define TP_STATS_UNIT_EXTRA_BYTES                                                                  \
    ((TP_STATS_GOROUTINES_MAX + TP_STATS_LARGE_PS_MAX + TP_STATS_THREADS_MAX) * sizeof(uint64_t))

// Empties `u` and counts the unit; does not keep the unit. Fails with TP_E_MEMORY; the counts are
// then incomplete. Any worker.
int tp_stats_unit_count(struct tp_stats_unit *u, const struct tp_unit *unit,
                        struct tp_error *err) TP_MUST_USE;
// Frees the lists; a zeroed unit is fine.
void tp_stats_unit_fini(struct tp_stats_unit *u);

#endif
