// The texts and stacks of earlier generations to which open states of goroutines refer
// (merge/track/tracker.h), shared by the tables of consecutive generations.
//
// The tracker adds entries while other threads read those that were there when their generation
// began. So the arrays never move: tp_carried_states_fix gives them the capacity that they keep. Where
// an entry has no room, a new object with what is still open replaces this one.
#ifndef TP_MERGE_TABLES_CARRIED_STATES_H
#define TP_MERGE_TABLES_CARRIED_STATES_H

#include "base/intern.h"
#include "merge/tables/text.h"

// Flag of a reference to a string or stack. If it is set, the other bits are a number of the carried
// texts or stacks, otherwise of those of the current tables.
#define TP_REF_CARRIED (UINT32_C(1) << 31)
// A stack that the tables of its generation lacked.
#define TP_REF_LOST_STACK UINT32_MAX
// Flag of the number of a carried frame, where a number of a frame of the tables may stand, too.
#define TP_FRAME_CARRIED (UINT32_C(1) << 31)

struct tp_carried_states {
    struct tp_intern texts;  // start functions, reasons, and what frames name
    struct tp_intern frames; // each a struct tp_carried_frame
    struct tp_intern stacks; // each an array of uint32_t: numbers of frames with TP_FRAME_CARRIED
    bool is_fixed;           // the arrays do not grow any more
    bool lacks_room;         // an entry has had no room since
    _Atomic uint32_t holds;
};
struct tp_carried_frame {
    uint64_t pc;
    uint64_t line;
    uint64_t function; // number in `texts`
    uint64_t file;     // number in `texts`
};

// Creates an empty object with one hold. NULL: out of memory.
struct tp_carried_states *tp_carried_states_create(void);
// Takes one more hold, on any thread. NULL is fine.
struct tp_carried_states *tp_carried_states_hold(struct tp_carried_states *c);
// Releases a hold, on any thread; the last release frees the object. NULL is fine.
void tp_carried_states_release(struct tp_carried_states *c);
// Returns the memory of the object; NULL: 0. On the thread that adds.
size_t tp_carried_states_bytes(const struct tp_carried_states *c);

// Gives the arrays room for half as many entries again and for `more`, and fixes them. Call before
// another thread sees the object. False: out of memory.
bool tp_carried_states_fix(struct tp_carried_states *c, size_t more) TP_MUST_USE;

// Adds a text, or a stack of these frames, and returns the reference to it. 0: out of memory, or out
// of room if the arrays are fixed.
uint32_t tp_carried_states_put_text(struct tp_carried_states *c, struct tp_text text);
uint32_t tp_carried_states_put_stack(struct tp_carried_states *c, const struct tp_frame *frames,
                                     uint32_t count);

// Returns a text by its reference, and a frame by its number with the flag.
struct tp_text tp_carried_states_text(const struct tp_carried_states *c, uint32_t ref);
struct tp_frame tp_carried_states_frame(const struct tp_carried_states *c, uint32_t number);
// Returns the frames of a stack by its reference, and sets *ret_count to their number.
const uint32_t *tp_carried_states_stack(const struct tp_carried_states *c, uint32_t ref,
                                        uint32_t *ret_count);

#endif
