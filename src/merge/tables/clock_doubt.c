#include "merge/tables/clock_doubt.h"

#include <math.h>

static void doubt(struct tp_clock_doubt *d, enum tp_clock_doubt_kind kind, double ns)
{
    if (d->kind != TP_CLOCK_DOUBT_NONE || !(ns > (double)TP_CLOCK_DOUBT_NS))
        return;
    d->kind = kind;
    d->ns = ns;
}

static void add_batches(struct tp_clock_doubt *d, const struct tp_batch_times *t,
                        double ns_per_tick)
{
    if (t->latest_is_events && t->batch_count > 1)
        doubt(d, TP_CLOCK_DOUBT_LATE, (double)(t->latest_ticks - t->second_ticks) * ns_per_tick);
    doubt(d, TP_CLOCK_DOUBT_BACK, (double)t->back_ticks * ns_per_tick);
    if (t->event_batch_count == 0)
        return;
    double first_ns = (double)t->first_events_ticks * ns_per_tick;
    if (d->has_begin)
        doubt(d, TP_CLOCK_DOUBT_GENERATION, d->last_begin_ns - first_ns);
    else
        d->begin_ns = first_ns;
    d->has_begin = true;
    d->last_begin_ns = (double)t->last_events_ticks * ns_per_tick;
}

// Compares the trace's clock with the monotonic clock, which must advance equally. The wall clock
// does not count, because a user may set it.
static void add_snapshot(struct tp_clock_doubt *d, const struct tp_generation *g,
                         double ns_per_tick)
{
    double at_ns = (double)g->clock.trace_ticks * ns_per_tick;
    double mono_ns = (double)g->clock.mono_ns;
    if (d->has_snapshot)
        doubt(d, TP_CLOCK_DOUBT_SNAPSHOT, fabs((at_ns - d->snapshot_ns) - (mono_ns - d->mono_ns)));
    if (g->times.event_batch_count > 0)
        doubt(d, TP_CLOCK_DOUBT_SYNC, at_ns - (double)g->times.first_events_ticks * ns_per_tick);
    d->has_snapshot = true;
    d->snapshot_ns = at_ns;
    d->mono_ns = mono_ns;
}

void tp_clock_doubt_add(struct tp_clock_doubt *d, const struct tp_generation *g,
                        double ns_per_tick)
{
    if (!(ns_per_tick > 0) || !isfinite(ns_per_tick))
        return;
    add_batches(d, &g->times, ns_per_tick);
    if (g->has_clock)
        add_snapshot(d, g, ns_per_tick);
    d->end_ns = (double)g->times.closed_ticks * ns_per_tick;
}

void tp_clock_doubt_add_order(struct tp_clock_doubt *d, double late_ns)
{
    doubt(d, TP_CLOCK_DOUBT_ORDER, late_ns);
}

void tp_clock_doubt_end(struct tp_clock_doubt *d, uint64_t duration_ns)
{
    if (d->has_begin && d->end_ns > 0)
        doubt(d, TP_CLOCK_DOUBT_END, (double)duration_ns - (d->end_ns - d->begin_ns));
    // If the whole trace lasts an hour at most, the order has corrected or left out the times that
    // contradict each other, so the contradiction does not count.
    if (duration_ns <= (uint64_t)TP_CLOCK_DOUBT_NS)
        d->kind = TP_CLOCK_DOUBT_NONE;
}

const char *tp_clock_doubt_sentence(enum tp_clock_doubt_kind kind)
{
    static const char *const sentences[] = {
#define TP_X(doubt, sentence) sentence,
        TP_CLOCK_DOUBTS(TP_X)
#undef TP_X
    };
    return sentences[kind];
}
