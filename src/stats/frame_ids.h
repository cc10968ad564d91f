// Numbers frames 0, 1, 2, ... in order of first appearance. Frames take by far the most memory of
// the totals, so each has only 12 bytes and a hash slot: the lower halves of pc and line, and the
// number of its site, which has the rest. Programs have approximately one site for each function.
//
// Not thread-safe; zeroed is empty.
#ifndef TP_STATS_FRAME_IDS_H
#define TP_STATS_FRAME_IDS_H

#include "base/index.h"
#include "base/intern.h"
#include "base/list.h"

// A frame in full, as callers see it; a plain value.
struct tp_totals_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function; // a number of the totals' names, like `file`
    uint32_t file;
};

// The part that the frames of a function have in common.
struct tp_totals_site {
    uint32_t function;  // a number of the totals' names, like `file`
    uint32_t file;
    uint32_t pc_high;   // upper halves
    uint32_t line_high;
};

// A frame as it is stored.
struct tp_totals_sited {
    uint32_t pc_low;
    uint32_t line_low;
    uint32_t site;      // an index of `sites`
};

// All frames and sites, by number. Owns its memory.
struct tp_totals_frames {
    // The frames, and their index by contents; then the same for sites.
    TP_LIST(struct tp_totals_sited);
    struct tp_index index;
    TP_LIST(struct tp_totals_site) sites;
    struct tp_index site_index;
};

// Returns the frame with this number, which must be below frames->count.
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

// Returns the number of the frame, adding it if it is new. The number is valid until the frames are
// packed. TP_INTERN_NONE: no memory; a site without a frame may remain.
uint32_t tp_totals_frames_put(struct tp_totals_frames *frames,
                              const struct tp_totals_frame *f) TP_MUST_USE;
// tp_totals_frames_put in two steps, for callers that look up a site once for many frames. The
// first function returns the number of the site, the second that of the frame; TP_INTERN_NONE: out
// of memory.
uint32_t tp_totals_frames_put_site(struct tp_totals_frames *frames,
                                   const struct tp_totals_site *site) TP_MUST_USE;
uint32_t tp_totals_frames_put_sited(struct tp_totals_frames *frames,
                                    const struct tp_totals_sited *f) TP_MUST_USE;
// Drops all frames whose item of `numbers` is TP_INTERN_NONE, renumbers the others without
// gaps in their old order, and writes the new numbers to `numbers`. Does the same with sites
// and `site_numbers`; the sites of the remaining frames must be among those kept. `names` has
// the new number of each used name.
void tp_totals_frames_pack(struct tp_totals_frames *frames, uint32_t *numbers,
                           uint32_t *site_numbers, const uint32_t *names);
// Returns the bytes of memory in use.
size_t tp_totals_frames_bytes(const struct tp_totals_frames *frames);
// Frees the memory; there are then no frames.
void tp_totals_frames_fini(struct tp_totals_frames *frames);

#endif
