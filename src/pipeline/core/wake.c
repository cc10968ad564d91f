#include "pipeline/core/wake.h"

#include <stdarg.h>
#include <stdio.h>

#include "pipeline/core/run.h"

#define MESSAGE_BYTES 8192

// STRANDS

static void run_step(struct tp_task *task)
{
    struct tp_step *step = (struct tp_step *)task;
    uint32_t seen;
    do {
        seen = tp_strand_begin(&step->strand);
        step->advance(step->ctx);
    } while (!tp_strand_end(&step->strand, seen));
}

void tp_step_init(struct tp_step *step, void (*advance)(void *ctx), void *ctx)
{
    *step = (struct tp_step){.task.run = run_step, .advance = advance, .ctx = ctx};
}

static void post(struct tp_step *step, struct tp_run *run, enum tp_urgency urgency)
{
    if (tp_strand_post(&step->strand))
        tp_pool_submit(run->pool, urgency, &step->task);
}

void tp_wake_ingest(struct tp_input_run *in)
{
    post(&in->wake.ingest, in->run, TP_TASK_EARLY_STAGE);
}

void tp_wake_order(struct tp_input_run *in)
{
    if (in->run->puller != NULL)
        tp_event_count_wake(in->run->puller);
    else
        post(&in->wake.order, in->run, TP_TASK_EARLY_STAGE);
}

void tp_wake_commit(struct tp_input_run *in)
{
    if (tp_strand_post(&in->wake.commit.strand))
        run_step(&in->wake.commit.task);
}

void tp_wake_commit_on_worker(struct tp_input_run *in)
{
    post(&in->wake.commit, in->run, TP_TASK_LATE_STAGE);
}

void tp_wake_admission(struct tp_run *run)
{
    post(&run->admission, run, TP_TASK_EARLY_STAGE);
}

// KICKS

static bool take_flag(_Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_seq_cst) && atomic_exchange(flag, false);
}

// Wakes the strands of all inputs that wait for `what`, and lowers their flags.
static void kick(struct tp_run *run, enum tp_starved what, void (*wake)(struct tp_input_run *in))
{
    for (size_t i = 0; i < TP_ACTIVE_MAX; i++) {
        struct tp_input_run *in = atomic_load(&run->turns.active[i]);
        if (in != NULL && take_flag(&in->wake.starved[what]))
            wake(in);
    }
}

void tp_wake_for_units(struct tp_run *run, enum tp_lane_id lane)
{
    if (lane == TP_LANE_BLOCKS)
        kick(run, TP_STARVED_OF_UNITS, tp_wake_order);
    else
        kick(run, TP_STARVED_OF_MEMORY, tp_wake_ingest);
}

void tp_wake_for_pages(struct tp_run *run)
{
    kick(run, TP_STARVED_OF_PAGES, tp_wake_ingest);
}

void tp_wake_for_turn(struct tp_run *run)
{
    kick(run, TP_STARVED_OF_TURN, tp_wake_order);
}

void tp_wake_for_memory(struct tp_run *run)
{
    if (take_flag(&run->engine.is_starved))
        tp_source_kick(run->engine.source);
    kick(run, TP_STARVED_OF_MEMORY, tp_wake_ingest);
    kick(run, TP_STARVED_OF_UNITS, tp_wake_order);
    // The new oldest input may take pages that it could not have before.
    tp_wake_for_pages(run);
}

// STOPPING

void tp_run_fail(struct tp_run *run, const struct tp_error *err)
{
    struct tp_outcome *o = &run->outcome;
    pthread_mutex_lock(&o->mu);
    if (o->error.code == 0)
        o->error = *err;
    pthread_mutex_unlock(&o->mu);
    tp_run_stop(run);
}

void tp_run_stop(struct tp_run *run)
{
    atomic_store_explicit(&run->outcome.is_stopping, true, memory_order_seq_cst);
    // Ingest strands that wait for input cancel their files.
    for (size_t i = 0; i < TP_ACTIVE_MAX; i++) {
        struct tp_input_run *in = atomic_load(&run->turns.active[i]);
        if (in != NULL)
            tp_wake_ingest(in);
        if (in != NULL && in->order != NULL)
            tp_wake_order(in);
    }
    tp_wake_admission(run);
}

void tp_run_fail_with(struct tp_run *run, int code, const char *text)
{
    struct tp_error err;
    tp_fail(&err, code, "%s", text);
    tp_run_fail(run, &err);
}

static int worse(int a, int b)
{
    static const int severity[] = {0, 1, 4, 3, 2}; // indexed by exit status
    return severity[a] >= severity[b] ? a : b;
}

int tp_run_exit_status(const struct tp_run *run)
{
    const struct tp_outcome *o = &run->outcome;
    int status = atomic_load(&o->input_failed) ? 1 : 0;
    if (atomic_load(&o->check_failed))
        status = worse(status, 4);
    if (atomic_load(&o->input_beyond_host))
        status = worse(status, 3);
    switch (o->error.code != 0 ? tp_error_class_of(o->error.code) : TP_CLASS_NONE) {
    case TP_CLASS_USAGE: return worse(status, 2);
    case TP_CLASS_BOUND:
    case TP_CLASS_HOST: return worse(status, 3);
    case TP_CLASS_INPUT: return worse(status, 1);
    default: return status;
    }
}

const struct tp_error *tp_run_error(const struct tp_run *run)
{
    return run->outcome.error.code != 0 ? &run->outcome.error : NULL;
}

void tp_run_message(struct tp_run *run, enum tp_message_level level, const char *fmt, ...)
{
    if (run->messages.fn == NULL)
        return;
    char text[MESSAGE_BYTES];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    run->messages.fn(run->messages.ctx, level, text);
}
