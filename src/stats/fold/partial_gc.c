// Adds to a partial the notes (stats/gc/notes.h) with which the stitch later continues the curve of
// mutator utilisation.
#include "merge/tables/event_shape.h"
#include "stats/fold/gc_step.h"
#include "stats/fold/partial_find.h"

static bool add_note(struct tp_partial *s, unsigned kind, const struct tp_event *e, int64_t g)
{
    if (!tp_partial_wants(s, TP_PART_UTILISATION))
        return true;
    int32_t p = e->p <= INT32_MAX ? (int32_t)e->p : -1;
    return TP_LIST_ADD(&s->gc_notes, (struct tp_gc_note){e->time_ns, g, p, (uint8_t)kind});
}

bool tp_partial_gc_note(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g,
                        unsigned kind)
{
    tp_gc_role_note(&g->gc_role, kind);
    return add_note(s, kind, e, g->id);
}

static bool add_context(struct tp_partial *s, const struct tp_event *e)
{
    const struct tp_partial_g *g = tp_partial_find_g(s, e->g);
    unsigned kind = TP_GC_NOTE_UNSEEN;
    if (g != NULL && g->state != TP_STATE_UNSEEN)
        kind = tp_gc_executes((enum tp_state)g->state) ? TP_GC_NOTE_EXECUTES
                                                       : TP_GC_NOTE_EXECUTES_NOT;
    if (!add_note(s, kind, e, e->g))
        return false;
    if (kind != TP_GC_NOTE_UNSEEN)
        s->gc_notes.items[s->gc_notes.count - 1].time_ns = g->since_ns;
    return true;
}

bool tp_partial_gc(struct tp_partial *s, const struct tp_event *e)
{
    struct tp_gc_step step;
    if (!tp_partial_wants(s, TP_PART_UTILISATION) || !tp_gc_step_of(e, s->tables, &step))
        return true;
    if (step.kind == TP_GC_ASSIST_ACTIVE && !add_context(s, e))
        return false;
    bool has_value = step.kind == TP_GC_SYNC || step.kind == TP_GC_PROCS;
    // A goroutine without a record needs no update: its record will begin with TP_GC_ROLE_ANY.
    struct tp_partial_g *g = has_value ? NULL : tp_partial_find_g(s, step.g);
    if (g != NULL)
        tp_gc_role_note(&g->gc_role, step.kind);
    return add_note(s, step.kind, e, has_value ? (int64_t)step.value : step.g);
}
