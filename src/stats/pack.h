// Packs totals: removes unused entries from the tables of names, frames and stacks. When the totals
// cease to keep a name or a stack, its entries stay in the tables until these are packed, which
// changes all numbers. Tables are packed in place when they have doubled or, once the totals keep
// the maximum number of stacks, grown by a quarter. So packing takes a fraction of the time of
// filling the tables, and needs no second copy of them.
//
// One thread at a time uses the totals.
#ifndef TP_STATS_PACK_H
#define TP_STATS_PACK_H

#include "stats/totals.h"

// The state of one call of tp_totals_pack, which creates and frees it. A number is the position of
// an entry in its table; its holders are the variables that have it as value.
struct tp_totals_pack {
    // Holders of numbers are visited twice: first to mark their numbers, then to change them.
    bool is_marking;
    // Indexed by old number. While marking: TP_INTERN_NONE if the number is unused. Then: the new
    // number.
    uint32_t *names, *sites, *frames, *stacks, *pairs;
    bool lacks_memory;  // an allocation has failed
};

// Whether the tables have grown enough since the last packing to be worth packing. Cheap: compares
// their sizes.
bool tp_totals_is_loose(const struct tp_totals *s);
// Packs the totals, which changes their numbers. Variables outside of the totals may hold such
// numbers: `others` must pass each of these variables to one of the functions below, which update
// it. `others` is called twice, with `ctx`, before tp_totals_pack returns; NULL: there are no such
// variables. False: no memory; then only tp_totals_fini may be called.
bool tp_totals_pack(struct tp_totals *s, void (*others)(struct tp_totals_pack *pack, void *ctx),
                    void *ctx) TP_MUST_USE;
// For the function `others` of tp_totals_pack: handles a variable that holds the number of a name.
// On the first of the two calls marks the number as used, on the second replaces it by the new
// number. TP_INTERN_NONE and TP_TOTALS_OTHERS stay as they are.
void tp_totals_pack_name(struct tp_totals_pack *pack, uint32_t *name);
// Does the same as tp_totals_pack_name for the number of a stack.
void tp_totals_pack_stack(struct tp_totals_pack *pack, uint32_t *stack);

#endif
