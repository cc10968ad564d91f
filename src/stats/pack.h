// Packing totals removes unused entries: names, frames and stacks that are no longer kept stay in
// the tables until these are packed, which changes all numbers. Tables are packed in place, when
// they have doubled or, once not all stacks are kept, grown by a quarter: so packing costs a
// fraction of the time of filling them, and needs no second copy.
#ifndef TP_STATS_PACK_H
#define TP_STATS_PACK_H

#include "stats/totals.h"

struct tp_totals_pack {
    bool is_marking; // holders of numbers are visited twice: to mark numbers, then to change them
    // By old number: first TP_INTERN_NONE if it is unused, then the new number.
    uint32_t *names, *sites, *frames, *stacks;
    bool lacks_memory;
};

// Whether the tables have grown enough to be packed.
bool tp_totals_is_loose(const struct tp_totals *s);
// `others` (NULL: there are none) visits all holders of numbers outside the totals; it is called
// twice. False: out of memory; then only tp_totals_fini may be called.
bool tp_totals_pack(struct tp_totals *s, void (*others)(struct tp_totals_pack *pack, void *ctx),
                    void *ctx) TP_MUST_USE;
// For `others`, once for each number. TP_INTERN_NONE stays as it is.
void tp_totals_pack_name(struct tp_totals_pack *pack, uint32_t *name);
void tp_totals_pack_stack(struct tp_totals_pack *pack, uint32_t *stack);

#endif
