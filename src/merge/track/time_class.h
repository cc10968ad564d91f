// Classes of a goroutine's time, by which the tracker tells where the time of a task or region went.
#ifndef TP_MERGE_TRACK_TIME_CLASS_H
#define TP_MERGE_TRACK_TIME_CLASS_H

#include "base/span.h"

// Each moment of an interval is in one class. The first three classes are states of the goroutine. The
// next ones are kinds of reasons for which the goroutine is blocked; tp_class_of_reason chooses among
// them. ELSEWHERE: the goroutine that ended the interval is not the one that began it, or the trace does
// not tell what the goroutine did. X(CLASS, key, word)
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
// Number of classes in the clock of a goroutine: all but ELSEWHERE.
#define TP_CLASS_COUNTED TP_CLASS_ELSEWHERE
#define TP_CLASS_FIRST_BLOCK TP_CLASS_SYNC

// Returns the class of a wait for this reason, given by its text.
enum tp_class tp_class_of_reason(struct tp_span reason);

// Delays of an interval that the runtime imposes. They lie in its classes, too, whatever these are. ASSIST:
// mark assists of its goroutine, from begin to end. STOPPED: the world was stopped, or about to be; for
// all goroutines alike.
// X(DELAY, key, words)
#define TP_DELAYS(X)                                                                  \
    X(ASSIST, "assist_ns", "GC assists")                                                \
    X(STOPPED, "stopped_ns", "world stopped")

enum tp_delay {
#define TP_X(delay, key, words) TP_DELAY_##delay,
    TP_DELAYS(TP_X)
#undef TP_X
    TP_DELAY_COUNT
};

// A goroutine's times by class up to a moment, and the time of its ended assists. Only the difference
// between two moments has a meaning, because a clock may start at any value, and its sums may wrap.
struct tp_class_clock {
    uint64_t ns[TP_CLASS_COUNTED];
    uint64_t assist_ns;
};
TP_INLINE void tp_class_clock_add(struct tp_class_clock *into, const struct tp_class_clock *from)
{
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
        into->ns[i] += from->ns[i];
    into->assist_ns += from->assist_ns;
}

// The time of one interval by class: `ns` adds up to the duration of the interval. None of `delay_ns`
// exceeds that duration.
struct tp_interval_parts {
    uint64_t ns[TP_CLASS_COUNT];
    uint64_t delay_ns[TP_DELAY_COUNT];
};
// Returns the parts of an interval of `ns`. `begin`, `end`: the clock of its goroutine at its beginning
// and end. `stopped_ns`: how long the world was stopped in between. If the clocks contradict `ns`, as in
// damaged traces, all of the time is TP_CLASS_ELSEWHERE.
struct tp_interval_parts tp_interval_parts_of(const struct tp_class_clock *begin,
                                              const struct tp_class_clock *end,
                                              uint64_t stopped_ns, uint64_t ns);
// Returns the parts of an interval of `ns` of which all time is TP_CLASS_ELSEWHERE. `stopped_ns`: how long
// the world was stopped in it; at most `ns` counts.
struct tp_interval_parts tp_interval_elsewhere(uint64_t stopped_ns, uint64_t ns);

// Bits that tell properties of a goroutine's reason to wait or to stop. From the bit TP_WAIT_CLASS_SHIFT
// on they hold the class of the wait minus TP_CLASS_FIRST_BLOCK.
enum tp_wait_bit {
    TP_WAIT_FOREVER = 1,       // nothing ends it: it counts nowhere but in levels
    TP_WAIT_FOR_LOCK = 2,      // the blame for it follows TP_BLAME_LOCK (tracker.h)
    TP_WAIT_FOR_OTHERS = 4,    // a goroutine ends it: it is for a lock, a condition, a channel or a select
    TP_WAIT_FOR_NETWORK = 8,
    TP_WAIT_IS_PREEMPTION = 16 // it is no wait: others stopped the goroutine
};
#define TP_WAIT_CLASS_SHIFT 5
_Static_assert(TP_CLASS_COUNTED - TP_CLASS_FIRST_BLOCK <= 8, "3 bits");
// Returns the bits of a reason, with the class. `reason`: its text.
uint8_t tp_wait_of_reason(struct tp_span reason);
// Returns the class of a wait with the bits `wait`.
TP_INLINE enum tp_class tp_class_of_wait(unsigned wait)
{
    return (enum tp_class)(TP_CLASS_FIRST_BLOCK + (wait >> TP_WAIT_CLASS_SHIFT));
}

#endif
