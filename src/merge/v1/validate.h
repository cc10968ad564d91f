// Checks the ordered events of a trace of Go 1.5 to 1.21 as Go does before it shows any of them:
// Ps and goroutines must be in states that allow their events
// (internal/trace/internal/tracev1, postProcessTrace). Like Go, moves some events to another P.
// Older traces get the check of the parser of their time, with that parser's words.
//
// The check keeps the records of goroutines, Ps, tasks and open regions for the whole walk, so that
// each event needs only one lookup of its goroutine; with is_legacy the records also have the
// members that links.h and wakeups.h need.
//
// Unless it is strict, the check takes mistakes in the program's use of tasks and regions
// (merge/order/mistake.h), and counts them if there are doubts.
//
// Belongs to one thread at a time. The state before the first event has the members of struct
// tp_v1_check up to `doubts` set and is zero otherwise.
#ifndef TP_MERGE_V1_VALIDATE_H
#define TP_MERGE_V1_VALIDATE_H

#include "base/nests.h"
#include "base/slab.h"
#include "merge/order/ended_tasks.h"
#include "merge/v1/cursor.h"
#include "merge/v1/wakeups.h"

// The record of a goroutine. Items of `gs` begin with this struct.
struct tp_v1_g {
    uint8_t state;           // validate.c
    bool exists;             // an event created it, or was its own (of a type that proves it)
    bool waits_for_network;  // its last change was a GoBlockNet
    bool assists;
    bool is_new;      // created in the trace, so all its regions are known
    uint32_t region;  // its innermost open region; 0: none
};

// The record of a P. Items of `ps` begin with this struct.
struct tp_v1_p {
    bool is_running;
    bool sweeps;
    bool in_stw;             // before Go 1.10: it stops the world; before Go 1.5: it scans
    bool in_gc;              // before Go 1.5: it collects
    uint64_t g;              // the goroutine that runs on it; 0: none
};

// The record of a task that has begun. Items of `tasks` begin with this struct.
struct tp_v1_task {
    uint64_t name;            // string id
    uint64_t parent;
};

// The record of an open region; a slot of `regions`. The name of its key is a string id.
struct tp_v1_region {
    struct tp_nest_item nest;
    uint64_t stack;           // id, of its beginning
};

// Holds the record of a goroutine for a check with is_legacy. `change`, `start` and `assist` are
// places of events (links.h) to which a later event may yet be linked; 0: none.
struct tp_v1_legacy_g {
    struct tp_v1_g g;
    uint64_t change; // its last change of state
    uint64_t start;  // its start, while it runs
    uint64_t assist; // the beginning of its mark assist
    uint64_t created_stack;
    bool is_created;         // and not started yet
    bool is_in_syscall;      // the last change is a GoSysCall
    struct tp_v1_wakeup wakeup;
};

// The record of a P if the check has is_legacy. The members after `p` are places of events, as in
// struct tp_v1_legacy_g.
struct tp_v1_legacy_p {
    struct tp_v1_p p;
    uint64_t sweep;   // beginning of its sweep
    uint64_t stw;     // before Go 1.10: beginning of its stop of the world; before 1.5: of its scan
    uint64_t gc;      // before Go 1.5: beginning of its collection
};

// The event that began a task or region, as Go's error quotes it if a later event does not fit.
struct tp_v1_open_event {
    uint64_t place;
    uint64_t offset;
    int64_t ns;
    uint64_t g;
    int64_t p;
};

// The records of a task and of an open region if the check has is_legacy.
struct tp_v1_legacy_task {
    struct tp_v1_task task;
    struct tp_v1_open_event begin;
};
struct tp_v1_legacy_region {
    struct tp_v1_region region;
    struct tp_v1_open_event begin;
};

// The state of a walk as the check knows it. Owns its memory.
struct tp_v1_check {
    uint32_t minor;           // minor version of Go, of the trace
    bool is_legacy;           // the check and words of the parser of that time
    bool is_strict;           // what Go refuses is an error: mistakes, and a goroutine that has
                              // ended and is created again
    const struct tp_tables *tables; // borrowed
    struct tp_doubts *doubts; // borrowed; NULL: mistakes are not counted
    struct tp_slab gs, ps, tasks; // of the structs above; with is_legacy, of the legacy ones
    struct tp_map ended;      // with is_strict: goroutines that have ended
    // Caches: most events have the goroutine and the P of the previous event.
    struct tp_v1_p *last_p;   // the P of `ps` that was looked up last
    uint64_t last_p_id;
    struct tp_v1_g *last_g;   // the goroutine of `gs` that was looked up last; NULL: none
    uint64_t last_g_id;
    bool has_grown;           // records were added since the last comparison with max_bytes
    struct tp_nests regions;  // of the structs above
    struct tp_ended_tasks ended_tasks; // their names are string ids
    bool is_past_init;        // the events of goroutines from before the trace are over
    uint64_t timed_doubt_count; // for tp_v1_time_doubts
    // If the last accepted event ends a region or task: ended_region is the slot of the region that it
    // ends, 0: none. is_stray: the event is a mistake and ends nothing, not even what began before.
    uint32_t ended_region;
    bool is_stray;
    // Activities of the whole program that go on.
    bool in_gc;
    bool in_stw;
};

// Frees the memory of the check.
void tp_v1_check_fini(struct tp_v1_check *c); // a zeroed one is fine

// Checks the next event, whose time is `ns`; may change e->p. TP_E_ORDER with Go's words;
// TP_E_LIMIT: the records take more than `max_bytes`; TP_E_MEMORY. After a failure only lookups of
// tasks and regions and tp_v1_check_fini may follow.
int tp_v1_check(struct tp_v1_check *c, struct tp_v1_ordered *e, int64_t ns, uint64_t max_bytes,
                struct tp_error *err) TP_MUST_USE;

// Whether the goroutine is known to be waiting.
bool tp_v1_check_waits(const struct tp_v1_check *c, uint64_t g);

// Returns the record of the goroutine with this id, which is added if needed. Valid until the next
// goroutine is added. NULL: out of memory.
struct tp_v1_g *tp_v1_check_g(struct tp_v1_check *c, uint64_t id);

// Returns the open task with this id; NULL if none is known. Valid until the next event.
struct tp_v1_task *tp_v1_check_task(const struct tp_v1_check *c, uint64_t id);

// Returns the open region in a slot; NULL: the slot is 0. Valid until the next event.
struct tp_v1_region *tp_v1_check_region(const struct tp_v1_check *c, uint32_t slot);

// Remove a task, a region of the goroutine `id`, whose slot may be 0, or a goroutine with all its
// regions; they do nothing if there is none. Call them after tp_v1_check, which removes no record itself, even if
// its event ends a task, region or goroutine. With is_strict the id of an ended goroutine stays
// known.
void tp_v1_check_end_task(struct tp_v1_check *c, uint64_t id);
void tp_v1_check_end_region(struct tp_v1_check *c, struct tp_v1_g *g, uint64_t id, uint32_t slot);
// False: out of memory.
bool tp_v1_check_end_g(struct tp_v1_check *c, uint64_t id) TP_MUST_USE;

#endif
