// The slowest tasks and regions of totals as text.
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

static void put_kind(FILE *f, const struct tp_totals *s, enum tp_slow_kind kind)
{
    const struct tp_slow_heap *heap = &s->slow.heaps[kind];
    char **lines = calloc(heap->count + 1, sizeof *lines);
    if (lines == NULL)
        abort();
    for (uint32_t i = 0; i < heap->count; i++) {
        const struct tp_slow_interval *of = &heap->items[i];
        struct memory_text m;
        FILE *line = begin_text(&m);
        fprintf(line, "%s %" PRIu64 " ", kind == TP_SLOW_TASK ? "slow" : "slow region", of->ns);
        put_span(line, tp_intern_text(&s->names, of->name));
        fprintf(line, " %" PRIu64 " of %" PRId64 " at %" PRId64, of->id, of->g, of->begin_ns);
        if (of->wall_ns != TP_NO_WALL_NS)
            fprintf(line, " wall %" PRId64 " in ", of->wall_ns);
        if (of->path != TP_INTERN_NONE)
            put_span(line, tp_intern_text(&s->names, of->path));
        for (unsigned k = 0; k < TP_CLASS_COUNT; k++)
            fprintf(line, " %" PRIu64, of->parts.ns[k]);
        for (unsigned k = 0; k < TP_DELAY_COUNT; k++)
            fprintf(line, " %" PRIu64, of->parts.delay_ns[k]);
        put_lines(line, s, &of->logs);
        fprintf(line, "\n");
        lines[i] = end_text(&m);
    }
    put_sorted(f, lines, heap->count);
}

char *full_slow_text(const struct tp_totals *s)
{
    struct memory_text m;
    FILE *f = begin_text(&m);
    put_kind(f, s, TP_SLOW_TASK);
    put_kind(f, s, TP_SLOW_REGION);
    return end_text(&m);
}
