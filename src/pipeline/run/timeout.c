#include "pipeline/run/timeout.h"

#include <signal.h>
#include <time.h>

// The thread looks ten times during the timeout, but at most a hundred times and at least ten times a
// second.
#define LOOKS 10
#define PERIOD_MOST_NS 100000000
#define PERIOD_LEAST_NS 10000000

static int64_t period_of(const struct tp_run *run)
{
    int64_t period_ns = run->settings.timeout_ns / LOOKS;
    return period_ns > PERIOD_MOST_NS    ? PERIOD_MOST_NS
           : period_ns < PERIOD_LEAST_NS ? PERIOD_LEAST_NS
                                         : period_ns;
}

static void wake_oldest(struct tp_run *run)
{
    size_t oldest = atomic_load(&run->turns.oldest);
    struct tp_input_run *in = atomic_load(&run->turns.active[oldest % TP_ACTIVE_MAX]);
    if (in != NULL && tp_input_is_late(in)) {
        tp_wake_ingest(in);
        tp_wake_commit_on_worker(in);
    }
}

static void *look(void *ctx)
{
    struct tp_timeout *t = ctx;
    int64_t period_ns = period_of(t->run);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&t->mu);
    while (!t->is_ending) {
        next.tv_nsec += period_ns;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        pthread_cond_clockwait(&t->changed, &t->mu, CLOCK_MONOTONIC, &next);
        pthread_mutex_unlock(&t->mu);
        wake_oldest(t->run);
        pthread_mutex_lock(&t->mu);
    }
    pthread_mutex_unlock(&t->mu);
    return NULL;
}

int tp_timeout_start(struct tp_timeout *t, struct tp_run *run, struct tp_error *err)
{
    sigset_t all, before;
    t->run = run;
    pthread_mutex_init(&t->mu, NULL);
    pthread_cond_init(&t->changed, NULL);
    // Signals belong to the threads of the program.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&t->thread, NULL, look, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    t->is_started = rc == 0;
    return rc == 0 ? 0 : tp_fail_errno(err, TP_E_KERNEL, rc, "cannot start a thread for --timeout");
}

void tp_timeout_end(struct tp_timeout *t)
{
    if (t->run == NULL)
        return;
    pthread_mutex_lock(&t->mu);
    t->is_ending = true;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->mu);
    if (t->is_started)
        pthread_join(t->thread, NULL);
    pthread_mutex_destroy(&t->mu);
    pthread_cond_destroy(&t->changed);
}
