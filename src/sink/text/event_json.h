// Prints an ordered event as one line of JSON (docs/format/events.schema.json).
#ifndef TP_SINK_TEXT_EVENT_JSON_H
#define TP_SINK_TEXT_EVENT_JSON_H

#include "merge/tables/block.h"
#include "sink/print/emit.h"
#include "sink/text/event_text.h"

// The form of times, and the beginning of the trace, which only the other forms than TP_TIME_OF_TRACE need.
struct tp_event_json_time {
    enum tp_event_time form;
    const struct tp_beginning *begin;
};

// Appends the line of the event `idx` of a block, which has struct tp_track_whose.
void tp_event_json_put(struct tp_emit *e, const struct tp_block *block, size_t idx,
                       struct tp_event_json_time time);

#endif
