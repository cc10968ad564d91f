#include <string.h>

#include "sink/sink.h"

// One row per sink; the first is the default.
#define TP_SINKS(X)                                                                     \
    X(stats)                                                                            \
    X(list)                                                                             \
    X(events)                                                                           \
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

void tp_sink_make_plan(const struct tp_sink_def *def, const void *config,
                       struct tp_sink_plan *ret_plan)
{
    static const struct tp_unit_hooks no_unit;
    static const struct tp_fold_hooks no_fold;
    static const struct tp_input_hooks no_input;
    static const struct tp_run_hooks no_run;
    *ret_plan = (struct tp_sink_plan){0};
    def->plan(config, ret_plan);
    if (ret_plan->unit == NULL)
        ret_plan->unit = &no_unit;
    if (ret_plan->fold == NULL)
        ret_plan->fold = &no_fold;
    if (ret_plan->input == NULL)
        ret_plan->input = &no_input;
    if (ret_plan->run == NULL)
        ret_plan->run = &no_run;
}
