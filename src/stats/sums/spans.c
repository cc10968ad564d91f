// Adds spans and lives of goroutines to durations, waits by stack, and levels.
#include <string.h>

#include "merge/tables/read.h"
#include "merge/tables/text.h"
#include "stats/names/wait_reasons.h"
#include "stats/sums/sums.h"

// REASONS

TP_NOINLINE uint32_t tp_sums_seek_measure(struct tp_sums *s, uint32_t reason)
{
    uint32_t measure = tp_map_get(&s->reasons.measures, reason);
    if (measure == TP_MAP_NONE) {
        measure = TP_MEASURE_FIRST_BLOCK + s->reasons.of.count;
        if (!TP_LIST_ROOM(&s->reasons.of) || !tp_map_put(&s->reasons.measures, reason, measure))
            return TP_MEASURE_NONE;
        s->reasons.of.items[s->reasons.of.count++] = reason;
    }
    s->reasons.cache[reason % TP_SUMS_REASON_SLOTS] = (struct tp_sums_reason_slot){reason, measure};
    return measure;
}

// DURATIONS BY FUNCTION

static TP_NOINLINE struct tp_dist *dist_of(struct tp_sums *s, enum tp_durations_space space,
                                           uint32_t name, uint32_t measure)
{
    uint32_t group = tp_durations_group_of(&s->durations, space, name);
    return group != TP_DURATIONS_NONE ? tp_durations_dist(&s->durations, group, measure) : NULL;
}

static bool record_in(struct tp_sums *s, enum tp_durations_space space, uint32_t name,
                      uint32_t measure, uint64_t ns, uint64_t at, bool is_cut)
{
    struct tp_dist *d = dist_of(s, space, name, measure);
    return tp_likely(d != NULL) && tp_durations_add(&s->durations, d, ns, at, is_cut);
}

// Records a duration of a goroutine with a name, like record_in, but fast if the cache has the
// distribution.
static bool record_named(struct tp_sums *s, uint32_t name, uint32_t measure, uint64_t ns,
                         uint64_t at, bool is_cut)
{
    static const uint8_t rows[TP_MEASURE_FIRST_BLOCK] = {
        [TP_MEASURE_RUN] = TP_STATE_RUNNING - TP_STATE_RUNNABLE,
        [TP_MEASURE_SCHED] = TP_STATE_RUNNABLE - TP_STATE_RUNNABLE,
        [TP_MEASURE_SYSCALL] = TP_STATE_SYSCALL - TP_STATE_RUNNABLE,
        [TP_MEASURE_LIFE] = TP_SUMS_DIST_LIVES};
    if (measure >= TP_MEASURE_FIRST_BLOCK)
        return record_in(s, TP_SPACE_GOROUTINE, name, measure, ns, at, is_cut);
    struct tp_sums_dist_slot *slot = &s->dist_cache[rows[measure]][name % TP_SUMS_DIST_SLOTS];
    if (tp_unlikely(slot->who != name || slot->is_unnamed || slot->dist == NULL))
        *slot = (struct tp_sums_dist_slot){
            .dist = dist_of(s, TP_SPACE_GOROUTINE, name, measure), .who = name};
    return tp_likely(slot->dist != NULL) &&
           tp_durations_add(&s->durations, slot->dist, ns, at, is_cut);
}

// LIVES

// Returns the record of a life that began here; adds the record if it is missing. `number` is not below
// s->lives.first. NULL: out of memory.
static struct tp_sums_life *life_of(struct tp_sums *s, uint32_t number)
{
    const struct tp_sums_life none = {.name = TP_LIFE_NAME_UNKNOWN};
    while (s->lives.of.count <= number - s->lives.first) {
        if (!TP_LIST_ADD(&s->lives.of, none))
            return NULL;
    }
    return &s->lives.of.items[number - s->lives.first];
}

// Whether further spans of a life without a name belong in a group of TP_SPACE_UNNAMED, which costs a
// hundred times as much as a single span: its chain is full or, for a life that began earlier, the last
// span of the slot was one of it, too.
static bool has_group(const struct tp_sums *s, uint32_t number, struct tp_sums_dist_slot *slot)
{
    uint32_t at = number - s->lives.first;
    if (number >= s->lives.first)
        return at < s->lives.of.count && s->lives.of.items[at].span_count == TP_SUMS_UNNAMED_MAX;
    bool is_again = slot->who == number && slot->is_unnamed;
    if (!is_again)
        *slot = (struct tp_sums_dist_slot){.who = number, .is_unnamed = true};
    return is_again;
}

// Records a duration of a goroutine whose name is not known.
static TP_NOINLINE bool record_unnamed(struct tp_sums *s, uint32_t number, uint32_t measure,
                                       uint64_t ns, uint64_t at, bool is_cut)
{
    const struct tp_sums_older_span older = {ns, at, number, measure, is_cut};
    if (number < s->lives.first)
        return TP_LIST_ADD(&s->lives.older_spans, older);
    struct tp_sums_life *life = life_of(s, number);
    if (life == NULL)
        return false;
    if (life->span_count == TP_SUMS_UNNAMED_MAX)
        return record_in(s, TP_SPACE_UNNAMED, number, measure, ns, at, is_cut);
    if (!TP_SLOTS_PUSH(&s->lives.unnamed, &life->spans))
        return false;
    struct tp_sums_unnamed *span = &s->lives.unnamed.items[life->spans];
    span->measure = measure;
    span->ns = ns;
    span->at = at;
    span->is_cut = is_cut;
    life->span_count++;
    return true;
}

// Removes the distributions of a life from the cache, before they are emptied and used for other groups.
static void forget_dists(struct tp_sums *s, uint32_t number)
{
    for (unsigned i = 0; i < TP_ARRAY_LEN(s->dist_cache); i++) {
        for (unsigned slot = 0; slot < TP_SUMS_DIST_SLOTS; slot++) {
            struct tp_sums_dist_slot *cached = &s->dist_cache[i][slot];
            if (cached->who == number && cached->is_unnamed)
                cached->dist = NULL;
        }
    }
}

// Moves the durations recorded by the number of a life to the group of its name.
static bool move_group(struct tp_sums *s, uint32_t number, uint32_t name)
{
    uint32_t group = tp_durations_find_group(&s->durations, TP_SPACE_UNNAMED, number);
    if (group == TP_DURATIONS_NONE)
        return true;
    forget_dists(s, number);
    return tp_durations_move_group(&s->durations, TP_SPACE_GOROUTINE, name, &s->durations, group);
}

static bool name_life(struct tp_sums *s, uint32_t number, uint32_t name)
{
    struct tp_sums_life *life = life_of(s, number);
    bool fits = life != NULL;
    while (fits && life->spans != 0) {
        const struct tp_sums_unnamed span = s->lives.unnamed.items[life->spans];
        TP_SLOTS_POP(&s->lives.unnamed, &life->spans);
        fits = record_named(s, name, span.measure, span.ns, span.at, span.is_cut);
    }
    if (!fits)
        return false;
    life->name = name;
    return life->span_count < TP_SUMS_UNNAMED_MAX || move_group(s, number, name);
}

static bool add_name(struct tp_sums *s, const struct tp_track_life *life)
{
    if (life->alias != 0) {
        struct tp_sums_life *known = life_of(s, life->number);
        if (known != NULL)
            known->alias = life->alias;
        return known != NULL;
    }
    if (life->number >= s->lives.first)
        return name_life(s, life->number, life->name);
    const struct tp_sums_older_life older = {life->number, life->name};
    return TP_LIST_ADD(&s->lives.older, older);
}

// Records the sums of a goroutine by the stack that shows what its start function wraps. `spent_ns`: its
// times by enum tp_spent.
static bool add_wrapped(struct tp_sums *s, const struct tp_track_life *life, uint64_t life_ns,
                        const uint64_t *spent_ns)
{
    uint64_t at = (uint64_t)life->begin_ns; // if it is not known, the life is cut
    bool fits =
        record_in(s, TP_SPACE_WRAPPED, life->wrapped, TP_MEASURE_LIFE, life_ns, at, life->is_cut);
    for (uint32_t i = 0; i < TP_SPENT_COUNT && fits; i++) {
        uint32_t measure = i < TP_SPENT_BLOCKED ? i : TP_MEASURE_FIRST_BLOCK;
        fits = record_in(s, TP_SPACE_WRAPPED, life->wrapped, measure, spent_ns[i], at, life->is_cut);
    }
    for (unsigned i = TP_CLASS_FIRST_BLOCK; i < TP_CLASS_COUNTED && fits; i++) {
        fits = life->spent_ns[i] == 0 ||
               tp_durations_record_sum(&s->durations, TP_SPACE_WRAPPED, life->wrapped,
                                       TP_MEASURE_BLOCKED_BY(i), 1, life->spent_ns[i]);
    }
    return fits;
}

static bool add_end(struct tp_sums *s, const struct tp_track_life *life)
{
    uint64_t ns = life->is_known ? (uint64_t)(life->end_ns - life->begin_ns) : 0;
    if (tp_sums_wants(s, TP_PART_GOROUTINES) &&
        !record_named(s, life->name, TP_MEASURE_LIFE, ns, (uint64_t)life->begin_ns, life->is_cut))
        return false;
    struct tp_top_goroutine one = {.begin_ns = life->is_known ? life->begin_ns : life->end_ns,
                                   .life_ns = ns,
                                   .id = life->g,
                                   .function = life->name};
    static_assert(TP_SPENT_BLOCKED == (int)TP_CLASS_FIRST_BLOCK, "the kinds of time before are classes");
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
        one.spent_ns[i < TP_SPENT_BLOCKED ? i : TP_SPENT_BLOCKED] += life->spent_ns[i];
    if (life->wrapped != 0 && tp_sums_wants(s, TP_PART_GOROUTINES) &&
        !add_wrapped(s, life, ns, one.spent_ns))
        return false;
    return !tp_sums_wants(s, TP_PART_LONGEST) || tp_totals_part_add(&s->longest, &one);
}

bool tp_sums_add_lives(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->lives.count && fits; i++) {
        const struct tp_track_life *life = &f->lives.items[i];
        bool is_to_name = life->has_unnamed && tp_sums_wants(s, TP_PART_GOROUTINES);
        fits = (!is_to_name || add_name(s, life)) && (!life->has_ended || add_end(s, life));
    }
    return fits;
}

// STACKS

// Gives a stack its first distribution, with one wait.
static bool add_first_time(struct tp_sums *s, struct tp_sums_first_wait *w, uint64_t ns, uint64_t at)
{
    struct tp_dist times = {.hist = {.is_quick = true}};
    if (!tp_dist_add(&times, ns, at) || !TP_LIST_ADD(&s->waits.times, times)) {
        tp_dist_fini(&times);
        return false;
    }
    w->times = s->waits.times.count & ((1u << 28) - 1);
    return true;
}

TP_NOINLINE bool tp_sums_add_other_wait(struct tp_sums *s, uint32_t stack, enum tp_stack_type type,
                                        uint64_t ns, uint64_t at)
{
    bool is_timed = tp_stack_type_is_timed(type) && at != TP_WAIT_IS_CUT;
    if (stack == TP_REF_LOST_STACK)
        stack = 0; // a stack that the tables lack is none
    struct tp_sums_first_wait *w = stack < s->waits.limit ? &s->waits.first[stack] : NULL;
    uint64_t total_ns;
    if (w != NULL && w->count == 0) {
        if (!TP_LIST_ADD(&s->waits.stacks, stack))
            return false;
        *w = (struct tp_sums_first_wait){.total_ns = ns, .count = 1, .type = type & 15u};
        return !is_timed || add_first_time(s, w, ns, at);
    }
    // All waits so far were cut.
    if (w != NULL && w->type == type && is_timed && w->times == 0 &&
        !__builtin_add_overflow(w->total_ns, ns, &total_ns)) {
        w->count++;
        w->total_ns = total_ns;
        return add_first_time(s, w, ns, at);
    }
    return tp_stack_counts_add(&s->waits.others, stack, type, 1, ns) &&
           (!is_timed || tp_stack_counts_add_time(&s->waits.others, stack, type, ns, at));
}

bool tp_sums_add_waits(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->waits.count && fits && tp_sums_wants(s, TP_PART_STACKS); i++) {
        const struct tp_track_wait *w = &f->waits.items[i];
        enum tp_stack_type type = tp_stack_type_of(w->state, w->wait);
        fits = type == TP_STACK_TYPE_NONE ||
               tp_sums_add_wait(s, w->stack, type, w->ns, TP_NO_MOMENT);
    }
    return fits;
}

// SPANS

// The level of each state, like tp_level_of_state, but TP_HOT_LEVEL_COUNT stands for none.
static const uint8_t levels[TP_STATES] = {
    [TP_STATE_UNDETERMINED] = TP_HOT_LEVEL_COUNT,
    [TP_STATE_NOT_EXIST] = TP_HOT_LEVEL_COUNT,
    [TP_STATE_RUNNABLE] = TP_LEVEL_RUNNABLE,
    [TP_STATE_RUNNING] = TP_LEVEL_RUNNING,
    [TP_STATE_SYSCALL] = TP_LEVEL_SYSCALL,
    [TP_STATE_WAITING] = TP_LEVEL_BLOCKED,
    [TP_STATE_IDLE] = TP_HOT_LEVEL_COUNT,
};

// Returns the measure that counts the time in a state; for waiting, the measure of the reason.
// TP_MEASURE_NONE: out of memory.
TP_INLINE uint32_t measure_of(struct tp_sums *s, enum tp_state state, uint32_t reason)
{
    switch (state) {
    case TP_STATE_RUNNING: return TP_MEASURE_RUN;
    case TP_STATE_RUNNABLE: return TP_MEASURE_SCHED;
    case TP_STATE_SYSCALL: return TP_MEASURE_SYSCALL;
    default: return tp_sums_measure(s, reason);
    }
}

// Returns when a span began, on the clock of the trace.
TP_INLINE uint64_t begin_of(const struct tp_track_span *span)
{
    return (uint64_t)span->end_ns - span->ns;
}

// Records a span whose distribution is not in the slot of the cache.
static TP_NOINLINE bool record_other(struct tp_sums *s, const struct tp_track_span *span,
                                     enum tp_state state, struct tp_sums_dist_slot *slot)
{
    uint32_t measure = measure_of(s, state, span->of.reason);
    bool is_unnamed = (span->of.marks & TP_SPAN_IS_UNNAMED) != 0;
    if (measure == TP_MEASURE_NONE)
        return false;
    if (is_unnamed && !has_group(s, span->of.who, slot))
        return record_unnamed(s, span->of.who, measure, span->ns, begin_of(span), false);
    struct tp_dist *d = dist_of(s, is_unnamed ? TP_SPACE_UNNAMED : TP_SPACE_GOROUTINE,
                                span->of.who, measure);
    if ((span->of.reason & TP_REF_CARRIED) == 0)
        *slot = (struct tp_sums_dist_slot){d, span->of.who, span->of.reason & INT32_MAX, is_unnamed};
    return d != NULL && tp_durations_add(&s->durations, d, span->ns, begin_of(span), false);
}

TP_INLINE bool record(struct tp_sums *s, const struct tp_track_span *span, enum tp_state state)
{
    uint32_t who = span->of.who, reason = span->of.reason;
    bool waits = state == TP_STATE_WAITING;
    // References of names are nearly consecutive numbers, and so are those of reasons. So their sum
    // modulo the number of slots spreads well.
    struct tp_sums_dist_slot *slot =
        &s->dist_cache[state - TP_STATE_RUNNABLE]
                      [(who + (waits ? reason : 0)) % TP_SUMS_DIST_SLOTS];
    bool is_unnamed = (span->of.marks & TP_SPAN_IS_UNNAMED) != 0;
    return tp_likely(slot->who == who && slot->is_unnamed == is_unnamed && slot->dist != NULL &&
                     (!waits || slot->reason == reason))
               ? tp_dist_add_measured(slot->dist, span->ns, begin_of(span), &s->durations.hist_bytes)
               : record_other(s, span, state, slot);
}

TP_INLINE bool add_to_stack(struct tp_sums *s, const struct tp_track_span *span,
                            enum tp_state state, unsigned parts)
{
    enum tp_stack_type type = tp_stack_type_of(state, span->of.wait);
    // Some waits are counted elsewhere: a wait with a waker by its pair (pairs.c), and a wait before the
    // goroutine's first run by tp_sums_add_waits, if the goroutine never runs.
    unsigned elsewhere =
        TP_SPAN_BEFORE_RUN | ((parts & TP_PART_WAKES) != 0 ? TP_SPAN_HAS_WAKER : 0);
    return type == TP_STACK_TYPE_NONE || (span->of.marks & elsewhere) != 0 ||
           tp_sums_add_wait(s, span->of.stack, type, span->ns, begin_of(span));
}

static TP_NOINLINE bool add_long_wait(struct tp_sums *s, const struct tp_track_span *span)
{
    const struct tp_peak_wait wait = {.begin_ns = (int64_t)begin_of(span),
                                      .end_ns = span->end_ns,
                                      .who = span->of.who,
                                      .is_unnamed = (span->of.marks & TP_SPAN_IS_UNNAMED) != 0};
    return wait.begin_ns > wait.end_ns || TP_LIST_ADD(&s->long_waits, wait);
}

TP_INLINE bool add_span(struct tp_sums *s, const struct tp_track_span *span, enum tp_state state,
                        unsigned parts)
{
    if (state == TP_STATE_WAITING && tp_unlikely((span->of.wait & TP_WAIT_FOREVER) != 0))
        return true;
    if (state == TP_STATE_RUNNABLE && (parts & TP_PART_GOROUTINES) != 0 &&
        tp_unlikely(span->ns >= TP_PEAK_WAIT_NS) && !add_long_wait(s, span))
        return false;
    return ((parts & TP_PART_GOROUTINES) == 0 || tp_likely(record(s, span, state))) &&
           ((parts & TP_PART_STACKS) == 0 || state == TP_STATE_RUNNING ||
            tp_likely(add_to_stack(s, span, state, parts)));
}

// Adds to the levels the changes of state with which `count` spans of one state end.
TP_INLINE bool add_to_levels(struct tp_sums *s, const struct tp_track_span *span, uint32_t count,
                             enum tp_state state)
{
    bool fits = true;
    // Times rise, so if the first and the last are in the window, all are. Only in damaged traces do they
    // not rise: beyond 2^63 ns they wrap.
    if (tp_likely(span[0].end_ns <= span[count - 1].end_ns &&
                  tp_levels_is_in_window(&s->levels, span[0].end_ns) &&
                  tp_levels_is_in_window(&s->levels, span[count - 1].end_ns))) {
        for (const struct tp_track_span *end = span + count; span < end; span++)
            tp_levels_move_hot(&s->levels, tp_level_of_state(state), levels[span->of.next],
                               span->end_ns);
        return true;
    }
    for (uint32_t i = 0; i < count && fits; i++)
        fits = tp_sums_move(s, tp_level_of_state(state), tp_level_of_state(span[i].of.next),
                            span[i].end_ns);
    return fits;
}

// Adds spans of one state, which is constant where the function is inlined.
TP_INLINE bool add_some(struct tp_sums *s, const struct tp_track_span *span, uint32_t count,
                        enum tp_state state)
{
    const struct tp_track_span *end = span + count;
    if (tp_sums_wants(s, TP_PART_TIMELINE) && !add_to_levels(s, span, count, state))
        return false;
    if (s->parts == TP_PARTS_ALL) {
        for (; span < end; span++) {
            if (tp_unlikely(!add_span(s, span, state, TP_PARTS_ALL)))
                return false;
        }
    } else {
        for (; span < end; span++) {
            if (tp_unlikely(!add_span(s, span, state, s->parts)))
                return false;
        }
    }
    return true;
}

TP_INLINE bool add_list(struct tp_sums *s, const struct tp_track_span *span, uint32_t left,
                        enum tp_state state)
{
    // The lists of all states together stay below TP_LEVEL_STEPS_MAX steps between two flushes.
    static const uint32_t most = TP_LEVEL_STEPS_MAX / 8;
    for (; left > most; left -= most, span += most) {
        if (!add_some(s, span, most, state))
            return false;
        tp_levels_flush(&s->levels);
    }
    return left == 0 || add_some(s, span, left, state);
}

static TP_NOINLINE bool add_runs(struct tp_sums *s, const struct tp_facts *f)
{
    return add_list(s, f->runs.items, f->runs.count, TP_STATE_RUNNING);
}

static TP_NOINLINE bool add_runnables(struct tp_sums *s, const struct tp_facts *f)
{
    return add_list(s, f->runnables.items, f->runnables.count, TP_STATE_RUNNABLE);
}

static TP_NOINLINE bool add_syscalls(struct tp_sums *s, const struct tp_facts *f)
{
    return add_list(s, f->syscalls.items, f->syscalls.count, TP_STATE_SYSCALL);
}

static TP_NOINLINE bool add_waitings(struct tp_sums *s, const struct tp_facts *f)
{
    return add_list(s, f->waitings.items, f->waitings.count, TP_STATE_WAITING);
}

// CUT SPANS

// Whether the span is a wait that began before the trace, for which the trace has no reason.
static bool is_since_before(const struct tp_state_span *span)
{
    return span->had_begun && span->state == TP_STATE_WAITING;
}

// The functions of a stack from the innermost on, each read once. The frames of stacks of this generation
// are read as they are on the wire: to resolve them takes memory that there may not be.
struct functions {
    const struct tp_tables *tables;
    struct tp_stack carried;
    const unsigned char **wire; // the next frame; NULL: the stack was carried over
};

static struct tp_span function_of(const void *ctx, size_t frame)
{
    const struct functions *of = ctx;
    if (of->wire == NULL)
        return tp_text_span(tp_stack_frame(&of->carried, (uint32_t)frame).function);
    uint64_t id = tp_table_take_frame(of->wire).function;
    return of->tables->strings.items[tp_string_or_empty(tp_tables_string_idx(of->tables, id))];
}

// Returns the reference of the reason; of a wait since before the trace, of the one that its stack gives.
static uint32_t reason_of(const struct tp_sums *s, const struct tp_state_span *span)
{
    if (!is_since_before(span) || span->stack == 0)
        return span->reason;
    struct functions of = {.tables = s->tables};
    const unsigned char *wire;
    size_t frame, count;
    if ((span->stack & TP_REF_CARRIED) != 0) {
        of.carried = tp_fact_stack(span->stack, s->tables);
        count = of.carried.frame_count;
    } else {
        const struct tp_stack_def *def = &s->tables->stacks.items[span->stack - 1];
        wire = def->frames;
        of.wire = &wire;
        count = def->frame_count;
    }
    unsigned row = tp_inferred_reason(count, function_of, &of, &frame);
    return row != TP_NOT_INFERRED ? TP_SUMS_INFERRED + row : span->reason;
}

static bool record_cut(struct tp_sums *s, const struct tp_state_span *span, uint32_t measure,
                       int64_t ns)
{
    return (span->marks & TP_SPAN_IS_UNNAMED) == 0
               ? record_in(s, TP_SPACE_GOROUTINE, span->function, measure, (uint64_t)ns, TP_NO_MOMENT, true)
               : record_unnamed(s, span->life, measure, (uint64_t)ns, TP_NO_MOMENT, true);
}

// Records the duration of a cut state. A state that was announced has two: before its announcement and,
// unless it was given up, after it.
static bool record_all(struct tp_sums *s, const struct tp_state_span *span)
{
    uint32_t measure = measure_of(s, (enum tp_state)span->state, reason_of(s, span));
    int64_t since_ns = span->had_begun ? span->other_ns : span->begin_ns;
    bool ends_there = span->had_begun && (span->marks & TP_SPAN_GIVEN_UP) != 0;
    return measure != TP_MEASURE_NONE &&
           (!span->had_begun || record_cut(s, span, measure, since_ns - span->begin_ns)) &&
           (ends_there || record_cut(s, span, measure, span->end_ns - since_ns));
}

static enum tp_stack_type open_type_of(enum tp_stack_type type)
{
    switch (type) {
    case TP_STACK_NET: return TP_STACK_NET_OPEN;
    case TP_STACK_SYNC: return TP_STACK_SYNC_OPEN;
    case TP_STACK_SYSCALL: return TP_STACK_SYSCALL_OPEN;
    default: return TP_STACK_TYPE_NONE;
    }
}

static bool add_cut_to_stack(struct tp_sums *s, const struct tp_state_span *span)
{
    enum tp_stack_type type = tp_stack_type_of(span->state, span->wait);
    int64_t since_ns = span->had_begun ? span->other_ns : span->begin_ns;
    if (is_since_before(span))
        return span->stack == 0 || tp_sums_add_wait(s, span->stack, TP_STACK_BEFORE,
                                                    (uint64_t)(span->end_ns - span->begin_ns),
                                                    TP_WAIT_IS_CUT);
    if (span->goes_on)
        type = open_type_of(type);
    else if ((span->marks & TP_SPAN_BEFORE_RUN) != 0)
        return true;
    return type == TP_STACK_TYPE_NONE || (span->marks & TP_SPAN_GIVEN_UP) != 0 ||
           tp_sums_add_wait(s, span->stack, type,
                            (uint64_t)(span->end_ns - since_ns), TP_WAIT_IS_CUT);
}

static bool add_cut_wait(struct tp_sums *s, const struct tp_state_span *span)
{
    bool is_unnamed = (span->marks & TP_SPAN_IS_UNNAMED) != 0;
    const struct tp_peak_wait wait = {.begin_ns = span->begin_ns,
                                      .end_ns = span->end_ns,
                                      .who = is_unnamed ? span->life : span->function,
                                      .is_unnamed = is_unnamed};
    return span->state != TP_STATE_RUNNABLE || (span->marks & TP_SPAN_GIVEN_UP) != 0 ||
           wait.end_ns < wait.begin_ns ||
           (uint64_t)wait.end_ns - (uint64_t)wait.begin_ns < TP_PEAK_WAIT_NS ||
           TP_LIST_ADD(&s->long_waits, wait);
}

static bool add_cut(struct tp_sums *s, const struct tp_state_span *span)
{
    bool fits = !tp_sums_wants(s, TP_PART_GOROUTINES) || add_cut_wait(s, span);
    if (tp_sums_wants(s, TP_PART_TIMELINE) && !span->goes_on)
        fits = fits && tp_sums_move(s, tp_level_of_state(span->state), tp_level_of_state(span->next),
                                    span->end_ns);
    if (span->state == TP_STATE_WAITING && (span->wait & TP_WAIT_FOREVER) != 0)
        return fits;
    return fits && (!tp_sums_wants(s, TP_PART_GOROUTINES) || record_all(s, span)) &&
           (!tp_sums_wants(s, TP_PART_STACKS) || add_cut_to_stack(s, span));
}

bool tp_sums_add_spans(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = add_runs(s, f) && add_runnables(s, f) && add_syscalls(s, f) && add_waitings(s, f);
    for (uint32_t i = 0; i < f->cuts.count && fits; i++) {
        fits = add_cut(s, &f->cuts.items[i]);
        tp_levels_flush(&s->levels);
    }
    return fits;
}
