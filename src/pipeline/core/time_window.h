// The time window that the user asks for; order/window.h finds it in a trace.
#ifndef TP_PIPELINE_CORE_TIME_WINDOW_H
#define TP_PIPELINE_CORE_TIME_WINDOW_H

#include "base/attr.h"
#include "base/time/time_arg.h"

struct tp_window_wish {
    struct tp_time_arg from;
    struct tp_time_arg to;
    bool is_exact; // order from the beginning of the trace, whatever `from` is
};

TP_INLINE bool tp_window_is_wished(const struct tp_window_wish *w)
{
    return w->from.kind != TP_TIME_ARG_NONE || w->to.kind != TP_TIME_ARG_NONE;
}

#endif
