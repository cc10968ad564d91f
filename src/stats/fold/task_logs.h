// Keeps the first log lines of open tasks, from a task's begin to its end. A partial keeps those of
// tasks that began in it in chains, and those of tasks that began before in a list for the stitch.
//
// In a partial `name` of a text is a string and nothing is left out; in the stitch it is a number of
// totals.names, and the text is shortened. One thread at a time uses an object. A zeroed one is
// empty; the owner frees `items` with tp_free.
#ifndef TP_STATS_FOLD_TASK_LOGS_H
#define TP_STATS_FOLD_TASK_LOGS_H

#include "base/map.h"
#include "base/slots.h"
#include "stats/figures/log_lines.h"

// Chains of log lines, one for each open task that has any; the first line of the task comes first.
struct tp_task_logs {
    TP_SLOTS(struct tp_task_log {
        uint32_t next;
        struct tp_log_line line;
    });
};

// Adds a line at the end of the chain that begins at *first, unless the chain has
// TP_LOG_LINES_MAX. False: out of memory, and nothing has changed.
TP_INLINE TP_MUST_USE bool tp_task_logs_add(struct tp_task_logs *l, uint32_t *first,
                                            const struct tp_log_line *line)
{
    uint32_t last = 0, count = 0;
    for (uint32_t at = *first; at != 0; at = l->items[at].next, count++)
        last = at;
    if (count >= TP_LOG_LINES_MAX)
        return true;
    uint32_t slot = TP_SLOTS_TAKE(l);
    if (slot == 0)
        return false;
    l->items[slot] = (struct tp_task_log){0, *line};
    *(last != 0 ? &l->items[last].next : first) = slot;
    return true;
}

// Gives back all lines of a chain, which is then empty.
TP_INLINE void tp_task_logs_drop(struct tp_task_logs *l, uint32_t *first)
{
    while (*first != 0)
        TP_SLOTS_POP(l, first);
}

// Returns the lines of a chain, of a task that lasted `task_ns`.
TP_INLINE struct tp_log_lines tp_task_logs_of(const struct tp_task_logs *l, uint32_t first,
                                              uint64_t task_ns)
{
    struct tp_log_lines lines = {.count = 0};
    for (uint32_t at = first; at != 0; at = l->items[at].next) {
        struct tp_log_line line = l->items[at].line;
        // Only damaged traces have times out of order.
        line.after_ns = line.after_ns < task_ns ? line.after_ns : task_ns;
        lines.items[lines.count++] = line;
    }
    return lines;
}

// A log line of a task that began before the partial, if the task is open when the line comes.
struct tp_early_log {
    uint64_t task;           // id
    int64_t time_ns;
    uint32_t category, message; // strings
    uint32_t end_count;      // length of tp_partial.open_ends when the line came
    uint32_t line_count;     // in the first item of a task: number of its items
};

// The log lines of a partial. Owns its memory.
struct tp_partial_logs {
    struct tp_task_logs chains; // of open tasks that began here, and of straddles
    TP_LIST(struct tp_early_log) early; // in order
    struct tp_map early_of_task; // by id: number + 1 of the first one of the task
};

#endif
