#include "base/alloc.h"
#include "decode/spec.h"
#include "merge/tables/event_args.h"
#include "merge/track/facts.h"
#include "stats/history/history.h"

void tp_history_unit_clear(struct tp_history_unit *u)
{
    u->items.count = 0;
    u->latency = (struct tp_latency){.buckets = u->latency.buckets};
    u->latency.buckets.count = 0;
}

void tp_history_unit_fini(struct tp_history_unit *u)
{
    tp_free(u->items.items);
    tp_free(u->latency.buckets.items);
    *u = (struct tp_history_unit){0};
}

size_t tp_history_unit_bytes(const struct tp_history_unit *u)
{
    return u->items.capacity * sizeof *u->items.items +
           u->latency.buckets.capacity * sizeof *u->latency.buckets.items;
}

static bool add_span(struct tp_history_unit *u, const struct tp_state_span *s)
{
    uint64_t ns = (uint64_t)s->end_ns - (uint64_t)s->begin_ns;
    if (s->state == TP_STATE_RUNNABLE && !s->had_begun && !s->goes_on &&
        !tp_latency_add(&u->latency, s->end_ns, ns))
        return false;
    return s->task == TP_NO_TASK ||
           TP_LIST_ADD(&u->items, (struct tp_history_item){.ns = ns,
                                                          .begin_ns = s->begin_ns,
                                                          .g = s->goroutine,
                                                          .task = s->task,
                                                          .name = s->function,
                                                          .reason = s->reason,
                                                          .kind = TP_HISTORY_SPAN,
                                                          .state = s->state});
}

static bool add_lasting(struct tp_history_unit *u, const struct tp_interval *i)
{
    static const uint8_t kinds[TP_INTERVAL_KIND_COUNT] = {
        [TP_INTERVAL_PAUSE] = TP_HISTORY_PAUSE + 1,   [TP_INTERVAL_MARK] = TP_HISTORY_MARK + 1,
        [TP_INTERVAL_REGION] = TP_HISTORY_REGION + 1, [TP_INTERVAL_TASK] = TP_HISTORY_TASK + 1};
    bool is_cut = i->had_begun || i->goes_on;
    if (kinds[i->kind] == 0 || (is_cut && i->kind != TP_INTERVAL_REGION) ||
        (i->kind == TP_INTERVAL_REGION && i->task == TP_NO_TASK))
        return true;
    return TP_LIST_ADD(&u->items,
                       (struct tp_history_item){.ns = (uint64_t)i->end_ns - (uint64_t)i->begin_ns,
                                               .begin_ns = i->begin_ns,
                                               .g = i->goroutine,
                                               .task = i->task,
                                               .name = i->name,
                                               .kind = (uint8_t)(kinds[i->kind] - 1)});
}

static bool add_begins(struct tp_history_unit *u, const struct tp_block *block)
{
    for (size_t i = 0; i < block->event_count; i++) {
        const struct tp_event *e = &block->events[i];
        if (e->type == TP_EV_UserTaskBegin &&
            !TP_LIST_ADD(&u->items, (struct tp_history_item){.task = tp_arg(e, UserTaskBegin, task),
                                                             .kind = TP_HISTORY_BEGIN}))
            return false;
    }
    return true;
}

bool tp_history_unit_add(struct tp_history_unit *u, const struct tp_block *block)
{
    const struct tp_facts *f = block->facts;
    uint32_t span = 0;
    bool fits = add_begins(u, block);
    if (block->event_count > 0)
        fits = fits && tp_latency_reach(&u->latency, block->events[0].time_ns) &&
               tp_latency_reach(&u->latency, block->events[block->event_count - 1].time_ns);
    for (uint32_t i = 0; i < f->lasting.count && fits; i++) {
        for (; span < f->lasting.items[i].span_count && fits; span++)
            fits = add_span(u, &f->spans.items[span]);
        fits = fits && add_lasting(u, &f->lasting.items[i]);
    }
    for (; span < f->spans.count && fits; span++)
        fits = add_span(u, &f->spans.items[span]);
    return fits;
}
