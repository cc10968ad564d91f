// Whether a trace's clock can be believed, decided from this trace alone: it cannot if the trace
// lasts longer than an hour, and what its batches say of time contradicts itself by more than an
// hour.
//
//   sound:      threads  ──E──────E──────E──   E: a batch of events begins
//               tables                     ─S  S: stacks, which are written when all is told
//   late:       threads  ──E──E─────────────────────────────── .. ──E
//   back:       one thread  ──E(2)──E(1)       the one behind in the file is earlier
//
// Hours without an event are fine: a thread's batch goes on over them, and so do all batches
// behind; tables are behind all.
//
// Plain memory of one thread; zeroed is a trace of which nothing was seen.
#ifndef TP_MERGE_TABLES_CLOCK_DOUBT_H
#define TP_MERGE_TABLES_CLOCK_DOUBT_H

#include "merge/tables/generation.h"

#define TP_CLOCK_DOUBT_NS INT64_C(3600000000000)

// X(DOUBT, sentence)
#define TP_CLOCK_DOUBTS(X)                                                              \
    X(NONE, "")                                                                         \
    X(LATE, "a batch begins later than all others of its generation")                   \
    X(BACK, "a thread's batch begins before an earlier one")                            \
    X(GENERATION, "a generation begins before the one in front of it")                  \
    X(SYNC, "a batch begins before its generation does")                                \
    X(SNAPSHOT, "clock snapshots disagree with the times of events")                    \
    X(END, "events go on when the trace has ended")

enum tp_clock_doubt_kind {
#define TP_X(doubt, sentence) TP_CLOCK_DOUBT_##doubt,
    TP_CLOCK_DOUBTS(TP_X)
#undef TP_X
};

struct tp_clock_doubt {
    enum tp_clock_doubt_kind kind; // the first that was found
    double ns;                     // by so much
    // For clock_doubt.c only; nanoseconds of the trace.
    bool has_begin;
    double begin_ns;               // of the first batch
    double last_begin_ns;          // of the last one of events in the generation before
    double end_ns;                 // when its stacks began to be written; 0: not known
    bool has_snapshot;
    double snapshot_ns, mono_ns;
};

// The next generation whose events are put in order, as far as its batches were kept: a damaged
// one too. Of older traces all of the trace. Does nothing without a `ns_per_tick` above 0.
void tp_clock_doubt_add(struct tp_clock_doubt *d, const struct tp_generation *g,
                        double ns_per_tick);
// From its first to its last event the trace lasts so long: `kind` and `ns` are what they are to
// be.
void tp_clock_doubt_end(struct tp_clock_doubt *d, uint64_t duration_ns);
const char *tp_clock_doubt_sentence(enum tp_clock_doubt_kind kind);

#endif
