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
    uint32_t slot = TP_SLOTS_TAKE(&s->marks.clocks);
    if (slot == 0)
        return false;
    s->marks.clocks.items[slot] =
        (struct tp_partial_clock){.id = g->id, .assist_end_ns = TP_NEVER_NS};
    g->clock = slot;
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

// Does the same as TP_SLOTS_GIVE, but inlined, for a mark.
TP_INLINE void give_mark(struct tp_partial_marks *m, uint32_t slot)
{
    m->clocks.items[m->marks.items[slot].clock].mark_count--;
    m->marks.items[slot].next = m->marks.free;
    m->marks.free = slot;
}

bool tp_partial_mark(struct tp_partial *s, struct tp_partial_g *g, int64_t time_ns, uint32_t *ret)
{
    struct tp_partial_clock *clock = tp_partial_clock_of(s, g);
    *ret = tp_likely(clock != NULL) ? take_slot(&s->marks) : 0;
    if (tp_unlikely(*ret == 0))
        return false;
    clock->mark_count++;
    read_clock(clock, g, time_ns, &s->marks.marks.items[*ret]);
    return true;
}

// INTERVALS

// Leaves an interval to the stitch.
static TP_NOINLINE bool straddle(struct tp_partial *s, struct tp_partial_g *g,
                                 enum tp_durations_space space, uint32_t name, uint32_t begin,
                                 uint64_t ns, int64_t end_ns)
{
    struct tp_partial_straddle left = {.ns = ns,
                                       .space = space,
                                       .name = name,
                                       .begin = begin,
                                       .begin_ns = (int64_t)((uint64_t)end_ns - ns)};
    return tp_partial_mark(s, g, end_ns, &left.end) && TP_LIST_ADD(&s->marks.straddles, left);
}

// Whether only the stitch can tell where the time of the goroutine went since this mark of it.
static bool is_for_stitch(const struct tp_partial *s, const struct tp_partial_mark *begin,
                          const struct tp_partial_g *g)
{
    const struct tp_partial_clock *clock = &s->marks.clocks.items[g->clock];
    return (begin->since_ns == TP_NEVER_NS) != (since_of(g) == TP_NEVER_NS) ||
           begin->has_assist_end != (clock->assist_end_ns != TP_NEVER_NS);
}

// Sets *ret to the parts of an interval of `ns` from a mark of the goroutine to `time_ns`. Computes
// what tp_interval_parts_of computes from two clocks, but from the places where the goroutine's
// clock is kept: a copy of it would be read before it has left the store buffer. For this reason
// the loops here and in break_down_any go over the same ranges, too.
TP_INLINE void read_parts(const struct tp_partial *s, const struct tp_partial_g *g,
                          const struct tp_partial_mark *from, uint64_t ns, int64_t time_ns,
                          struct tp_interval_parts *ret)
{
    const struct tp_partial_clock *clock = &s->marks.clocks.items[g->clock];
    int64_t since_ns = since_of(g);
    uint64_t running_ns = (uint64_t)time_ns - (since_ns != TP_NEVER_NS ? (uint64_t)since_ns : 0);
    uint64_t left_ns = ns;
    bool fits = true;
    for (unsigned i = 0; i < TP_CLASS_FIRST_BLOCK; i++) {
        ret->ns[i] = g->spent_ns[i] - from->at.ns[i] + (i == TP_CLASS_RUNNING ? running_ns : 0);
        fits &= ret->ns[i] <= left_ns;
        left_ns -= ret->ns[i];
    }
    for (unsigned i = TP_CLASS_FIRST_BLOCK; i < TP_CLASS_COUNTED; i++) {
        ret->ns[i] = clock->blocked_ns[i - TP_CLASS_FIRST_BLOCK] - from->at.ns[i];
        fits &= ret->ns[i] <= left_ns;
        left_ns -= ret->ns[i];
    }
    ret->ns[TP_CLASS_ELSEWHERE] = left_ns;
    uint64_t assist_ns = clock->assist_ns - from->at.assist_ns;
    ret->assist_ns = assist_ns < ns ? assist_ns : ns;
    if (tp_unlikely(!fits))
        *ret = tp_interval_elsewhere(ns);
}

TP_NOINLINE bool tp_partial_add_slow(struct tp_partial *s, enum tp_slow_kind kind,
                                     const struct tp_partial_g *g,
                                     const struct tp_slow_interval *of, uint32_t begin)
{
    const struct tp_partial_mark *from = &s->marks.marks.items[begin];
    struct tp_slow_interval slow = *of;
    slow.wall_ns = TP_SLOW_NO_WALL;
    slow.path = TP_INTERN_NONE;
    slow.g = begin != 0 ? s->marks.clocks.items[from->clock].id : -1;
    slow.parts = tp_interval_elsewhere(slow.ns);
    if (g != NULL && begin != 0 && from->clock == g->clock) {
        if (is_for_stitch(s, from, g))
            return true;
        int64_t end_ns = (int64_t)((uint64_t)slow.begin_ns + slow.ns);
        read_parts(s, g, from, slow.ns, end_ns, &slow.parts);
    }
    return tp_slow_part_add(&s->marks.slow[kind], &slow);
}

// ROWS

TP_INLINE uint32_t *recent_of(struct tp_partial_rows *r, uint64_t key)
{
    static_assert(TP_PARTIAL_ROW_SLOTS == 2048, "11 bits");
    return &r->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> 53];
}

// Adds a row, and puts it into the cache. NULL: out of memory.
static TP_NOINLINE struct tp_partial_row *add_row(struct tp_partial_rows *r, uint64_t key)
{
    const struct tp_partial_row row = {.key = key};
    if (!TP_LIST_ADD(r, row))
        return NULL;
    *recent_of(r, key) = r->count;
    return &r->items[r->count - 1];
}

// Counts an interval, all of it elsewhere until the caller adds its time to the classes. Returns
// its row, valid until the next row is added. NULL: out of memory.
TP_INLINE struct tp_partial_row *count_interval(struct tp_partial *s,
                                                enum tp_durations_space space, uint32_t name,
                                                uint64_t ns)
{
    struct tp_partial_rows *r = &s->marks.rows;
    uint64_t key = TP_PARTIAL_ROW_KEY(space, name, tp_hist_bucket(ns));
    uint32_t recent = *recent_of(r, key);
    struct tp_partial_row *row = recent != 0 ? &r->items[recent - 1] : NULL;
    if (tp_unlikely(row == NULL || row->key != key || row->total_ns > UINT64_MAX - ns))
        row = add_row(r, key);
    if (tp_unlikely(row == NULL))
        return NULL;
    row->count++;
    row->total_ns += ns;
    return row;
}

void tp_partial_clear_rows(struct tp_partial *s)
{
    s->marks.rows.count = 0;
    memset(s->marks.rows.recent, 0, sizeof s->marks.rows.recent);
}

// Adds an interval of which nothing is known but both marks.
static TP_NOINLINE bool break_down_any(struct tp_partial *s, struct tp_partial_g *g,
                                       enum tp_durations_space space, uint32_t name,
                                       uint32_t begin, uint64_t ns, int64_t time_ns)
{
    const struct tp_partial_mark *from = &s->marks.marks.items[begin];
    if (tp_unlikely(is_for_stitch(s, from, g)))
        return straddle(s, g, space, name, begin, ns, time_ns);
    struct tp_partial_row *row = count_interval(s, space, name, ns);
    if (tp_unlikely(row == NULL))
        return false;
    struct tp_interval_parts parts;
    read_parts(s, g, from, ns, time_ns, &parts);
    give_mark(&s->marks, begin);
    for (unsigned i = 0; i < TP_CLASS_FIRST_BLOCK; i++)
        row->ns[i] += parts.ns[i];
    for (unsigned i = TP_CLASS_FIRST_BLOCK; i < TP_CLASS_COUNTED; i++)
        row->ns[i] += parts.ns[i];
    row->assist_ns += parts.assist_ns;
    return true;
}

bool tp_partial_break_down(struct tp_partial *s, enum tp_durations_space space, uint32_t name,
                           struct tp_partial_g *g, uint32_t begin, uint64_t ns, int64_t time_ns)
{
    const struct tp_partial_mark *from = &s->marks.marks.items[begin];
    if (tp_unlikely(g == NULL || begin == 0 || from->clock != g->clock)) {
        if (begin != 0)
            give_mark(&s->marks, begin);
        return count_interval(s, space, name, ns) != NULL;
    }
    if (from->since_ns != since_of(g) ||
        from->change_count != s->marks.clocks.items[g->clock].change_count)
        return break_down_any(s, g, space, name, begin, ns, time_ns);
    // The goroutine ran all the time.
    give_mark(&s->marks, begin);
    struct tp_partial_row *row = count_interval(s, space, name, ns);
    if (tp_unlikely(row == NULL))
        return false;
    row->ns[TP_CLASS_RUNNING] += ns;
    return true;
}
