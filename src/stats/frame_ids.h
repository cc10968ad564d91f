// Frames as small numbers in the order of their first coming: 0, 1, 2, ... They are by far the
// most of what totals hold, so each takes 12 bytes and a slot to be found: the lower halves of its
// numbers, and the number of its site, which says the rest. Programs have a site for each
// function.
//
// Plain memory of one thread. Zeroed is empty.
#ifndef TP_STATS_FRAME_IDS_H
#define TP_STATS_FRAME_IDS_H

#include "base/intern.h"
#include "base/list.h"
#include "base/slots.h"

struct tp_totals_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function; // numbers of names
    uint32_t file;
};

// What the frames of a function have in common.
struct tp_totals_site {
    uint32_t function;  // numbers of names
    uint32_t file;
    uint32_t pc_high;   // upper halves
    uint32_t line_high;
};

// A frame as it is kept.
struct tp_totals_sited {
    uint32_t pc_low;
    uint32_t line_low;
    uint32_t site;      // a number of `sites`
};

struct tp_totals_frames {
    struct tp_totals_sited *items;
    uint32_t count;
    uint32_t capacity;
    struct tp_slots slots;
    TP_LIST(struct tp_totals_site) sites;
    struct tp_slots site_slots;
};

TP_INLINE struct tp_totals_frame tp_totals_frames_get(const struct tp_totals_frames *frames,
                                                      uint32_t number)
{
    const struct tp_totals_sited *f = &frames->items[number];
    const struct tp_totals_site *site = &frames->sites.items[f->site];
    return (struct tp_totals_frame){.pc = (uint64_t)site->pc_high << 32 | f->pc_low,
                                    .line = (uint64_t)site->line_high << 32 | f->line_low,
                                    .function = site->function,
                                    .file = site->file};
}

// TP_INTERN_NONE: out of memory; then there may be a site more, which no frame has.
uint32_t tp_totals_frames_put(struct tp_totals_frames *frames,
                              const struct tp_totals_frame *f) TP_MUST_USE;
// The same in two steps, for many frames of sites that are asked for once. The number of a site;
// TP_INTERN_NONE: out of memory.
uint32_t tp_totals_frames_put_site(struct tp_totals_frames *frames,
                                   const struct tp_totals_site *site) TP_MUST_USE;
uint32_t tp_totals_frames_put_sited(struct tp_totals_frames *frames,
                                    const struct tp_totals_sited *f) TP_MUST_USE;
// Gives all frames of which `numbers` says TP_INTERN_NONE up, and the others numbers without gaps
// in the order they had, which it leaves there; so it does with sites by `site_numbers`, where all
// sites of the frames that stay are left. Names are renumbered by `names` in the same way, all
// that are used.
void tp_totals_frames_pack(struct tp_totals_frames *frames, uint32_t *numbers,
                           uint32_t *site_numbers, const uint32_t *names);
size_t tp_totals_frames_bytes(const struct tp_totals_frames *frames);
void tp_totals_frames_fini(struct tp_totals_frames *frames);

#endif
