// Sums without what nobody uses: names, frames and stacks of what is no longer kept stay in the
// tables until these are packed, which changes all numbers. Tables are packed in place, when they
// have doubled or, once not all stacks are kept, grown by a quarter: so it costs a part of what
// filling them did, and no second copy.
#ifndef TP_STATS_PACK_H
#define TP_STATS_PACK_H

#include "stats/totals.h"

struct tp_totals_pack {
    bool is_marking; // whoever has numbers is gone through twice: to see which, and to change them
    // By number: first TP_INTERN_NONE where nobody has it, then what it becomes.
    uint32_t *names, *sites, *frames, *stacks;
    bool lacks_memory;
};

// Whether it is time.
bool tp_totals_is_loose(const struct tp_totals *s);
// `others` (NULL: there are none) goes through whoever else has numbers; called twice. False: out
// of memory; then the totals are good for nothing but fini.
bool tp_totals_pack(struct tp_totals *s, void (*others)(struct tp_totals_pack *pack, void *ctx),
                    void *ctx) TP_MUST_USE;
// What is TP_INTERN_NONE stays so.
void tp_totals_pack_name(struct tp_totals_pack *pack, uint32_t *name);
void tp_totals_pack_stack(struct tp_totals_pack *pack, uint32_t *stack);

#endif
