// When a trace from before Go 1.22 begins and ends. Its batches have no lengths and reach
// from one piece of the trace into the next; the times of a batch begin with those of its
// Batch event and go on by what each event adds.
//
// A state tells about some pieces that lie one behind the other, so it is made of one piece
// by one worker, and joined with what came before in the order of the stream. Constant
// memory; plain memory of one thread.
#ifndef TP_SINK_COUNTS_BATCHES_H
#define TP_SINK_COUNTS_BATCHES_H

#include "decode/tally_v1.h"
#include "sink/counts/clock.h"

// A batch, or what is behind its begin.
struct tp_stats_batch {
    uint64_t begin_ticks;
    uint64_t dt_ticks;
    bool has_times; // its clock is one: something happened in it
};

// All zero is the state of nothing.
struct tp_stats_batches {
    struct tp_stats_batch lead;  // in front of the first Batch event: of a batch begun before
    bool has_begin;
    struct tp_stats_batch last;  // if has_begin: has not ended yet
    struct tp_stats_ticks ended; // times of those between
};

void tp_stats_batches_begin(struct tp_stats_batches *b, uint64_t begin_ticks);
// Events of the last batch, or in front of the first.
void tp_stats_batches_add(struct tp_stats_batches *b, const struct tp_v1_tally_result *events);
// Appends what lies behind.
void tp_stats_batches_join(struct tp_stats_batches *into, const struct tp_stats_batches *next);
// The first and the last time of all, at the end of the trace.
struct tp_stats_ticks tp_stats_batches_end(const struct tp_stats_batches *b);

#endif
