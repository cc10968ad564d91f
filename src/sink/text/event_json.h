// Prints an ordered event as one line of JSON (docs/format/events.schema.json).
#ifndef TP_SINK_TEXT_EVENT_JSON_H
#define TP_SINK_TEXT_EVENT_JSON_H

#include "sink/print/emit.h"
#include "sink/text/event_text.h"

// The form of times, and the beginning of the trace, which only the other forms than TP_TIME_OF_TRACE need.
struct tp_event_json_time {
    enum tp_event_time form;
    const struct tp_beginning *begin;
};

// Appends the line. `tables` are those of the event's block.
void tp_event_json_put(struct tp_emit *e, const struct tp_event *event,
                       const struct tp_tables *tables, struct tp_event_json_time time);

#endif
