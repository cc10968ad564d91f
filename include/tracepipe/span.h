// Spans of goroutine states: from when until when a goroutine ran, was runnable, waited or was in
// a system call, and why. Each event that ends a state gives out the span of that state, so a
// program that adds up or prints spans needs no state of its own.
//
// A reader with the option "spans" (reader.h) and a sink with `wants_spans` (sink.h) get the spans
// with the block of the events that end them, in the order of these events. The states in which the
// trace ends come last, in blocks without events. A state from before the first event that shows it
// has no span, except that of a goroutine which the trace announces.
//
// The functions below read a span with the tables of its block. The texts and stacks that they return
// are valid as long as these tables.
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

#ifdef __cplusplus
}
#endif
#endif
