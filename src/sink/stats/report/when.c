#include "sink/stats/report/when.h"

#include <inttypes.h>
#include <stdio.h>

// Returns the only trace with events; NULL: there are several.
static const struct tp_file_row *only_file(const struct tp_totals *s)
{
    const struct tp_file_row *only = NULL;
    for (uint32_t i = 0; i < s->files.count; i++) {
        const struct tp_file_row *file = &s->files.items[i];
        if (file->figures[TP_FILE_EVENTS] == 0)
            continue;
        if (only != NULL)
            return NULL;
        only = file;
    }
    return only;
}

struct tp_when tp_full_when(const struct tp_full_report *r, uint64_t moment)
{
    struct tp_when when = {TP_NO_MOMENT, TP_NO_WALL_NS};
    const struct tp_file_row *file = only_file(r->totals);
    bool has_wall = moment < TP_MOMENT_OF_TRACE;
    if (moment == TP_NO_MOMENT)
        return when;
    if (has_wall)
        when.wall_ns = (int64_t)moment;
    // The beginning of a trace has the same form as its moments.
    if (file != NULL && file->begin <= moment && (file->begin < TP_MOMENT_OF_TRACE) == has_wall)
        when.since_ns = moment - file->begin;
    return when;
}

struct tp_when_text tp_full_when_text(const struct tp_full_report *r, struct tp_when when)
{
    struct tp_when_text t = {""};
    char *to = t.text;
    bool has_trace = when.since_ns != TP_NO_MOMENT, has_wall = when.wall_ns != TP_NO_WALL_NS;
    if (has_trace)
        to += snprintf(to, sizeof t.text, "%" PRIu64 ".%06" PRIu64 "s", when.since_ns / 1000000000,
                       when.since_ns / 1000 % 1000000);
    if (has_wall)
        snprintf(to, (size_t)(t.text + sizeof t.text - to), "%s%s%s", has_trace ? " (" : "",
                 tp_wall_text(tp_wall_at(when.wall_ns), 6, r->zone).text, has_trace ? ")" : "");
    return t;
}

void tp_full_line_when(struct tp_line *l, const struct tp_full_report *r, const char *before,
                       struct tp_when when)
{
    const struct tp_when in_trace = {when.since_ns, TP_NO_WALL_NS};
    if (!tp_line_try(l, "%s%s", before, tp_full_when_text(r, when).text) && when.since_ns != TP_NO_MOMENT)
        (void)tp_line_try(l, "%s%s", before, tp_full_when_text(r, in_trace).text);
}
