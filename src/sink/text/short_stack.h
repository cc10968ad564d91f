// Prints the stacks of an event on the event's line: the innermost frame, and the innermost frame of the
// program, if that is another one.
#ifndef TP_SINK_TEXT_SHORT_STACK_H
#define TP_SINK_TEXT_SHORT_STACK_H

#include "merge/tables/tables.h"

// Cache: the frames of the program in stacks of one generation, by the lowest bits of the id. Zeroed it is
// empty.
#define TP_SHORT_PLACES 64
struct tp_short_places {
    struct {
        uint64_t id;    // of the stack; 0: the item is empty
        uint32_t frame; // index of the innermost frame of the program; the number of frames: none
    } items[TP_SHORT_PLACES];
};

// Appends " TransitionStack=FRAME Place=FRAME" for a new goroutine, and " Stack=FRAME Place=FRAME" for the
// context; nothing for a stack without frames. A frame is "function file:line". `to` points into a text, at
// its end; it needs room for tp_short_stacks_max_bytes. Returns one past the last byte.
unsigned char *tp_put_short_stacks(unsigned char *to, const struct tp_tables *t,
                                   struct tp_short_places *places, const struct tp_event *e);

// Returns the most bytes for stacks of these tables, whose frames are resolved.
TP_INLINE size_t tp_short_stacks_max_bytes(const struct tp_tables *t)
{
    return 4 * (4 * (size_t)t->max_frame_text_bytes + 32); // each byte may need four
}

#endif
