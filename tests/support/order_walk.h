// Applies the rules of the order to single events, written as "thread event arguments", such
// as "1 GoStatus 5 1 2". Generation n has the strings alpha, beta and gamma with the ids
// 10n+1, 10n+2 and 10n+3. Asserts with cmocka, so only for the test's own thread.
#ifndef TP_TESTS_ORDER_WALK_H
#define TP_TESTS_ORDER_WALK_H

#include "merge/order/doubt.h"
#include "merge/order/step.h"
#include "table_build.h"

#define WALK_BODIES 2 // of the last generations; older ones are gone

struct walk {
    struct tp_order order;
    struct table_body bodies[WALK_BODIES];
    size_t generation_count;
    // Indexed by thread id + 1; scripts use only small ids.
    uint32_t m_slots[32];
    struct tp_event out[TP_ORDER_STEP_EVENTS];
    struct tp_error err;
};

// Begins a walk with its first generation. walk_begin and walk_end fail the test on an error.
void walk_begin(struct walk *w, uint64_t max_bytes);
void walk_end(struct walk *w);
// Begins the next generation. Returns 0 or the error of tp_order_begin.
int walk_next_generation(struct walk *w);

// Applies one event and returns the verdict of tp_order_step.
enum tp_verdict walk_step(struct walk *w, const char *text);
// Does the same as walk_step. But if `forced`, does not ask the rules: takes the event if it can be
// forced.
enum tp_verdict walk_step_or_force(struct walk *w, const char *text, bool forced);

// Returns whether the first of the steps may be believed although the rules refuse it
// (merge/order/doubt.h). The other steps, separated by '&', are the next events of the same thread;
// they are not applied.
bool walk_believe(struct walk *w, const char *steps);

#endif
