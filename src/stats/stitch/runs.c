// Joins what findings need of runs, and of waits for a P, from partial to partial.
#include "stats/evidence.h"
#include "stats/stitch/stitch.h"

static int64_t later(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

// PREEMPTIONS

// Whether the stack is that of a goroutine which was interrupted; it shows the function that ran.
static bool is_interrupted(const struct tp_totals *s, uint32_t stack)
{
    const uint32_t *frames;
    if (tp_totals_stack_frames(&s->stacks, stack, &frames) == 0)
        return false;
    uint32_t function = tp_totals_frames_get(&s->frames, frames[0]).function;
    return tp_span_begins_with(tp_intern_text(&s->names, function), "runtime.asyncPreempt");
}

// Records a run of `ns` that ended by preemption at one stack, after which the goroutine's next run
// ended at another one.
static bool record(struct tp_stitch *c, uint32_t stack, uint32_t next_stack, uint64_t ns)
{
    if (is_interrupted(&c->totals, stack))
        return tp_stitch_record_evidence(c, TP_EVIDENCE_LONG_RUN_PREEMPTED, stack, ns);
    return tp_stitch_record_evidence_of_pair(c, TP_EVIDENCE_LONG_RUN_PREEMPTED, stack, next_stack,
                                             ns);
}

// Records the goroutine's preemption, after which the stack of a run's end is this one of the
// partial.
static bool end_preemption(struct tp_stitch_step *step, struct tp_stitch_g *g, uint32_t next_stack)
{
    uint32_t stack = g->preempted_stack;
    if (next_stack == TP_NO_STACK)
        return tp_stitch_end_watch(step->c, g);
    uint32_t next = tp_stitch_stack(step, next_stack);
    g->preempted_stack = TP_INTERN_NONE;
    return next != TP_INTERN_NONE && record(step->c, stack, next, g->preempted_ns);
}

bool tp_stitch_end_watch(struct tp_stitch *c, struct tp_stitch_g *g)
{
    uint32_t stack = g->preempted_stack;
    g->preempted_stack = TP_INTERN_NONE;
    return stack == TP_INTERN_NONE || record(c, stack, stack, g->preempted_ns);
}

// Takes over a preemption of the partial; records it if its next stack is known.
static bool take_preemption(struct tp_stitch_step *step, struct tp_stitch_g *g,
                            const struct tp_partial_preemption *from, uint64_t ns)
{
    g->preempted_stack = tp_stitch_stack(step, from->stack);
    g->preempted_ns = ns;
    return g->preempted_stack != TP_INTERN_NONE &&
           (!from->has_next || end_preemption(step, g, from->next_stack));
}

bool tp_stitch_add_stop(struct tp_stitch_step *step, struct tp_stitch_g *g,
                        const struct tp_partial_g *from)
{
    if (!from->has_stopped || g->preempted_stack == TP_INTERN_NONE)
        return true;
    uint32_t stack = from->is_first_listed ? step->s->preemptions.items[from->first_stack].stack
                                         : from->first_stack;
    return end_preemption(step, g, stack);
}

bool tp_stitch_add_preemptions(struct tp_stitch_step *step)
{
    bool fits = true;
    for (uint32_t i = 0; i < step->s->preemptions.count && fits; i++) {
        const struct tp_partial_preemption *p = &step->s->preemptions.items[i];
        struct tp_stitch_g of_nobody;
        fits = p->ns == 0 || !p->has_next || take_preemption(step, &of_nobody, p, p->ns);
    }
    return fits;
}

// RUNS

// Records a run of at least TP_LONG_RUN_NS that the partial's first change of the goroutine ends.
static bool record_first(struct tp_stitch_step *step, struct tp_stitch_g *g,
                         const struct tp_partial_g *from, uint64_t ns)
{
    if (from->is_first_listed)
        return take_preemption(step, g, &step->s->preemptions.items[from->first_stack], ns);
    uint32_t stack = tp_stitch_stack(step, from->first_stack);
    return stack != TP_INTERN_NONE &&
           tp_stitch_record_evidence(step->c, tp_run_evidence(from->is_first_preempted), stack, ns);
}

static bool end_run(struct tp_stitch_step *step, struct tp_stitch_g *g,
                    const struct tp_partial_g *from)
{
    int64_t end_ns = from->first_ns;
    bool is_idle = from->is_first_idle || g->is_idle_run;
    if (is_idle &&
        !tp_stitch_record_idle_runs(step->c, 1, (uint64_t)(end_ns - g->since_ns)))
        return false;
    int64_t since_ns = later(g->since_ns, later(g->stop_ns, from->first_stop_ns));
    return g->is_cut || end_ns - since_ns < TP_LONG_RUN_NS ||
           record_first(step, g, from, (uint64_t)(end_ns - since_ns));
}

void tp_stitch_add_unseen(struct tp_stitch_step *step, uint32_t *at, uint32_t ended_count,
                          uint32_t short_lived_count)
{
    for (; *at < step->s->unseen.count; ++*at) {
        const struct tp_partial_unseen *unseen = &step->s->unseen.items[*at];
        if (unseen->ended_count > ended_count || unseen->short_lived_count > short_lived_count)
            return;
        struct tp_stitch_g *g = TP_SLAB_GET(&step->c->gs, unseen->id);
        if (g != NULL && !unseen->is_label)
            g->stop_ns = unseen->time_ns;
        else if (g != NULL && g->state == TP_STATE_RUNNING)
            g->is_idle_run = true;
    }
}

bool tp_stitch_add_first_run(struct tp_stitch_step *step, struct tp_stitch_g *g,
                             const struct tp_partial_g *from)
{
    if (!tp_stitch_wants(step->c, TP_PART_WAKES))
        return true;
    if (g->state == TP_STATE_RUNNING)
        return end_run(step, g, from);
    int64_t ns = from->first_ns - g->since_ns;
    bool is_late = g->state == TP_STATE_RUNNABLE && !g->is_cut && g->is_woken &&
                   ns >= TP_LATE_NS;
    return !is_late || tp_stitch_record_evidence(step->c, TP_EVIDENCE_LATE, g->wait_stack,
                                                 (uint64_t)ns);
}

// Takes over a preemption after which the goroutine has ended no run in the partial.
static bool take_last(struct tp_stitch_step *step, struct tp_stitch_g *g,
                      const struct tp_partial_g *from)
{
    if (!from->was_preempted)
        return true;
    uint32_t number = tp_map_get(&step->s->preemption_of, (uint64_t)from->id);
    const struct tp_partial_preemption *last = &step->s->preemptions.items[number - 1];
    // The first run is added already, if it was long.
    return last->ns == 0 || take_preemption(step, g, last, last->ns);
}

bool tp_stitch_take_runs(struct tp_stitch_step *step, struct tp_stitch_g *g,
                         const struct tp_partial_g *from)
{
    if (from->stop_ns != TP_NEVER_NS)
        g->stop_ns = from->stop_ns;
    if (from->state != TP_STATE_UNSEEN) {
        g->is_woken = from->is_woken;
        g->is_idle_run = from->is_idle_run;
    } else if (from->is_first_idle && g->state == TP_STATE_RUNNING) {
        g->is_idle_run = true;
    }
    return take_last(step, g, from);
}
