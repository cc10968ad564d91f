// Finds when a trace from before Go 1.22 begins and ends. Its batches have no lengths. A Batch
// event holds the absolute time of its batch; each later event adds a delta.
//
// The caller adds the events of an input in stream order, in pieces of any size. The state is a
// plain value of constant size; one thread at a time may use it, and no function fails. Times are
// in ticks of the trace's clock.
#ifndef TP_SINK_COUNTS_BATCHES_H
#define TP_SINK_COUNTS_BATCHES_H

#include "decode/tally.h"
#include "sink/counts/clock.h"

// A zeroed struct is the state before the first event.
struct tp_stats_batches {
    bool has_begin;              // there was a Batch event; the next three are about the last batch
    uint64_t begin_ticks;
    uint64_t dt_ticks;
    bool has_times;              // its times count, because events happened at these times
    struct tp_stats_ticks ended; // least and greatest time of the batches before it
};

// Begins a batch at a Batch event, and ends the one before it.
void tp_stats_batches_begin(struct tp_stats_batches *b, uint64_t begin_ticks);
// Adds events of the last batch. Events before the first Batch event have no time.
void tp_stats_batches_add(struct tp_stats_batches *b, const struct tp_tally_result *events);
// Returns the first and the last time of the trace; call it after the last unit.
struct tp_stats_ticks tp_stats_batches_end(const struct tp_stats_batches *b);

#endif
