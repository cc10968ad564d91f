#include "merge/track/gc_step.h"

#include <string.h>

#include "merge/tables/event_shape.h"

// Whether the collector stopped the world: the reason of the stop then contains "GC".
static bool stops_for_gc(const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_range r;
    return tp_event_range(e, t, &r) && r.detail.len_bytes > 0 &&
           memmem(r.detail.ptr, r.detail.len_bytes, "GC", 2) != NULL;
}

// Whether the label is that of a mark worker that takes time from the program: any but an idle worker.
static bool is_busy_worker(const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_label l;
    if (!tp_event_label(e, t, &l))
        return false;
    struct tp_span label = tp_text_span(l.label);
    return tp_span_begins_with(label, "GC ") && !tp_span_is(label, "GC (idle)");
}

bool tp_gc_step_of(const struct tp_event *e, const struct tp_tables *t, struct tp_gc_step *ret)
{
    *ret = (struct tp_gc_step){.time_ns = e->time_ns, .p = e->p, .g = e->g};
    switch (e->type) {
    case TP_EVENT_SYNC:
        ret->kind = TP_GC_SYNC;
        ret->value = tp_arg(e, Sync, number);
        return true;
    case TP_EV_ProcsChange:
        ret->kind = TP_GC_PROCS;
        ret->value = tp_arg(e, Metric, value);
        return true;
    case TP_EV_STWBegin: ret->kind = TP_GC_STW_BEGIN; return stops_for_gc(e, t);
    case TP_EV_STWEnd: ret->kind = TP_GC_STW_END; return stops_for_gc(e, t);
    case TP_EV_GCMarkAssistBegin: ret->kind = TP_GC_ASSIST_BEGIN; return true;
    case TP_EV_GCMarkAssistEnd: ret->kind = TP_GC_ASSIST_END; return true;
    case TP_EV_GCMarkAssistActive:
        ret->kind = TP_GC_ASSIST_ACTIVE;
        ret->g = (int64_t)tp_arg(e, GCMarkAssistActive, g);
        return true;
    case TP_EV_GoLabel: ret->kind = TP_GC_WORKER; return is_busy_worker(e, t);
    default: return false;
    }
}
