// The inner sink that makes news at the end of a run. Users cannot name it.
#ifndef TP_SINK_NEWS_SINK_H
#define TP_SINK_NEWS_SINK_H

#include "base/buf.h"
#include "sink/news/news.h"
#include "sink/sink.h"
#include "sink/stats/report/options.h"

// What the sink needs besides the totals, and what it leaves.
struct tp_news_files {
    struct tp_news_entries entries; // of the earlier runs
    struct tp_buf next;             // bytes of the file for the next run; no memory before the end
    uint32_t host_count;            // analysed hosts of the run with --group, or 0
    bool are_compared;              // these hosts, with each other
};

// The config; the program that adds the sink sets it.
struct tp_news_config {
    struct tp_stats_config stats; // first, as the hooks of stats:level=full have it
    struct tp_news_files *files;  // borrowed for the run
};

extern const struct tp_sink_def tp_sink_news;

#endif
