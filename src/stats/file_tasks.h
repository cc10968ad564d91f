// Records the tasks of each input apart, in TP_SPACE_FILE_TASK: durations by the path of the input
// and the name of the task. Their groups have limits like all names (totals.h): what is not kept is
// in the group TP_TOTALS_OTHERS.
//
// The name of such a group is a text with both, and a zero byte between them. One thread at a time
// uses the totals.
#ifndef TP_STATS_FILE_TASKS_H
#define TP_STATS_FILE_TASKS_H

#include "base/attr.h"
#include "base/span.h"

struct tp_totals;

// Records the tasks of the only input in these totals under its path, a number of s->names. False:
// out of memory; then only tp_totals_fini may follow.
bool tp_totals_add_file_tasks(struct tp_totals *s, uint32_t path) TP_MUST_USE;

// The parts of the name of a group; borrowed from it.
struct tp_file_task {
    struct tp_span path; // as the user wrote it
    struct tp_span name; // of the tasks
};
// Splits the name of a group. False: it has no zero byte, which no name has that the function above
// made; *ret is unchanged.
bool tp_file_task_split(struct tp_span text, struct tp_file_task *ret) TP_MUST_USE;

#endif
