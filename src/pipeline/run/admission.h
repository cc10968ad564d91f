// Admits inputs on a strand of its own, in list order, while fewer than active_max inputs are
// between admission and turn. Its first step opens the shared outputs; its last step, when all
// admitted inputs have had their turns, ends the run.
#ifndef TP_PIPELINE_RUN_ADMISSION_H
#define TP_PIPELINE_RUN_ADMISSION_H

#include "pipeline/core/run.h"

// The state of the strand, which alone uses it after the start.
struct tp_admission {
    bool begun;          // shared outputs were opened
    size_t active_max;   // constant; at most TP_ACTIVE_MAX, fewer if few files may be open
    size_t next_index;   // of the next input to admit
};

// Initialises the strand, which owns no memory. Wake it with tp_wake_admission to begin, and
// whenever an input has had its turn.
void tp_admission_init(struct tp_run *run);

#endif
