#include "sink/counts/clock.h"

void tp_stats_ticks_add(struct tp_stats_ticks *ticks, uint64_t reading)
{
    if (reading == 0)
        return;
    if (ticks->least == 0 || reading < ticks->least)
        ticks->least = reading;
    if (reading > ticks->greatest)
        ticks->greatest = reading;
}

// Converts a clock reading and adds it to the range. Ignores impossible readings.
static void add_converted(struct tp_stats_span *range, uint64_t ticks, uint64_t frequency)
{
    int64_t ns = tp_ticks_to_ns(ticks, frequency);
    if (ticks != 0 && ns != INT64_MIN)
        tp_stats_span_add(range, ns);
}

static void add_range(struct tp_stats_clock *c, const struct tp_stats_ticks *ticks)
{
    add_converted(&c->range, ticks->least, c->frequency);
    add_converted(&c->range, ticks->greatest, c->frequency);
}

void tp_stats_clock_add(struct tp_stats_clock *c, const struct tp_generation *generation,
                        uint64_t last_ticks)
{
    bool has_frequency = generation->has_frequency && generation->frequency != 0;
    if (generation->has_clock && !c->has_clock) {
        c->has_clock = true;
        c->clock = generation->clock;
        c->clock_frequency = has_frequency ? generation->frequency : c->frequency;
    }
    if (has_frequency)
        c->frequency = generation->frequency;

    tp_stats_ticks_add(&c->waiting, generation->begin_ticks);
    tp_stats_ticks_add(&c->waiting, last_ticks);
    if (c->frequency != 0) {
        add_range(c, &c->waiting);
        c->waiting = (struct tp_stats_ticks){0};
    }
}

void tp_stats_clock_set(struct tp_stats_clock *c, const struct tp_stats_ticks *ticks,
                        uint64_t frequency)
{
    c->frequency = frequency;
    if (frequency != 0)
        add_range(c, ticks);
}

bool tp_stats_clock_wall_start(const struct tp_stats_clock *c, int64_t *ret_ns)
{
    if (!c->has_clock || !c->range.is_known || c->clock.wall_nsec >= TP_STATS_NS_PER_S ||
        c->clock.wall_sec > INT64_MAX / TP_STATS_NS_PER_S)
        return false;
    int64_t snapshot_ns = tp_ticks_to_ns(
        c->clock.trace_ticks, c->clock_frequency != 0 ? c->clock_frequency : c->frequency);
    if (snapshot_ns == INT64_MIN)
        return false;
    int64_t wall_ns, since_begin_ns;
    return !__builtin_mul_overflow((int64_t)c->clock.wall_sec, TP_STATS_NS_PER_S, &wall_ns) &&
           !__builtin_add_overflow(wall_ns, (int64_t)c->clock.wall_nsec, &wall_ns) &&
           !__builtin_sub_overflow(snapshot_ns, c->range.least_ns, &since_begin_ns) &&
           !__builtin_sub_overflow(wall_ns, since_begin_ns, ret_ns);
}
