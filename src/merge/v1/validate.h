// The check that Go makes of the ordered events of a trace of Go 1.5 to 1.21 before it shows any:
// Ps and goroutines must be in states that allow their events
// (internal/trace/internal/tracev1, postProcessTrace). It moves some events to another P. Older
// traces get the check of the parser of their time, with its words.
//
// Belongs to one thread at a time. Zeroed, but for the first two members, it is the state before
// the first event.
#ifndef TP_MERGE_V1_VALIDATE_H
#define TP_MERGE_V1_VALIDATE_H

#include "base/slab.h"
#include "merge/v1/cursor.h"

struct tp_v1_task {
    uint64_t name;            // string id
    uint64_t parent;
};

struct tp_v1_check {
    uint32_t minor;           // of the trace
    bool is_legacy;           // the check and words of the parser of that time
    struct tp_slab gs, ps;
    struct check_p *last_p;   // in `ps`: the one looked up last
    uint64_t last_p_id;
    struct check_g *last_g;   // the same in `gs`; NULL: none
    uint64_t last_g_id;
    bool has_grown;           // since the last comparison with max_bytes
    struct tp_slab tasks;     // struct tp_v1_task
    TP_LIST(struct tp_v1_region {
        uint64_t task;
        uint64_t name;
        uint32_t outer_plus_1; // of the same goroutine; or the next free one
    }) regions;
    uint32_t free_region_plus_1;
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

// Drops the state of a goroutine that has ended. That loses one check: Go refuses its number again.
void tp_v1_check_forget(struct tp_v1_check *c, uint64_t g);

// The task that begins (after tp_v1_check), or that is about to end: NULL, if none is known.
const struct tp_v1_task *tp_v1_check_task(const struct tp_v1_check *c, uint64_t id);
void tp_v1_check_end_task(struct tp_v1_check *c, uint64_t id);

#endif
