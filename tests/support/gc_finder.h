// The steps of mutator utilisation as Go finds them: event by event, from the first one on. What
// the product finds in partials and joins afterwards is held against these.
#ifndef TP_TESTS_GC_FINDER_H
#define TP_TESTS_GC_FINDER_H

#include "base/map.h"
#include "stats/gc/step.h"

// Belongs to one thread at a time. From the second Sync on it remembers nothing, and
// tp_gc_step_of does as well.
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
