// The names that a text of one release may use: event names, with a hash table, and the names of
// the events' arguments. They are set once for each text, when its header is known. A struct
// tp_wirenames belongs to the reader of one text and owns no memory. No function can fail.
#ifndef TP_DECODE_TEXT_NAMES_H
#define TP_DECODE_TEXT_NAMES_H

#include "base/span.h"
#include "decode/spec.h"
#include "decode/spec_v1.h"

#define TP_WIRENAME_SLOTS 256

// Kind of the lines after the line of an event.
enum tp_wirename_tail { TP_WIRENAME_ALONE, TP_WIRENAME_FRAMES, TP_WIRENAME_BYTES };

// The names of one event and its arguments; constants.
struct tp_wirename {
    const char *name;
    const char *const *args;
    uint8_t arg_count;
    uint8_t arg_lens[TP_MAX_EVENT_ARGS]; // bytes of each name, without the NUL
    uint8_t tail; // enum tp_wirename_tail
};

// The names of one text. A zeroed table has no events.
struct tp_wirenames {
    struct tp_wirename events[TP_EVENT_CODES];
    uint8_t codes[TP_WIRENAME_SLOTS]; // open addressing; 0 is no event
    struct tp_wirename frame;         // of a stack; without a name
};

// Sets the names for a text of `minor`, a release of Go 1.22 or later, in this dialect.
void tp_wirenames_learn(struct tp_wirenames *n, uint32_t minor, enum tp_dialect dialect);

// Sets the names from before Go 1.22. A Stack has a third argument, the padding of its length.
void tp_wirenames_learn_old(struct tp_wirenames *n, const struct tp_v1_table *table);

// Returns the code of the event with this name; 0 if there is none.
unsigned tp_wirenames_find(const struct tp_wirenames *n, struct tp_span name);

#endif
