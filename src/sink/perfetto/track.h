// Tracks of the picture, and the names that every trace has.
#ifndef TP_SINK_PERFETTO_TRACK_H
#define TP_SINK_PERFETTO_TRACK_H

#include <assert.h>
#include <stdint.h>

#include "base/attr.h"

// Groups of tracks, in the order of the picture. X(GROUP, name)
#define TP_PERFETTO_GROUPS(X)                                                           \
    X(COUNTERS, "Counters")                                                             \
    X(COLLECTOR, "Garbage collector")                                                   \
    X(PROCS, "Ps")                                                                      \
    X(THREADS, "Threads")                                                               \
    X(TASKS, "Tasks")                                                                   \
    X(GOROUTINES, "Goroutines")
enum tp_perfetto_group {
#define TP_X(group, name) TP_PERFETTO_GROUP_##group,
    TP_PERFETTO_GROUPS(TP_X)
#undef TP_X
    TP_PERFETTO_GROUP_COUNT
};

// Kinds of tracks. The id of a track is that of its P, thread, goroutine, task or counter.
enum tp_perfetto_track {
    TP_PERFETTO_GROUP = 1,   // a group
    TP_PERFETTO_COUNTER,
    TP_PERFETTO_MARK,        // of the collector
    TP_PERFETTO_PAUSE,
    TP_PERFETTO_PROC,        // the goroutines that ran on a P
    TP_PERFETTO_SWEEP,       // of a P, below it
    TP_PERFETTO_THREAD,      // the Ps that a thread had
    TP_PERFETTO_TASK,
    TP_PERFETTO_TASK_REGION, // regions of a goroutine in a task, below the task
    TP_PERFETTO_GOROUTINE,   // states of a goroutine
    TP_PERFETTO_REGION,      // regions of a goroutine, below it
    TP_PERFETTO_CROSSING,    // one region that does not nest with others of the goroutine
    TP_PERFETTO_ASSIST,      // mark assists of a goroutine, below it
    TP_PERFETTO_TRACK_COUNT
};

// Returns the uuid of a track: shorter for goroutines, which most packets are of. Ids beyond 2^59, which Go
// does not give, may share one.
TP_INLINE uint64_t tp_perfetto_uuid(enum tp_perfetto_track kind, int64_t id)
{
    return kind == TP_PERFETTO_GOROUTINE ? (uint64_t)id << 1 | 1 : (uint64_t)id << 5 | kind << 1;
}
// Returns the kind of a track by its uuid.
TP_INLINE enum tp_perfetto_track tp_perfetto_kind_of(uint64_t uuid)
{
    return (uuid & 1) != 0 ? TP_PERFETTO_GOROUTINE : (enum tp_perfetto_track)(uuid >> 1 & 15);
}

// Returns the id of a track below that of a goroutine or task: a number that nearly always no other pair has.
TP_INLINE int64_t tp_perfetto_pair_id(uint64_t a, uint64_t b)
{
    return (int64_t)(a * UINT64_C(0x9e3779b97f4a7c15) ^ b);
}

// The iids of the words below follow their order, from 1 on.
#define TP_PERFETTO_IID(word) ((word) + 1u)

// Categories of slices: a state's name, or the kind of an interval. X(CATEGORY, name)
#define TP_PERFETTO_CATEGORIES(X)                                                       \
    X(RUNNING, "running") X(RUNNABLE, "runnable") X(WAITING, "waiting")                 \
    X(SYSCALL, "syscall") X(PROC, "proc") X(THREAD, "thread") X(COLLECTOR, "gc")        \
    X(TASK, "task") X(REGION, "region") X(LOG, "log")
enum tp_perfetto_category {
#define TP_X(category, name) TP_PERFETTO_CATEGORY_##category,
    TP_PERFETTO_CATEGORIES(TP_X)
#undef TP_X
};

// Names of slices that are not from the trace. X(NAME, text)
#define TP_PERFETTO_WORDS(X)                                                            \
    X(RUNNING, "running") X(RUNNABLE, "runnable") X(WAITING, "waiting")                 \
    X(SYSCALL, "syscall") X(WAKE, "wake") X(TASK, "task") X(REGION, "region")           \
    X(MARK, "GC concurrent mark phase") X(SWEEP, "GC incremental sweep")                \
    X(ASSIST, "GC mark assist") X(PAUSE, "stop-the-world")
enum tp_perfetto_word {
#define TP_X(name, text) TP_PERFETTO_WORD_##name,
    TP_PERFETTO_WORDS(TP_X)
#undef TP_X
};

// Names of arguments of slices. X(ARG, name)
#define TP_PERFETTO_ARGS(X)                                                             \
    X(STACK, "stack") X(WAKER, "waker") X(WAKER_STACK, "waker stack")                   \
    X(GOROUTINE, "goroutine") X(PROC, "P") X(TASK, "task")                              \
    X(PARENT, "parent") X(CUT, "cut")
enum tp_perfetto_arg {
#define TP_X(arg, name) TP_PERFETTO_ARG_##arg,
    TP_PERFETTO_ARGS(TP_X)
#undef TP_X
};

// Texts of the argument CUT. X(CUT, text)
#define TP_PERFETTO_CUTS(X) X(BEGIN, "begin") X(END, "end") X(BOTH, "both")
enum tp_perfetto_cut {
#define TP_X(cut, text) TP_PERFETTO_CUT_##cut,
    TP_PERFETTO_CUTS(TP_X)
#undef TP_X
};
// The iid of the first of these texts. Those of stacks are below 2^32.
#define TP_PERFETTO_CUT_IID (UINT64_C(1) << 32)

// What a slice is named by.
enum tp_perfetto_name {
    TP_PERFETTO_NAME_TEXT,    // a text of the trace (merge/track/facts.h)
    TP_PERFETTO_NAME_NAMED,   // a goroutine and its function
    TP_PERFETTO_NAME_UNNAMED, // a goroutine
    TP_PERFETTO_NAME_PROC,    // a P
    TP_PERFETTO_NAME_KINDS
};

// Returns the iid of a name; those of words come first.
#define TP_PERFETTO_WORDS_MAX 32
static_assert(TP_PERFETTO_NAME_KINDS == 4, "two bits hold the kind");
TP_INLINE uint64_t tp_perfetto_name(enum tp_perfetto_name kind, uint64_t id)
{
    return TP_PERFETTO_WORDS_MAX + (id << 2 | kind);
}
// Returns what the iid of a name says; *ret_id is the id.
TP_INLINE enum tp_perfetto_name tp_perfetto_name_of(uint64_t iid, uint64_t *ret_id)
{
    *ret_id = (iid - TP_PERFETTO_WORDS_MAX) >> 2;
    return (enum tp_perfetto_name)((iid - TP_PERFETTO_WORDS_MAX) % TP_PERFETTO_NAME_KINDS);
}

#endif
