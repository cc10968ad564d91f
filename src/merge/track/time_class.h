// Classes of a goroutine's time, by which the tracker tells where the time of a task or region went.
#ifndef TP_MERGE_TRACK_TIME_CLASS_H
#define TP_MERGE_TRACK_TIME_CLASS_H

#include "base/span.h"

// Each moment of an interval is in one class. The first three are states of the goroutine. The next
// ones are classes of reasons for which it is blocked; tp_class_of_reason chooses among them.
// ELSEWHERE: the goroutine that ended the interval is not the one that began it, or the trace does not
// tell what it did. X(CLASS, key, word)
#define TP_CLASSES(X)                                                                   \
    X(RUNNING, "running_ns", "running")                                                 \
    X(RUNNABLE, "runnable_ns", "runnable")                                              \
    X(SYSCALL, "syscall_ns", "system calls")                                            \
    X(SYNC, "sync_ns", "sync")                                                          \
    X(CHANNEL, "channel_ns", "channels")                                                \
    X(SELECT, "select_ns", "select")                                                    \
    X(SLEEP, "sleep_ns", "sleep")                                                       \
    X(NETWORK, "network_ns", "network")                                                 \
    X(OTHER, "other_ns", "other blocking")                                              \
    X(ELSEWHERE, "elsewhere_ns", "elsewhere")

enum tp_class {
#define TP_X(class, key, word) TP_CLASS_##class,
    TP_CLASSES(TP_X)
#undef TP_X
    TP_CLASS_COUNT
};
// Number of the classes in the clock of a goroutine: all but ELSEWHERE.
#define TP_CLASS_COUNTED TP_CLASS_ELSEWHERE
#define TP_CLASS_FIRST_BLOCK TP_CLASS_SYNC

// Returns the class of being blocked for this reason, given by its text.
enum tp_class tp_class_of_reason(struct tp_span reason);

// The times of a goroutine up to a moment, by class, and how long its assists took that have ended.
// Only the difference of two moments has a meaning: the beginning is anywhere, and sums wrap.
struct tp_class_clock {
    uint64_t ns[TP_CLASS_COUNTED];
    uint64_t assist_ns;
};
// Adds the times of `from` to `into`.
TP_INLINE void tp_class_clock_add(struct tp_class_clock *into, const struct tp_class_clock *from)
{
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
        into->ns[i] += from->ns[i];
    into->assist_ns += from->assist_ns;
}

// The time of one interval by class. The classes add up to its duration. Assists are a part of
// them, told besides.
struct tp_interval_parts {
    uint64_t ns[TP_CLASS_COUNT];
    uint64_t assist_ns;
};
// Returns the parts of an interval of `ns` from its goroutine's clocks at the beginning and at the
// end. If these contradict the duration, as in damaged traces, all of it is elsewhere.
struct tp_interval_parts tp_interval_parts_of(const struct tp_class_clock *begin,
                                              const struct tp_class_clock *end, uint64_t ns);
// Returns the parts of an interval of `ns` that is elsewhere as a whole.
TP_INLINE struct tp_interval_parts tp_interval_elsewhere(uint64_t ns)
{
    return (struct tp_interval_parts){.ns = {[TP_CLASS_ELSEWHERE] = ns}};
}

// Properties of a goroutine's reason to wait or to stop: bits. The bits above them hold the class of the
// wait, less TP_CLASS_FIRST_BLOCK.
enum tp_wait_bit {
    TP_WAIT_FOREVER = 1,       // nothing ends it: it counts nowhere but in levels
    TP_WAIT_FOR_LOCK = 2,      // the blame for it follows TP_BLAME_LOCK (tracker.h)
    TP_WAIT_FOR_OTHERS = 4,    // a goroutine ends it: it is for a lock, a condition, a channel or a select
    TP_WAIT_FOR_NETWORK = 8,
    TP_WAIT_IS_PREEMPTION = 16 // it is no wait: others stopped the goroutine
};
#define TP_WAIT_CLASS_SHIFT 5
_Static_assert(TP_CLASS_COUNTED - TP_CLASS_FIRST_BLOCK <= 8, "3 bits");
// Returns these bits of a reason, given by its text.
uint8_t tp_wait_of_reason(struct tp_span reason);
// Returns the class of a wait, whose bits are given.
TP_INLINE enum tp_class tp_class_of_wait(unsigned wait)
{
    return (enum tp_class)(TP_CLASS_FIRST_BLOCK + (wait >> TP_WAIT_CLASS_SHIFT));
}

#endif
