// Admits inputs, in list order, as long as there are fewer than active_max
// between admission and turn. A strand. The first step opens the shared outputs;
// the last one, when every input had its turn, ends the run.
#ifndef TP_PIPELINE_RUN_ADMISSION_H
#define TP_PIPELINE_RUN_ADMISSION_H

#include "pipeline/core/run.h"

struct tp_admission {
    bool begun;          // shared outputs are open
    size_t active_max;   // constant; at most TP_ACTIVE_MAX, fewer if files are scarce
    size_t next_index;   // to admit
};

// Makes the strand. Post it (wake.h) to begin, and whenever an input has had its turn.
void tp_admission_init(struct tp_run *run);

#endif
