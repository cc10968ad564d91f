// Holds the figures that the scan finds, for one or more inputs: integers only, so that figures of
// inputs, shards and machines add up to the same total, however they are grouped. Plain memory of
// one thread.
//
// Printing derives figures such as rates, averages and shares; they are never stored.
#ifndef TP_SINK_INVENTORY_INVENTORY_H
#define TP_SINK_INVENTORY_INVENTORY_H

#include "base/wide.h"
#include "decode/tally.h"
#include "decode/versions.h"

#define TP_INVENTORY_NS_PER_S INT64_C(1000000000)

// The figures that add up. X(field, key in JSON and CSV of stats:level=counts)
//   threads, procs, goroutines   distinct ids within each input; only stats:level=counts finds them
//   undecoded                    ends of batches, after the last event that could be read
#define TP_INVENTORY_SUMS(X)                                                            \
    X(stored_bytes, "stored_bytes")                                                     \
    X(stream_bytes, "stream_bytes")                                                     \
    X(lost_bytes, "lost_bytes")                                                         \
    X(damage_count, "damage_count")                                                     \
    X(undecoded_bytes, "undecoded_bytes")                                               \
    X(undecoded_batch_count, "undecoded_batch_count")                                   \
    X(generation_count, "generation_count")                                             \
    X(batch_count, "batch_count")                                                       \
    X(m_count, "thread_count")                                                          \
    X(p_count, "proc_count")                                                            \
    X(goroutine_count, "goroutine_count")

// The least and the greatest of several times: Unix or trace time in nanoseconds.
struct tp_inventory_range {
    bool is_known;
    int64_t least_ns;
    int64_t greatest_ns;
};

// Extend the range to a time, or to another range.
void tp_inventory_range_add(struct tp_inventory_range *range, int64_t ns);
void tp_inventory_range_merge(struct tp_inventory_range *into,
                              const struct tp_inventory_range *from);

// A zeroed struct is the state without inputs.
struct tp_inventory {
#define TP_X(field, key) uint64_t field;
    TP_INVENTORY_SUMS(TP_X)
#undef TP_X
    uint64_t complete_count; // inputs read to their end without damage
    uint64_t damaged_count;  // inputs read with damage or not to their end
    uint64_t refused_count;  // inputs that are no trace, or none that can be read
    uint64_t version_counts[TP_VERSIONS];
    tp_wide duration_ns;        // of the inputs whose duration is known,
    uint64_t timed_file_count;  // their number,
    uint64_t rated_event_count; // and their timed events
    struct tp_inventory_range wall_start;
    struct tp_tally tally;
};

// Adds `from` to `into`. Exact, associative, commutative.
void tp_inventory_merge(struct tp_inventory *into, const struct tp_inventory *from);

// Returns the number of inputs that were read, without refused ones.
uint64_t tp_inventory_file_count(const struct tp_inventory *all);

// Sums over all types of events.
struct tp_inventory_events {
    uint64_t count;
    uint64_t timed_count; // of those that carry a time delta: all but framing and tables
    uint64_t bytes;
};
struct tp_inventory_events tp_inventory_events(const struct tp_inventory *all);

// Computes the timed events per second of trace, rounded down. False: no duration is known, or
// it is 0.
bool tp_inventory_event_rate(const struct tp_inventory *all, uint64_t *ret_per_second);

#endif
