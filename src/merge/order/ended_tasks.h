// Remembers tasks that have ended, to tell a second end of a task from the end of a task that began
// before the trace. Keeps a fixed number of them: ids of tasks rise, and each id has one place, so
// those that ended last are kept.
//
// Belongs to the thread of its owner. A zeroed struct is empty; the owner frees it.
#ifndef TP_MERGE_ORDER_ENDED_TASKS_H
#define TP_MERGE_ORDER_ENDED_TASKS_H

#include "base/attr.h"

// A power of two.
#define TP_ENDED_TASKS 4096

// Refers to a name that may outlive its generation: an index in the strings of the current
// tables, or TP_NAME_CARRIED | index in the `carried` names of these tables (names.c).
typedef uint64_t tp_name_ref;

// Owns its memory.
struct tp_ended_tasks {
    struct tp_ended_task {
        uint64_t id; // 0: no task
        tp_name_ref name; // empty if the task ended in an earlier generation
    } *items;             // TP_ENDED_TASKS, by the lowest bits of the id; NULL: none has ended
};

// Returns the task with this id, which has ended; NULL: not known.
TP_INLINE struct tp_ended_task *tp_ended_task(const struct tp_ended_tasks *e, uint64_t id)
{
    struct tp_ended_task *task = e->items != NULL ? &e->items[id % TP_ENDED_TASKS] : NULL;
    return task != NULL && task->id == id && id != 0 ? task : NULL;
}

// Adds a task. False: out of memory.
bool tp_ended_tasks_add(struct tp_ended_tasks *e, uint64_t id, tp_name_ref name) TP_MUST_USE;
// Adds all tasks of `later`, which ended after those of `e`. False: out of memory.
bool tp_ended_tasks_join(struct tp_ended_tasks *e,
                         const struct tp_ended_tasks *later) TP_MUST_USE;
// Makes all names empty, when the tables change in which they are. The ids stay known.
void tp_ended_tasks_drop_names(struct tp_ended_tasks *e);
void tp_ended_tasks_fini(struct tp_ended_tasks *e);

// Returns the memory in bytes.
TP_INLINE uint64_t tp_ended_tasks_bytes(const struct tp_ended_tasks *e)
{
    return e->items != NULL ? TP_ENDED_TASKS * sizeof *e->items : 0;
}

#endif
