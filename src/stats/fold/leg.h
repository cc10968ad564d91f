// Follows the legs of a goroutine, to find the cause of a slow task. A leg is a wait, or all from
// leaving a wait to the next one: runs, system calls, and waits for a P. Beginnings and ends of
// tasks by the goroutine divide legs, too.
//
// The stack of a wait is the one at which it began. The stack of another leg is that of the
// first yield or preemption in it, else that of the event which ends it. Only the legs since the
// goroutine's last task event matter or, if it has none and was created in the trace, those since
// its creation. So of other goroutines the stitch follows no legs, and a partial follows those of
// goroutines that it has not seen begin, because they may be in a task.
//
// Legs are divided by events alone, whatever the state of the goroutine, so they do not depend on
// where a trace is cut. One thread at a time uses an object.
#ifndef TP_STATS_FOLD_LEG_H
#define TP_STATS_FOLD_LEG_H

#include "base/attr.h"

// Stands in place of a time that only earlier partials know. No leg is as long as from then on.
#define TP_LEG_BEFORE INT64_MIN
// Stands in place of the stack of a leg that has none yet.
#define TP_LEG_NO_STACK UINT64_MAX
// Stands in place of the longest leg of a goroutine that is not followed: no leg is longer.
#define TP_LEG_LONGEST UINT64_MAX

// The longest of some legs; of equal ones the first.
struct tp_longest_leg {
    uint64_t ns;       // 0: there is none
    uint64_t stack_id; // as in events; 0: no stack
};

// The legs of a goroutine in a partial. Small, because every goroutine has them.
struct tp_legs {
    // The leg that lasts.
    int64_t since_ns;  // TP_LEG_BEFORE: it began before the partial
    uint64_t stack_id; // TP_LEG_NO_STACK: none yet
    // Since the last task event, or since the partial or the goroutine began.
    struct tp_longest_leg longest;
};
#define TP_LEGS_BEFORE {.since_ns = TP_LEG_BEFORE, .stack_id = TP_LEG_NO_STACK}

// How the legs of a goroutine begin that the partial has not seen begin; the stitch joins them to
// what came before. A plain value.
struct tp_first_legs {
    // The end of the leg that lasted when the partial began, and its stack if it had none before.
    int64_t end_ns; // TP_LEG_BEFORE: it has not ended here
    uint64_t stack_id;
    // The longest of the legs that began here before the first task event; valid if there was one.
    struct tp_longest_leg longest;
    uint32_t task_end; // number + 1 in tp_partial.task_ends, of that event; 0: none
};

#endif
