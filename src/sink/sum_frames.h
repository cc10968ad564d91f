// Frames as small numbers in the order of their first coming: 0, 1, 2, ... They are by far the
// most of what sums hold, so they take no more than they are, their hash, and a slot to be found.
//
// Plain memory of one thread. Zeroed is empty.
#ifndef TP_SINK_SUM_FRAMES_H
#define TP_SINK_SUM_FRAMES_H

#include "base/intern.h"

struct tp_sum_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function; // numbers of names
    uint32_t file;
};

struct tp_sum_frames {
    struct tp_sum_frame_item {
        struct tp_sum_frame frame;
        uint64_t hash;         // of what it is, not of numbers
    } *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots;           // number + 1; 0: free
    uint32_t slot_count;       // a power of two
};

// The hash is left to the caller where *ret_is_new. TP_INTERN_NONE: out of memory, and nothing has
// changed.
uint32_t tp_sum_frames_put(struct tp_sum_frames *frames, const struct tp_sum_frame *f,
                           bool *ret_is_new) TP_MUST_USE;
void tp_sum_frames_fini(struct tp_sum_frames *frames);

#endif
