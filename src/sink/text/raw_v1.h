// The raw text form of traces from before Go 1.22, for which Go itself has none. It follows the
// form of later traces (text.c): one line for each event, its name and then every number on the
// wire as name=number, so that it can be read back to the same bytes (decode/wiretext.h).
//
//   Batch p=0 ticks=2318                       belongs to all events up to the next one
//   GoCreate dt=12 g=5 new_stack=7 stack=9     names as in decode/events_v1.def
//   Stack id=7 nframes=1 pad=8                 pad: bytes of its length field beyond the
//   	pc=4198400 func=3 file=4 line=12           shortest form, which Go 1.20 on has
//   String id=3
//   	data="main.main"
//   UserLog dt=1 task=1 key_string=8 stack=0   its message; there is always a line of data
//   	data="hello"
//
// The header names the event table: "Trace Go1.11", and "Trace Go1.4" for traces from before
// Go 1.5.
#ifndef TP_SINK_TEXT_RAW_V1_H
#define TP_SINK_TEXT_RAW_V1_H

#include "sink/sink.h"

// The minor version that the header names.
uint32_t tp_text_v1_minor(const struct tp_format *format);

// Prints the events of a segment. `buf` needs room for a little more than sixteen times the
// bytes of the segment.
void tp_text_v1_print(const struct tp_unit *unit, struct tp_buf *buf);

#endif
