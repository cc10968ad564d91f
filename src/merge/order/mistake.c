#include "merge/order/mistake.h"

#include <stdio.h>

#include "base/text/quote.h"
#include "merge/order/state.h"

// Bytes of a name that the words of a mistake quote.
#define NAME_MAX_BYTES 64

// WORDS

// Writes `what` and the name in quotes, and returns `to`.
static const char *quote(char *to, size_t to_bytes, const char *what, struct tp_span name)
{
    unsigned char quoted[4 * NAME_MAX_BYTES + 3];
    size_t len_bytes = name.len_bytes < NAME_MAX_BYTES ? name.len_bytes : NAME_MAX_BYTES;
    *tp_quote(quoted, tp_span_of(name.ptr, len_bytes)) = '\0';
    snprintf(to, to_bytes, name.len_bytes > 0 ? "%s %s" : "%s", what, (const char *)quoted);
    return to;
}

static const char *const faults[TP_DOUBT_KINDS] = {
    [TP_DOUBT_REGION_OVERLAP] = "ends while a region that began inside it is open",
    [TP_DOUBT_REGION_NOT_OPEN] = "ends without being open: it ended before, or began on another "
                                 "goroutine",
    [TP_DOUBT_REGION_NOT_ENDED] = "is still open when its goroutine ends",
    [TP_DOUBT_TASK_ENDED_TWICE] = "ends a second time",
};

void tp_doubts_add_mistake(struct tp_doubts *d, const struct tp_mistake *mistake)
{
    char what[4 * NAME_MAX_BYTES + 64], task[48] = "", place_text[TP_PLACE_BYTES];
    struct tp_doubt *doubt = tp_doubts_count(d, mistake->kind);
    if (doubt == NULL)
        return;
    bool is_task = mistake->kind == TP_DOUBT_TASK_ENDED_TWICE;
    bool is_open = mistake->kind == TP_DOUBT_REGION_NOT_ENDED;
    struct tp_span place = mistake->tables != NULL
                               ? tp_stack_place(mistake->tables, mistake->stack, place_text)
                               : mistake->place;
    if (is_task || mistake->task != 0)
        snprintf(task, sizeof task, is_task ? " (id %llu)" : " of task %llu",
                 (unsigned long long)mistake->task);
    quote(what, sizeof what, is_task ? "task" : "region", mistake->name);
    doubt->generation = mistake->generation;
    doubt->time_ns = mistake->at.time_ns;
    doubt->m = mistake->at.m;
    doubt->g = mistake->at.g;
    const char *at = place.len_bytes == 0 ? "" : is_open ? "; it began at " : "; at ";
    snprintf(doubt->text, sizeof doubt->text, "%s%s in goroutine %lld %s%s%.*s", what, task,
             (long long)mistake->at.g, faults[mistake->kind], at, (int)place.len_bytes,
             (const char *)place.ptr);
}

// THE ORDER OF GENERATIONS

void tp_order_mistake(struct tp_order *o, enum tp_doubt_kind kind, const struct tp_event *e,
                      struct tp_nest_key key, uint64_t stack)
{
    const struct tp_mistake mistake = {.kind = kind,
                                       .at = *e,
                                       .generation = o->generation,
                                       .task = key.task,
                                       .name = tp_order_name(o, key.name),
                                       .tables = o->tables,
                                       .stack = stack};
    tp_doubts_add_mistake(o->doubts, &mistake);
}

void tp_order_mistake_open(struct tp_order *o, const struct tp_g_state *g,
                           const struct tp_event *e)
{
    for (uint32_t at = g->region; at != 0; at = o->regions.items[at].nest.next) {
        if (tp_doubts_are_full(o->doubts)) {
            tp_doubts_count(o->doubts, TP_DOUBT_REGION_NOT_ENDED);
            continue;
        }
        const struct tp_open_region *region = &o->regions.items[at];
        struct tp_mistake mistake = {.kind = TP_DOUBT_REGION_NOT_ENDED,
                                     .at = *e,
                                     .generation = o->generation,
                                     .task = region->nest.key.task,
                                     .name = tp_order_name(o, region->nest.key.name),
                                     .tables = o->tables,
                                     .stack = region->stack};
        if (region->is_carried) {
            mistake.tables = NULL;
            mistake.place = tp_intern_text(&o->tables->carried->texts, (uint32_t)region->stack);
        }
        tp_doubts_add_mistake(o->doubts, &mistake);
    }
}
