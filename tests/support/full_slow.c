// The slowest tasks of totals as text.
#include <inttypes.h>
#include <stdlib.h>

#include "full_lab.h"
#include "memory_text.h"

static void put_lines(FILE *f, const struct tp_totals *s, const struct tp_log_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        fprintf(f, "%s log %" PRIu64 " ", i > 0 ? "," : "", lines->items[i].after_ns);
        put_span(f, tp_totals_text(s, lines->items[i].category.name));
        fprintf(f, "-%" PRIu32 " ", lines->items[i].category.left_out_bytes);
        put_span(f, tp_totals_text(s, lines->items[i].message.name));
        fprintf(f, "-%" PRIu32, lines->items[i].message.left_out_bytes);
    }
}

char *full_slow_text(const struct tp_totals *s)
{
    struct memory_text all;
    FILE *f = begin_text(&all);
    char **lines = calloc(s->slow.heap.count + 1, sizeof *lines);
    if (lines == NULL)
        abort();
    for (uint32_t i = 0; i < s->slow.heap.count; i++) {
        const struct tp_slow_task *task = &s->slow.heap.items[i];
        struct memory_text m;
        FILE *line = begin_text(&m);
        fprintf(line, "slow %" PRIu64 " ", task->ns);
        put_span(line, tp_intern_text(&s->names, task->name));
        fprintf(line, " %" PRIu64 " of %" PRId64 " at %" PRId64, task->id, task->g, task->begin_ns);
        if (task->wall_ns != TP_SLOW_NO_WALL)
            fprintf(line, " wall %" PRId64 " in ", task->wall_ns);
        if (task->path != TP_INTERN_NONE)
            put_span(line, tp_intern_text(&s->names, task->path));
        for (unsigned k = 0; k < TP_CLASS_COUNT; k++)
            fprintf(line, " %" PRIu64, task->parts.ns[k]);
        fprintf(line, " assists %" PRIu64, task->parts.assist_ns);
        put_lines(line, s, &task->logs);
        fprintf(line, "\n");
        lines[i] = end_text(&m);
    }
    put_sorted(f, lines, s->slow.heap.count);
    return end_text(&all);
}
