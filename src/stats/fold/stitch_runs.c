// Joins what findings need of runs, and of waits for a P, from partial to partial.
#include "stats/evidence.h"
#include "stats/fold/stitch.h"

static int64_t later(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

static bool end_run(struct tp_stitch_step *step, const struct tp_stitch_g *g,
                    const struct tp_partial_g *from)
{
    int64_t end_ns = from->first_ns;
    if (from->is_first_idle || g->is_idle_run) {
        uint32_t none = tp_stitch_stack(step, TP_NO_STACK);
        if (none == TP_INTERN_NONE ||
            !tp_stitch_record_evidence(step->c, TP_EVIDENCE_IDLE_WORKER, none,
                                       (uint64_t)(end_ns - g->since_ns)))
            return false;
    }
    int64_t since_ns = later(g->since_ns, later(g->stop_ns, from->first_stop_ns));
    if (g->is_cut || end_ns - since_ns < TP_LONG_RUN_NS)
        return true;
    uint32_t stack = tp_stitch_stack(step, from->first_stack);
    return stack != TP_INTERN_NONE &&
           tp_stitch_record_evidence(step->c, tp_run_evidence(from->is_first_preempted), stack,
                                     (uint64_t)(end_ns - since_ns));
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

bool tp_stitch_add_first_run(struct tp_stitch_step *step, const struct tp_stitch_g *g,
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

void tp_stitch_take_runs(struct tp_stitch_g *g, const struct tp_partial_g *from)
{
    if (from->stop_ns != TP_NEVER_NS)
        g->stop_ns = from->stop_ns;
    if (from->state != TP_STATE_UNSEEN) {
        g->is_woken = from->is_woken;
        g->is_idle_run = from->is_idle_run;
    } else if (from->is_first_idle && g->state == TP_STATE_RUNNING) {
        g->is_idle_run = true;
    }
}
