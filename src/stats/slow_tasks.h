// Keeps the tasks that lasted longest, one by one, as many as option keep= allows. A task that is
// among the slowest of all is among the slowest of each part of the input that has it, so the
// result does not depend on order and grouping. If totals with different limits are added, the
// smallest limit applies. Tasks that the trace cuts are not among them.
//
// One thread at a time uses an object; a zeroed one is empty and has no limit.
#ifndef TP_STATS_SLOW_TASKS_H
#define TP_STATS_SLOW_TASKS_H

#include "base/list.h"
#include "base/time/wall.h"
#include "stats/breakdown.h"
#include "stats/log_lines.h"

struct tp_totals;

// Stands in place of a time of day that is not known.
#define TP_SLOW_NO_WALL INT64_MIN

// One task; a plain value.
struct tp_slow_task {
    uint64_t ns;       // its duration
    int64_t begin_ns;  // since the trace began; until tp_totals_place_slow: on the trace's clock
    int64_t wall_ns;   // of its begin in Unix time, or TP_SLOW_NO_WALL; set by tp_totals_place_slow
    uint64_t id;
    int64_t g;         // id of the goroutine that began it; -1: none
    uint32_t name;     // a number of the totals' `names`, like `path`; in a partial: a string
    uint32_t path;     // of the input; TP_INTERN_NONE until tp_totals_place_slow
    struct tp_interval_parts parts;
    struct tp_log_lines logs;
};

// The kept tasks of totals. Owns the heap.
struct tp_slow_tasks {
    TP_LIST(struct tp_slow_task) heap; // the first item is the next to be dropped
    uint32_t limit;    // maximum number of items of `heap`; 0: no limit
};

// The tasks of a part of a trace. Those that cannot be among the slowest of all, because `limit`
// others of this part were slower, are left out. Owns the list.
struct tp_slow_part {
    TP_LIST(struct tp_slow_task) items;
    uint32_t limit;      // 0: no limit
    uint32_t full_count; // do not look for tasks to leave out below this many items
    uint64_t least_ns;   // tasks below this are left out
};

// Removes all tasks; keeps the memory and the limit.
void tp_slow_part_clear(struct tp_slow_part *p);
// Adds a copy of a task, unless it is below p->least_ns. False: out of memory, and nothing has
// changed.
bool tp_slow_part_add(struct tp_slow_part *p, const struct tp_slow_task *task) TP_MUST_USE;

// Adds a copy of a task to s->slow. Its `name` and `path` must be numbers of s->names, `path` may
// be TP_INTERN_NONE. False: no memory, and nothing has changed.
bool tp_totals_add_slow(struct tp_totals *s, const struct tp_slow_task *task) TP_MUST_USE;
// Keeps at most `limit` tasks from now on. A `limit` of 0, or above the limit so far, changes
// nothing. Cannot fail.
void tp_totals_limit_slow(struct tp_totals *s, uint32_t limit);
// Where and when an input was taken.
struct tp_slow_place {
    uint32_t path;       // number of the totals' names
    int64_t begin_ns;    // of the input, on its clock
    bool has_wall;       // the next member is set
    struct tp_wall wall; // at begin_ns
};
// Completes all tasks of s->slow when the trace has been read. Cannot fail.
void tp_totals_place_slow(struct tp_totals *s, const struct tp_slow_place *place);
// Compares two tasks of s->slow for a sort with the slowest first; all other members decide ties.
// Returns a value below 0 if `a` comes first, 0, or above 0.
int tp_slow_task_compare(const struct tp_totals *s, const struct tp_slow_task *a,
                         const struct tp_slow_task *b);

#endif
