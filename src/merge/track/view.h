// A speculative tracker defers events to the tracker that adopts it, which replays them in order. Each
// event has what the speculative tracker knows about it.
#ifndef TP_MERGE_TRACK_VIEW_H
#define TP_MERGE_TRACK_VIEW_H

#include "merge/track/track.h"

enum tp_track_op_kind {
    TP_TRACK_OP_EVENT, // an event; with a view, of a goroutine that is settled or new
    TP_TRACK_OP_WAKE,  // who ended a wait, of which the speculative tracker knows all but the blame
    TP_TRACK_OP_LEG,   // a task of which only the longest leg is missing
    TP_TRACK_OP_END,   // the end of a goroutine that is settled
    TP_TRACK_OP_STOP,  // the goroutine of the event ended a stop of the world
};

// The end of a leg that began before its goroutine was settled. `stack` is the stack of the leg, unless
// the adopting tracker knows an earlier one.
struct tp_track_first_leg {
    int64_t end_ns;
    uint32_t stack;
};

// What a speculative tracker knows of the goroutine of an event.
struct tp_track_view {
    struct tp_track_mark mark;  // the goroutine's clock at the event; if was_before, since it was settled
    struct tp_track_legs legs;  // the goroutine's legs up to the end of the task
    struct tp_track_first_leg first_leg; // end_ns is 0: there is none
    bool was_before;
    bool has_task;              // `legs` begin with a task event
    union {
        struct tp_track_g g;       // of TP_TRACK_OP_WAKE and TP_TRACK_OP_END
        struct {                   // of TP_TRACK_OP_LEG
            uint64_t task_ns;
            uint32_t name;
        } task;
    };
};

struct tp_track_op {
    struct tp_event event;
    int64_t left_ns[TP_BLAMES]; // of a GoUnblock: when the waker last left a wait, or TP_NEVER_NS
    uint64_t stopped_ns;        // how long the world was stopped between the cut and the event
    uint32_t view;              // number + 1 in `views`; 0: none
    uint8_t kind;               // enum tp_track_op_kind
};

struct tp_track_deferred {
    TP_LIST(struct tp_track_op) ops; // in order
    TP_LIST(struct tp_track_view) views;
    TP_LIST(struct tp_track_first_leg) first_legs;
};

#endif
