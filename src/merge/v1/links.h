// Which event of an older trace answers which earlier one, as the parser of that time links
// them (internal/trace of Go 1.20 and 1.21, and of before Go 1.5, Event.Link): what ends what
// began, what unblocks whom, who runs then. No event is answered twice, and no event tells that it
// will be answered, so a link is found at its later event. Keeps only events not yet answered.
//
// Events are named by their places, numbers that the owner gives them. Belongs to one thread.
// Zeroed, but for the first four members, it is ready for the first event.
#ifndef TP_MERGE_V1_LINKS_H
#define TP_MERGE_V1_LINKS_H

#include "base/slab.h"
#include "merge/v1/cursor.h"

// An event that a later one may answer, with what Go's error says of it if that does not fit.
struct tp_v1_told {
    uint64_t place;
    uint64_t offset;
    int64_t ns;
    uint64_t g;
    uint64_t args[3];
    int64_t p;
};

struct tp_v1_links {
    uint32_t minor;              // of the trace
    uint64_t max_bytes;
    // Called for each link: the event being added answers the one at `earlier`. Returns 0, or the
    // code that tp_v1_links_add fails with.
    int (*found)(void *ctx, uint64_t earlier, struct tp_error *err);
    void *ctx;
    struct tp_slab gs, ps;
    struct tp_slab tasks;        // struct tp_v1_told: where they began
    TP_LIST(struct tp_v1_links_region {
        struct tp_v1_told begin;
        uint32_t outer_plus_1;   // of the same goroutine; or the next free one
    }) regions;
    uint32_t free_region_plus_1;
    uint64_t gc_plus_1, stw_plus_1; // places of the open ones
};

void tp_v1_links_fini(struct tp_v1_links *l); // zeroed is fine

// Adds the next event, which tp_v1_check has accepted; sets the stack of a goroutine's first start
// to that of its creation. Fails as `found` does; TP_E_LIMIT (more than max_bytes), TP_E_MEMORY.
int tp_v1_links_add(struct tp_v1_links *l, struct tp_v1_ordered *e, uint64_t place, int64_t ns,
                    struct tp_error *err) TP_MUST_USE;

// The open task of this number; the innermost open region of the goroutine. NULL: there is none.
// Valid until the next tp_v1_links_add.
const struct tp_v1_told *tp_v1_links_task(const struct tp_v1_links *l, uint64_t id);
const struct tp_v1_told *tp_v1_links_region(const struct tp_v1_links *l, uint64_t g);

#endif
