// Lists what an input records for findings, by a pair of stacks, in TP_SPACE_EVIDENCE. A measure of
// that space is an item of enum tp_evidence; evidences from TP_EVIDENCE_SLOW on carry an octave of a
// task's duration. `left` and `right` are the stacks of the pair; "none" is the stack without frames.
#ifndef TP_STATS_EVIDENCE_H
#define TP_STATS_EVIDENCE_H

#include "merge/track/facts.h"

// X(EVIDENCE)
#define TP_EVIDENCES(X)                                                                     \
    /* A run of at least TP_LONG_RUN_NS, from its begin or the last stop of the world by    \
       this goroutine: the stack at its end; none. Whether the goroutine gave up its P by   \
       itself, or was preempted: then, if it was not interrupted, the innermost function is \
       the one that it was about to enter. But before Go 1.25 the stack begins further out, \
       and there is another one: that at which the goroutine's next run ended, if the stack \
       lacks the function that ran, and if there is such a run; or else the same again. */  \
    X(LONG_RUN)                                                                             \
    X(LONG_RUN_PREEMPTED)                                                                   \
    /* A wait for a P of at least TP_LATE_NS after an unblock or a creation: the stack of   \
       the event that made the goroutine runnable; none. */                                 \
    X(LATE)                                                                                 \
    /* Runs of mark workers on Ps that nobody else wanted, count and sum only: none; none. */ \
    X(IDLE_WORKER)                                                                          \
    /* A stop of the world by the program, or by the collector, without those that begin    \
       or end the trace: the stack at its begin; none. */                                   \
    X(STOP)                                                                                 \
    X(STOP_GC)                                                                              \
    /* Counts of mark assists, and of GC cycles: a stack of the innermost frame of the      \
       program and the outermost frame of that at the begin, or that stack if it has no     \
       frame of the program or its outermost frame is not kept, without frames if all are   \
       of the runtime; none. */                                                             \
    X(ASSIST)                                                                               \
    X(GC_BEGIN)                                                                             \
    /* Counts of goroutines that were created in the first, or second, half of the trace    \
       and were blocked at its end: the stack of the creation; that of the wait. */         \
    X(LEFT_EARLY)                                                                           \
    X(LEFT_LATE)                                                                            \
    /* + octave of a task's duration: the longest leg of the task: its stack; a stack       \
       of one frame, whose function is the type of the task. */                             \
    X(SLOW)

enum tp_evidence {
#define TP_X(evidence) TP_EVIDENCE_##evidence,
    TP_EVIDENCES(TP_X)
#undef TP_X
    TP_EVIDENCE_COUNT
};

// Returns the octave of a task's duration: that of 1, 2 or 4 ns is 0, 1 or 2; that of 0 is 0.
TP_INLINE uint32_t tp_octave_of_task(uint64_t ns)
{
    return 63 - (uint32_t)__builtin_clzll(ns | 1);
}

// Whether a stop of the world for this reason is evidence, and of what. Without its reason, as in a
// damaged trace, a stop may be the one that begins or ends the trace.
TP_INLINE bool tp_stop_evidence(struct tp_span reason, enum tp_evidence *ret_evidence)
{
    *ret_evidence = tp_span_begins_with(reason, "GC") ? TP_EVIDENCE_STOP_GC : TP_EVIDENCE_STOP;
    return reason.len_bytes > 0 && !tp_span_is(reason, "start trace") &&
           !tp_span_is(reason, "stop trace");
}

#endif
