#include "pipeline/run/admission.h"

#include <assert.h>
#include <unistd.h>

#include "pipeline/commit/input_order.h"
#include "pipeline/run/input_life.h"

static void admit(struct tp_run *run, size_t index)
{
    struct tp_input_run *in = tp_input_slot(run, index);
    if (in == NULL) {
        struct tp_error err;
        tp_fail(&err, TP_E_MEMORY, "out of memory for an input");
        tp_run_fail(run, &err);
        return;
    }
    run->next_index = index + 1;
    atomic_store(&in->pending, index + 1);
    tp_wake_ingest(in);
}

static void end_run(struct tp_run *run)
{
    tp_input_order_end(run);
    atomic_store_explicit(&run->over, true, memory_order_release);
    uint64_t one = 1;
    ssize_t n = write(run->end_fd, &one, sizeof one);
    assert(n == sizeof one);
    (void)n;
    if (run->puller != NULL)
        tp_event_count_wake(run->puller);
}

static void step(void *ctx)
{
    struct tp_run *run = ctx;
    if (run->over)
        return;
    if (!run->begun) {
        run->begun = true;
        tp_input_order_begin(run);
    }
    size_t turn = atomic_load_explicit(&run->turn, memory_order_acquire);
    // The input whose turn it is may now use the memory reserved for the oldest. Kicked here and
    // not where the turn was passed on: by then the run may have ended for others.
    tp_wake_for_memory(run);
    tp_wake_who_stands_back(run);
    while (!tp_run_is_stopping(run) && run->next_index < run->inputs.count &&
           run->next_index - turn < run->active_max)
        admit(run, run->next_index);
    // When the run fails, the admitted inputs still have their turns.
    if (turn == run->inputs.count || (tp_run_is_stopping(run) && turn == run->next_index))
        end_run(run);
}

void tp_admission_init(struct tp_run *run)
{
    tp_step_init(&run->admission, step, run);
}
