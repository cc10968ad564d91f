// Defines the state of a run that only its owner and its admission strand use (core/run.h has the
// rest): its start, its end, and the progress of admission.
#ifndef TP_PIPELINE_RUN_RUN_LIFE_H
#define TP_PIPELINE_RUN_RUN_LIFE_H

#include "pipeline/commit/outputs.h"
#include "pipeline/core/run.h"
#include "pipeline/run/admission.h"
#include "pipeline/run/timeout.h"
#include "sink/check/check.h"
#include "sink/news/sink.h"

struct tp_user_sink;

// Part of the run and freed with it.
struct tp_run_life {
    bool started;            // used by the owner's thread only
    struct tp_user_sink *user_sinks[TP_SINKS_MAX]; // registered by the program; owned
    size_t user_sink_count;
    struct tp_checks checks; // by the sink that evaluates them, too
    bool has_check_sink;
    // The entries of the file that the option "known" names; the sink that makes news uses them, too.
    struct tp_news_files news;
    bool has_news_sink;
    struct tp_outfile *known; // the file for the next run; NULL: it is not open
    struct tp_admission admission;
    struct tp_timeout timeout;
    // Written by the admission strand after the turn of the last input.
    int end_fd;              // eventfd; -1: none
    _Atomic bool over;
};

#endif
