// Finds the steps of mutator utilisation as Go does: event by event, from the first event on.
// Tests compare them with the steps of the notes that the tracker gives out.
#ifndef TP_TESTS_GC_FINDER_H
#define TP_TESTS_GC_FINDER_H

#include "base/map.h"
#include "merge/track/gc_step.h"

// The state of a search for steps. Used by one thread at a time. From the second Sync event on the
// state is not needed: tp_gc_finder_step_of then gives the same steps as tp_gc_finder_look.
struct tp_gc_finder {
    struct tp_map executing; // goroutines, since the number of Ps is known; values unused
    uint64_t sync_number;
    bool has_procs;
};

void tp_gc_finder_init(struct tp_gc_finder *f);
void tp_gc_finder_fini(struct tp_gc_finder *f); // a zeroed one is fine

enum tp_gc_found { TP_GC_FOUND_NOTHING, TP_GC_FOUND_STEP, TP_GC_FOUND_FAILED };

// Sets *ret to the step of an event, as tp_gc_step_of does, or to its EXEC step, which
// tp_gc_step_of leaves to the tracker. False: the event is no step, and *ret is meaningless.
bool tp_gc_finder_step_of(const struct tp_event *e, const struct tp_tables *t,
                          struct tp_gc_step *ret);
// Looks at the next event. Returns STEP if `ret` is set, FAILED with TP_E_MEMORY in `err`.
enum tp_gc_found tp_gc_finder_look(struct tp_gc_finder *f, const struct tp_event *e,
                                   const struct tp_tables *t, struct tp_gc_step *ret,
                                   struct tp_error *err);

#endif
