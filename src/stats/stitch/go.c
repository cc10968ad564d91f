// Joins goroutines from partial to partial.
#include "stats/stitch/stitch.h"

#include <string.h>

// If a goroutine's log of spans gets more chunks than this, the spans are moved to a group of
// durations for this goroutine alone, which takes more memory at first but does not grow.
#define LOG_CHUNKS_MAX 2

static uint32_t slot_of(const struct tp_stitch *c, const struct tp_stitch_g *g)
{
    return (uint32_t)(g - c->gs.items);
}

static struct tp_stitch_g *make_g(struct tp_stitch *c, int64_t id)
{
    uint32_t slot = TP_SLAB_ADD(&c->gs, id);
    if (slot == 0)
        return NULL;
    c->gs.items[slot] = (struct tp_stitch_g){
        .id = id,
        .name = TP_INTERN_NONE,
        .name_rank = TP_NAME_UNKNOWN,
        .measure = TP_MEASURE_NONE,
        .wait_stack = TP_INTERN_NONE,
        .creation_stack = TP_INTERN_NONE,
        .preempted_stack = TP_INTERN_NONE,
        .legs = {0, TP_INTERN_NONE, {0, TP_INTERN_NONE}},
        .left_ns = {TP_NEVER_NS, TP_NEVER_NS},
        .stop_ns = TP_NEVER_NS,
        .state = TP_STATE_UNSEEN,
        .is_live = true,
    };
    return &c->gs.items[slot];
}

// SPANS

// The group in which a goroutine's spans are recorded: that of its name or, until the name is
// settled, that of its slot.
struct span_owner {
    enum tp_durations_space space;
    uint32_t name;
};

static struct span_owner owner_of(const struct tp_stitch *c, const struct tp_stitch_g *g)
{
    if (g->name_rank == TP_NAME_SETTLED)
        return (struct span_owner){TP_SPACE_GOROUTINE, g->name};
    return (struct span_owner){TP_SPACE_UNNAMED, slot_of(c, g)};
}

static bool record_to(struct tp_stitch *c, struct span_owner owner, struct tp_logged_span span)
{
    return tp_stitch_record(c, owner.space, owner.name, span.measure, (int64_t)span.ns,
                            span.is_cut);
}

static bool record_log(struct tp_stitch *c, struct span_owner owner, uint32_t *log)
{
    struct tp_span_log_walk walk = {&c->logs, *log, 0};
    struct tp_logged_span span;
    bool fits = true;
    while (fits && tp_span_log_next(&walk, &span))
        fits = record_to(c, owner, span);
    tp_span_log_free(&c->logs, log);
    return fits;
}

static bool move_to_own_group(struct tp_stitch *c, struct tp_stitch_g *g)
{
    g->has_own_group = true;
    return record_log(c, owner_of(c, g), &g->log);
}

static bool record_span(struct tp_stitch *c, struct tp_stitch_g *g, struct tp_logged_span span)
{
    if (!tp_stitch_wants(c, TP_PART_GOROUTINES))
        return true;
    if (g->name_rank == TP_NAME_SETTLED || g->has_own_group)
        return record_to(c, owner_of(c, g), span);
    return tp_span_log_add(&c->logs, &g->log, span) &&
           (tp_span_log_chunk_count(&c->logs, g->log) <= LOG_CHUNKS_MAX || move_to_own_group(c, g));
}

// Moves the goroutine's own group to the group of its name.
static bool give_up_own_group(struct tp_stitch *c, struct tp_stitch_g *g)
{
    struct tp_durations *l = &c->totals.durations;
    uint32_t own = tp_durations_group_of(l, TP_SPACE_UNNAMED, slot_of(c, g));
    uint32_t name = g->name;
    g->has_own_group = false;
    return own != TP_DURATIONS_NONE &&
           tp_totals_known_name(&c->totals, TP_SPACE_GOROUTINE, &name) &&
           tp_durations_move_group(l, TP_SPACE_GOROUTINE, name, l, own);
}

// Settles the goroutine's name: records all its earlier spans under this name, under which its
// later spans will be recorded, too.
static bool settle_name(struct tp_stitch *c, struct tp_stitch_g *g)
{
    return record_log(c, (struct span_owner){TP_SPACE_GOROUTINE, g->name}, &g->log) &&
           (!g->has_own_group || give_up_own_group(c, g));
}

// WAITS

static enum tp_stack_type stack_type_of(const struct tp_stitch *c, uint32_t measure)
{
    if (!tp_stitch_wants(c, TP_PART_STACKS))
        return TP_STACK_TYPE_NONE;
    switch (measure) {
    case TP_MEASURE_RUN:
    case TP_MEASURE_LIFE: return TP_STACK_TYPE_NONE;
    case TP_MEASURE_SCHED: return TP_STACK_SCHED;
    case TP_MEASURE_SYSCALL: return TP_STACK_SYSCALL;
    default:
        return tp_stack_type_of_reason(
            tp_intern_text(&c->totals.reasons, measure - TP_MEASURE_FIRST_BLOCK));
    }
}

static bool record_wait(struct tp_stitch *c, struct tp_stitch_g *g, enum tp_stack_type type,
                        uint32_t stack, int64_t ns)
{
    if (g->has_run)
        return tp_totals_record_stack(&c->totals, stack, type, 1, (uint64_t)ns);
    return tp_deferred_waits_add(
        &c->deferred_waits, &g->deferred,
        (struct tp_deferred_wait){.ns = ns, .stack = stack, .type = (uint8_t)type});
}

// Counts the deferred waits of a goroutine that never ran, or drops those of one that has run.
static bool settle_waits(struct tp_stitch *c, struct tp_stitch_g *g, bool do_count)
{
    struct tp_deferred_wait w;
    bool fits = true;
    while (tp_deferred_waits_take(&c->deferred_waits, &g->deferred, &w)) {
        if (do_count)
            fits = fits && tp_totals_record_stack(&c->totals, w.stack, (enum tp_stack_type)w.type,
                                                  1, (uint64_t)w.ns);
    }
    return fits;
}

// END

static void spend(struct tp_stitch_g *g, uint32_t measure, int64_t ns)
{
    g->spent_ns[tp_spent_of(measure)] += (uint64_t)ns;
}

static bool record_life(struct tp_stitch *c, const struct tp_stitch_g *g, int64_t end_ns,
                        bool is_cut)
{
    return !tp_stitch_wants(c, TP_PART_GOROUTINES) ||
           tp_stitch_record(c, TP_SPACE_GOROUTINE, g->name, TP_MEASURE_LIFE,
                            g->is_known ? end_ns - g->begin_ns : 0, is_cut || !g->is_new);
}

static bool add_one(struct tp_stitch *c, const struct tp_stitch_g *g, int64_t end_ns)
{
    if (!tp_stitch_wants(c, TP_PART_LONGEST))
        return true;
    struct tp_top_goroutine one = {.begin_ns = g->is_known ? g->begin_ns : end_ns,
                                   .life_ns = g->is_known ? (uint64_t)(end_ns - g->begin_ns) : 0,
                                   .id = g->id,
                                   .function = g->name,
                                   .path = TP_INTERN_NONE};
    memcpy(one.spent_ns, g->spent_ns, sizeof one.spent_ns);
    return tp_totals_add_g(&c->totals, &one);
}

static bool record_end(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns, bool is_cut)
{
    if (g->name == TP_INTERN_NONE)
        g->name = tp_intern_put(&c->totals.names, tp_span_of("", 0));
    return g->name != TP_INTERN_NONE && settle_name(c, g) && settle_waits(c, g, !g->has_run) &&
           tp_stitch_close_regions(c, g, end_ns, is_cut) && record_life(c, g, end_ns, is_cut) &&
           add_one(c, g, end_ns);
}

// Ends a goroutine and records everything. `end_ns` is the end of the trace if `is_cut`.
static bool end_g(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns, bool is_cut)
{
    bool fits = (g->is_of_tasks || record_end(c, g, end_ns, is_cut)) && tp_stitch_end_watch(c, g);
    g->is_live = false;
    tp_stitch_drop_clock(c, g);
    TP_SLAB_REMOVE(&c->gs, g->id);
    return fits;
}

bool tp_stitch_forget_g(struct tp_stitch *c, int64_t id, int64_t time_ns)
{
    struct tp_stitch_g *g = TP_SLAB_GET(&c->gs, id);
    return g == NULL ||
           (tp_stitch_move(c, tp_level_of_state(g->state), TP_LEVEL_NONE, time_ns) &&
            end_g(c, g, g->since_ns, true));
}

static bool record_open_wait(struct tp_stitch *c, const struct tp_stitch_g *g, int64_t ns)
{
    static const enum tp_stack_type open_types[TP_STACK_TYPE_COUNT + 1] = {
        [TP_STACK_NET] = TP_STACK_NET_OPEN,
        [TP_STACK_SYNC] = TP_STACK_SYNC_OPEN,
        [TP_STACK_SYSCALL] = TP_STACK_SYSCALL_OPEN,
    };
    enum tp_stack_type type = open_types[stack_type_of(c, g->measure)];
    return type == 0 || tp_totals_record_stack(&c->totals, g->wait_stack, type, 1, (uint64_t)ns);
}

bool tp_stitch_end_gs(struct tp_stitch *c)
{
    bool fits = true;
    for (uint32_t i = 1; i <= c->gs.count && fits; i++) {
        struct tp_stitch_g *g = &c->gs.items[i];
        if (!g->is_live)
            continue;
        int64_t ns = c->last_ns - g->since_ns;
        if (g->measure != TP_MEASURE_NONE) {
            spend(g, g->measure, ns);
            fits = record_open_wait(c, g, ns) &&
                   record_span(c, g, (struct tp_logged_span){(uint64_t)ns, g->measure, true});
        }
        fits = fits && tp_stitch_record_left(c, g) && end_g(c, g, c->last_ns, true);
    }
    return fits;
}

// GOROUTINES OF A PARTIAL

// Takes the partial's name for the goroutine if it has a better rank. Of equal ranks the first
// name stays.
static bool take_name(struct tp_stitch_step *step, struct tp_stitch_g *g,
                      const struct tp_partial_g *from)
{
    if (from->name_rank >= g->name_rank)
        return true;
    g->name_rank = from->name_rank;
    g->name = tp_stitch_name(step, from->name);
    return g->name != TP_INTERN_NONE &&
           (g->name_rank != TP_NAME_SETTLED || settle_name(step->c, g));
}

// Adds the durations that the partial holds of a goroutine (its span log and its own group) to a
// group of the durations `quick`, and returns that group. TP_DURATIONS_NONE: out of memory.
static uint32_t record_quickly(struct tp_stitch_step *step, struct span_owner owner,
                               const struct tp_partial_g *from)
{
    struct tp_durations *quick = &step->c->quick;
    uint32_t group = tp_durations_group_of(quick, owner.space, owner.name);
    struct tp_span_log_walk walk = {&step->s->logs, from->log, 0};
    struct tp_logged_span span;
    bool fits = group != TP_DURATIONS_NONE;
    while (fits && tp_span_log_next(&walk, &span)) {
        uint32_t measure = tp_stitch_measure(step, span.measure);
        struct tp_dist *d =
            measure != TP_DURATIONS_NONE ? tp_durations_dist(quick, group, measure) : NULL;
        fits = d != NULL && tp_durations_add(quick, d, span.ns, span.is_cut);
    }
    const struct tp_durations_words words = {NULL, tp_stitch_measure_in, step};
    if (fits && from->has_own_group)
        fits = tp_durations_merge_group(quick, owner.space, owner.name,
                                        &step->s->durations.groups.items[from->group], &words);
    return fits ? group : TP_DURATIONS_NONE;
}

static bool add_to_own_group(struct tp_stitch_step *step, struct tp_stitch_g *g,
                             const struct tp_partial_g *from)
{
    struct tp_stitch *c = step->c;
    struct span_owner owner = owner_of(c, g);
    uint32_t group = record_quickly(step, owner, from);
    return group != TP_DURATIONS_NONE && move_to_own_group(c, g) &&
           tp_durations_move_group(&c->totals.durations, owner.space, owner.name, &c->quick, group);
}

// Adds the spans that the partial has of the goroutine.
static bool add_spans(struct tp_stitch_step *step, struct tp_stitch_g *g,
                      const struct tp_partial_g *from)
{
    uint32_t chunk_count = tp_span_log_chunk_count(&step->s->logs, from->log);
    if (g->name_rank == TP_NAME_SETTLED && (chunk_count > 0 || from->has_own_group))
        return record_quickly(step, owner_of(step->c, g), from) != TP_DURATIONS_NONE;
    if (chunk_count > LOG_CHUNKS_MAX || from->has_own_group)
        return add_to_own_group(step, g, from);
    struct tp_span_log_walk walk = {&step->s->logs, from->log, 0};
    struct tp_logged_span span;
    bool fits = true;
    while (fits && tp_span_log_next(&walk, &span)) {
        span.measure = tp_stitch_measure(step, span.measure);
        fits = span.measure != TP_DURATIONS_NONE && record_span(step->c, g, span);
    }
    return fits;
}

// Adds the partial's first change of a goroutine that existed before: ends the state in which the
// stitch has it.
static bool add_first(struct tp_stitch_step *step, struct tp_stitch_g *g,
                      const struct tp_partial_g *from)
{
    struct tp_stitch *c = step->c;
    // The partial assumed that the goroutine was in first_from.
    if (g->state != from->first_from &&
        !tp_stitch_move(c, tp_level_of_state(g->state), tp_level_of_state(from->first_from),
                        from->first_ns))
        return false;
    if (g->state != from->first_from || g->measure == TP_MEASURE_NONE)
        return true;
    if (!tp_stitch_add_first_run(step, g, from))
        return false;
    int64_t ns = from->first_ns - g->since_ns;
    spend(g, g->measure, ns);
    tp_stitch_clock_wait(c, g, ns);
    enum tp_stack_type type = stack_type_of(c, g->measure);
    return record_span(c, g, (struct tp_logged_span){(uint64_t)ns, g->measure, g->is_cut}) &&
           (type == TP_STACK_TYPE_NONE || record_wait(c, g, type, g->wait_stack, ns));
}

static bool add_deferred_waits(struct tp_stitch_step *step, struct tp_stitch_g *g,
                               const struct tp_partial_g *from)
{
    bool fits = true;
    for (uint32_t at = from->deferred; at != 0 && fits;) {
        const struct tp_deferred_wait *w = &step->s->deferred_waits.items[at];
        uint32_t stack = tp_stitch_stack(step, w->stack);
        fits = stack != TP_INTERN_NONE &&
               record_wait(step->c, g, (enum tp_stack_type)w->type, stack, w->ns);
        at = w->next;
    }
    return fits;
}

static bool take_creation(struct tp_stitch_step *step, struct tp_stitch_g *g,
                          const struct tp_partial_g *from)
{
    if (from->has_ended || !tp_stitch_wants(step->c, TP_PART_WAKES))
        return true;
    g->creation_stack = tp_stitch_stack(step, tp_partial_stack(step->s, from->creation_stack));
    return g->creation_stack != TP_INTERN_NONE;
}

static bool begin_g(struct tp_stitch_step *step, struct tp_stitch_g *g,
                    const struct tp_partial_g *from)
{
    g->is_new = from->is_new;
    g->is_known = true;
    g->begin_ns = g->first_ns = from->first_ns;
    if (!from->is_announced)
        return take_creation(step, g, from);
    int64_t sync_ns = step->c->sync_ns >= 0 ? step->c->sync_ns : from->first_ns;
    g->begin_ns = from->before_ns >= 0 ? from->first_ns - from->before_ns : sync_ns;
    enum tp_level level = tp_level_of_state(from->first_to);
    if (!tp_stitch_move(step->c, TP_LEVEL_NONE, level, g->begin_ns) ||
        !tp_stitch_move(step->c, level, TP_LEVEL_NONE, from->first_ns))
        return false;
    if (from->first_measure == TP_MEASURE_NONE)
        return true;
    uint32_t measure = tp_stitch_measure(step, from->first_measure);
    int64_t ns = from->first_ns - g->begin_ns;
    spend(g, from->first_measure, ns);
    return measure != TP_DURATIONS_NONE &&
           record_span(step->c, g, (struct tp_logged_span){(uint64_t)ns, measure, true});
}

// Takes the goroutine's state at the end of the partial.
static bool take_state(struct tp_stitch_step *step, struct tp_stitch_g *g,
                       const struct tp_partial_g *from)
{
    if (!tp_stitch_take_runs(step, g, from))
        return false;
    if (from->state == TP_STATE_UNSEEN)
        return true;
    g->state = from->state;
    g->since_ns = from->since_ns;
    g->is_cut = from->is_cut;
    g->measure = TP_MEASURE_NONE;
    g->wait_stack = TP_INTERN_NONE;
    if (from->measure != TP_MEASURE_NONE) {
        g->measure = tp_stitch_measure(step, from->measure);
        if (g->measure == TP_DURATIONS_NONE)
            return false;
    }
    bool is_wake = from->state == TP_STATE_WAITING && tp_stitch_wants(step->c, TP_PART_WAKES);
    bool is_counted = g->measure != TP_MEASURE_NONE &&
                      stack_type_of(step->c, g->measure) != TP_STACK_TYPE_NONE;
    if (!is_counted && !is_wake)
        return true;
    g->wait_stack = tp_stitch_stack(step, tp_partial_stack(step->s, from->wait_stack));
    return g->wait_stack != TP_INTERN_NONE;
}

bool tp_stitch_add_g(struct tp_stitch_step *step, const struct tp_partial_g *from)
{
    struct tp_stitch *c = step->c;
    bool is_whole = tp_partial_g_is_whole(from);
    if (is_whole && !tp_stitch_forget_g(c, from->id, from->first_ns))
        return false;
    struct tp_stitch_g *g = is_whole ? NULL : TP_SLAB_GET(&c->gs, from->id);
    if (g == NULL) {
        g = make_g(c, from->id);
        if (g == NULL)
            return false;
        g->is_of_tasks = true;
    }
    bool is_seen = from->state != TP_STATE_UNSEEN || from->first_from != TP_STATE_UNSEEN;
    g->is_of_tasks = g->is_of_tasks && from->is_of_tasks && !is_seen;
    if (!tp_stitch_begin_clock(step, g, from))
        return false;
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        g->spent_ns[i] += from->spent_ns[i];
    tp_stitch_add_left(c, g, from);
    bool fits = take_name(step, g, from) && tp_stitch_add_stop(step, g, from) &&
                (is_whole ? begin_g(step, g, from)
                          : from->first_from == TP_STATE_UNSEEN || add_first(step, g, from));
    fits = fits && add_spans(step, g, from) && add_deferred_waits(step, g, from);
    if (fits && from->has_run && !g->has_run) {
        fits = settle_waits(c, g, false);
        g->has_run = true;
    }
    tp_stitch_add_clock(step, g, from);
    fits = fits && tp_stitch_add_legs(step, g, from);
    fits = fits && tp_stitch_add_regions(step, g, from) && take_state(step, g, from);
    return fits && (!from->has_ended || end_g(c, g, from->since_ns, false));
}
