#include "sink/counts/print.h"

#include <stdio.h>
#include <time.h>

static struct tp_stats_type *find_type(struct tp_stats_type *types, size_t type_count,
                                       const char *name)
{
    struct tp_stats_type *t = types;
    while (t < types + type_count && strcmp(t->name, name) != 0)
        t++;
    return t;
}

// Types of different formats with one name share an entry.
size_t tp_stats_types(const struct tp_stats *s, struct tp_stats_type ret_types[TP_STATS_TYPE_MAX])
{
    size_t type_count = 0;
    for (unsigned code = 0; code < TP_TALLY_CODES; code++) {
        if (s->tally.count[code] == 0)
            continue;
        struct tp_stats_type found = {0};
        const char *name = tp_tally_code(code).name;
        if (name != NULL)
            snprintf(found.name, sizeof found.name, "%s", name);
        else
            snprintf(found.name, sizeof found.name, "Invalid(%u)", code);
        struct tp_stats_type *t = find_type(ret_types, type_count, found.name);
        if (t == ret_types + type_count)
            ret_types[type_count++] = found;
        t->count += s->tally.count[code];
        t->bytes += s->tally.bytes[code];
    }
    return type_count;
}

const char *tp_stats_version_name(uint32_t minor)
{
    enum tp_version version = tp_version_of(minor);
    return version < TP_VERSIONS ? tp_versions[version].releases : "unknown";
}

void tp_stats_format_time(int64_t ns, char ret_text[TP_STATS_TIME_BYTES])
{
    int64_t sec = ns / TP_STATS_NS_PER_S, nsec = ns % TP_STATS_NS_PER_S;
    if (nsec < 0) {
        sec--;
        nsec += TP_STATS_NS_PER_S;
    }
    // A year has four digits: 64 bits of nanoseconds reach from 1677 to 2262.
    struct tm tm;
    time_t seconds = (time_t)sec;
    gmtime_r(&seconds, &tm);
    size_t used = strftime(ret_text, TP_STATS_TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(ret_text + used, TP_STATS_TIME_BYTES - used, ".%09lldZ", (long long)nsec);
}
