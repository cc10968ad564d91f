#include "sink/counts/batches.h"

// Adds the times of the last batch to those of the ended ones. Ignores batches of tables, whose
// time may be long after the last event. If clocks of processors disagree (some traces of Go
// 1.5), times go back: deltas and their sum are modulo 2^64.
static void end_last(struct tp_stats_batches *b)
{
    uint64_t last_ticks = b->begin_ticks + b->dt_ticks;
    if (!b->has_times)
        return;
    tp_stats_ticks_add(&b->ended, b->begin_ticks);
    if (last_ticks <= INT64_MAX)
        tp_stats_ticks_add(&b->ended, last_ticks);
}

void tp_stats_batches_begin(struct tp_stats_batches *b, uint64_t begin_ticks)
{
    end_last(b);
    *b = (struct tp_stats_batches){.has_begin = true, .begin_ticks = begin_ticks, .ended = b->ended};
}

void tp_stats_batches_add(struct tp_stats_batches *b, const struct tp_tally_result *events)
{
    if (!b->has_begin)
        return;
    b->dt_ticks += events->dt_ticks;
    b->has_times = b->has_times || events->has_times;
}

struct tp_stats_ticks tp_stats_batches_end(const struct tp_stats_batches *b)
{
    struct tp_stats_batches all = *b;
    end_last(&all);
    return all.ended;
}
