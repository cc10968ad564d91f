// Spans of goroutine states: from when until when a goroutine ran, was runnable, waited or was in a
// system call, and why. The event that ends a state gives out the span of the state, so a program that
// adds up or prints spans keeps nothing from event to event. Intervals are the same for all else that
// lasts: tasks, regions, stops of the world, and so on. Metrics are events (event.h).
//
// A reader with the option "spans" (reader.h) and a sink with `wants_spans` (sink.h) get spans with the
// block of the events that end them, in the order of these events. The spans of states that have not
// ended when the trace ends come last, in blocks without events. A state that began before the first
// event that shows the state has no span, unless a status event announces the goroutine. Intervals come
// in the same way, with the option "intervals" and with `wants_intervals`.
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
    // TP_STATE_WAITING: the goroutine that ended the wait. TP_STATE_RUNNABLE: the goroutine that made
    // this one runnable. TP_NO_GOROUTINE: none did, or a part of the runtime that is no goroutine.
    int64_t waker;
    // The task of the innermost region that the goroutine had open when the state ended. Without an open
    // region: of the tasks that the goroutine began and that were still open, the one begun last.
    // TP_NO_TASK: none.
    uint64_t task;
    // The P and the thread of the event that began the state. TP_STATE_RUNNING and TP_STATE_SYSCALL: those of
    // the goroutine. TP_STATE_RUNNABLE: those of who made it runnable, or on which it was preempted. -1:
    // none, or not known.
    int64_t proc;
    int64_t thread;
    // The members below are for the functions of this file and for statistics; their layout may change.
    int64_t other_ns;        // had_begun: when the trace announced the state
    uint32_t function, reason, stack, waker_stack;
    uint32_t life;           // number of the goroutine among all of the trace
    uint8_t state;           // enum tp_state
    uint8_t next;            // enum tp_state after it
    uint8_t wait, marks;
    bool had_begun;          // the state had begun before: begin_ns is only the first time known
    bool goes_on;            // the trace shows no end: end_ns is only the last time known
    bool was_woken;          // TP_STATE_RUNNING: a goroutine had made it runnable
};

// Returns the name of the function in which the goroutine began, as known at the end of the span. Empty:
// not known by then.
TP_API struct tp_text tp_state_span_function(const struct tp_state_span *s,
                                             const struct tp_tables *t);
// Returns the reason why the goroutine waited or stopped running. Empty: the event that began the state
// has no reason.
TP_API struct tp_text tp_state_span_reason(const struct tp_state_span *s,
                                           const struct tp_tables *t);
// Reads the goroutine's own stack where the state began. Id 0: none was recorded.
TP_API struct tp_stack tp_state_span_stack(const struct tp_state_span *s,
                                           const struct tp_tables *t);
// Reads the stack of the event that ended the wait or made the goroutine runnable. Id 0: none was
// recorded.
TP_API struct tp_stack tp_state_span_waker_stack(const struct tp_state_span *s,
                                                 const struct tp_tables *t);

// Kinds of intervals. X(KIND)
//   PAUSE   a stop of the world by `goroutine`; the name is its reason
//   MARK    a concurrent mark phase of the garbage collector
//   ASSIST  a mark assist by `goroutine`
//   SWEEP   a sweep by the P `proc`
//   TASK    a task that `goroutine` began, from its begin to its end
//   REGION  a region of `goroutine` in the task `task`
//   LIFE    the life of `goroutine`, from its creation to its end; the name is its function
//   PROC    the time during which the P `proc` ran, on the thread `thread`
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
    uint64_t parent;   // of TASK: the task in which it was begun; else, and if not known, TP_NO_TASK
    // The members below are for the functions of this file; their layout may change.
    uint32_t name, stack;
    uint32_t span_count; // spans of the same facts that came before
    uint8_t kind;      // enum tp_interval_kind
    bool had_begun;    // it had begun before: begin_ns is only the first time known
    bool goes_on;      // the trace shows no end: end_ns is only the last time known
    bool crosses;      // REGION: the goroutine began a region in it that goes on after it
};

// Returns the name of the interval. Empty: it has none, or no event has shown the name.
TP_API struct tp_text tp_interval_name(const struct tp_interval *i, const struct tp_tables *t);
// Reads the stack where a PAUSE began, or where the goroutine of a LIFE was created. Id 0: none was
// recorded, or the interval is of another kind.
TP_API struct tp_stack tp_interval_stack(const struct tp_interval *i, const struct tp_tables *t);

#ifdef __cplusplus
}
#endif
#endif
