// The notes that the tracker (tracker.h) gives out for the curve of mutator utilisation
// (stats/gc/curve.h), in the order of the trace: the steps of gc_step.h, and notes that show whose EXEC
// steps matter.
//
// The EXEC steps of a goroutine matter from the beginning of an assist to its end, and from the
// label of a worker until it stops. A tracker that has not seen a goroutine begin does not know its
// roles; so it treats the goroutine as both assisting and a worker until an event shows otherwise, and
// who draws the curve, and knows the roles, drops the superfluous steps (stats/input/gc.c). An
// assist also counts as over after TP_GC_ASSIST_STEPS EXEC steps of its goroutine: otherwise every run
// of goroutines that have nothing to do with the collector would be noted.
// In sound traces an assist has eight such steps at most, with very few exceptions.
//
// Plain values, which own no memory. Used by one thread at a time; nothing here fails.
#ifndef TP_MERGE_TRACK_GC_NOTES_H
#define TP_MERGE_TRACK_GC_NOTES_H

#include <assert.h>
#include <string.h>

#include "base/list.h"
#include "merge/track/gc_step.h"

#define TP_GC_ASSIST_STEPS 100

// Kinds of notes, in addition to those of enum tp_gc_step_kind.
enum tp_gc_note_kind {
    TP_GC_NOTE_BEGUN = TP_GC_STEP_KINDS, // g is a new goroutine; an earlier one may have had its id
    TP_GC_NOTE_ENDED,                    // g has ended
    // One of these two precedes each ASSIST_ACTIVE: whether g, the goroutine in whose context that
    // event happened, executes.
    TP_GC_NOTE_EXECUTES,     // time_ns: since when
    TP_GC_NOTE_EXECUTES_NOT, // time_ns: since when
};

// A note: a step, or one of the kinds above.
struct tp_gc_note {
    int64_t time_ns;
    int64_t g;       // the goroutine; for SYNC and PROCS: the step's value
    int32_t p;       // -1: no P, or a P whose number is too large for any curve
    uint8_t kind;    // enum tp_gc_step_kind or enum tp_gc_note_kind
};

// The roles that a goroutine has or may have.
struct tp_gc_role {
    uint8_t assist_left; // EXEC steps until its assist counts as over; 0: no assist
    bool is_worker;
};
// Both roles, for a goroutine of which nothing is known.
#define TP_GC_ROLE_ANY ((struct tp_gc_role){TP_GC_ASSIST_STEPS, true})

// Returns whether the goroutine has or may have a role. Called whenever a goroutine begins or
// ceases to execute, so it tests both members with one load.
TP_INLINE bool tp_gc_role_is_any(struct tp_gc_role r)
{
    uint16_t both;
    static_assert(sizeof both == sizeof r, "no more than these two");
    memcpy(&both, &r, sizeof both);
    return both != 0;
}

// Updates the roles of a goroutine after a note of this kind about the goroutine.
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
