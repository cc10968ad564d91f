// Folds what findings need of the runs of goroutines, and of their waits for a P: runs that were
// long, waits that were long, and runs of idle mark workers.
#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial.h"

static bool add(struct tp_partial *s, enum tp_evidence evidence, uint32_t stack, int64_t ns)
{
    const struct tp_partial_evidence added = {(uint64_t)ns, stack, evidence};
    return TP_LIST_ADD(&s->evidence, added);
}

bool tp_partial_end_run(struct tp_partial *s, struct tp_partial_g *g, struct tp_run_end end)
{
    uint32_t stack = tp_partial_stack(s, end.stack_id);
    bool was_preempted = tp_partial_is_preempted(s, end.reason_id);
    if (g->state == TP_STATE_UNSEEN && g->first_from == TP_STATE_UNSEEN) {
        g->first_stack = stack;
        g->first_stop_ns = g->stop_ns;
        g->is_first_preempted = was_preempted;
    }
    if (g->state != TP_STATE_RUNNING)
        return true;
    if (g->is_idle_run &&
        !add(s, TP_EVIDENCE_IDLE_WORKER, TP_NO_STACK, end.time_ns - g->since_ns))
        return false;
    int64_t since_ns = g->stop_ns > g->since_ns ? g->stop_ns : g->since_ns;
    if (g->is_cut || end.time_ns - since_ns < TP_LONG_RUN_NS)
        return true;
    return add(s, tp_run_evidence(was_preempted), stack, end.time_ns - since_ns);
}

bool tp_partial_be_late(struct tp_partial *s, const struct tp_partial_g *g, int64_t time_ns)
{
    return g->is_cut || !g->is_woken ||
           add(s, TP_EVIDENCE_LATE, tp_partial_stack(s, g->wait_stack), time_ns - g->since_ns);
}

static bool leave_unseen(struct tp_partial *s, const struct tp_event *e, bool is_label)
{
    const struct tp_partial_unseen unseen = {e->g, e->time_ns, is_label, s->ended.count,
                                             s->short_lived.count};
    return TP_LIST_ADD(&s->unseen, unseen);
}

bool tp_partial_label(struct tp_partial *s, const struct tp_event *e)
{
    struct tp_span label =
        tp_partial_text(s, tp_partial_string(s, tp_arg(e, GoLabel, label_string)));
    if (!tp_partial_wants(s, TP_PART_WAKES) || !tp_span_is(label, "GC (idle)"))
        return true;
    struct tp_partial_g *g = TP_SLAB_GET(&s->gs, e->g);
    if (g == NULL)
        return leave_unseen(s, e, true);
    if (g->state == TP_STATE_RUNNING)
        g->is_idle_run = true;
    else if (g->state == TP_STATE_UNSEEN)
        g->is_first_idle = true;
    return true;
}

bool tp_partial_end_stop(struct tp_partial *s, const struct tp_event *e)
{
    if (!tp_partial_wants(s, TP_PART_WAKES))
        return true;
    struct tp_partial_g *g = TP_SLAB_GET(&s->gs, e->g);
    if (g == NULL)
        return leave_unseen(s, e, false);
    g->stop_ns = e->time_ns;
    return true;
}
