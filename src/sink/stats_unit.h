// Counts one unit of a trace for `stats`: what a worker does, apart from all
// other units. The result is folded into the input's state in stream order.
//
// Memory: the struct, and 8 bytes for each goroutine that an event of the unit
// introduces, bounded by the size of a segment.
#ifndef TP_SINK_STATS_UNIT_H
#define TP_SINK_STATS_UNIT_H

#include "decode/tally_v2.h"
#include "sink/sink.h"

// Ps below this are marked in a bitmap; GOMAXPROCS is rarely higher.
#define TP_STATS_SMALL_PS 1024

struct tp_stats_ids {
    uint64_t *ids; // repetitions are possible
    size_t id_count;
    size_t id_capacity;
};

// A generation or a part of it.
struct tp_stats_part {
    uint64_t offset;     // of its first batch here
    uint64_t last_ticks; // greatest clock reading; 0: none
};

struct tp_stats_unit {
    struct tp_tally tally;
    uint64_t batch_count;
    struct tp_sink_notes notes;
    uint64_t small_ps[TP_STATS_SMALL_PS / 64];
    struct tp_stats_ids large_ps;
    struct tp_stats_ids goroutines;
    struct tp_stats_part *parts; // in stream order
    bool continues;              // the first part belongs to an earlier unit's last
    size_t part_count;
    size_t part_capacity;
    bool out_of_memory;
};

// Empties the state, whatever it held, and counts the unit. TP_E_MEMORY.
int tp_stats_unit_count(struct tp_stats_unit *u, const struct tp_unit *unit,
                        struct tp_error *err) TP_MUST_USE;
void tp_stats_unit_fini(struct tp_stats_unit *u); // zeroed is fine

// The most memory a unit takes besides its struct.
size_t tp_stats_unit_extra_bytes(void);

#endif
