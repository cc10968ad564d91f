// What a curve of mutator utilisation (curve.h) is made from: the few events that
// change how much of the processors the garbage collector takes, each as a small
// record. They can be found in parts of a trace on several threads and be replayed
// later, in the order of the trace, by one.
//
// Which event gives which step, `time_ns`, `p` and mostly `g` being the event's own:
//
//   Sync                            SYNC          value: its number
//   metric of GOMAXPROCS            PROCS         value: the number of Ps
//   range "stop-the-world" whose    STW_BEGIN, STW_END
//     detail has "GC" in it
//   range "GC incremental sweep"    SWEEP_BEGIN, SWEEP_END, SWEEP_ACTIVE; p is the
//                                   event's P also where the range is of another one
//   range "GC mark assist"          ASSIST_BEGIN, ASSIST_END, ASSIST_ACTIVE; g is the
//                                   goroutine of the range
//   a goroutine begins or ceases    EXEC_BEGIN, EXEC_END; g is the one that changes,
//     to be Running or in a syscall p still the event's P
//   label "GC ..." but "GC (idle)"  WORKER        flag: it is "GC (dedicated)"
//   last event, whatever it is      END, in addition
//
// Ranges that are active matter in the first generation only. There `flag` of
// ASSIST_ACTIVE tells whether the goroutine in whose context the event happened (not
// that of the range) is known to execute; tp_gc_finder finds that out.
#ifndef TP_STATS_GC_STEP_H
#define TP_STATS_GC_STEP_H

#include "base/err.h"
#include "base/map.h"
#include "tracepipe/event.h"

enum tp_gc_step_kind {
    TP_GC_SYNC,
    TP_GC_PROCS,
    TP_GC_STW_BEGIN,
    TP_GC_STW_END,
    TP_GC_SWEEP_BEGIN,
    TP_GC_SWEEP_END,
    TP_GC_SWEEP_ACTIVE,
    TP_GC_ASSIST_BEGIN,
    TP_GC_ASSIST_END,
    TP_GC_ASSIST_ACTIVE,
    TP_GC_EXEC_BEGIN,
    TP_GC_EXEC_END,
    TP_GC_WORKER,
    TP_GC_END,
    TP_GC_STEP_KINDS
};

struct tp_gc_step {
    int64_t time_ns;
    int64_t p;       // -1: none
    int64_t g;
    uint64_t value;
    uint8_t kind;    // enum tp_gc_step_kind
    bool flag;
};

// Whether a goroutine has a P, or had one when it entered the kernel.
TP_INLINE bool tp_gc_executes(enum tp_state state)
{
    return state == TP_STATE_RUNNING || state == TP_STATE_SYSCALL;
}

// The step that an event gives, END apart; false: none. Pure. Events whose range is
// active in the first generation need a finder, which sets `flag`; here it is false.
bool tp_gc_step_of(const struct tp_event *e, const struct tp_tables *t, struct tp_gc_step *ret);

// Finds the steps of a trace from its first event on. Belongs to one thread at a time.
// From the second Sync on it remembers nothing, and tp_gc_step_of does as well. Holds
// some bytes for each goroutine that executes at the same time.
struct tp_gc_finder {
    struct tp_map executing; // since the number of Ps was told; slots are not used
    uint64_t sync_number;
    bool has_procs;
};

void tp_gc_finder_init(struct tp_gc_finder *f);
void tp_gc_finder_fini(struct tp_gc_finder *f); // zeroed is fine

enum tp_gc_found { TP_GC_FOUND_NOTHING, TP_GC_FOUND_STEP, TP_GC_FOUND_FAILED };

// Looks at the next event. FAILED: TP_E_MEMORY.
enum tp_gc_found tp_gc_finder_look(struct tp_gc_finder *f, const struct tp_event *e,
                                   const struct tp_tables *t, struct tp_gc_step *ret,
                                   struct tp_error *err);

#endif
