#include "pipeline/pull.h"

#include "pipeline/run_sink.h"
#include "pipeline/unit.h"

// THE SINK
//
// It brings the lane of blocks into the run and books how the events ended; blocks
// never reach it.

static int finish(const struct tp_sink_call *call, void *state, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_out *out, struct tp_error *err)
{
    (void)state, (void)input, (void)report, (void)out;
    const struct tp_pull *p = *(struct tp_pull *const *)call->config;
    *err = p->order_error;
    return err->code;
}

static const struct tp_sink_def pull_sink = {
    .name = "reader",
    .config_bytes = sizeof(struct tp_pull *),
    .unit = TP_UNIT_BLOCK,
    .no_output = true,
    .one_for_all = true,
    .has_reference = true,
    .finish = finish,
};

int tp_pull_init(struct tp_pull *p, struct tp_run *run, struct tp_error *err)
{
    *p = (struct tp_pull){.run = run};
    pthread_mutex_init(&p->mu, NULL);
    pthread_cond_init(&p->woken, NULL);
    run->pull = p;
    return tp_run_add_inner_sink(run, &pull_sink, p, err);
}

void tp_pull_fini(struct tp_pull *p)
{
    pthread_mutex_destroy(&p->mu);
    pthread_cond_destroy(&p->woken);
}

// WHO WAKES

static void wake(struct tp_pull *p)
{
    if (atomic_load_explicit(&p->is_sleeping, memory_order_relaxed))
        pthread_cond_signal(&p->woken);
}

static size_t waiting_count(const struct tp_input_run *in)
{
    const struct tp_lane_queue *q = &in->lanes[TP_LANE_BLOCKS];
    return (size_t)(atomic_load_explicit(&q->put_count, memory_order_acquire) -
                    atomic_load_explicit(&q->commit_count, memory_order_relaxed));
}

// A wake missed here is made up for by the pause, which always comes.
void tp_pull_block_done(struct tp_input_run *in)
{
    struct tp_pull *p = in->run->pull;
    if (!atomic_load_explicit(&p->is_sleeping, memory_order_relaxed) ||
        waiting_count(in) < TP_PULL_WAKE)
        return;
    pthread_mutex_lock(&p->mu);
    wake(p);
    pthread_mutex_unlock(&p->mu);
}

void tp_pull_pause(struct tp_input_run *in)
{
    struct tp_pull *p = in->run->pull;
    bool is_ended = atomic_load_explicit(&in->ordering->is_ended, memory_order_relaxed);
    pthread_mutex_lock(&p->mu);
    p->is_ended = p->is_ended || is_ended;
    if (p->is_ended || waiting_count(in) > 0)
        wake(p);
    pthread_mutex_unlock(&p->mu);
}

void tp_pull_end(struct tp_pull *p)
{
    pthread_mutex_lock(&p->mu);
    p->is_over = true;
    wake(p);
    pthread_mutex_unlock(&p->mu);
}

// WHO SLEEPS

// The only input; NULL before it is admitted.
static struct tp_input_run *input_of(const struct tp_pull *p)
{
    return atomic_load_explicit(&p->run->active[0], memory_order_acquire);
}

static void give_back(struct tp_pull *p, struct tp_input_run *in)
{
    for (; p->taken_count > 0; p->taken_count--)
        tp_unit_retire(in, tp_unit_done_at(in, TP_LANE_BLOCKS, 0));
}

// The input cannot be closed before all its units are retired, and nobody else tells
// the commit strand when that is.
static void leave(struct tp_pull *p, struct tp_input_run *in)
{
    p->has_left = true;
    if (tp_strand_post(&in->commit))
        tp_pool_submit(p->run->pool, TP_TASK_LATE_STAGE, &in->commit_task);
}

static bool is_worth_waking(const struct tp_pull *p)
{
    const struct tp_input_run *in = input_of(p);
    return p->is_over || (in != NULL && waiting_count(in) > 0) || (p->is_ended && !p->has_left);
}

// Until something can be taken. False: the run is over.
static bool sleep_or_leave(struct tp_pull *p)
{
    pthread_mutex_lock(&p->mu);
    atomic_store_explicit(&p->is_sleeping, true, memory_order_relaxed);
    while (!is_worth_waking(p))
        pthread_cond_wait(&p->woken, &p->mu);
    atomic_store_explicit(&p->is_sleeping, false, memory_order_relaxed);
    bool is_over = p->is_over, is_ended = p->is_ended;
    pthread_mutex_unlock(&p->mu);
    struct tp_input_run *in = input_of(p);
    if (is_over)
        return false;
    if (is_ended && !p->has_left && waiting_count(in) == 0)
        leave(p, in);
    return true;
}

// The next one not yet handed out, if it is there.
static struct tp_slot *take(struct tp_pull *p)
{
    struct tp_input_run *in = input_of(p);
    if (in == NULL)
        return NULL;
    struct tp_slot *slot = tp_unit_done_at(in, TP_LANE_BLOCKS, p->taken_count);
    if (slot == NULL || p->taken_count >= TP_PULL_RETURN) {
        give_back(p, in);
        slot = tp_unit_done_at(in, TP_LANE_BLOCKS, 0);
    }
    if (slot != NULL)
        p->taken_count++;
    return slot;
}

const struct tp_block *tp_pull_next(struct tp_pull *p)
{
    for (;;) {
        struct tp_slot *slot = take(p);
        if (slot == NULL && !sleep_or_leave(p))
            return NULL;
        if (slot == NULL)
            continue;
        if (slot->order_error.code != 0)
            p->order_error = slot->order_error;
        if (slot->block.event_count > 0)
            return &slot->block;
    }
}
