// Adds the notes for the curve of mutator utilisation (gc_notes.h).
#include "merge/track/track.h"

static void put(struct tp_tracker *t, struct tp_facts *f, unsigned kind, const struct tp_event *e,
                int64_t time_ns, int64_t g)
{
    int32_t p = e->p <= INT32_MAX ? (int32_t)e->p : -1;
    TP_TRACK_PUT(t, &f->gc_notes, (struct tp_gc_note){time_ns, g, p, (uint8_t)kind});
}

void tp_track_gc_note(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                      struct tp_track_g *g, unsigned kind)
{
    tp_gc_role_note(&g->role, kind);
    // For a replayed event the speculative tracker has already given out the note.
    if (tp_track_wants(t, TP_TRACK_COLLECTOR) && t->replayed == NULL)
        put(t, f, kind, e, e->time_ns, g->id);
}

// Notes whether the goroutine e->g, in whose context the event happened, executes.
static void put_context(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    const struct tp_track_g *g = tp_track_find_g(t, e->g);
    bool executes = g != NULL && tp_gc_executes((enum tp_state)g->now.state);
    put(t, f, executes ? TP_GC_NOTE_EXECUTES : TP_GC_NOTE_EXECUTES_NOT, e,
        g != NULL ? g->since_ns : 0, e->g);
}

void tp_track_gc(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    struct tp_gc_step step;
    if (!tp_track_wants(t, TP_TRACK_COLLECTOR) || t->replayed != NULL ||
        !tp_gc_step_of(e, t->tables, &step))
        return;
    if (step.kind == TP_GC_ASSIST_ACTIVE)
        put_context(t, f, e);
    bool has_value = step.kind == TP_GC_SYNC || step.kind == TP_GC_PROCS;
    // A goroutine without a record needs no update, because a new record begins with all roles. A
    // speculative tracker adds the record nevertheless: the adopting tracker may have the goroutine
    // without roles, and takes its roles from this record.
    struct tp_track_g *g = NULL;
    if (!has_value && step.g >= 0)
        g = t->is_speculative ? tp_track_g_of(t, step.g) : tp_track_find_g(t, step.g);
    if (g != NULL)
        tp_gc_role_note(&g->role, step.kind);
    put(t, f, step.kind, e, step.time_ns, has_value ? (int64_t)step.value : step.g);
}
