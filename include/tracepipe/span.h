// Spans of goroutine states: from when until when a goroutine ran, was runnable, waited or was in
// a system call, and why. Each event that ends a state gives out the span of that state, so a
// program that adds up or prints spans needs no state of its own. The same holds for intervals of all
// else that lasts: tasks, regions, stops of the world, and so on. Metrics are events (event.h).
//
// A reader with the option "spans" (reader.h) and a sink with `wants_spans` (sink.h) get the spans
// with the block of the events that end them, in the order of these events. The states in which the
// trace ends come last, in blocks without events. A state from before the first event that shows it
// has no span, except that of a goroutine which the trace announces. Intervals come in
// the same way, with the option "intervals" and with `wants_intervals`.
//
// The functions below read a span or an interval with the tables of its block. The texts and stacks that
// they return are valid as long as these tables.
#ifndef TRACEPIPE_SPAN_H
#define TRACEPIPE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "tracepipe/api.h"
#include "tracepipe/event.h"

#ifdef __cplusplus
extern "C" {
#endif

// Stands for no goroutine.
#define TP_NO_GOROUTINE INT64_C(-1)

// A plain value. Times are those of events, in nanoseconds.
struct tp_state_span {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t goroutine;
    // The goroutine that ended the wait (TP_STATE_WAITING) or made this one runnable
    // (TP_STATE_RUNNABLE); TP_NO_GOROUTINE: none did, or a part of the runtime that is no goroutine.
    int64_t waker;
    // The task of the innermost region that the goroutine had open when the state ended; without an
    // open region, the last task that the goroutine has begun and nobody has ended. TP_NO_TASK: none.
    uint64_t task;
    // For the functions below and for statistics; the layout may change.
    int64_t other_ns;        // had_begun: when the trace announced the state
    uint32_t function, reason, stack, waker_stack;
    uint32_t life;           // number of the goroutine among all of the trace
    uint8_t state;           // enum tp_state
    uint8_t next;            // enum tp_state after it
    uint8_t wait, marks;
    bool had_begun;          // the state had begun before: begin_ns is only the first time known
    bool goes_on;            // the trace ends at end_ns, the state does not
};

// Returns the name of the function in which the goroutine began, as far as the trace has shown it by
// the end of the span; else empty.
TP_API struct tp_text tp_state_span_function(const struct tp_state_span *s,
                                             const struct tp_tables *t);
// Returns why the goroutine waits, or stopped running; else empty.
TP_API struct tp_text tp_state_span_reason(const struct tp_state_span *s,
                                           const struct tp_tables *t);
// Reads the stack of the goroutine where the state began. Id 0: none was recorded.
TP_API struct tp_stack tp_state_span_stack(const struct tp_state_span *s,
                                           const struct tp_tables *t);
// Reads the stack where the wait was ended, or the goroutine made runnable. Id 0: none was recorded.
TP_API struct tp_stack tp_state_span_waker_stack(const struct tp_state_span *s,
                                                 const struct tp_tables *t);

// Kinds of intervals. X(KIND)
//   PAUSE   a stop of the world, which `goroutine` has caused; the name is its reason
//   MARK    a concurrent mark phase of the garbage collector
//   ASSIST  a mark assist of a goroutine
//   SWEEP   by the P `proc`
//   TASK    from its begin to its end; `goroutine` has begun it
//   REGION  of a goroutine, in the task `task`
//   LIFE    of a goroutine, from its creation; the name is its function
//   PROC    the P `proc` ran, on the thread `thread`
#define TP_INTERVAL_KINDS(X) X(PAUSE) X(MARK) X(ASSIST) X(SWEEP) X(TASK) X(REGION) X(LIFE) X(PROC)
enum tp_interval_kind {
#define TP_X(kind) TP_INTERVAL_##kind,
    TP_INTERVAL_KINDS(TP_X)
#undef TP_X
    TP_INTERVAL_KIND_COUNT
};

// A plain value. Times are those of events, in nanoseconds.
struct tp_interval {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t goroutine; // TP_NO_GOROUTINE: none, or not known
    int64_t proc;      // of SWEEP and PROC; else -1
    int64_t thread;    // of PROC; else -1
    uint64_t task;     // of TASK and REGION; else, and in no task, TP_NO_TASK
    // For the functions below; the layout may change.
    uint32_t name, stack;
    uint8_t kind;      // enum tp_interval_kind
    bool had_begun;    // it had begun before: begin_ns is only the first time known
    bool goes_on;      // the trace shows no end: end_ns is only the last time known
};

// Returns the name; empty: there is none, or no event has shown it.
TP_API struct tp_text tp_interval_name(const struct tp_interval *i, const struct tp_tables *t);
// Reads the stack where a PAUSE began, or the goroutine of a LIFE was created. Id 0: none was recorded.
TP_API struct tp_stack tp_interval_stack(const struct tp_interval *i, const struct tp_tables *t);

#ifdef __cplusplus
}
#endif
#endif
