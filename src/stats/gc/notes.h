// What a partial (stats/fold/partial.h) notes for the curve of mutator utilisation (curve.h), in
// the order of the trace: the steps of step.h, but for sweeps, and what it takes to tell whose
// EXEC steps matter.
//
// Those of a goroutine matter from the begin of an assist to its end, and from the label of a
// worker until it stops. A partial cannot know what its goroutines were before; so it takes
// each for both until it knows better, and the stitch, which knows, leaves out what is too
// much. An assist is over, too, once its goroutine has begun and ceased to execute
// TP_GC_ASSIST_STEPS times: or else a partial would have to note every run of goroutines that
// have nothing to do with the collector. In sound traces these are eight at most, with very
// few exceptions.
//
// Plain memory of one thread at a time.
#ifndef TP_STATS_GC_NOTES_H
#define TP_STATS_GC_NOTES_H

#include <assert.h>
#include <string.h>

#include "base/list.h"
#include "stats/gc/step.h"

#define TP_GC_ASSIST_STEPS 100

// Kinds of notes: those of enum tp_gc_step_kind, and
enum tp_gc_note_kind {
    TP_GC_NOTE_BEGUN = TP_GC_STEP_KINDS, // g is another one than had this id before
    TP_GC_NOTE_ENDED,                    // g is no more
    // Before ASSIST_ACTIVE: whether g, in whose context that happened, executes, if this
    // is known here; time_ns: since when.
    TP_GC_NOTE_EXECUTES,
    TP_GC_NOTE_EXECUTES_NOT,
    TP_GC_NOTE_UNSEEN,
};

struct tp_gc_note {
    int64_t time_ns;
    int64_t g;       // the goroutine; of SYNC and PROCS their value
    int32_t p;       // -1: none, or none that a curve could have
    uint8_t kind;
    bool flag;       // as that of the step
};

// What a goroutine is, or may be.
struct tp_gc_role {
    uint8_t assist_left; // its assist may last for so many EXEC steps more
    bool is_worker;
};
#define TP_GC_ROLE_ANY ((struct tp_gc_role){TP_GC_ASSIST_STEPS, true})

// Asked at each run of each goroutine: both in one load.
TP_INLINE bool tp_gc_role_is_any(struct tp_gc_role r)
{
    uint16_t both;
    static_assert(sizeof both == sizeof r, "no more than these two");
    memcpy(&both, &r, sizeof both);
    return both != 0;
}

// After a note of its own.
TP_INLINE void tp_gc_role_note(struct tp_gc_role *r, unsigned kind)
{
    switch (kind) {
    case TP_GC_ASSIST_BEGIN:
    case TP_GC_ASSIST_ACTIVE: r->assist_left = TP_GC_ASSIST_STEPS; break;
    case TP_GC_ASSIST_END: r->assist_left = 0; break;
    case TP_GC_WORKER: r->is_worker = true; break;
    case TP_GC_NOTE_BEGUN:
    case TP_GC_NOTE_ENDED: *r = (struct tp_gc_role){0}; break;
    case TP_GC_EXEC_END: r->is_worker = false; __attribute__((fallthrough));
    case TP_GC_EXEC_BEGIN:
        r->assist_left = (uint8_t)(r->assist_left - (r->assist_left > 0));
        break;
    default: break;
    }
}

#endif
