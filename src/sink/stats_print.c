#include "sink/stats_print.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_SEC 1000000000

const char *tp_stats_event_name(size_t type, char scratch[TP_STATS_EVENT_NAME_BYTES])
{
    if (tp_event_specs[type].name != NULL)
        return tp_event_specs[type].name;
    snprintf(scratch, TP_STATS_EVENT_NAME_BYTES, "Invalid(%u)", (unsigned)type & 0xff);
    return scratch;
}

const char *tp_stats_version_name(uint32_t minor)
{
    enum tp_stats_version version = tp_stats_version_of(minor);
    return version < TP_STATS_VERSION_COUNT ? tp_stats_version_names[version].name : "unknown";
}

size_t tp_stats_figures(const struct tp_stats *s,
                        struct tp_stats_figure ret_figures[TP_STATS_FIGURE_MAX])
{
    const struct tp_stats_figure figures[] = {
#define TP_X(field, name) {name, s->field},
        TP_STATS_SUMS(TP_X)
#undef TP_X
        {"events", tp_stats_event_count(s)},
        {"timed_events", tp_stats_timed_event_count(s)},
        {"event_bytes", tp_stats_event_bytes(s)},
        {"strings", s->tally.count[TP_EV_String]},
        {"stacks", s->tally.count[TP_EV_Stack]},
        {"cpu_samples", s->tally.count[TP_EV_CPUSample]},
    };
    static_assert(TP_ARRAY_LEN(figures) <= TP_STATS_FIGURE_MAX, "more figures");
    memcpy(ret_figures, figures, sizeof figures);
    return TP_ARRAY_LEN(figures);
}

void tp_stats_format_time(int64_t ns, char ret_text[TP_STATS_TIME_BYTES])
{
    int64_t sec = ns / NS_PER_SEC, nsec = ns % NS_PER_SEC;
    if (nsec < 0) {
        sec--;
        nsec += NS_PER_SEC;
    }
    // 64 bits of nanoseconds reach from 1677 to 2262: four digits for the year.
    struct tm tm;
    time_t seconds = (time_t)sec;
    gmtime_r(&seconds, &tm);
    size_t used = strftime(ret_text, TP_STATS_TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(ret_text + used, TP_STATS_TIME_BYTES - used, ".%09lldZ", (long long)nsec);
}
