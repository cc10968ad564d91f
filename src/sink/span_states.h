// The words for the states that spans of goroutines have (tracepipe/span.h).
#ifndef TP_SINK_SPAN_STATES_H
#define TP_SINK_SPAN_STATES_H

#include "base/attr.h"
#include "tracepipe/event.h"

// X(STATE, word)
#define TP_SPAN_STATES(X)                                                               \
    X(RUNNING, "running")                                                               \
    X(RUNNABLE, "runnable")                                                             \
    X(WAITING, "waiting")                                                               \
    X(SYSCALL, "syscall")

// Returns the word; empty for any other state.
TP_INLINE const char *tp_span_state_word(unsigned state)
{
    switch (state) {
#define TP_X(state, word)                                                               \
    case TP_STATE_##state: return word;
        TP_SPAN_STATES(TP_X)
#undef TP_X
    default: return "";
    }
}

#endif
