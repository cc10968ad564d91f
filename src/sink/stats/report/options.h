// The options of `stats`, which all levels share (sink/stats/level.h).
#ifndef TP_SINK_STATS_REPORT_OPTIONS_H
#define TP_SINK_STATS_REPORT_OPTIONS_H

#include "sink/sink.h"

// The option `format`, in the order of the choices in stats.c. AUTO: the first format of the level.
enum tp_stats_format {
    TP_STATS_FORMAT_AUTO,
    TP_STATS_FORMAT_TEXT,
    TP_STATS_FORMAT_JSON,
    TP_STATS_FORMAT_CSV,
    TP_STATS_FORMAT_GO_SUMMARY,
    TP_STATS_FORMAT_FOLDED,
    TP_STATS_FORMAT_FLAMEGRAPH,
    TP_STATS_FORMAT_MARKDOWN,
    TP_STATS_FORMAT_STATE
};
// The option `sort`: the order of rows. In the order of the choices in stats.c.
enum tp_stats_sort {
    TP_STATS_SORT_TOTAL,
    TP_STATS_SORT_COUNT,
    TP_STATS_SORT_MEAN,
    TP_STATS_SORT_MAX,
    TP_STATS_SORT_P99,
    TP_STATS_SORT_BLAMED // of wakers only
};

// The option `by`: whether the report covers everything, or one kind of row.
enum tp_stats_by {
    TP_STATS_BY_ALL,
    TP_STATS_BY_FINDING,
    TP_STATS_BY_FILE,
    TP_STATS_BY_FUNCTION,
    TP_STATS_BY_GOROUTINE,
    TP_STATS_BY_TASK,
    TP_STATS_BY_REGION,
    TP_STATS_BY_STACK,
    TP_STATS_BY_WAKER,
    TP_STATS_BY_COUNT
};

// The option `clocks`: whether the totals include traces with an inconsistent clock if there are
// other files, too.
enum tp_stats_clocks { TP_STATS_CLOCKS_CONSISTENT, TP_STATS_CLOCKS_ALL };

// The help text of the option `detail`.
#define TP_STATS_DETAIL_HELP                                                                      \
    "add what happened when to the JSON: latency over time, the longest pauses and marks, levels "  \
    "of each trace, spans of the slowest tasks (default no)"

// The options of `stats`, which all levels share.
struct tp_stats_config {
    int level;   // enum tp_stats_level; -1: not given
    int format;  // enum tp_stats_format
    bool fix;    // level=summary: figures that are right where Go's are wrong
    bool guard;  // put an apostrophe before CSV text that looks like a formula
    int sort;    // enum tp_stats_sort; -1: not given
    int by;      // enum tp_stats_by
    bool pc;     // frames of stacks have their program counters
    int kind;    // sink pprof: enum tp_profile_kind, the type of its stacks
    bool labels; // sink pprof: TP_PART_LABELS, of this kind, in place of other parts
    bool histograms; // JSON has the buckets of histograms
    bool detail;     // JSON has what happened when (stats/history/history.h)
    bool idle;   // text, folded and flame graphs have idle waits one by one
    int clocks; // enum tp_stats_clocks
    int64_t keep; // number of goroutines reported one by one, those that ran longest
    int64_t depth; // functions that name a row of goroutines behind a wrapper; 0: not given, one
    // The report has only names that contain this text; empty: all names.
    char filter[TP_OPT_TEXT_MAX_BYTES + 1];
    // by=trace: the measure by which traces are sorted (stats/hosts/measures.h); empty: running time.
    char measure[TP_OPT_TEXT_MAX_BYTES + 1];
    int64_t top; // rows of a table, 0: all; -1: not given
};

#endif
