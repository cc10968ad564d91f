// The levels of `stats`: each has a plan of its own; all share the same options.
//
// A new level needs a file with its plan, a line in TP_STATS_LEVELS, and in stats.c its word in
// the choices and its formats.
#ifndef TP_SINK_STATS_LEVEL_H
#define TP_SINK_STATS_LEVEL_H

#include "sink/sink.h"
#include "sink/stats/report/options.h"

// The levels. X(LEVEL, name)
#define TP_STATS_LEVELS(X)                                                                \
    X(COUNTS, counts)                                                                     \
    X(SUMMARY, summary)                                                                   \
    X(FULL, full)

// The option `level`: it selects the plan of the sink, and so how exact and how costly its figures
// are.
enum tp_stats_level {
#define TP_X(level, name) TP_STATS_LEVEL_##level,
    TP_STATS_LEVELS(TP_X)
#undef TP_X
};

// The plan of each level, constant.
#define TP_X(level, name) extern const struct tp_sink_plan tp_stats_##name##_plan;
TP_STATS_LEVELS(TP_X)
#undef TP_X

// For level=full: returns whether sinks with these options gather the same totals.
// Both begin with a struct tp_stats_config.
bool tp_stats_full_has_equal_state(const void *config, const void *other_config);

// Makes the plan of a sink that gathers what level=full does, by its options.
void tp_stats_full_make_plan(const struct tp_stats_config *config, struct tp_sink_plan *plan);

// The options of an inner sink that gathers what level=full does.
#define TP_STATS_GATHERING                                                                            \
    {                                                                                                 \
        .level = TP_STATS_LEVEL_FULL, .format = TP_STATS_FORMAT_JSON, .sort = -1, .keep = 100, .top = -1 \
    }
// Makes such a sink gather the same as another one of the run, if that gathers what level=full does, so
// that the figures are those of its report. Returns whether it does.
bool tp_stats_gather_as(struct tp_stats_config *config, const struct tp_sink_plan *plan,
                        const void *other_config);

struct tp_totals;
// The inputs of a run: those of the baseline, and all others.
enum tp_stats_side { TP_STATS_NEW, TP_STATS_BASELINE, TP_STATS_SIDES };
// Returns the totals of a side of a run of level=full, as its report shows them; those of a baseline are
// empty if there is none. Call it from run.end. Borrowed from the run state. Fails with TP_E_MEMORY.
int tp_stats_full_totals(const struct tp_sink_call *call, const struct tp_stats_config *config,
                         enum tp_stats_side side, const struct tp_totals **ret_totals,
                         struct tp_error *err) TP_MUST_USE;

struct tp_full_report;
// Makes the report of a run of level=full, with the rows that `config` selects; call it from run.end. The
// caller frees the report. Fails with TP_E_MEMORY.
int tp_stats_full_report(const struct tp_sink_call *call, const struct tp_stats_config *config,
                         struct tp_full_report *ret_report, struct tp_error *err) TP_MUST_USE;

#endif
