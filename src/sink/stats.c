// The sink `stats`: its options, and which of its levels they choose.
#include <stddef.h>

#include "sink/stats_level.h"

const struct tp_opt_spec tp_stats_options[] = {
    {.key = "level",
     .type = TP_OPT_ENUM,
     .offset_bytes = offsetof(struct tp_stats_config, level),
     .choices = "counts|summary",
     .help = "how much to find out"},
    {.key = "format",
     .type = TP_OPT_ENUM,
     .offset_bytes = offsetof(struct tp_stats_config, format),
     .choices = "auto|text|json|csv|go-summary",
     .help = "form of the output"},
    {.key = "fix",
     .type = TP_OPT_BOOL,
     .offset_bytes = offsetof(struct tp_stats_config, fix),
     .help = "with level=summary: right figures where Go's are wrong (default no)"},
    {.key = NULL},
};

static const struct tp_sink_def *const levels[] = {
#define TP_X(level, table) &tp_stats_##table,
    TP_STATS_LEVELS(TP_X)
#undef TP_X
};

static const struct tp_sink_def *variant(const void *config)
{
    const struct tp_stats_config *c = config;
    return levels[c->level];
}

const struct tp_sink_def tp_sink_stats = {
    TP_STATS_SINK,
    .suffix = ".stats",
    .variant = variant,
};
