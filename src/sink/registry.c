#include <string.h>

#include "sink/sink.h"

// One row per sink; the first is the default.
#define TP_SINKS(X)                                                                     \
    X(stats)                                                                            \
    X(list)                                                                             \
    X(events)                                                                           \
    X(spans)                                                                            \
    X(perfetto)                                                                         \
    X(pprof)                                                                            \
    X(report)                                                                           \
    X(text)                                                                             \
    X(footprint)                                                                        \
    X(raw)                                                                              \
    X(zstd)                                                                             \
    X(null)

#define TP_SINK(name) extern const struct tp_sink_def tp_sink_##name;
TP_SINKS(TP_SINK)
#undef TP_SINK

const struct tp_sink_def *const tp_sinks[] = {
#define TP_SINK(name) &tp_sink_##name,
    TP_SINKS(TP_SINK)
#undef TP_SINK
    NULL,
};

const struct tp_sink_def *tp_sink_find(const char *name, size_t name_bytes)
{
    for (size_t i = 0; tp_sinks[i] != NULL; i++) {
        if (strlen(tp_sinks[i]->name) == name_bytes &&
            memcmp(tp_sinks[i]->name, name, name_bytes) == 0)
            return tp_sinks[i];
    }
    return NULL;
}
