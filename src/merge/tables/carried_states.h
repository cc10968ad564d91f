// The texts and stacks of earlier generations to which open states of goroutines refer
// (merge/track/tracker.h). Each generation's tables have an object of their own, with what is open
// when the generation begins, so what is carried is bounded by what lives.
//
// One thread fills the object; once it is in the tables, it is constant, and any thread may read it.
#ifndef TP_MERGE_TABLES_CARRIED_STATES_H
#define TP_MERGE_TABLES_CARRIED_STATES_H

#include "base/intern.h"
#include "tracepipe/event.h"

// Flag of a reference to a string or stack. If it is set, the other bits are a number of the carried
// texts or stacks, otherwise an id or index of the current tables. No table has ids so large.
#define TP_REF_CARRIED (UINT64_C(1) << 63)
// A carried stack that the tables of its generation lacked.
#define TP_REF_LOST_STACK (TP_REF_CARRIED | UINT32_MAX)
// Flag of the number of a carried frame, where a number of a frame of the tables may stand, too.
#define TP_FRAME_CARRIED (UINT32_C(1) << 31)

struct tp_carried_states {
    struct tp_intern texts;  // start functions, reasons, and what frames name
    struct tp_intern frames; // each a struct tp_carried_frame
    struct tp_intern stacks; // each an array of uint32_t: numbers of frames with TP_FRAME_CARRIED
};
struct tp_carried_frame {
    uint64_t pc;
    uint64_t line;
    uint64_t function; // number in `texts`
    uint64_t file;     // number in `texts`
};

// Creates an empty object. NULL: out of memory.
struct tp_carried_states *tp_carried_states_create(void);
void tp_carried_states_destroy(struct tp_carried_states *c);
// Returns the memory of the object; NULL: 0.
size_t tp_carried_states_bytes(const struct tp_carried_states *c);

// Adds a text, or a stack of these frames, and returns the reference to it. 0: out of memory.
uint64_t tp_carried_states_put_text(struct tp_carried_states *c, struct tp_text text);
uint64_t tp_carried_states_put_stack(struct tp_carried_states *c, const struct tp_frame *frames,
                                     uint32_t count);

// Returns a text by its reference, and a frame by its number with the flag.
struct tp_text tp_carried_states_text(const struct tp_carried_states *c, uint64_t ref);
struct tp_frame tp_carried_states_frame(const struct tp_carried_states *c, uint32_t number);
// Returns the frames of a stack by its reference, and sets *ret_count to their number.
const uint32_t *tp_carried_states_stack(const struct tp_carried_states *c, uint64_t ref,
                                        uint32_t *ret_count);

#endif
