#include "stats/gc/step.h"

#include <string.h>

static bool text_is(struct tp_text text, const char *other)
{
    return text.len_bytes == strlen(other) && memcmp(text.ptr, other, text.len_bytes) == 0;
}

static bool text_begins(struct tp_text text, const char *begin)
{
    size_t len_bytes = strlen(begin);
    return text.len_bytes >= len_bytes && memcmp(text.ptr, begin, len_bytes) == 0;
}

static bool step(struct tp_gc_step *ret, const struct tp_event *e, enum tp_gc_step_kind kind)
{
    *ret = (struct tp_gc_step){
        .time_ns = e->time_ns, .p = e->p, .g = e->g, .kind = (uint8_t)kind};
    return true;
}

static bool procs_step(const struct tp_event *e, struct tp_gc_step *ret)
{
    struct tp_metric m;
    if (!tp_event_metric(e, &m) || !text_is(m.name, "/sched/gomaxprocs:threads"))
        return false;
    step(ret, e, TP_GC_PROCS);
    ret->value = m.value;
    return true;
}

static bool range_step(const struct tp_event *e, const struct tp_tables *t, enum tp_kind kind,
                       struct tp_gc_step *ret)
{
    struct tp_range r;
    if (!tp_event_range(e, t, &r))
        return false;
    bool is_end = kind == TP_KIND_RANGE_END;
    // Only stops with "GC" in their reason belong to the collector.
    if (text_begins(r.name, "stop-the-world")) {
        if (r.detail.len_bytes == 0 || memmem(r.detail.ptr, r.detail.len_bytes, "GC", 2) == NULL)
            return false;
        return step(ret, e, is_end ? TP_GC_STW_END : TP_GC_STW_BEGIN);
    }
    if (!text_is(r.name, "GC mark assist"))
        return false;
    step(ret, e,
         is_end                         ? TP_GC_ASSIST_END
         : kind == TP_KIND_RANGE_ACTIVE ? TP_GC_ASSIST_ACTIVE
                                        : TP_GC_ASSIST_BEGIN);
    ret->g = r.scope_id;
    return true;
}

static bool transition_step(const struct tp_event *e, const struct tp_tables *t,
                            struct tp_gc_step *ret)
{
    struct tp_transition tr;
    if (!tp_event_transition(e, t, &tr) || tr.resource != TP_RESOURCE_GOROUTINE ||
        tp_gc_executes(tr.from) == tp_gc_executes(tr.to))
        return false;
    step(ret, e, tp_gc_executes(tr.to) ? TP_GC_EXEC_BEGIN : TP_GC_EXEC_END);
    ret->g = tr.id;
    return true;
}

static bool worker_step(const struct tp_event *e, const struct tp_tables *t,
                        struct tp_gc_step *ret)
{
    struct tp_label l;
    // Idle workers take no time from the program.
    if (!tp_event_label(e, t, &l) || !text_begins(l.label, "GC ") ||
        text_is(l.label, "GC (idle)"))
        return false;
    return step(ret, e, TP_GC_WORKER);
}

bool tp_gc_step_of(const struct tp_event *e, const struct tp_tables *t, struct tp_gc_step *ret)
{
    enum tp_kind kind = tp_event_kind(e);
    switch (kind) {
    case TP_KIND_SYNC:
        step(ret, e, TP_GC_SYNC);
        struct tp_sync sync;
        ret->value = tp_event_sync(e, t, &sync) ? sync.number : 0;
        return true;
    case TP_KIND_METRIC: return procs_step(e, ret);
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: return range_step(e, t, kind, ret);
    case TP_KIND_TRANSITION: return transition_step(e, t, ret);
    case TP_KIND_LABEL: return worker_step(e, t, ret);
    default: return false;
    }
}
