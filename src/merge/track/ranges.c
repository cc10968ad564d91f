// Follows ranges (stops of the world, marks, assists, sweeps), Ps, and labels.
#include "merge/track/track.h"

// RANGES

static struct tp_track_open_range *range_of(struct tp_tracker *t, enum tp_track_range_kind kind,
                                            uint64_t id)
{
    struct tp_track_open_range *open = TP_SLAB_GET(&t->ranges[kind], id);
    return open != NULL && open->is_open ? open : NULL;
}

static void begin_range(struct tp_tracker *t, enum tp_track_range_kind kind,
                        const struct tp_track_open_range *range)
{
    struct tp_track_open_range *open = TP_SLAB_GET_OR_ADD(&t->ranges[kind], range->id);
    if (tp_unlikely(open == NULL)) {
        t->lacks_memory = true;
        return;
    }
    *open = *range;
    open->is_open = true;
    tp_track_touch(t, &t->touched_ranges[kind], (uint32_t)(open - t->ranges[kind].items));
}

// Follows an event that tells that a range is active when the generation begins.
static void activate(struct tp_tracker *t, enum tp_track_range_kind kind, uint64_t id,
                     const struct tp_event *e)
{
    if (range_of(t, kind, id) != NULL)
        return;
    if (t->is_speculative)
        tp_track_defer_event(t, e);
    else
        begin_range(t, kind,
                    &(struct tp_track_open_range){.id = id, .since_ns = e->time_ns, .is_cut = true});
}

// Gives out a range as a struct tp_interval (tracepipe/span.h). The id of a sweep is its P, the id of the
// mark phase is 0, and the id of any other range is its goroutine.
static void put_lasting(struct tp_tracker *t, struct tp_facts *f, enum tp_track_range_kind kind,
                        const struct tp_track_open_range *range, int64_t end_ns, bool goes_on)
{
#define TP_X(kind) static_assert((unsigned)TP_TRACK_##kind == (unsigned)TP_INTERVAL_##kind, "equal");
    TP_TRACK_RANGES(TP_X)
#undef TP_X
    bool has_goroutine = kind == TP_TRACK_PAUSE || kind == TP_TRACK_ASSIST;
    const struct tp_interval interval = {
        .begin_ns = range->since_ns,
        .end_ns = end_ns,
        .goroutine = has_goroutine ? (int64_t)range->id : TP_NO_GOROUTINE,
        .proc = kind == TP_TRACK_SWEEP ? (int64_t)range->id : -1,
        .thread = -1,
        .name = range->name,
        .stack = range->stack,
        .kind = (uint8_t)kind,
        .had_begun = range->is_cut,
        .goes_on = goes_on};
    tp_track_put_lasting(t, f, interval);
}

static void end_range(struct tp_tracker *t, struct tp_facts *f, enum tp_track_range_kind kind,
                      uint64_t id, uint32_t name, int64_t end_ns)
{
    struct tp_track_open_range *open = range_of(t, kind, id);
    struct tp_track_range range = {.name = name, .kind = (uint8_t)kind, .is_cut = true};
    if (open != NULL) {
        range.ns = (uint64_t)(end_ns - open->since_ns);
        range.begin_ns = open->since_ns;
        range.name = open->name;
        range.is_cut = open->is_cut;
        put_lasting(t, f, kind, open, end_ns, false);
        const struct tp_track_note stop = {
            .ns = range.ns, .begin_ns = range.begin_ns, .stack = open->stack, .other = open->name,
            .kind = TP_TRACK_STOP};
        if (kind == TP_TRACK_PAUSE && tp_track_wants(t, TP_TRACK_EVIDENCE))
            TP_TRACK_PUT(t, &f->notes, stop);
        open->is_open = false;
        // The records of marks and sweeps are kept for the next range with the same id: there is one mark
        // at a time, and one sweep for each P.
        if (kind == TP_TRACK_PAUSE || kind == TP_TRACK_ASSIST)
            TP_SLAB_REMOVE(&t->ranges[kind], id);
    } else {
        const struct tp_track_open_range unknown = {
            .id = id, .since_ns = end_ns, .name = name, .is_cut = true};
        put_lasting(t, f, kind, &unknown, end_ns, false);
    }
    if (tp_track_wants(t, TP_TRACK_INTERVALS))
        TP_TRACK_PUT(t, &f->ranges, range);
}

static void stop_clock(struct tp_tracker *t, int64_t time_ns)
{
    if (t->stops.since_ns != TP_NEVER_NS)
        t->stops.ns += (uint64_t)time_ns - (uint64_t)t->stops.since_ns;
    t->stops.since_ns = TP_NEVER_NS;
}

static void begin_stop(struct tp_tracker *t, const struct tp_event *e)
{
    stop_clock(t, e->time_ns);
    t->stops.since_ns = e->time_ns;
    t->stops.g = e->g;
}

static void end_stop(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    if (t->stops.g == e->g)
        stop_clock(t, e->time_ns);
    bool is_deferred = t->is_speculative && range_of(t, TP_TRACK_PAUSE, (uint64_t)e->g) == NULL;
    struct tp_track_g *g = tp_track_find_g(t, e->g);
    if (g != NULL && !tp_track_is_unsettled(g))
        g->stop_ns = e->time_ns;
    else if (t->is_speculative && !is_deferred)
        tp_track_defer_stop(t, e);
    if (is_deferred)
        tp_track_defer_event(t, e);
    else
        end_range(t, f, TP_TRACK_PAUSE, (uint64_t)e->g,
                  tp_track_string(t, tp_arg(e, STW, kind_string)), e->time_ns);
}

// Defers the begin or end of an assist if the tracker cannot know its effect. Returns whether it did.
static bool is_assist_deferred(struct tp_tracker *t, const struct tp_event *e)
{
    const struct tp_track_g *g = t->is_speculative ? tp_track_g_of(t, e->g) : NULL;
    if (g == NULL)
        return false;
    bool is_end = e->type == TP_EV_GCMarkAssistEnd;
    bool is_unsettled = tp_track_is_unsettled(g);
    bool is_deferred =
        is_unsettled || (is_end && g->was_before && range_of(t, TP_TRACK_ASSIST, (uint64_t)e->g) == NULL);
    // The speculation is lost if the goroutine may have a task or region open, because the clock of that
    // task or region would lack the time of the deferred assist.
    t->has_lost = t->has_lost || (is_deferred && (g->region != 0 || g->has_task));
    if (is_deferred)
        tp_track_defer_event(t, e);
    return is_deferred;
}

static void end_assist(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    struct tp_track_g *g = e->g >= 0 ? tp_track_g_of(t, e->g) : NULL;
    const struct tp_track_open_range *open = range_of(t, TP_TRACK_ASSIST, (uint64_t)e->g);
    // An assist counts if the trace shows its beginning, and shows it after the event that created or
    // announced the goroutine, if there is such an event.
    if (g != NULL && open != NULL && !open->is_cut &&
        (!g->is_known || open->since_ns >= g->first_ns))
        g->clock.assist_ns += (uint64_t)e->time_ns - (uint64_t)open->since_ns;
    end_range(t, f, TP_TRACK_ASSIST, (uint64_t)e->g, TP_STRING_EMPTY, e->time_ns);
}

static void note_begin(struct tp_tracker *t, struct tp_facts *f, enum tp_track_note_kind kind,
                       uint32_t stack)
{
    const struct tp_track_note note = {.stack = stack, .kind = (uint8_t)kind};
    if (tp_track_wants(t, TP_TRACK_EVIDENCE))
        TP_TRACK_PUT(t, &f->notes, note);
}

// Defers the end of a mark or sweep that began before the speculation. False: nothing was deferred,
// because the range began later or the tracker is not speculative.
static bool is_end_deferred(struct tp_tracker *t, const struct tp_event *e,
                        enum tp_track_range_kind kind, uint64_t id)
{
    if (!t->is_speculative || range_of(t, kind, id) != NULL)
        return false;
    tp_track_defer_event(t, e);
    return true;
}

static TP_NOINLINE void rare_range(struct tp_tracker *t, struct tp_facts *f,
                                   const struct tp_event *e)
{
    struct tp_track_open_range range = {.id = (uint64_t)e->g, .since_ns = e->time_ns};
    switch (e->type) {
    case TP_EV_STWBegin:
        begin_stop(t, e);
        range.name = tp_track_string(t, tp_arg(e, STW, kind_string));
        range.stack = tp_track_stack(t, tp_arg(e, STWBegin, stack));
        begin_range(t, TP_TRACK_PAUSE, &range);
        break;
    case TP_EV_STWEnd: end_stop(t, f, e); break;
    case TP_EV_GCActive: activate(t, TP_TRACK_MARK, 0, e); break;
    case TP_EV_GCBegin:
        note_begin(t, f, TP_TRACK_CYCLE_BEGIN, tp_track_stack(t, tp_arg(e, GCBegin, stack)));
        range.id = 0;
        begin_range(t, TP_TRACK_MARK, &range);
        break;
    case TP_EV_GCEnd:
        if (!is_end_deferred(t, e, TP_TRACK_MARK, 0))
            end_range(t, f, TP_TRACK_MARK, 0, TP_STRING_EMPTY, e->time_ns);
        break;
    case TP_EV_GCSweepActive: activate(t, TP_TRACK_SWEEP, tp_arg(e, GCSweepActive, p), e); break;
    case TP_EV_GCMarkAssistActive:
        activate(t, TP_TRACK_ASSIST, tp_arg(e, GCMarkAssistActive, g), e);
        break;
    case TP_EV_GCMarkAssistBegin:
        if (is_assist_deferred(t, e))
            break;
        note_begin(t, f, TP_TRACK_ASSIST_BEGIN,
                   tp_track_stack(t, tp_arg(e, GCMarkAssistBegin, stack)));
        begin_range(t, TP_TRACK_ASSIST, &range);
        break;
    case TP_EV_GCMarkAssistEnd:
        if (!is_assist_deferred(t, e))
            end_assist(t, f, e);
        break;
    default: break;
    }
}

void tp_track_range_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    const struct tp_track_open_range sweep = {.id = (uint64_t)e->p, .since_ns = e->time_ns};
    // Test sweeps first: a P sweeps before it allocates, so nearly all ranges are sweeps.
    if (tp_likely(e->type == TP_EV_GCSweepBegin)) {
        begin_range(t, TP_TRACK_SWEEP, &sweep);
        return;
    }
    if (tp_likely(e->type == TP_EV_GCSweepEnd)) {
        if (!is_end_deferred(t, e, TP_TRACK_SWEEP, sweep.id))
            end_range(t, f, TP_TRACK_SWEEP, sweep.id, TP_STRING_EMPTY, e->time_ns);
        return;
    }
    rare_range(t, f, e);
}

void tp_track_cut_ranges(struct tp_tracker *t, struct tp_facts *f)
{
    for (unsigned kind = 0; kind < TP_TRACK_RANGE_COUNT; kind++) {
        for (uint32_t i = 1; i <= t->ranges[kind].count; i++) {
            const struct tp_track_open_range *open = &t->ranges[kind].items[i];
            const struct tp_track_range range = {.ns = (uint64_t)(t->last_ns - open->since_ns),
                                                 .name = open->name,
                                                 .kind = (uint8_t)kind,
                                                 .is_cut = true};
            if (!open->is_open)
                continue;
            put_lasting(t, f, (enum tp_track_range_kind)kind, open, t->last_ns, true);
            if (tp_track_wants(t, TP_TRACK_INTERVALS))
                TP_TRACK_PUT(t, &f->ranges, range);
        }
    }
}

// PS

static void put_proc(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_proc *p,
                     int64_t end_ns, bool goes_on)
{
    if (p->state == TP_STATE_RUNNING)
        tp_track_put_lasting(t, f, (struct tp_interval){.begin_ns = p->since_ns,
                                                        .end_ns = end_ns,
                                                        .goroutine = TP_NO_GOROUTINE,
                                                        .proc = p->id,
                                                        .thread = p->thread,
                                                        .kind = TP_INTERVAL_PROC,
                                                        .had_begun = p->had_begun,
                                                        .goes_on = goes_on});
}

void tp_track_cut_procs(struct tp_tracker *t, struct tp_facts *f)
{
    for (uint32_t i = 1; i <= t->procs.count; i++)
        put_proc(t, f, &t->procs.items[i], t->last_ns, true);
}

// Follows a change of the state of a P. Ps are never destroyed, so a status event of a known P does not
// announce another P with the same id: it is a change of state, too.
void tp_track_proc_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    enum tp_state from = tp_event_state_from(e), to = tp_event_state_to(e);
    if (from == to)
        return;
    int64_t id = tp_event_resource_id(e, &tp_event_shapes[e->type]);
    struct tp_track_proc *p = TP_SLAB_GET(&t->procs, id);
    struct tp_track_move move = {e->time_ns, TP_STATE_NOT_EXIST, (uint8_t)to, true};
    if (tp_likely(p != NULL)) {
        move.from = p->state;
        put_proc(t, f, p, e->time_ns, false);
    } else {
        p = TP_SLAB_GET_OR_ADD(&t->procs, id);
        if (p == NULL) {
            t->lacks_memory = true;
            return;
        }
        *p = (struct tp_track_proc){.id = id, .had_begun = from == TP_STATE_UNDETERMINED};
        // A P that a status event announces has been in the announced state since the last Sync.
        if (from == TP_STATE_UNDETERMINED && t->sync_ns >= 0)
            move.time_ns = t->sync_ns;
        if (t->is_speculative)
            tp_track_defer_event(t, e);
    }
    p->had_begun = p->had_begun && p->state == TP_STATE_UNDETERMINED;
    p->since_ns = move.time_ns;
    p->thread = e->m;
    p->state = (uint8_t)to;
    bool is_deferred = t->is_speculative && move.from == TP_STATE_NOT_EXIST;
    if (!is_deferred && tp_track_wants(t, TP_TRACK_MOVES) &&
        (move.from == TP_STATE_RUNNING) != (to == TP_STATE_RUNNING))
        TP_TRACK_PUT(t, &f->moves, move);
}

// LABELS

void tp_track_label(struct tp_tracker *t, const struct tp_event *e)
{
    struct tp_span label =
        t->tables->strings.items[tp_track_string(t, tp_arg(e, GoLabel, label_string))];
    if (!tp_span_is(label, "GC (idle)"))
        return;
    struct tp_track_g *g = tp_track_find_g(t, e->g);
    if (t->is_speculative && (g == NULL || tp_track_is_unsettled(g)))
        tp_track_defer_event(t, e);
    else if (g != NULL && g->now.state == TP_STATE_RUNNING)
        g->watch |= TP_WATCH_IDLE_RUN;
}
