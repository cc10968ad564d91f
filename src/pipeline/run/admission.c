#include "pipeline/run/admission.h"

#include <assert.h>
#include <unistd.h>

#include "pipeline/commit/input_order.h"
#include "pipeline/run/input_life.h"
#include "pipeline/run/known_file.h"
#include "pipeline/run/run_life.h"

static void admit(struct tp_run *run, size_t index)
{
    if (tp_input_admit(run, index))
        run->life->admission.next_index = index + 1;
    else
        tp_run_fail_with(run, TP_E_MEMORY, "out of memory for an input");
}

static void end_run(struct tp_run *run)
{
    tp_input_order_end(run);
    tp_known_file_end(run);
    atomic_store_explicit(&run->life->over, true, memory_order_release);
    uint64_t one = 1;
    ssize_t n = write(run->life->end_fd, &one, sizeof one);
    assert(n == sizeof one);
    (void)n;
    if (run->puller != NULL)
        tp_event_count_wake(run->puller);
}

static void step(void *ctx)
{
    struct tp_run *run = ctx;
    if (run->life->over)
        return;
    if (!run->life->admission.begun) {
        run->life->admission.begun = true;
        tp_input_order_begin(run);
        tp_known_file_begin(run);
    }
    size_t turn = atomic_load_explicit(&run->turns.oldest, memory_order_acquire);
    // The input whose turn it is may now use the memory reserved for the oldest input. It is woken
    // here and not when the turn was passed on, because after that the run may end at any time.
    tp_wake_for_memory(run);
    tp_wake_for_turn(run);
    while (!tp_run_is_stopping(run) && run->life->admission.next_index < run->inputs.count &&
           run->life->admission.next_index - turn < run->life->admission.active_max)
        admit(run, run->life->admission.next_index);
    // When the run fails, the admitted inputs still have their turns.
    if (turn == run->inputs.count ||
        (tp_run_is_stopping(run) && turn == run->life->admission.next_index))
        end_run(run);
}

void tp_admission_init(struct tp_run *run)
{
    tp_step_init(&run->admission, step, run);
}
