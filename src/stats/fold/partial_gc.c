// Adds to a partial the notes (stats/gc/notes.h) with which the stitch later continues the curve of
// mutator utilisation.
#include "merge/tables/event_shape.h"
#include "stats/fold/gc_step.h"
#include "stats/fold/partial.h"

static bool add_note(struct tp_partial *s, unsigned kind, const struct tp_event *e, int64_t g)
{
    if (!tp_partial_wants(s, TP_PART_UTILISATION))
        return true;
    int32_t p = e->p <= INT32_MAX ? (int32_t)e->p : -1;
    return TP_LIST_ADD(&s->gc_notes, (struct tp_gc_note){e->time_ns, g, p, (uint8_t)kind});
}

bool tp_partial_gc_exec(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g,
                        bool is_begin)
{
    unsigned kind = is_begin ? TP_GC_EXEC_BEGIN : TP_GC_EXEC_END;
    tp_gc_role_note(&g->gc_role, kind);
    return add_note(s, kind, e, g->id);
}

bool tp_partial_gc_begin(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g)
{
    tp_gc_role_note(&g->gc_role, TP_GC_NOTE_BEGUN);
    return add_note(s, TP_GC_NOTE_BEGUN, e, g->id);
}

// Notes the end of a goroutine, unless it was created in this partial and never had a role.
bool tp_partial_gc_end(struct tp_partial *s, const struct tp_event *e,
                       const struct tp_partial_g *g)
{
    return (g->is_new && !tp_gc_role_is_any(g->gc_role)) || add_note(s, TP_GC_NOTE_ENDED, e, g->id);
}

// Updates gc_role of the goroutine, if it has a record in this partial, after a step of this kind.
// If it has none, nothing need be updated: a record begins with TP_GC_ROLE_ANY.
static void note_role(struct tp_partial *s, int64_t id, unsigned kind)
{
    struct tp_partial_g *g = TP_SLAB_GET(&s->gs, id);
    if (g != NULL)
        tp_gc_role_note(&g->gc_role, kind);
}

static bool add_context(struct tp_partial *s, const struct tp_event *e)
{
    const struct tp_partial_g *g = TP_SLAB_GET(&s->gs, e->g);
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
    if (!has_value)
        note_role(s, step.g, step.kind);
    return add_note(s, step.kind, e, has_value ? (int64_t)step.value : step.g);
}
