// What a run has besides what its strands share (core/run.h): its start, its end, and where the
// admission of inputs stands.
#ifndef TP_PIPELINE_RUN_RUN_LIFE_H
#define TP_PIPELINE_RUN_RUN_LIFE_H

#include "pipeline/commit/outputs.h"
#include "pipeline/core/run.h"
#include "pipeline/run/admission.h"

struct tp_user_sink;

struct tp_run_life {
    bool started;            // the owner's thread
    struct tp_user_sink *user_sinks[TP_SINKS_MAX]; // what the program registered; owned
    size_t user_sink_count;
    struct tp_admission admission;
    // Written by the admission strand when the last input had its turn.
    int end_fd;              // eventfd; -1: none
    _Atomic bool over;
};

#endif
