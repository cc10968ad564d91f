#include "sink/counts/state.h"

void tp_stats_span_add(struct tp_stats_span *span, int64_t ns)
{
    tp_stats_span_merge(span, &(struct tp_stats_span){true, ns, ns});
}

void tp_stats_span_merge(struct tp_stats_span *into, const struct tp_stats_span *from)
{
    if (!from->is_known)
        return;
    if (!into->is_known) {
        *into = *from;
        return;
    }
    if (from->least_ns < into->least_ns)
        into->least_ns = from->least_ns;
    if (from->greatest_ns > into->greatest_ns)
        into->greatest_ns = from->greatest_ns;
}

void tp_stats_merge(struct tp_stats *into, const struct tp_stats *from)
{
#define TP_X(field, key) into->field += from->field;
    TP_STATS_SUMS(TP_X)
#undef TP_X
    into->duration_ns = tp_wide_add(into->duration_ns, from->duration_ns);
    into->timed_file_count += from->timed_file_count;
    into->rated_event_count += from->rated_event_count;
    into->complete_count += from->complete_count;
    into->damaged_count += from->damaged_count;
    into->refused_count += from->refused_count;
    for (size_t i = 0; i < TP_VERSIONS; i++)
        into->version_counts[i] += from->version_counts[i];
    tp_stats_span_merge(&into->wall_start, &from->wall_start);
    tp_tally_add(&into->tally, &from->tally);
}

uint64_t tp_stats_file_count(const struct tp_stats *s)
{
    return s->complete_count + s->damaged_count;
}

struct tp_stats_events tp_stats_events(const struct tp_stats *s)
{
    struct tp_stats_events all = {0};
    for (unsigned code = 0; code < TP_TALLY_CODES; code++) {
        all.count += s->tally.count[code];
        all.timed_count += tp_tally_code(code).is_timed ? s->tally.count[code] : 0;
        all.bytes += s->tally.bytes[code];
    }
    return all;
}

bool tp_stats_event_rate(const struct tp_stats *s, uint64_t *ret_per_second)
{
    if (s->timed_file_count == 0 || s->duration_ns == 0)
        return false;
    *ret_per_second =
        tp_wide_limited((tp_wide)s->rated_event_count * TP_STATS_NS_PER_S / s->duration_ns);
    return true;
}
