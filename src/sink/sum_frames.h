// Frames as small numbers in the order of their first coming: 0, 1, 2, ... They are by far the
// most of what sums hold, so they take no more than they are, and a slot to be found.
//
// Plain memory of one thread. Zeroed is empty.
#ifndef TP_SINK_SUM_FRAMES_H
#define TP_SINK_SUM_FRAMES_H

#include "base/intern.h"
#include "base/slots.h"

struct tp_sum_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function; // numbers of names
    uint32_t file;
};

struct tp_sum_frames {
    struct tp_sum_frame *items;
    uint32_t count;
    uint32_t capacity;
    struct tp_slots slots;
};

// TP_INTERN_NONE: out of memory, and nothing has changed.
uint32_t tp_sum_frames_put(struct tp_sum_frames *frames,
                           const struct tp_sum_frame *f) TP_MUST_USE;
// Gives all frames of which `numbers` says TP_INTERN_NONE up, and the others numbers without gaps
// in the order they had, which it leaves there. Names are renumbered by `names` in the same way,
// all that are used.
void tp_sum_frames_pack(struct tp_sum_frames *frames, uint32_t *numbers, const uint32_t *names);
size_t tp_sum_frames_bytes(const struct tp_sum_frames *frames);
void tp_sum_frames_fini(struct tp_sum_frames *frames);

#endif
