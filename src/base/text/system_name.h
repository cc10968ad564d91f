// Decides, as Go's IsSystemGoroutine does, whether a goroutine belongs to the runtime itself, by
// the name of its start function. Keeps no state and cannot fail; any thread may call it.
#ifndef TP_BASE_TEXT_SYSTEM_NAME_H
#define TP_BASE_TEXT_SYSTEM_NAME_H

#include "base/span.h"

// Whether a goroutine whose start function has this name belongs to the runtime. An empty name
// counts as the runtime's, and runtime.main as the program's.
TP_INLINE bool tp_is_system_goroutine(struct tp_span name)
{
    return name.len_bytes == 0 ||
           (tp_span_begins_with(name, "runtime.") && !tp_span_is(name, "runtime.main"));
}

// Whether a goroutine with this start function does the runtime's or the tracer's own work, so that
// its time is not what the program did. An empty name is not known to be of these.
TP_INLINE bool tp_is_housekeeping(struct tp_span name)
{
    return name.len_bytes > 0 &&
           (tp_is_system_goroutine(name) || tp_span_begins_with(name, "runtime/trace."));
}

#endif
