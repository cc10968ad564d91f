// Packing totals removes unused entries. Names, frames and stacks that are no longer kept stay
// in the tables until these are packed, which changes all numbers. Tables are packed in place
// when they have doubled or, once not all stacks are kept, grown by a quarter. So packing
// costs a fraction of what filling them did, and needs no second copy.
#ifndef TP_STATS_PACK_H
#define TP_STATS_PACK_H

#include "stats/totals.h"

// The state of a packing, for the functions below. Lives as long as tp_totals_pack runs.
struct tp_totals_pack {
    // Holders of numbers are visited twice: first to mark their numbers, then to change them.
    bool is_marking;
    // Each indexed by the old number. First TP_INTERN_NONE if that is unused, later the new number.
    uint32_t *names, *sites, *frames, *stacks;
    bool lacks_memory;
};

// Whether the tables have grown enough to be worth packing. Cheap: compares their sizes.
bool tp_totals_is_loose(const struct tp_totals *s);
// Packs the totals. `others` visits all holders of numbers outside the totals (NULL: there are
// none) and is called twice. False: no memory; then only tp_totals_fini may be called.
bool tp_totals_pack(struct tp_totals *s, void (*others)(struct tp_totals_pack *pack, void *ctx),
                    void *ctx) TP_MUST_USE;
// Called by `others` once for each number that is held. TP_INTERN_NONE stays as it is.
void tp_totals_pack_name(struct tp_totals_pack *pack, uint32_t *name);
// As tp_totals_pack_name, for the number of a stack.
void tp_totals_pack_stack(struct tp_totals_pack *pack, uint32_t *stack);

#endif
