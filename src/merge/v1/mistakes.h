// Counts mistakes of annotations (merge/order/mistake.h) in traces from before Go 1.22. For
// validate.c and convert.c; one thread at a time.
#ifndef TP_MERGE_V1_MISTAKES_H
#define TP_MERGE_V1_MISTAKES_H

#include "merge/order/mistake.h"
#include "merge/v1/validate.h"

// Counts a mistake of the event `e` about the task or region with this key; `stack` is where the
// program made it. Does nothing if the check has no doubts.
void tp_v1_note_mistake(const struct tp_v1_check *c, const struct tp_v1_ordered *e, int64_t ns,
                        enum tp_doubt_kind kind, struct tp_nest_key key, uint64_t stack);

// Gives the doubts about the last event, whose time is `ns`, the time with which it is handed out
// after an event at `last_ns`.
void tp_v1_time_doubts(struct tp_v1_check *c, int64_t ns, int64_t last_ns);

#endif
