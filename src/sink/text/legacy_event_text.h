// Prints ordered legacy events, one line for each, as the parser of their time gave them:
//
//   offset \t time \t type \t P \t G \t stack id \t args \t string args \t linked offset \t
//   linked time
//
// Commas separate the three arguments, and the string arguments; strings are quoted as Go
// quotes them. "-" stands for no string arguments, and for no linked event. Types have the names
// of the parser that was current for the trace.
#ifndef TP_SINK_TEXT_LEGACY_EVENT_TEXT_H
#define TP_SINK_TEXT_LEGACY_EVENT_TEXT_H

#include "base/buf.h"
#include "decode/event_v1.h"
#include "merge/v1/legacy_events.h"

// The longest line: names and numbers, and two strings all of whose bytes are escaped.
#define TP_LEGACY_EVENT_TEXT_MAX_BYTES (TP_KIB(1) + 2 * (4 * TP_V1_MAX_EVENT_BYTES + 2))

// Appends as many lines as are certain to fit; returns their number, which is at least 1 if the
// buffer is empty and has room for TP_LEGACY_EVENT_TEXT_MAX_BYTES. `minor` is the minor version of
// the trace's format. Keeps no argument, and may be called on any thread.
size_t tp_legacy_event_text_fill(uint32_t minor, const struct tp_tables *tables,
                                 const struct tp_legacy_event *events, size_t count,
                                 struct tp_buf *buf);

#endif
