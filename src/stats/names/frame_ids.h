// Gives the frames of stacks the numbers 0, 1, 2, ... in order of first appearance. Equal frames
// have equal numbers. Frames take by far the most memory of the totals, so a frame is stored in 12
// bytes and an entry of an index: the lower halves of PC and line, and the number of its site,
// which has the other members. Programs have approximately one site for each function.
//
// One thread at a time uses an object; a zeroed one is empty.
#ifndef TP_STATS_NAMES_FRAME_IDS_H
#define TP_STATS_NAMES_FRAME_IDS_H

#include "base/index.h"
#include "base/intern.h"
#include "base/list.h"
#include "stats/names/function_traits.h"

// A frame with all members, as callers see it; a plain value.
struct tp_totals_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function; // a number of the totals' `names`, like `file`
    uint32_t file;
};

// The part that all frames of a function have in common.
struct tp_totals_site {
    uint32_t function;  // a number of the totals' `names`, like `file`
    uint32_t file;
    uint32_t pc_high;   // the upper 32 bits of the frame's pc
    uint32_t line_high; // the upper 32 bits of the frame's line
};

// A frame as it is stored: the lower 32 bits, and its site.
struct tp_totals_sited {
    uint32_t pc_low;
    uint32_t line_low;
    uint32_t site;      // an index of `sites`
};

// All frames and sites, by number. Owns its memory, which tp_totals_frames_fini frees.
struct tp_totals_frames {
    // The frames, and an index to find them by contents; then the same for sites.
    TP_LIST(struct tp_totals_sited);
    struct tp_index index;
    TP_LIST(struct tp_totals_site) sites;
    TP_LIST(uint8_t) traits; // by site: those of its function (function_traits.h)
    struct tp_index site_index;
};

// Returns the traits of the function of a frame, a set of enum tp_function_trait. `number` must be
// below frames->count.
TP_INLINE unsigned tp_totals_frame_traits(const struct tp_totals_frames *frames, uint32_t number)
{
    return frames->traits.items[frames->items[number].site];
}

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

// Returns the number of the frame, adding the frame if it is new. `names` has the texts of functions
// and files. The number is valid until tp_totals_frames_pack. TP_INTERN_NONE: no memory; the frame's
// struct tp_totals_site may have been added, which does no harm.
uint32_t tp_totals_frames_put(struct tp_totals_frames *frames, const struct tp_intern *names,
                              const struct tp_totals_frame *f) TP_MUST_USE;
// Do the two steps of tp_totals_frames_put, for callers that look up a site once for many frames.
// The first function returns the number of the site, the second returns the number of the frame.
// TP_INTERN_NONE: no memory, and nothing has changed.
uint32_t tp_totals_frames_put_site(struct tp_totals_frames *frames, const struct tp_intern *names,
                                   const struct tp_totals_site *site) TP_MUST_USE;
uint32_t tp_totals_frames_put_sited(struct tp_totals_frames *frames,
                                    const struct tp_totals_sited *f) TP_MUST_USE;
// Whether any frame has a PC.
bool tp_totals_frames_have_pcs(const struct tp_totals_frames *frames);
// Drops each frame i for which numbers[i] is TP_INTERN_NONE, renumbers the others without gaps in
// their old order, and writes the new number of frame i to numbers[i]. Does the same with sites and
// `site_numbers`, which must keep the sites of all remaining frames. names[n] is the new number of
// name n, for each used name. Cannot fail.
void tp_totals_frames_pack(struct tp_totals_frames *frames, uint32_t *numbers,
                           uint32_t *site_numbers, const uint32_t *names);
// Returns the bytes of memory in use.
size_t tp_totals_frames_bytes(const struct tp_totals_frames *frames);
// Frees the memory; the object is then empty. Accepts a zeroed one.
void tp_totals_frames_fini(struct tp_totals_frames *frames);

#endif
