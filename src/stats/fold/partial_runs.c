// Folds what findings need of the runs of goroutines, and of their waits for a P: runs that were
// long, waits that were long, and runs of idle mark workers.
#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial_find.h"

static bool add(struct tp_partial *s, enum tp_evidence evidence, uint32_t stack, int64_t ns)
{
    const struct tp_partial_evidence added = {(uint64_t)ns, stack, evidence};
    return TP_LIST_ADD(&s->evidence, added);
}

// Sets the next stack of the goroutine's last preemption.
static void end_preemption(struct tp_partial *s, struct tp_partial_g *g, uint32_t next_stack)
{
    if (!g->was_preempted)
        return;
    struct tp_partial_preemption *last =
        &s->preemptions.items[tp_map_remove(&s->preemption_of, (uint64_t)g->id) - 1];
    last->next_stack = next_stack;
    last->has_next = true;
    g->was_preempted = false;
}

void tp_partial_end_watch(struct tp_partial *s, struct tp_partial_g *g)
{
    end_preemption(s, g, TP_NO_STACK);
}

// Whether a preemption takes its place among `preemptions`, because evidence of it needs a second
// stack: the next one if the first lacks the function that ran, and the same one again if the first
// shows that function as its innermost one (tp_run_place).
static bool lists_preemptions(const struct tp_partial *s)
{
    return s->preemption_stack != TP_PREEMPTION_SHOWS_ENTERED;
}

// Adds a preemption. If its stack lacks the function that ran, the next stack comes later.
static bool begin_preemption(struct tp_partial *s, struct tp_partial_g *g, uint32_t stack,
                             uint64_t ns)
{
    bool needs_next = s->preemption_stack == TP_PREEMPTION_LACKS_RUNNER;
    const struct tp_partial_preemption added = {ns, stack, TP_NO_STACK, !needs_next};
    g->is_watched = g->was_preempted = needs_next;
    return TP_LIST_ADD(&s->preemptions, added) &&
           (!needs_next ||
            tp_map_put(&s->preemption_of, (uint64_t)g->id, s->preemptions.count));
}

// Notes the end of a run of which only the stitch knows the beginning.
static bool end_first(struct tp_partial *s, struct tp_partial_g *g, uint32_t stack,
                      bool was_preempted)
{
    g->first_stack = stack;
    g->first_stop_ns = g->stop_ns;
    g->is_first_preempted = was_preempted;
    if (!was_preempted || !lists_preemptions(s))
        return true;
    g->is_first_listed = true;
    g->first_stack = s->preemptions.count;
    return begin_preemption(s, g, stack, 0);
}

// Notes the stack at which a run of a watched goroutine ends, and ends the watch.
static void look(struct tp_partial *s, struct tp_partial_g *g, uint32_t stack)
{
    bool is_before = !tp_partial_g_is_whole(g) && !g->has_stopped;
    if (is_before)
        g->first_stack = stack;
    g->has_stopped = g->has_stopped || is_before;
    g->is_watched = false;
    end_preemption(s, g, stack);
}

bool tp_partial_end_run(struct tp_partial *s, struct tp_partial_g *g, struct tp_run_end end)
{
    uint32_t stack = tp_partial_stack(s, end.stack_id);
    bool was_preempted = tp_partial_is_preempted(s, end.reason_id);
    if (g->is_watched)
        look(s, g, stack);
    if (g->state == TP_STATE_UNSEEN && g->first_from == TP_STATE_UNSEEN &&
        !end_first(s, g, stack, was_preempted))
        return false;
    if (g->state != TP_STATE_RUNNING)
        return true;
    if (g->is_idle_run) {
        s->idle_runs.count++;
        s->idle_runs.ns = tp_wide_add(s->idle_runs.ns, (uint64_t)(end.time_ns - g->since_ns));
    }
    int64_t since_ns = g->stop_ns > g->since_ns ? g->stop_ns : g->since_ns;
    if (g->is_cut || end.time_ns - since_ns < TP_LONG_RUN_NS)
        return true;
    if (was_preempted && lists_preemptions(s))
        return begin_preemption(s, g, stack, (uint64_t)(end.time_ns - since_ns));
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
    struct tp_partial_g *g = tp_partial_find_g(s, e->g);
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
    struct tp_partial_g *g = tp_partial_find_g(s, e->g);
    if (g == NULL)
        return leave_unseen(s, e, false);
    g->stop_ns = e->time_ns;
    return true;
}
