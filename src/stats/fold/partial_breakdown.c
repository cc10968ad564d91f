#include "stats/fold/partial_breakdown.h"

#include <string.h>

_Static_assert(TP_CLASS_RUNNING == (unsigned)TP_SPENT_RUNNING &&
                   TP_CLASS_RUNNABLE == (unsigned)TP_SPENT_SCHEDULING &&
                   TP_CLASS_SYSCALL == (unsigned)TP_SPENT_SYSCALL &&
                   TP_CLASS_FIRST_BLOCK == (unsigned)TP_SPENT_BLOCKED,
               "the record has the classes of states");

// CLOCKS

TP_NOINLINE bool tp_partial_make_clock(struct tp_partial *s, struct tp_partial_g *g)
{
    const struct tp_partial_clock clock = {.id = g->id, .assist_end_ns = TP_NEVER_NS};
    if (!TP_LIST_ADD(&s->marks.clocks, clock))
        return false;
    g->clock = s->marks.clocks.count;
    return true;
}

bool tp_partial_clock_assist(struct tp_partial *s, struct tp_partial_g *g,
                             const struct tp_open *open, int64_t end_ns)
{
    // A goroutine that began here and has had no task or region needs no clock.
    if (g == NULL || g->clock == 0)
        return true;
    struct tp_partial_clock *clock = tp_partial_clock_of(s, g);
    if (clock == NULL)
        return false;
    // An assist counts if its beginning was seen, and the goroutine began before it.
    bool is_whole = tp_partial_g_is_whole(g);
    clock->change_count++;
    if (open == NULL || !open->is_replaced) {
        if (!is_whole)
            clock->assist_end_ns = end_ns;
    } else if (!open->is_over && !open->is_active && (!is_whole || open->since_ns >= g->first_ns)) {
        clock->assist_ns += (uint64_t)end_ns - (uint64_t)open->since_ns;
    }
    return true;
}

// MARKS

TP_INLINE int64_t since_of(const struct tp_partial_g *g)
{
    return g->state != TP_STATE_UNSEEN ? g->since_ns : TP_NEVER_NS;
}

// Sets *m to the mark of a goroutine, whose clock is `clock`.
TP_INLINE void read_clock(const struct tp_partial_clock *clock, const struct tp_partial_g *g,
                          int64_t time_ns, struct tp_partial_mark *m)
{
    int64_t since_ns = since_of(g);
    m->clock = g->clock;
    m->since_ns = since_ns;
    m->change_count = clock->change_count;
    m->has_assist_end = clock->assist_end_ns != TP_NEVER_NS;
    memcpy(m->at.ns, g->spent_ns, TP_CLASS_FIRST_BLOCK * sizeof m->at.ns[0]);
    memcpy(m->at.ns + TP_CLASS_FIRST_BLOCK, clock->blocked_ns, sizeof clock->blocked_ns);
    m->at.ns[TP_CLASS_RUNNING] += (uint64_t)time_ns;
    if (tp_likely(since_ns != TP_NEVER_NS))
        m->at.ns[TP_CLASS_RUNNING] -= (uint64_t)since_ns;
    m->at.assist_ns = clock->assist_ns;
}

// Does the same as TP_SLOTS_TAKE, but inlined for a slot that was given back.
TP_INLINE uint32_t take_slot(struct tp_partial_marks *m)
{
    uint32_t slot = m->marks.free;
    if (tp_unlikely(slot == 0))
        return TP_SLOTS_TAKE(&m->marks);
    m->marks.free = m->marks.items[slot].next;
    return slot;
}

// Does the same as TP_SLOTS_GIVE, but inlined.
TP_INLINE void give_slot(struct tp_partial_marks *m, uint32_t slot)
{
    m->marks.items[slot].next = m->marks.free;
    m->marks.free = slot;
}

bool tp_partial_mark(struct tp_partial *s, struct tp_partial_g *g, int64_t time_ns, uint32_t *ret)
{
    struct tp_partial_clock *clock = tp_partial_clock_of(s, g);
    *ret = tp_likely(clock != NULL) ? take_slot(&s->marks) : 0;
    if (tp_unlikely(*ret == 0))
        return false;
    clock->has_marks = true;
    read_clock(clock, g, time_ns, &s->marks.marks.items[*ret]);
    return true;
}

// INTERVALS

// Leaves an interval to the stitch.
static TP_NOINLINE bool straddle(struct tp_partial *s, const struct tp_durations_group *group,
                                 uint32_t begin, uint64_t ns, int64_t end_ns,
                                 const struct tp_partial_mark *end)
{
    struct tp_partial_straddle left = {.ns = ns,
                                       .space = group->space,
                                       .name = group->name,
                                       .begin = begin,
                                       .begin_ns = (int64_t)((uint64_t)end_ns - ns)};
    left.end = TP_SLOTS_TAKE(&s->marks.marks);
    if (left.end == 0)
        return false;
    s->marks.marks.items[left.end] = *end;
    return TP_LIST_ADD(&s->marks.straddles, left);
}

// Whether only the stitch can tell where the time between these marks of one goroutine went.
static bool is_for_stitch(const struct tp_partial_mark *begin, const struct tp_partial_mark *end)
{
    return (begin->since_ns == TP_NEVER_NS) != (end->since_ns == TP_NEVER_NS) ||
           begin->has_assist_end != end->has_assist_end;
}

TP_NOINLINE bool tp_partial_add_slow(struct tp_partial *s, enum tp_slow_kind kind,
                                     const struct tp_partial_g *g,
                                     const struct tp_slow_interval *of, uint32_t begin)
{
    const struct tp_partial_mark *from = &s->marks.marks.items[begin];
    struct tp_slow_interval slow = *of;
    slow.wall_ns = TP_SLOW_NO_WALL;
    slow.path = TP_INTERN_NONE;
    slow.g = begin != 0 ? s->marks.clocks.items[from->clock - 1].id : -1;
    slow.parts = tp_interval_elsewhere(slow.ns);
    if (g != NULL && begin != 0 && from->clock == g->clock) {
        struct tp_partial_mark end;
        read_clock(&s->marks.clocks.items[g->clock - 1], g, (int64_t)((uint64_t)slow.begin_ns + slow.ns), &end);
        if (is_for_stitch(from, &end))
            return true;
        slow.parts = tp_interval_parts_of(&from->at, &end.at, slow.ns);
    }
    return tp_slow_part_add(&s->marks.slow[kind], &slow);
}

// Adds an interval of which nothing is known but both marks.
static TP_NOINLINE bool break_down_any(struct tp_partial *s, struct tp_partial_g *g,
                                       const struct tp_durations_group *group, uint32_t begin,
                                       uint64_t ns, int64_t time_ns)
{
    const struct tp_partial_mark *from = &s->marks.marks.items[begin];
    struct tp_partial_mark end;
    read_clock(&s->marks.clocks.items[g->clock - 1], g, time_ns, &end);
    if (tp_unlikely(is_for_stitch(from, &end)))
        return straddle(s, group, begin, ns, time_ns, &end);
    give_slot(&s->marks, begin);
    return tp_breakdown_add_between(group->breakdown, ns, &from->at, &end.at);
}

// Returns the breakdown of the group that was looked up last in the space. NULL: out of memory.
TP_INLINE struct tp_breakdown *breakdown_of(struct tp_durations *l, enum tp_durations_space space)
{
    struct tp_breakdown *b = l->groups.items[l->found[space]].breakdown;
    return tp_likely(b != NULL) ? b : tp_durations_make_breakdown(l, l->found[space]);
}

bool tp_partial_break_down(struct tp_partial *s, enum tp_durations_space space,
                           struct tp_partial_g *g, uint32_t begin, uint64_t ns, int64_t time_ns)
{
    struct tp_durations *l = &s->durations;
    struct tp_breakdown *b = breakdown_of(l, space);
    if (tp_unlikely(b == NULL))
        return false;
    uint32_t row_count = b->rows.count;
    const struct tp_partial_mark *from = &s->marks.marks.items[begin];
    bool fits;
    if (tp_unlikely(g == NULL || begin == 0 || from->clock != g->clock)) {
        const struct tp_interval_parts parts = tp_interval_elsewhere(ns);
        if (begin != 0)
            give_slot(&s->marks, begin);
        fits = tp_breakdown_add(b, ns, &parts);
    } else if (from->since_ns == since_of(g) &&
               from->change_count == s->marks.clocks.items[g->clock - 1].change_count) {
        // The goroutine ran all the time.
        give_slot(&s->marks, begin);
        fits = tp_breakdown_add_run(b, ns);
    } else {
        fits = break_down_any(s, g, &l->groups.items[l->found[space]], begin, ns, time_ns);
    }
    tp_durations_count_rows(l, b, row_count);
    return fits;
}
