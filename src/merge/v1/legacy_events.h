// Hands out the events of a trace from before Go 1.22 as the parser of that time gave them, without
// conversion: see is_legacy in trace.h. For traces of Go 1.5 and later, the events are exactly
// those of internal/trace of Go 1.20 and 1.21, except that Ps are taken in ascending order. Events
// of traces from before Go 1.5 are those of the parser of that time, in the order of order_v0.h.
//
//   plan          order ─▶ without futile wake-ups ─▶ check ─▶ links ─▶ links longer than the ring
//                                                                              │ sorted
//   begin, fill   the same walk ─▶ ring of the last events ─▶ handed out  ◀────┘
//
// A link leads from an event to a later one, at any distance. The earlier event waits in a ring
// until the later one comes. If the ring is too short for that, tp_legacy_events_plan has found the
// link in an earlier walk, and has sorted such links by the place of the earlier event. So memory
// holds no more events than the ring.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_LEGACY_EVENTS_H
#define TP_MERGE_V1_LEGACY_EVENTS_H

#include "merge/v1/convert.h"
#include "merge/v1/links.h"

// Number of events in the ring: at most this many events wait for their links.
#define TP_V1_RING_EVENTS 16384

// Arguments of a legacy event.
#define TP_LEGACY_EVENT_ARGS 3
// An event as the parser of its time gave it; a plain value.
struct tp_legacy_event {
    uint64_t offset;        // of the event in the stream
    int64_t time_ns;        // since the first event
    int64_t p;
    uint64_t g;
    uint64_t args[TP_LEGACY_EVENT_ARGS];
    uint64_t stack;         // id
    uint64_t link_offset;   // if has_link: offset of the later event that the link leads to
    int64_t link_ns;        // if has_link: time of that later event
    uint32_t strings[2];    // indexes in the tables; how many: tp_legacy_event_strings
    uint8_t type;           // enum tp_v1_type
    bool has_link;
};

// Returns how many strings of the tables an event of this type names: one for a label or a name,
// two for a category and a message.
TP_INLINE unsigned tp_legacy_event_strings(uint8_t type)
{
    switch (type) {
    case TP_V1_GoStartLabel:
    case TP_V1_UserTaskCreate:
    case TP_V1_UserRegion: return 1;
    case TP_V1_UserLog: return 2;
    default: return 0;
    }
}

// The state of one walk: that of tp_legacy_events_plan, or the one that hands out events. Owns its
// memory except far_links; borrows the trace, which must outlive it.
struct tp_legacy_events {
    const struct tp_v1_trace *trace;
    struct tp_v1_sequence walk;  // orders and checks the events; converts nothing here
    struct tp_v1_wakeups wakeups;
    struct tp_v1_links links;
    // Events that wait for their links, and the links that the ring is too short for.
    struct tp_legacy_event *ring; // by place % TP_V1_RING_EVENTS; NULL: hands out no events
    struct tp_sorter *far_links; // links that are too long for the ring; borrowed
    // The walk so far.
    uint64_t count;              // events walked over; the place of the next one
    uint64_t given_count;        // events handed out
    uint64_t unknown_id_count;   // events handed out with a stack or string that the tables lack
    struct tp_legacy_event last; // the last event walked over, while links to it are found
    uint64_t far_place;          // next link of far_links, if has_far: place of its earlier event
    struct tp_v1_far {           // its later event
        uint64_t offset;
        int64_t ns;
    } far;
    bool has_far;
    enum tp_cursor_status status; // of the walk; EVENT: it goes on
    struct tp_error error;        // why the walk ended, if `status` is BAD
};

// Walks over the whole trace once and fills trace->far_links. With must_be_sound, fails as begin
// and fill do if any part of the trace is not sound (Go gives no events of such a trace). Without
// it, leaves errors of order and of events to fill, and fails only with TP_E_LIMIT and errors of
// memory and files.
int tp_legacy_events_plan(struct tp_v1_trace *t, bool must_be_sound,
                          struct tp_error *err) TP_MUST_USE;

// Begins the walk that hands out events, after tp_legacy_events_plan and only once, because the
// walk uses up trace->far_links. fini may also follow a failure.
int tp_legacy_events_begin(struct tp_legacy_events *o, const struct tp_v1_trace *t,
                           struct tp_error *err) TP_MUST_USE;
void tp_legacy_events_fini(struct tp_legacy_events *o); // a zeroed one is fine

// Writes up to `capacity` events to `events` and their number to *ret_count. BROKEN: `events` has
// the events before the error, and `err` has Go's words; only fini may follow.
enum tp_fill_status tp_legacy_events_fill(struct tp_legacy_events *o,
                                          struct tp_legacy_event *events, size_t capacity,
                                          size_t *ret_count, struct tp_error *err);

#endif
