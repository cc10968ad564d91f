// Continues the curve of mutator utilisation from unit to unit. Turns the notes of the tracker
// (merge/track/gc_notes.h) into steps of the curve. Drops the notes about goroutines that neither assist
// nor are mark workers: a tracker that has not seen a goroutine begin notes its steps because it may be
// either.
#include "stats/input/input.h"

#include "base/alloc.h"

static void destroy_curve(struct tp_stats_gc *gc)
{
    tp_gc_curve_destroy(gc->curve);
    gc->curve = NULL;
}

static int take_step(struct tp_stats_gc *gc, const struct tp_gc_step *step, struct tp_error *err)
{
    int rc = 0;
    if (gc->is_left_out)
        return 0;
    if (gc->curve == NULL)
        rc = tp_gc_curve_create(TP_UTIL_POINTS_MAX, &gc->curve, err);
    if (rc == 0)
        rc = tp_gc_curve_step(gc->curve, step, err);
    if (rc != TP_E_TOO_LARGE)
        return rc;
    destroy_curve(gc);
    gc->is_left_out = true;
    return 0;
}

// ROLES

// Returns the record of a goroutine, creating it if needed. NULL: out of memory.
static struct tp_stats_gc_g *make_g(struct tp_stats_gc *gc, int64_t id)
{
    struct tp_stats_gc_g *known = TP_SLAB_GET(&gc->gs, id);
    uint32_t slot = known == NULL ? TP_SLAB_ADD(&gc->gs, id) : 0;
    if (slot == 0)
        return known;
    gc->gs.items[slot] = (struct tp_stats_gc_g){.id = id, .runs_since_ns = -1};
    return &gc->gs.items[slot];
}

static void stop_assist(struct tp_stats_input *c, struct tp_stats_gc_g *g, int64_t now_ns)
{
    if (g->runs_since_ns >= 0 && g->role.assist_left > 0)
        c->totals.utilisation.assist_ns += (uint64_t)(now_ns - g->runs_since_ns);
    g->runs_since_ns = -1;
}

static void free_g_without_role(struct tp_stats_gc *gc, struct tp_stats_gc_g *g)
{
    if (tp_gc_role_is_any(g->role))
        return;
    g->runs_since_ns = -1;
    TP_SLAB_REMOVE(&gc->gs, g->id);
}

static bool gives_role(unsigned kind)
{
    return kind == TP_GC_ASSIST_BEGIN || kind == TP_GC_ASSIST_ACTIVE || kind == TP_GC_WORKER;
}

// Updates the role of the note's goroutine. False: the goroutine has no record, because memory is out (if
// the note gives a role) or because it has no role (if the note gives none).
static bool take_role(struct tp_stats_input *c, const struct tp_gc_note *n)
{
    struct tp_stats_gc *gc = &c->gc;
    struct tp_stats_gc_g *g = gives_role(n->kind) ? make_g(gc, n->g) : TP_SLAB_GET(&gc->gs, n->g);
    if (g == NULL)
        return false;
    if (n->kind == TP_GC_ASSIST_END || n->kind == TP_GC_EXEC_END)
        stop_assist(c, g, n->time_ns);
    // A goroutine that begins to assist is running.
    if ((n->kind == TP_GC_ASSIST_BEGIN && g->runs_since_ns < 0) ||
        (n->kind == TP_GC_EXEC_BEGIN && g->role.assist_left > 0))
        g->runs_since_ns = n->time_ns;
    tp_gc_role_note(&g->role, n->kind);
    free_g_without_role(gc, g);
    return true;
}

// NOTES

// Handles a note that precedes an ASSIST_ACTIVE event: sets gc->context_executes to whether the goroutine
// in whose context that event happened executes. As in Go, the goroutine's state counts only if it was
// reported after the number of Ps.
static void take_context(struct tp_stats_gc *gc, const struct tp_gc_note *n)
{
    gc->context_executes =
        n->kind == TP_GC_NOTE_EXECUTES && gc->has_procs && n->time_ns > gc->procs_ns;
}

static void take_procs(struct tp_stats_gc *gc, const struct tp_gc_note *n)
{
    if (n->g != 0 && !gc->has_procs)
        gc->procs_ns = n->time_ns;
    gc->has_procs = n->g != 0;
}

static int take_note(struct tp_stats_input *c, const struct tp_gc_note *n, struct tp_error *err)
{
    struct tp_gc_step step = {.time_ns = n->time_ns, .p = n->p, .g = n->g, .kind = n->kind};
    switch (n->kind) {
    case TP_GC_SYNC:
        step.value = (uint64_t)n->g;
        break;
    case TP_GC_PROCS:
        step.value = (uint64_t)n->g;
        take_procs(&c->gc, n);
        break;
    case TP_GC_EXEC_BEGIN:
    case TP_GC_EXEC_END:
        if (!take_role(c, n))
            return 0; // the step does not change the curve
        break;
    case TP_GC_NOTE_EXECUTES:
    case TP_GC_NOTE_EXECUTES_NOT: take_context(&c->gc, n); return 0;
    case TP_GC_NOTE_BEGUN:
    case TP_GC_NOTE_ENDED: (void)take_role(c, n); return 0;
    default:
        step.flag = n->kind == TP_GC_ASSIST_ACTIVE && c->gc.context_executes;
        if (!take_role(c, n) && gives_role(n->kind))
            return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    }
    return take_step(&c->gc, &step, err);
}

int tp_stats_add_gc(struct tp_stats_step *step, struct tp_error *err)
{
    const struct tp_stats_gc *gc = &step->c->gc;
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < step->s->gc_notes.count; i++) {
        const struct tp_gc_note *n = &step->s->gc_notes.items[i];
        // Skips most notes: they announce a new goroutine whose id has no record, so there is no role to
        // forget.
        bool is_idle = n->kind == TP_GC_NOTE_BEGUN &&
                       tp_map_get(&gc->gs.by_id, (uint64_t)n->g) == TP_MAP_NONE;
        if (!is_idle)
            rc = take_note(step->c, n, err);
    }
    return rc;
}

int tp_stats_end_gc(struct tp_stats_input *c, struct tp_error *err)
{
    struct tp_stats_gc *gc = &c->gc;
    const struct tp_gc_step end = {.time_ns = c->last_ns, .kind = TP_GC_END};
    for (uint32_t i = 1; i <= gc->gs.count; i++)
        stop_assist(c, &gc->gs.items[i], c->last_ns);
    int rc = gc->curve != NULL ? take_step(gc, &end, err) : 0;
    if (rc == 0 && gc->curve != NULL)
        rc = tp_utilisation_of(&c->totals.utilisation, gc->curve, err);
    if (gc->is_left_out)
        c->totals.utilisation.left_out_count = 1;
    destroy_curve(gc);
    return rc;
}
