// The check that Go makes of the ordered events of a trace of Go 1.5 to 1.21 before it shows any:
// Ps and goroutines must be in states that allow their events
// (internal/trace/internal/tracev1, postProcessTrace). It moves some events to another P. Older
// traces get the check of the parser of their time, with its words.
//
// It keeps all that a walk knows of goroutines, Ps, tasks and open regions, so that each event
// looks its goroutine up once: with is_legacy also what links.h and wakeups.h have to know.
//
// Belongs to one thread at a time. Zeroed, but for the first three members, it is the state before
// the first event.
#ifndef TP_MERGE_V1_VALIDATE_H
#define TP_MERGE_V1_VALIDATE_H

#include "base/slab.h"
#include "merge/v1/cursor.h"
#include "merge/v1/wakeups.h"

// A goroutine. Items of `gs` begin with it.
struct tp_v1_g {
    uint8_t state;           // validate.c
    bool exists;             // an event created it, or was its own (of a type that counts)
    bool waits_for_network;  // its last change was a GoBlockNet
    bool assists;
    uint32_t region;  // its innermost open region; 0: none
};

// A P. Items of `ps` begin with it.
struct tp_v1_p {
    bool is_running;
    bool sweeps;
    bool in_stw;             // before Go 1.10: it stops the world; before Go 1.5: it scans
    bool in_gc;              // before Go 1.5: it collects
    uint64_t g;              // the goroutine that runs on it; 0: none
};

// A task that has begun. Items of `tasks` begin with it.
struct tp_v1_task {
    uint64_t name;            // string id
    uint64_t parent;
};

struct tp_v1_region {
    uint32_t outer;           // the region around it
    uint64_t task;
    uint64_t name;            // string id
};

// With is_legacy: events that later ones may answer, by their places; 0: none (links.h).
struct tp_v1_legacy_g {
    struct tp_v1_g g;
    uint64_t change;  // its last change of state that an event will answer
    uint64_t start;   // its start, while it runs
    uint64_t assist;
    uint64_t created_stack;
    bool is_created;         // and not started yet
    bool is_in_syscall;      // the last change is a GoSysCall
    struct tp_v1_wakeup wakeup;
};

struct tp_v1_legacy_p {
    struct tp_v1_p p;
    uint64_t sweep;
    uint64_t stw;     // before Go 1.10; before Go 1.5 of a scan
    uint64_t gc;      // before Go 1.5
};

// The begin of a task or region, as Go's error quotes it if a later event does not fit.
struct tp_v1_open_event {
    uint64_t place;
    uint64_t offset;
    int64_t ns;
    uint64_t g;
    int64_t p;
};

struct tp_v1_legacy_task {
    struct tp_v1_task task;
    struct tp_v1_open_event begin;
};

struct tp_v1_check {
    uint32_t minor;           // of the trace
    bool is_legacy;           // the check and words of the parser of that time
    bool is_strict;           // a goroutine that has ended cannot be created again
    struct tp_slab gs, ps, tasks; // the structs above; those of legacy with is_legacy
    struct tp_map ended;      // with is_strict: goroutines that have ended
    struct tp_v1_p *last_p;   // the P of `ps` that was looked up last
    uint64_t last_p_id;
    struct tp_v1_g *last_g;   // the goroutine of `gs` that was looked up last; NULL: none
    uint64_t last_g_id;
    bool has_grown;           // since the last comparison with max_bytes
    TP_SLOTS(struct tp_v1_region) regions;
    // With is_legacy: the begins of `regions`, by slot.
    TP_LIST(struct tp_v1_open_event) region_begins;
    bool in_gc;
    bool in_stw;
};

void tp_v1_check_fini(struct tp_v1_check *c); // zeroed is fine

// Checks the next event, whose time is `ns`. TP_E_ORDER with Go's words, TP_E_LIMIT (more than
// `max_bytes`), TP_E_MEMORY.
int tp_v1_check(struct tp_v1_check *c, struct tp_v1_ordered *e, int64_t ns, uint64_t max_bytes,
                struct tp_error *err) TP_MUST_USE;

// Whether the goroutine is known to wait.
bool tp_v1_check_waits(const struct tp_v1_check *c, uint64_t g);

// Finds the goroutine with this id, or adds it. Valid until the next one is added. NULL: out of
// memory.
struct tp_v1_g *tp_v1_check_g(struct tp_v1_check *c, uint64_t id);

// The open task with this id. NULL: none is known.
struct tp_v1_task *tp_v1_check_task(const struct tp_v1_check *c, uint64_t id);

// tp_v1_check leaves open what an event ends. After it the caller ends the task, the innermost
// region of a goroutine, or the goroutine with all its regions; with is_strict the id of an ended
// goroutine stays known. All do nothing if there is none.
void tp_v1_check_end_task(struct tp_v1_check *c, uint64_t id);
void tp_v1_check_end_region(struct tp_v1_check *c, struct tp_v1_g *g);
// False: out of memory.
bool tp_v1_check_end_g(struct tp_v1_check *c, uint64_t id) TP_MUST_USE;

#endif
