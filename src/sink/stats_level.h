// The levels of `stats`: each is a way to work of its own, with the options of all.
//
// A new level is a file with its table, a line in TP_STATS_LEVELS, and a word in the
// choices of stats.c.
#ifndef TP_SINK_STATS_LEVEL_H
#define TP_SINK_STATS_LEVEL_H

#include "sink/sink.h"

// X(LEVEL, table)
#define TP_STATS_LEVELS(X)                                                                \
    X(COUNTS, counts)                                                                     \
    X(SUMMARY, summary)

enum tp_stats_level {
#define TP_X(level, table) TP_STATS_LEVEL_##level,
    TP_STATS_LEVELS(TP_X)
#undef TP_X
};

// In the order of the choices in stats.c. AUTO is the first one that the level has.
enum tp_stats_format {
    TP_STATS_FORMAT_AUTO,
    TP_STATS_FORMAT_TEXT,
    TP_STATS_FORMAT_JSON,
    TP_STATS_FORMAT_CSV,
    TP_STATS_FORMAT_GO_SUMMARY
};

struct tp_stats_config {
    int level;  // enum tp_stats_level
    int format; // enum tp_stats_format
    bool fix;
};

extern const struct tp_opt_spec tp_stats_options[];

// What the tables of all levels begin with.
#define TP_STATS_SINK                                                                     \
    .name = "stats",                                                                      \
    .summary = "what is in the traces: sizes, times, goroutines, events by type",         \
    .options = tp_stats_options,                                                          \
    .config_bytes = sizeof(struct tp_stats_config)

#define TP_X(level, table) extern const struct tp_sink_def tp_stats_##table;
TP_STATS_LEVELS(TP_X)
#undef TP_X

#endif
