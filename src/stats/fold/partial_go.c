// Folds state changes of goroutines: names the goroutines and records the spans of their states.
#include <string.h>

#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial_breakdown.h"
#include "stats/fold/partial_find.h"
#include "stats/fold/partial_wake.h"

// A goroutine can have a group of its own instead of a log of spans. The group takes more memory
// at first but does not grow, and takes more time to create and to merge. So a goroutine gets one
// only if the partial has at least LONG_STRETCH_EVENTS events and the goroutine's log has more than
// LOG_CHUNKS_MAX chunks.
#define LONG_STRETCH_EVENTS 32768
#define LOG_CHUNKS_MAX 2

// Empties the chain of the goroutine's deferred waits: counts them, or drops them.
static bool settle_waits(struct tp_partial *s, struct tp_partial_g *g, bool do_count)
{
    struct tp_deferred_wait w;
    bool fits = true;
    while (tp_deferred_waits_take(&s->deferred_waits, &g->deferred, &w)) {
        if (do_count)
            fits = fits && tp_partial_add_wait(s, w.stack, (enum tp_stack_type)w.type, w.ns);
    }
    return fits;
}

// NAMES

static bool record_log(struct tp_partial *s, struct tp_partial_g *g, uint32_t group)
{
    struct tp_span_log_walk walk = {&s->logs, g->log, 0};
    struct tp_logged_span span;
    bool fits = group != TP_DURATIONS_NONE;
    while (fits && tp_span_log_next(&walk, &span)) {
        struct tp_dist *d = tp_durations_dist(&s->durations, group, span.measure);
        fits = d != NULL && tp_durations_add(&s->durations, d, span.ns, span.is_cut);
    }
    tp_span_log_free(&s->logs, &g->log);
    return fits;
}

// Settles the goroutine's name: records all its earlier spans under this name, under which its
// later spans will be recorded, too.
static bool settle_name(struct tp_partial *s, struct tp_partial_g *g)
{
    if (!tp_partial_wants(s, TP_PART_GOROUTINES))
        return true;
    bool had_own_group = g->has_own_group;
    uint32_t own = g->group;
    g->group = tp_durations_group_of(&s->durations, TP_SPACE_GOROUTINE, g->name);
    g->has_own_group = false;
    memset(g->dists, 0, sizeof g->dists);
    if (!had_own_group)
        return record_log(s, g, g->group);
    // First record the spans still pending for its own group.
    return g->group != TP_DURATIONS_NONE && tp_partial_record(s) &&
           tp_durations_move_group(&s->durations, TP_SPACE_GOROUTINE, g->name, &s->durations, own);
}

static TP_NOINLINE bool name_by_stack(struct tp_partial *s, struct tp_partial_g *g,
                                      uint64_t stack_id, enum tp_stack_origin origin,
                                      uint64_t reason_id)
{
    struct tp_root root = tp_partial_root(s, stack_id);
    if (origin == TP_STACK_OF_CALL &&
        tp_name_rank_of((enum tp_root_kind)root.kind, origin) < g->name_rank &&
        tp_partial_is_preempted(s, reason_id))
        origin = TP_STACK_OF_OTHERS;
    enum tp_name_rank rank = tp_name_rank_of((enum tp_root_kind)root.kind, origin);
    if (rank >= g->name_rank)
        return true;
    g->name_rank = (uint8_t)rank;
    g->name = root.name;
    return rank != TP_NAME_SETTLED || !tp_partial_g_is_whole(g) || settle_name(s, g);
}

// Whether a stack of a call is known to name the goroutine no better than it is named. Goroutines
// of the runtime never get a settled name.
TP_INLINE bool is_of_runtime_again(const struct tp_partial *s, const struct tp_partial_g *g,
                                   uint64_t stack_id)
{
    uint32_t stack = s->has_stack_arrays && g->name_rank <= TP_NAME_OF_RUNTIME
                         ? tp_partial_stack(s, stack_id)
                         : TP_NO_STACK;
    return stack != TP_NO_STACK && s->roots[stack].kind == TP_ROOT_RUNTIME;
}

// SPANS

TP_INLINE struct tp_logged_span span_of(const struct tp_partial_g *g, int64_t ns)
{
    return (struct tp_logged_span){(uint64_t)ns, g->measure, g->is_cut};
}

static TP_NOINLINE bool record_span(struct tp_partial *s, struct tp_partial_g *g, int64_t ns)
{
    if (!tp_partial_wants(s, TP_PART_GOROUTINES))
        return true;
    if (g->group == TP_DURATIONS_NONE) {
        if (!tp_span_log_add(&s->logs, &g->log, span_of(g, ns)))
            return false;
        if (s->event_count < LONG_STRETCH_EVENTS ||
            tp_span_log_chunk_count(&s->logs, g->log) <= LOG_CHUNKS_MAX)
            return true;
        g->has_own_group = true;
        g->group = tp_durations_group_of(&s->durations, TP_SPACE_UNNAMED, s->own_group_count++);
        return record_log(s, g, g->group);
    }
    struct tp_dist *d = tp_durations_dist(&s->durations, g->group, g->measure);
    return d != NULL && tp_durations_add(&s->durations, d, (uint64_t)ns, g->is_cut);
}

// Records a wait. Waits before a goroutine's first run are deferred: they count only if it never
// runs.
static bool record_wait(struct tp_partial *s, struct tp_partial_g *g, enum tp_stack_type type,
                        int64_t ns)
{
    uint32_t stack = tp_partial_stack(s, g->wait_stack);
    if (g->has_run)
        return tp_partial_add_wait(s, stack, type, ns);
    return tp_deferred_waits_add(
        &s->deferred_waits, &g->deferred,
        (struct tp_deferred_wait){.ns = ns, .stack = stack, .type = (uint8_t)type});
}

static void note_first(struct tp_partial_g *g, enum tp_state from, int64_t t)
{
    if (g->state != TP_STATE_UNSEEN || g->first_from != TP_STATE_UNSEEN)
        return;
    g->first_from = (uint8_t)from;
    g->first_ns = t;
}

TP_INLINE enum tp_stack_type stack_type_of(const struct tp_partial *s, uint32_t measure,
                                           enum tp_state state)
{
    switch (state) {
    case TP_STATE_RUNNING: return TP_STACK_TYPE_NONE;
    case TP_STATE_RUNNABLE: return TP_STACK_SCHED;
    case TP_STATE_SYSCALL: return TP_STACK_SYSCALL;
    default:
        return (enum tp_stack_type)s->reasons.items[measure - TP_MEASURE_FIRST_BLOCK].stack_type;
    }
}

// Handles a change from a state `from`, named by the event, in which the goroutine is not known to
// be. If it is known to be in another state, corrects the levels. If its state is unknown here,
// notes `from`, and the stitch corrects the levels.
static TP_NOINLINE bool leave_other(struct tp_partial *s, struct tp_partial_g *g,
                                    enum tp_state from, struct tp_run_end end)
{
    if (from == TP_STATE_RUNNING && tp_partial_wants(s, TP_PART_WAKES) &&
        !tp_partial_end_run(s, g, end))
        return false;
    note_first(g, from, end.time_ns);
    if (g->state != TP_STATE_UNSEEN)
        tp_levels_move(&s->levels, tp_level_of_state(g->state), tp_level_of_state(from),
                       end.time_ns);
    return true;
}

TP_INLINE enum tp_spent spent_of_state(enum tp_state state)
{
    switch (state) {
    case TP_STATE_RUNNING: return TP_SPENT_RUNNING;
    case TP_STATE_RUNNABLE: return TP_SPENT_SCHEDULING;
    case TP_STATE_SYSCALL: return TP_SPENT_SYSCALL;
    default: return TP_SPENT_BLOCKED;
    }
}

// Adds what findings need of the state that the goroutine is about to leave: mostly nothing.
TP_INLINE bool note_end(struct tp_partial *s, struct tp_partial_g *g, enum tp_state from,
                        struct tp_run_end end)
{
    int64_t ns = end.time_ns - g->since_ns;
    if (from == TP_STATE_RUNNING)
        return tp_likely(ns < TP_LONG_RUN_NS && !g->is_idle_run && !g->is_watched) ||
               tp_partial_end_run(s, g, end);
    return from != TP_STATE_RUNNABLE || tp_likely(ns < TP_LATE_NS) ||
           tp_partial_be_late(s, g, end.time_ns);
}

// Records the state that the goroutine leaves. `end` has the end of a run, and the time of any
// other end. is_paired: tp_partial_wake has recorded the wait, which `waits` then leaves out.
TP_INLINE bool leave(struct tp_partial *s, struct tp_partial_g *g, enum tp_state from,
                     struct tp_run_end end, bool is_paired, unsigned parts)
{
    if (tp_unlikely(g->state != from))
        return leave_other(s, g, from, end);
    if (from == TP_STATE_WAITING && g->measure == TP_MEASURE_NONE)
        return true;
    if ((parts & TP_PART_WAKES) != 0 && !note_end(s, g, from, end))
        return false;
    int64_t ns = end.time_ns - g->since_ns;
    g->spent_ns[spent_of_state(from)] += (uint64_t)ns;
    if (from == TP_STATE_WAITING && (parts & TP_PART_INTERVALS) != 0 &&
        tp_unlikely(!tp_partial_clock_wait(s, g, ns)))
        return false;
    enum tp_stack_type type = stack_type_of(s, g->measure, from);
    bool is_wait = type != TP_STACK_TYPE_NONE && (parts & TP_PART_STACKS) != 0 && !is_paired;
    if (tp_unlikely(g->is_cut || (is_wait && !g->has_run)))
        return record_span(s, g, ns) && (!is_wait || record_wait(s, g, type, ns));
    if (is_wait)
        *s->waits_end++ = (struct tp_partial_wait){ns, g->wait_stack, type};
    if ((parts & TP_PART_GOROUTINES) == 0)
        return true;
    struct tp_dist *d = from == TP_STATE_WAITING ? NULL : g->dists[spent_of_state(from)];
    if (tp_unlikely(d == NULL)) {
        if (g->group == TP_DURATIONS_NONE)
            return tp_span_log_add_here(&s->logs, g->log, span_of(g, ns)) || record_span(s, g, ns);
        d = tp_durations_dist(&s->durations, g->group, g->measure);
        if (tp_unlikely(d == NULL))
            return false;
        if (from != TP_STATE_WAITING)
            g->dists[spent_of_state(from)] = d;
    }
    *s->spans_end++ = (struct tp_partial_span){ns, d};
    return true;
}

// Records a duration in its distribution, except in the histogram. Sets *ret_low to the count of
// the histogram that the duration will raise, and prefetches this count, because the histograms
// are scattered in memory. Adds to *hist_bytes by how much the memory of the histogram has grown.
TP_INLINE bool record_total(struct tp_partial *s, struct tp_dist *d, uint64_t ns,
                            uint16_t **ret_low, size_t *hist_bytes)
{
    tp_dist_add_total(d, ns);
    unsigned bucket = tp_hist_bucket(ns);
    *ret_low = tp_hist_low(&d->hist, bucket);
    if (tp_unlikely(*ret_low == NULL)) {
        if (!tp_hist_add_here(&d->hist, bucket) &&
            !tp_hist_add_measured(&d->hist, bucket, 1, hist_bytes))
            return false;
        *ret_low = &s->nowhere;
    }
    __builtin_prefetch(*ret_low, 1);
    return true;
}

// Carries into the histogram of a duration whose count has wrapped.
static TP_NOINLINE bool carry(struct tp_dist *d, int64_t ns)
{
    return tp_hist_carry(&d->hist, tp_hist_bucket((uint64_t)ns));
}

static bool record_spans(struct tp_partial *s)
{
    uint16_t **low = s->lows;
    const struct tp_partial_span *span;
    for (span = s->spans; span < s->spans_end; span++) {
        if (!record_total(s, span->dist, (uint64_t)span->ns, low++, &s->durations.hist_bytes))
            return false;
    }
    low = s->lows;
    for (span = s->spans; span < s->spans_end; span++) {
        if (tp_unlikely(++**low++ == 0) && !carry(span->dist, span->ns))
            return false;
    }
    return true;
}

static bool record_paired_waits(struct tp_partial *s)
{
    uint16_t **low = s->lows;
    const struct tp_partial_paired_wait *w;
    for (w = s->paired_waits; w < s->paired_waits_end; w++) {
        struct tp_partial_pair_sum *sum = &s->pair_sums.items[w->sum];
        sum->blamed_ns += w->blamed_ns;
        if (!record_total(s, &sum->dist, (uint64_t)w->ns, low++, &s->pair_hist_bytes))
            return false;
    }
    low = s->lows;
    for (w = s->paired_waits; w < s->paired_waits_end; w++) {
        if (tp_unlikely(++**low++ == 0) && !carry(&s->pair_sums.items[w->sum].dist, w->ns))
            return false;
    }
    return true;
}

TP_INLINE bool record_waits(struct tp_partial *s)
{
    for (const struct tp_partial_wait *w = s->waits; w < s->waits_end; w++) {
        if (tp_unlikely(!tp_partial_add_wait(s, tp_partial_stack(s, w->stack_id),
                                             (enum tp_stack_type)w->type, w->ns)))
            return false;
    }
    return true;
}

bool tp_partial_record(struct tp_partial *s)
{
    s->nowhere = 0; // gets at most 2 * TP_BLOCK_EVENTS additions, so it does not wrap
    bool fits = record_spans(s) && record_paired_waits(s) && record_waits(s);
    s->spans_end = s->spans;
    s->paired_waits_end = s->paired_waits;
    s->waits_end = s->waits;
    return fits;
}

TP_INLINE bool measure_of(struct tp_partial *s, enum tp_state state, uint64_t reason,
                          uint32_t *ret)
{
    switch (state) {
    case TP_STATE_RUNNING: *ret = TP_MEASURE_RUN; return true;
    case TP_STATE_RUNNABLE: *ret = TP_MEASURE_SCHED; return true;
    case TP_STATE_SYSCALL: *ret = TP_MEASURE_SYSCALL; return true;
    case TP_STATE_WAITING: return tp_partial_block_measure(s, reason, ret);
    default: *ret = TP_MEASURE_NONE; return true;
    }
}

static TP_NOINLINE void run_first(struct tp_partial *s, struct tp_partial_g *g)
{
    g->has_run = true;
    if (tp_partial_g_is_whole(g))
        (void)settle_waits(s, g, false);
}

TP_INLINE bool enter(struct tp_partial *s, struct tp_partial_g *g, enum tp_state to, int64_t t,
                     uint64_t reason, uint64_t stack)
{
    if (!measure_of(s, to, reason, &g->measure))
        return false;
    g->state = (uint8_t)to;
    g->since_ns = t;
    g->is_cut = g->is_woken = g->is_idle_run = false;
    g->wait_stack = stack;
    if (to == TP_STATE_RUNNING && tp_unlikely(!g->has_run))
        run_first(s, g);
    return true;
}

// BEGIN AND END

// Keeps the record of an ended goroutine for the stitch.
static bool keep_ended(struct tp_partial *s, struct tp_partial_g *g)
{
    tp_partial_end_watch(s, g);
    if (!TP_LIST_ADD(&s->ended, *g))
        return false;
    tp_partial_remove_g(s, g);
    return true;
}

static bool record_life(struct tp_partial *s, const struct tp_partial_g *g, int64_t ns)
{
    if (!tp_partial_wants(s, TP_PART_GOROUTINES))
        return true;
    struct tp_dist *life = tp_durations_dist(&s->durations, g->group, TP_MEASURE_LIFE);
    return life != NULL && tp_durations_add(&s->durations, life, (uint64_t)ns, false);
}

// Ends a goroutine that was created in this partial: records everything, leaves nothing open.
static bool end_new(struct tp_partial *s, struct tp_partial_g *g, int64_t t)
{
    bool is_settled = g->group != TP_DURATIONS_NONE && !g->has_own_group;
    if ((!is_settled && !settle_name(s, g)) || !settle_waits(s, g, true) ||
        !tp_partial_close_regions(s, g, t))
        return false;
    struct tp_partial_short_lived one = {g->id, g->first_ns, s->ended.count};
    if (!record_life(s, g, t - g->first_ns) || !TP_LIST_ADD(&s->short_lived, one))
        return false;
    struct tp_top_goroutine sum = {.begin_ns = g->first_ns,
                                   .life_ns = (uint64_t)(t - g->first_ns),
                                   .id = g->id,
                                   .function = g->name};
    memcpy(sum.spent_ns, g->spent_ns, sizeof sum.spent_ns);
    tp_partial_end_watch(s, g);
    tp_partial_drop_clock(s, g);
    tp_partial_remove_g(s, g);
    return !tp_partial_wants(s, TP_PART_LONGEST) || tp_totals_part_add(&s->longest, &sum);
}

static struct tp_partial_g *begin(struct tp_partial *s, const struct tp_event *e, int64_t id,
                                  enum tp_state from)
{
    struct tp_partial_g *known = tp_partial_find_g(s, id);
    // Another goroutine with this id has a record, without an end: keep it as an ended one.
    if (known != NULL && !keep_ended(s, known))
        return NULL;
    struct tp_partial_g *g = tp_partial_add_g(s, id);
    if (g == NULL)
        return NULL;
    g->is_watched = false;
    g->first_ns = e->time_ns;
    g->first_from = (uint8_t)from;
    g->clock = 0;
    g->is_new = from == TP_STATE_NOT_EXIST;
    // A goroutine is not to blame for what was before its creation.
    for (unsigned rule = 0; rule < TP_BLAMES && g->is_new; rule++)
        g->left.known_ns[rule] = e->time_ns;
    g->is_announced = from == TP_STATE_UNDETERMINED;
    if (g->is_announced && s->sync_ns >= 0)
        g->before_ns = e->time_ns - s->sync_ns;
    return g;
}

// Begins the legs of a goroutine that is created, or announced and not followed until its first
// task event.
static void begin_legs(struct tp_partial_g *g, enum tp_state to, int64_t t, uint64_t stack)
{
    g->legs.since_ns = t;
    if (!g->is_new) {
        g->legs.longest.ns = TP_LEG_LONGEST;
        return;
    }
    g->creation_stack = stack;
    if (to == TP_STATE_WAITING)
        g->legs.stack_id = stack;
}

// Adds a change of the goroutine's state to its legs. `stack` is that of the event; 0: none.
TP_INLINE bool change_leg(struct tp_partial *s, struct tp_partial_g *g, enum tp_state from,
                          enum tp_state to, int64_t t, uint64_t stack)
{
    if (to == TP_STATE_WAITING) {
        if (!tp_partial_end_leg(s, g, t, stack))
            return false;
        g->legs.stack_id = stack;
    } else if (from == TP_STATE_WAITING) {
        return tp_partial_end_leg(s, g, t, 0);
    } else if (from == TP_STATE_RUNNING && to == TP_STATE_RUNNABLE &&
               g->legs.stack_id == TP_LEG_NO_STACK) {
        g->legs.stack_id = stack;
    }
    return true;
}

TP_INLINE bool note_exec(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g,
                         enum tp_state from, enum tp_state to)
{
    return tp_gc_executes(from) == tp_gc_executes(to) ||
           tp_likely(!tp_gc_role_is_any(g->gc_role)) ||
           tp_partial_gc_note(s, e, g, tp_gc_executes(to) ? TP_GC_EXEC_BEGIN : TP_GC_EXEC_END);
}

// Adds a change of state that neither creates nor ends the goroutine. `own_stack` is a stack of
// the goroutine itself, `stack` that of the event; 0: none.
TP_INLINE bool change(struct tp_partial *s, const struct tp_event *e, int64_t id,
                      enum tp_state from, enum tp_state to, uint64_t reason, uint64_t own_stack,
                      uint64_t stack, unsigned parts)
{
    if ((parts & TP_PART_TIMELINE) != 0)
        tp_levels_move(&s->levels, tp_level_of_state(from), tp_level_of_state(to), e->time_ns);
    struct tp_partial_g *g = tp_partial_g_of(s, id);
    return tp_likely(g != NULL) &&
           ((parts & TP_PART_WAKES) == 0 || change_leg(s, g, from, to, e->time_ns, stack)) &&
           (own_stack == 0 || (parts & TP_PARTS_NAMED) == 0 ||
            tp_likely(g->name_rank == TP_NAME_SETTLED) || is_of_runtime_again(s, g, own_stack) ||
            name_by_stack(s, g, own_stack, TP_STACK_OF_CALL, reason)) &&
           leave(s, g, from, (struct tp_run_end){e->time_ns, own_stack, reason}, false, parts) &&
           enter(s, g, to, e->time_ns, reason, stack) &&
           ((parts & TP_PART_UTILISATION) == 0 || note_exec(s, e, g, from, to));
}

TP_INLINE bool enter_woken(struct tp_partial *s, struct tp_partial_g *g, const struct tp_event *e)
{
    bool fits = enter(s, g, TP_STATE_RUNNABLE, e->time_ns, 0, tp_arg(e, GoUnblock, stack));
    g->is_woken = true;
    return fits;
}

// Adds the end of a wait.
TP_INLINE bool unblock(struct tp_partial *s, const struct tp_event *e, unsigned parts)
{
    const struct tp_run_end end = {.time_ns = e->time_ns};
    bool is_paired = false;
    if ((parts & TP_PART_TIMELINE) != 0)
        tp_levels_move(&s->levels, TP_LEVEL_BLOCKED, TP_LEVEL_RUNNABLE, e->time_ns);
    struct tp_partial_g *g = tp_partial_g_of(s, (int64_t)tp_arg(e, GoUnblock, g));
    return tp_likely(g != NULL) &&
           ((parts & TP_PART_WAKES) == 0 ||
            (tp_partial_end_leg(s, g, e->time_ns, 0) && tp_partial_wake(s, g, e, &is_paired))) &&
           leave(s, g, TP_STATE_WAITING, end, is_paired, parts) &&
           enter_woken(s, g, e);
}

// Returns the origin of the goroutine's own stack in this event.
static enum tp_stack_origin origin_of(const struct tp_event *e, enum tp_state from)
{
    if (from == TP_STATE_NOT_EXIST)
        return TP_STACK_OF_CREATION;
    return e->type == TP_EV_GoStatusStack ? TP_STACK_OF_OTHERS : TP_STACK_OF_CALL;
}

TP_NOINLINE bool tp_partial_change(struct tp_partial *s, const struct tp_event *e)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    enum tp_state from = tp_event_state_from(e), to = tp_event_state_to(e);
    if (from == to)
        return true;
    int64_t id = tp_event_resource_id(e, shape);
    uint64_t reason = shape->reason_arg != 0 ? e->args[shape->reason_arg - 1] : 0;
    uint64_t stack = shape->stack_arg != 0 ? e->args[shape->stack_arg - 1] : 0;
    bool has_own_stack = shape->transition_stack_arg != 0 && tp_partial_wants(s, TP_PARTS_NAMED);
    uint64_t own_stack = has_own_stack ? e->args[shape->transition_stack_arg - 1] : 0;
    bool begins = from == TP_STATE_NOT_EXIST || from == TP_STATE_UNDETERMINED;
    struct tp_partial_g *g = begins ? begin(s, e, id, from) : tp_partial_g_of(s, id);
    if (g == NULL)
        return false;
    if (begins)
        begin_legs(g, to, e->time_ns, stack);
    const struct tp_run_end run_end = {e->time_ns, own_stack, reason};
    if ((!begins && tp_partial_wants(s, TP_PART_WAKES) &&
         !change_leg(s, g, from, to, e->time_ns, stack)) ||
        (own_stack != 0 && !name_by_stack(s, g, own_stack, origin_of(e, from), reason)) ||
        (!begins && !leave(s, g, from, run_end, false, s->parts)) ||
        !enter(s, g, to, e->time_ns, reason, stack) ||
        (begins && g->is_new && !tp_partial_gc_note(s, e, g, TP_GC_NOTE_BEGUN)) ||
        !note_exec(s, e, g, from, to))
        return false;
    tp_levels_move(&s->levels, tp_level_of_state(from), tp_level_of_state(to), e->time_ns);
    g->is_woken = begins && g->is_new;
    if (g->is_announced && begins) {
        g->is_cut = true;
        g->first_measure = g->measure;
        g->first_to = (uint8_t)to;
    }
    if (to != TP_STATE_NOT_EXIST)
        return true;
    bool needs_note = !g->is_new || tp_gc_role_is_any(g->gc_role);
    if (needs_note && !tp_partial_gc_note(s, e, g, TP_GC_NOTE_ENDED))
        return false;
    g->has_ended = true;
    return g->is_new ? end_new(s, g, e->time_ns) : keep_ended(s, g);
}

// Adds an event. Nearly all events have one of the types below, whose shapes
// (merge/tables/event_shapes.def) are spelled out here, so that the compiler specializes each case.
TP_INLINE bool event(struct tp_partial *s, const struct tp_event *e, unsigned parts)
{
    uint64_t stack;
    switch (e->type) {
    case TP_EV_GoStart:
        return change(s, e, (int64_t)tp_arg(e, GoStart, g), TP_STATE_RUNNABLE, TP_STATE_RUNNING, 0,
                      0, 0, parts);
    case TP_EV_GoStop:
        stack = tp_arg(e, GoStop, stack);
        return change(s, e, e->g, TP_STATE_RUNNING, TP_STATE_RUNNABLE,
                      tp_arg(e, GoStop, reason_string), stack, stack, parts);
    case TP_EV_GoBlock:
        stack = tp_arg(e, GoBlock, stack);
        return change(s, e, e->g, TP_STATE_RUNNING, TP_STATE_WAITING,
                      tp_arg(e, GoBlock, reason_string), stack, stack, parts);
    case TP_EV_GoUnblock:
        return unblock(s, e, parts);
    case TP_EV_GoSyscallBegin:
        stack = tp_arg(e, GoSyscallBegin, stack);
        return change(s, e, e->g, TP_STATE_RUNNING, TP_STATE_SYSCALL, 0, stack, stack, parts);
    case TP_EV_GoSyscallEnd:
        return change(s, e, e->g, TP_STATE_SYSCALL, TP_STATE_RUNNING, 0, 0, 0, parts);
    case TP_EV_GoSyscallEndBlocked:
        return change(s, e, e->g, TP_STATE_SYSCALL, TP_STATE_RUNNABLE, 0, 0, 0, parts);
    case TP_EV_HeapAlloc:
        if ((parts & TP_PART_TIMELINE) != 0)
            tp_partial_gauge(s, e);
        return true;
    case TP_EV_GCSweepBegin:
    case TP_EV_GCSweepEnd: return (parts & TP_PART_INTERVALS) == 0 || tp_partial_range(s, e);
    default: return tp_partial_event_by_shape(s, e);
    }
}

bool tp_partial_event(struct tp_partial *s, const struct tp_event *e)
{
    return event(s, e, s->parts);
}

bool tp_partial_event_of_all(struct tp_partial *s, const struct tp_event *e)
{
    return event(s, e, TP_PARTS_ALL);
}
