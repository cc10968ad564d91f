// The notes that the tracker (tracker.h) gives out for the curve of mutator utilisation
// (stats/gc/curve.h), in the order of the trace: the steps of gc_step.h, and notes that tell whose EXEC
// steps matter.
//
// The EXEC steps of a goroutine matter while the goroutine has a role: while it assists, or while it is a
// worker, which it is from its label until it stops executing. A tracker that has not seen a goroutine
// begin does not know the goroutine's roles, so it assumes both until an event shows otherwise. The
// input, which draws the curve, knows the roles and drops the superfluous steps (stats/input/gc.c).
//
// An assist also counts as over after TP_GC_ASSIST_STEPS EXEC steps of its goroutine. Otherwise the
// tracker would note every run of goroutines that have nothing to do with the collector, because it
// assumes that they assist. In sound traces an assist has at most eight EXEC steps, with very few
// exceptions.
//
// All types are plain values, which own no memory. One thread at a time may use a value; nothing here
// fails.
#ifndef TP_MERGE_TRACK_GC_NOTES_H
#define TP_MERGE_TRACK_GC_NOTES_H

#include <assert.h>
#include <string.h>

#include "base/list.h"
#include "merge/track/gc_step.h"

#define TP_GC_ASSIST_STEPS 100

// Kinds of notes that are not steps; their values follow those of enum tp_gc_step_kind.
enum tp_gc_note_kind {
    TP_GC_NOTE_BEGUN = TP_GC_STEP_KINDS, // g is a new goroutine; an earlier one may have had its id
    TP_GC_NOTE_ENDED,                    // g has ended
    // One of the two notes below precedes each ASSIST_ACTIVE. It tells whether g executes, the goroutine
    // in whose context the ASSIST_ACTIVE event happened.
    TP_GC_NOTE_EXECUTES,     // time_ns: since when
    TP_GC_NOTE_EXECUTES_NOT, // time_ns: since when
};

// A note: a step of gc_step.h, or a note of enum tp_gc_note_kind.
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
