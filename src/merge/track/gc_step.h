// The steps from which the curve of mutator utilisation (stats/gc/curve.h) is computed: a small record
// for each of the few events that change the garbage collector's share of the Ps. Several threads can
// extract steps from parts of a trace; later one thread replays the steps, in the order of the trace.
// Steps are plain values, which own no memory.
//
// Events and their steps; `time_ns`, `p` and, unless noted, `g` are those of the event:
//
//   Sync                              SYNC          value: its number
//   metric of GOMAXPROCS              PROCS         value: the number of Ps
//   range "stop-the-world" whose      STW_BEGIN, STW_END
//     detail contains "GC"
//   range "GC mark assist"            ASSIST_BEGIN, ASSIST_END, ASSIST_ACTIVE; g: the goroutine of
//                                     the range
//   a goroutine begins or ceases to   EXEC_BEGIN, EXEC_END; g: that goroutine
//     be Running or in a syscall
//   label "GC ..." except             WORKER
//     "GC (idle)"
//   last event, of any type           END, in addition to the event's own step
//
// ASSIST_ACTIVE matters in the first generation only. There its `flag` is true if earlier events show
// that the goroutine in whose context the event happened executes. That goroutine is not the goroutine of
// the range.
#ifndef TP_MERGE_TRACK_GC_STEP_H
#define TP_MERGE_TRACK_GC_STEP_H

#include "base/err.h"
#include "tracepipe/event.h"

// Kinds of steps. The table above lists their events.
enum tp_gc_step_kind {
    TP_GC_SYNC,
    TP_GC_PROCS,
    TP_GC_STW_BEGIN,
    TP_GC_STW_END,
    TP_GC_ASSIST_BEGIN,
    TP_GC_ASSIST_END,
    TP_GC_ASSIST_ACTIVE,
    TP_GC_EXEC_BEGIN,
    TP_GC_EXEC_END,
    TP_GC_WORKER,
    TP_GC_END,
    TP_GC_STEP_KINDS
};

// A step. Members that a kind does not use are 0.
struct tp_gc_step {
    int64_t time_ns; // trace time
    int64_t p;       // -1: none
    int64_t g;
    uint64_t value;  // of SYNC and PROCS, see above
    uint8_t kind;    // enum tp_gc_step_kind
    bool flag;       // of ASSIST_ACTIVE, see above
};

// Returns whether a goroutine in this state has a P, or had one when it entered the kernel.
TP_INLINE bool tp_gc_executes(enum tp_state state)
{
    return state == TP_STATE_RUNNING || state == TP_STATE_SYSCALL;
}

// Sets *ret to the step of an event. False: the event gives no step, and *ret is meaningless. The step is
// never EXEC_BEGIN or EXEC_END, which follow from the states of goroutines, and never END. Leaves `flag`
// of ASSIST_ACTIVE false; the caller sets it. Reads `t` only for stops of the world and labels. Keeps
// neither pointer; cannot fail; any thread may call it.
bool tp_gc_step_of(const struct tp_event *e, const struct tp_tables *t, struct tp_gc_step *ret);

#endif
