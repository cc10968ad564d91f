// A profile of the rows of a report: `profile.proto` (github.com/google/pprof), gzipped.
//
// A sample has a stack and two values. Ids of strings, functions and locations are numbers in the order of
// first use, so they depend on the rows only, not on the order in which inputs were read.
#ifndef TP_SINK_PPROF_PROFILE_H
#define TP_SINK_PPROF_PROFILE_H

#include "sink/stats/report/report.h"

// Kinds of profiles, in the order of the words of the option. X(KIND, type of stacks, first value, its
// unit, second value, its unit)
//   RUNNING has a sample for each start function; the others have one for each stack of a type
//   CPU has one value, because a sample of a trace does not tell for how long it stands
#define TP_PROFILE_KINDS(X)                                                             \
    X(NET, TP_STACK_NET, "contentions", "count", "delay", "nanoseconds")                \
    X(SYNC, TP_STACK_SYNC, "contentions", "count", "delay", "nanoseconds")              \
    X(SYSCALL, TP_STACK_SYSCALL, "contentions", "count", "delay", "nanoseconds")        \
    X(SCHED, TP_STACK_SCHED, "contentions", "count", "delay", "nanoseconds")            \
    X(CPU, TP_STACK_CPU, "samples", "count", NULL, NULL)                                \
    X(RUNNING, TP_STACK_TYPE_NONE, "runs", "count", "running", "nanoseconds")
enum tp_profile_kind {
#define TP_X(kind, ...) TP_PROFILE_##kind,
    TP_PROFILE_KINDS(TP_X)
#undef TP_X
    TP_PROFILE_KIND_COUNT
};

// Writes the profile. The report has stacks as JSON has them, for RUNNING functions. Fails with TP_E_MEMORY,
// or as `out` does.
int tp_profile_write(const struct tp_full_report *r, enum tp_profile_kind kind, struct tp_out *out,
                     struct tp_error *err) TP_MUST_USE;

#endif
