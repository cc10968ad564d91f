// Looks at the input that the run waits for, while nothing else wakes it: with --timeout an input may
// have bytes that never come. The strands of the input find out that it is late (tp_input_is_late).
#ifndef TP_PIPELINE_RUN_TIMEOUT_H
#define TP_PIPELINE_RUN_TIMEOUT_H

#include <pthread.h>

#include "pipeline/core/run.h"

// A thread that wakes the oldest input now and then. Zeroed: there is none.
struct tp_timeout {
    struct tp_run *run;
    pthread_t thread;
    bool is_started;
    pthread_mutex_t mu; // guards `is_ending`
    pthread_cond_t changed;
    bool is_ending;
};

// Starts the thread. TP_E_KERNEL. tp_timeout_end is due in any case.
int tp_timeout_start(struct tp_timeout *t, struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// Joins the thread, before the strands that it wakes are freed. A zeroed object is fine.
void tp_timeout_end(struct tp_timeout *t);

#endif
