// Prints raw events in the raw text form: one line for each event, as Go's raw text writer
// (internal/trace/raw) prints it; `go tool trace -d=wire` prints the same without the header.
// text/wiretext.h is the inverse.
//
// Go has no such form for traces from before Go 1.22. This one is modelled on it: the name of the
// event, and then every number on the wire as name=number, so that the text can be converted back
// to the same bytes.
//
//   Batch p=0 ticks=2318                       applies to all events up to the next Batch
//   GoCreate dt=12 g=5 new_stack=7 stack=9     names as in decode/events_v1.def
//   Stack id=7 nframes=1 pad=8                 pad: by how many bytes the stack's length field
//   	pc=4198400 func=3 file=4 line=12           exceeds its shortest form; 0 before Go 1.20
//   String id=3
//   	data="main.main"
//   UserLog dt=1 task=1 key_string=8 stack=0   its message is the data line, which is always there
//   	data="hello"
//
// Printing is the hottest loop of the program. It is driven by a table, computed once from the
// event table, which has the fixed text before each argument (" g=", or "GoStart dt=" before the
// first one), in blocks of fixed size, so that copying a block takes two vector stores and an
// addition. Numbers are printed without branches on their length (base/text/decimal.h). The loops
// do not check for room: the caller must have allocated enough (see the limits below).
#ifndef TP_DECODE_RAW_TEXT_H
#define TP_DECODE_RAW_TEXT_H

#include "decode/frame_cache.h"
#include "decode/wire_event.h"

// Maximum text bytes for each wire byte: "EndOfGeneration\n" has 16 for one byte, all other events
// have fewer (tests/unit/test_text_sink.c checks the table).
#define TP_RAW_TEXT_PER_BYTE 16
// Maximum text bytes for each wire byte of events with a tail: a frame of four one-byte numbers
// takes 35 bytes of text, a byte of data takes four. In addition, such an event has up to
// TP_RAW_TEXT_HEAD_BYTES of text.
#define TP_RAW_TEXT_TAILED_PER_BYTE 9
#define TP_RAW_TEXT_HEAD_BYTES 512
// Copies of whole blocks and digits may write up to this many bytes after the end of the text.
#define TP_RAW_TEXT_OVERRUN_BYTES 64

// The minor version that the header of a text names for a trace from before Go 1.5.
#define TP_RAW_TEXT_BEFORE_1_5 4

// The printer of one thread, for one trace at a time. The caller zeroes it before the first trace.
// Owns no memory.
struct tp_raw_text {
    uint32_t minor;
    const struct tp_arg_table *table; // Go 1.22 and later
    struct tp_frame_cache frames;     // kept from trace to trace
};

// Prepare the printer for a trace. `dialect` selects the codes that are events.
void tp_raw_text_v1_begin(struct tp_raw_text *t, uint32_t minor, enum tp_dialect dialect);
void tp_raw_text_v2_begin(struct tp_raw_text *t, uint32_t minor, enum tp_dialect dialect);

// Print the events from *p on into `to`, and return the end of the text. They move *p to `end`, or
// to the first event that cannot be decoded.
unsigned char *tp_raw_text_v1_put(struct tp_raw_text *t, const unsigned char **p,
                                  const unsigned char *end, unsigned char *to);
unsigned char *tp_raw_text_v2_put(struct tp_raw_text *t, const unsigned char **p,
                                  const unsigned char *end, unsigned char *to);

// Prints one event and returns the end of the text. Call after a begin on any thread.
unsigned char *tp_raw_text_v2_put_event(unsigned char *to, const struct tp_wire_event *ev);

#endif
