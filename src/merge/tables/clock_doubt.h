// Decides from the trace alone whether its clock can be believed: it cannot be believed if the
// trace lasts longer than an hour and the times of its batches contradict each other by more than
// an hour.
//
//   sound:      threads  ──E──────E──────E──   E: a batch of events begins
//               tables                     ─S  S: stacks, written after all events
//   late:       threads  ──E──E─────────────────────────────── .. ──E
//   back:       one thread  ──E(2)──E(1)       the later batch in the file is earlier in time
//
// Hours without an event are no contradiction: a thread's open batch spans them, all later batches
// begin after them, and tables come after all batches of events.
//
// The struct belongs to one thread at a time and owns no memory; its functions cannot fail. A
// zeroed struct has seen nothing of the trace.
#ifndef TP_MERGE_TABLES_CLOCK_DOUBT_H
#define TP_MERGE_TABLES_CLOCK_DOUBT_H

#include "merge/tables/generation.h"

// Minimum size of a contradiction, and minimum duration of the trace, that count.
#define TP_CLOCK_DOUBT_NS INT64_C(3600000000000)

// The kinds of contradiction. X(DOUBT, sentence)
#define TP_CLOCK_DOUBTS(X)                                                              \
    X(NONE, "")                                                                         \
    X(LATE, "a batch begins later than all others of its generation")                   \
    X(BACK, "a batch begins before the previous one of its thread")                            \
    X(GENERATION, "a generation begins before the previous one")                  \
    X(SYNC, "a batch begins before its generation does")                                \
    X(SNAPSHOT, "clock snapshots disagree with the times of events")                    \
    X(END, "events continue after the end of the trace")                                \
    X(ORDER, "an event is earlier than the one before it")

// Kinds of contradictions between times of a trace; TP_CLOCK_DOUBTS has a sentence for each.
enum tp_clock_doubt_kind {
#define TP_X(doubt, sentence) TP_CLOCK_DOUBT_##doubt,
    TP_CLOCK_DOUBTS(TP_X)
#undef TP_X
};

// The findings in the generations so far.
struct tp_clock_doubt {
    enum tp_clock_doubt_kind kind; // the first contradiction found
    double ns;                     // its size in nanoseconds
    // The members from here on are for clock_doubt.c only; times on the trace's clock.
    bool has_begin;
    double begin_ns;               // of the first batch
    double last_begin_ns;          // latest beginning of an event batch in the last generation
    double end_ns;                 // beginning of that generation's last stack batch; 0: unknown
    bool has_snapshot;
    double snapshot_ns, mono_ns;   // of the last snapshot, and the monotonic clock at that moment
};

// Adds the next generation that is ordered. A damaged generation counts with the batches of it that
// were kept. Before Go 1.22 the generation is the whole trace. Does nothing unless `ns_per_tick` is
// above 0.
void tp_clock_doubt_add(struct tp_clock_doubt *d, const struct tp_generation *g,
                        double ns_per_tick);
// Adds that by the rules of the order an event must follow one that is `late_ns` later.
void tp_clock_doubt_add_order(struct tp_clock_doubt *d, double late_ns);
// Ends the trace, which lasts `duration_ns` from its first to its last event. Afterwards `kind` and
// `ns` are final.
void tp_clock_doubt_end(struct tp_clock_doubt *d, uint64_t duration_ns);
// Returns a constant sentence for messages; empty for NONE.
const char *tp_clock_doubt_sentence(enum tp_clock_doubt_kind kind);

#endif
