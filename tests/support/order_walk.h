// Puts single events to the rules of the order, written as "thread event arguments",
// like "1 GoStatus 5 1 2". Generation n has the strings alpha, beta and gamma under the
// ids 10n+1, 10n+2 and 10n+3.
#ifndef TP_TESTS_ORDER_WALK_H
#define TP_TESTS_ORDER_WALK_H

#include "merge/order/doubt.h"
#include "merge/order/step.h"
#include "table_build.h"

#define WALK_GENERATIONS_MAX 4

struct walk {
    struct tp_order order;
    struct table_body bodies[WALK_GENERATIONS_MAX];
    size_t generation_count;
    // By thread id + 1, as small as scripts have them.
    uint32_t m_slots[32];
    struct tp_event out[TP_ORDER_STEP_EVENTS];
    struct tp_error err;
};

// Fail the test if they cannot. The first generation is begun.
void walk_begin(struct walk *w, uint64_t max_bytes);
void walk_end(struct walk *w);
// 0, or what begin of the order came to.
int walk_next_generation(struct walk *w);

enum tp_verdict walk_step(struct walk *w, const char *text);
// `forced`: the rules are not asked.
enum tp_verdict walk_step_or_force(struct walk *w, const char *text, bool forced);

// Asks whether the first of the steps may be believed (merge/order/doubt.h). The others, divided by
// '&', come next in its thread, and are not put to the rules. False: it may not.
bool walk_believe(struct walk *w, const char *steps);

#endif
