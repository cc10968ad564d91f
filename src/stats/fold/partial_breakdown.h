// Folds where the time of tasks and regions goes (fold/breakdown.h). For the files of this folder
// only. Functions that return bool return false only if memory is out. All need TP_PART_INTERVALS.
#ifndef TP_STATS_FOLD_PARTIAL_BREAKDOWN_H
#define TP_STATS_FOLD_PARTIAL_BREAKDOWN_H

#include "stats/fold/partial.h"

// Gives the goroutine a clock.
bool tp_partial_make_clock(struct tp_partial *s, struct tp_partial_g *g) TP_MUST_USE;
// Returns the clock of a goroutine, which is created if needed; valid until the next one is
// created. NULL: out of memory.
TP_INLINE struct tp_partial_clock *tp_partial_clock_of(struct tp_partial *s,
                                                       struct tp_partial_g *g)
{
    bool has_clock = g->clock != 0 && g->clock != TP_CLOCK_WANTED;
    return tp_likely(has_clock) || tp_partial_make_clock(s, g)
               ? &s->marks.clocks.items[g->clock]
               : NULL;
}

// Gives back the clock of a goroutine that was created here and ends, unless marks need it.
TP_INLINE void tp_partial_drop_clock(struct tp_partial *s, const struct tp_partial_g *g)
{
    if (g->clock != 0 && s->marks.clocks.items[g->clock].mark_count == 0)
        TP_SLOTS_GIVE(&s->marks.clocks, g->clock);
}

// Adds a wait of `ns` that the goroutine leaves, and whose measure is g->measure, to its clock.
TP_INLINE TP_MUST_USE bool tp_partial_clock_wait(struct tp_partial *s, struct tp_partial_g *g,
                                                 int64_t ns)
{
    if (g->clock == 0)
        return true;
    struct tp_partial_clock *clock = tp_partial_clock_of(s, g);
    unsigned class = s->reasons.items[g->measure - TP_MEASURE_FIRST_BLOCK].block_class;
    if (tp_unlikely(clock == NULL))
        return false;
    clock->blocked_ns[class] += (uint64_t)ns;
    clock->change_count++;
    return true;
}
// Adds the end of an assist to the clock of its goroutine; NULL: it has none. Call it before the
// assist itself ends. `open` is the partial's interval of the assist, or NULL.
bool tp_partial_clock_assist(struct tp_partial *s, struct tp_partial_g *g,
                             const struct tp_open *open, int64_t end_ns) TP_MUST_USE;

// Makes a mark of the goroutine at `time_ns`, and sets *ret to its slot in s->marks.marks. The
// goroutine gets a clock if it has none.
bool tp_partial_mark(struct tp_partial *s, struct tp_partial_g *g, int64_t time_ns,
                     uint32_t *ret) TP_MUST_USE;
// Adds an interval of `ns` that ends at `time_ns` by the goroutine; NULL: by no goroutine. Gives
// back the mark of its beginning, 0: it has none.
bool tp_partial_break_down(struct tp_partial *s, enum tp_durations_space space, uint32_t name,
                           struct tp_partial_g *g, uint32_t begin, uint64_t ns,
                           int64_t time_ns) TP_MUST_USE;
// Removes all rows.
void tp_partial_clear_rows(struct tp_partial *s);
// Keeps an interval that the goroutine ends, NULL: none does, if it may be among the slowest. The
// caller has set `ns`, `begin_ns`, `name` and, of a task, `id` and `logs`; `begin` is the mark of the
// beginning. Call it before the interval is broken down. Does nothing with one that is left to the
// stitch.
bool tp_partial_add_slow(struct tp_partial *s, enum tp_slow_kind kind,
                         const struct tp_partial_g *g, const struct tp_slow_interval *of,
                         uint32_t begin) TP_MUST_USE;

#endif
