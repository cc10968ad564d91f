// Finds when a trace from before Go 1.22 begins and ends. Its batches have no lengths and may
// continue from one unit into the next. A Batch event holds the absolute time of its batch; each
// later event adds a delta.
//
// A state covers consecutive units: a worker makes the state of one unit, and the input joins
// the states in stream order. Constant memory; plain memory of one thread.
#ifndef TP_SINK_COUNTS_BATCHES_H
#define TP_SINK_COUNTS_BATCHES_H

#include "decode/tally.h"
#include "sink/counts/clock.h"

// A batch, or the rest of one that began in an earlier unit.
struct tp_stats_batch {
    uint64_t begin_ticks;
    uint64_t dt_ticks;
    bool has_times; // its times count: it has events that happened at them
};

// All zero is the state of no units.
struct tp_stats_batches {
    struct tp_stats_batch lead;  // events before the first Batch event, of an earlier batch
    bool has_begin;              // there was a Batch event
    struct tp_stats_batch last;  // if has_begin: the batch that has not ended yet
    struct tp_stats_ticks ended; // times of the batches between `lead` and `last`
};

// Begins a batch at a Batch event, and ends the one before it.
void tp_stats_batches_begin(struct tp_stats_batches *b, uint64_t begin_ticks);
// Adds events of the last batch, or events before the first Batch event.
void tp_stats_batches_add(struct tp_stats_batches *b, const struct tp_tally_result *events);
// Appends the state of the units that follow those of `into`.
void tp_stats_batches_join(struct tp_stats_batches *into, const struct tp_stats_batches *next);
// Returns the first and the last time of the trace, when it has ended.
struct tp_stats_ticks tp_stats_batches_end(const struct tp_stats_batches *b);

#endif
