// Types in which a partial keeps ends of waits, and other evidence for findings. "Here" means in the
// partial. Objects are plain values, except where a member owns memory.
#ifndef TP_STATS_FOLD_WAKES_H
#define TP_STATS_FOLD_WAKES_H

#include "base/span.h"
#include "stats/figures/durations.h"
#include "stats/figures/stack_sums.h"

// Rules for the part of a wait for which its waker is to blame: the part after the waker had last
// left a wait itself, or was created. TP_BLAME_LOCK counts the waker's waits for locks only, so
// that a goroutine which sleeps while it holds a lock is to blame. TP_BLAME_OTHERS counts all of
// its waits.
enum tp_blame { TP_BLAME_LOCK, TP_BLAME_OTHERS, TP_BLAMES };
// Stands in place of the time at which a goroutine left a wait or was created, if neither is known.
#define TP_NEVER_NS INT64_MIN

// Whether a goroutine ends the waits of this type, and is to blame for them: waits for locks and
// channels. Only these are recorded by pair.
TP_INLINE bool tp_has_waker(unsigned stack_type)
{
    return stack_type == TP_STACK_SYNC;
}
// Returns the rule of blame for waits for this reason of blocking, given by its text.
enum tp_blame tp_blame_of(struct tp_span reason);
// Returns the part of a wait from `since_ns` to `end_ns` for which its waker is to blame.
// `left_ns`: when the waker had last left a wait that counts by the rule, or was created, or
// TP_NEVER_NS.
TP_INLINE uint64_t tp_blamed_ns(int64_t since_ns, int64_t end_ns, int64_t left_ns)
{
    return (uint64_t)(end_ns - (left_ns > since_ns ? left_ns : since_ns));
}

// A wait to be recorded by pair after the block's last event, as tp_partial_span is.
struct tp_partial_paired_wait {
    int64_t ns;
    uint64_t blamed_ns;
    uint32_t sum;         // number in `pair_sums`
};
// When a goroutine last left a wait here, by rule, or was created here: TP_NEVER_NS if neither.
// `unknown_ns` is the time at which it left the wait in which it was when the partial began;
// whether that was one, and for what, only the stitch knows.
struct tp_partial_left {
    int64_t known_ns[TP_BLAMES];
    int64_t unknown_ns;
};

// A wait that ended here, of which only the stitch can tell all: it began before, or its waker left
// an unknown wait while it lasted.
struct tp_partial_open_wake {
    int64_t waiter;      // id
    int64_t waker;       // id; -1: no goroutine, or `left` is all that there is to know
    int64_t since_ns;    // beginning of the wait; TP_NEVER_NS: before the partial
    int64_t end_ns;
    struct tp_partial_left left; // of the waker, when it ended the wait
    uint32_t wait_stack; // index in the tables; no meaning if the wait began before
    uint32_t wake_stack;
    uint32_t measure;    // no meaning if the wait began before
    uint32_t ended_count, short_lived_count; // lengths of these lists when the wait ended
};

// The end of a stop of the world by a goroutine that has no record here, or its label as an idle
// mark worker: the stitch adds it to its own record, if it has one. A partial makes no record of a
// goroutine for such an event alone.
struct tp_partial_unseen {
    int64_t id;
    int64_t time_ns;
    bool is_label;
    uint32_t ended_count, short_lived_count; // as in struct tp_partial_open_wake
};

// Two stacks, each an index in the tables or TP_NO_STACK, and a measure of blocking, with the waits
// recorded here and the time for which the waker is to blame (TP_WAKE_BLAMED). No other member of
// the partial has these waits by stack, so the stitch adds them to those of `wait`. A pair may be
// in the list several times, each time with other waits.
//
// Small, and without a group of `durations`, because in some traces most pairs have one wait.
struct tp_partial_pair {
    uint32_t wait, wake;
    uint32_t measure;
    uint32_t sum;                // number + 1 in `pair_sums`; 0: the pair has one wait, which follows
    uint64_t ns, blamed_ns;
};
// The waits of a pair that has several.
struct tp_partial_pair_sum {
    tp_wide blamed_ns;
    struct tp_dist dist;         // owns its memory
};

// A duration that is recorded as evidence under a stack, an index in the tables or TP_NO_STACK.
struct tp_partial_evidence {
    uint64_t ns;
    uint32_t stack;
    uint32_t evidence;   // enum tp_evidence
};

#endif
