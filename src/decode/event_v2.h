// Reads raw events one at a time, as Go's raw reader does: without order or
// interpretation, limited only by the bytes given. Batches are flat here: a
// batch header is an event like any other, and its body follows it. Pure functions.
#ifndef TP_DECODE_EVENT_V2_H
#define TP_DECODE_EVENT_V2_H

#include "decode/wire_event.h"

// Results of reading.
enum tp_event_status {
    TP_EVENT_OK,
    TP_EVENT_CUT,         // the bytes end between two numbers or inside data: Go's raw reader
                          // takes an end of file here for a regular end
    TP_EVENT_CUT_NUMBER,  // the bytes end inside a number
    TP_EVENT_BAD_CODE,
    TP_EVENT_OVERFLOW,    // a number of more than 64 bits
};

// Returns the number of times that Go's loop over a count runs. Go keeps counts in an int, in which
// half of all 64-bit values are negative; for these the loop does not run.
TP_INLINE uint64_t tp_event_loop_count(uint64_t value)
{
    return value <= INT64_MAX ? value : 0;
}

// Returns Go's message, a constant, for the three statuses that are errors at the end of a file;
// NULL for the others.
const char *tp_event_status_text(enum tp_event_status st);

// Reads the event at *p, not past `end`. On TP_EVENT_OK advances *p; spans borrow the bytes. On
// failure *p is unchanged, and ret_event->type is the event's code.
enum tp_event_status tp_event_read(const unsigned char **p, const unsigned char *end,
                                   const struct tp_arg_table *table, struct tp_wire_event *ret_event);

// Returns the number of bytes of the event's shortest encoding, which Go's footprint counts.
uint64_t tp_event_canonical_bytes(const struct tp_wire_event *event);

// Reads the four numbers of the next frame of `tail`, which tp_event_read has checked, and moves
// `tail` past the frame.
void tp_event_next_frame(struct tp_span *tail, uint64_t ret_frame[TP_FRAME_ARGS]);

#endif
