#include "sink/counts/batches.h"

// Adds the times of the last batch to those of the ended ones. Ignores batches of tables, whose
// time may be long after the last event. If clocks of processors disagree (some traces of Go
// 1.5), times go back: deltas and their sum are modulo 2^64.
static void end_last(struct tp_stats_batches *b)
{
    uint64_t last_ticks = b->last.begin_ticks + b->last.dt_ticks;
    if (!b->has_begin || !b->last.has_times)
        return;
    tp_stats_ticks_add(&b->ended, b->last.begin_ticks);
    if (last_ticks <= INT64_MAX)
        tp_stats_ticks_add(&b->ended, last_ticks);
}

static void add_events(struct tp_stats_batches *b, uint64_t dt_ticks, bool has_times)
{
    struct tp_stats_batch *batch = b->has_begin ? &b->last : &b->lead;
    batch->dt_ticks += dt_ticks;
    batch->has_times = batch->has_times || has_times;
}

void tp_stats_batches_begin(struct tp_stats_batches *b, uint64_t begin_ticks)
{
    end_last(b);
    b->has_begin = true;
    b->last = (struct tp_stats_batch){.begin_ticks = begin_ticks};
}

void tp_stats_batches_add(struct tp_stats_batches *b, const struct tp_tally_result *events)
{
    add_events(b, events->dt_ticks, events->has_times);
}

void tp_stats_batches_join(struct tp_stats_batches *into, const struct tp_stats_batches *next)
{
    add_events(into, next->lead.dt_ticks, next->lead.has_times);
    if (!next->has_begin)
        return;
    end_last(into);
    into->has_begin = true;
    into->last = next->last;
    tp_stats_ticks_add(&into->ended, next->ended.least);
    tp_stats_ticks_add(&into->ended, next->ended.greatest);
}

struct tp_stats_ticks tp_stats_batches_end(const struct tp_stats_batches *b)
{
    struct tp_stats_batches all = *b;
    end_last(&all);
    return all.ended;
}
