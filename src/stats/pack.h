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

// Whether the tables have grown enough since the last packing to be worth packing. Cheap: compares
// their sizes.
bool tp_totals_is_loose(const struct tp_totals *s);
// Packs the totals, which changes their numbers; nothing outside of the totals may hold any. False: no
// memory; then only tp_totals_fini may be called.
bool tp_totals_pack(struct tp_totals *s) TP_MUST_USE;

#endif
