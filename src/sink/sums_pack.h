// Sums without what nobody uses: names, frames and stacks of what is no longer kept stay in the
// tables until these are made anew, which changes all numbers. Sums are packed when tables have
// doubled, so it costs a part of what filling them did.
#ifndef TP_SINK_SUMS_PACK_H
#define TP_SINK_SUMS_PACK_H

#include "sink/sums.h"

struct tp_sums_pack {
    struct tp_sums *sums;
    struct tp_intern names, stacks; // as they were
    struct tp_sum_frames frames;
    struct tp_sum_stacks kept_stacks;
    uint32_t *new_names, *new_frames, *new_stacks; // by number; TP_INTERN_NONE: not asked for yet
    bool lacks_memory;
};

// Whether it is time.
bool tp_sums_is_loose(const struct tp_sums *s);
// `others` (NULL: there are none) gives new numbers to whoever else has some. False: out of
// memory; then the sums are good for nothing but fini.
bool tp_sums_pack(struct tp_sums *s, void (*others)(struct tp_sums_pack *pack, void *ctx),
                  void *ctx) TP_MUST_USE;
// What is TP_INTERN_NONE stays so.
void tp_sums_pack_name(struct tp_sums_pack *pack, uint32_t *name);
void tp_sums_pack_stack(struct tp_sums_pack *pack, uint32_t *stack);

#endif
