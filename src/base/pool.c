#include "base/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ring.h"

// Enough for the deepest call chain (zstd's one-shot compressor) and more; only touched pages
// take memory.
#define STACK_BYTES TP_MIB(1)

struct tp_pool {
    struct tp_ring *queues[TP_URGENCIES];
    struct tp_event_count work_or_stop;
    _Atomic bool stopping;
    _Atomic unsigned idle_count;    // threads without a task, or created and not yet running
    _Atomic unsigned waiting_count; // tasks in the queues
    _Atomic unsigned thread_count;
    unsigned thread_max;
    pthread_mutex_t starting;    // guards `threads` and growth of thread_count
    pthread_t threads[];
};

static struct tp_task *next_task(struct tp_pool *pool)
{
    void *task;
    for (size_t u = 0; u < TP_URGENCIES; u++) {
        if (tp_ring_try_take(pool->queues[u], &task)) {
            atomic_fetch_sub_explicit(&pool->waiting_count, 1, memory_order_relaxed);
            return task;
        }
    }
    return NULL;
}

static void *worker(void *arg)
{
    struct tp_pool *pool = arg;
    atomic_fetch_sub_explicit(&pool->idle_count, 1, memory_order_seq_cst);
    for (;;) {
        uint32_t ticket = tp_event_count_ticket(&pool->work_or_stop);
        // Read it before the queues, so that tasks submitted before the stop still run.
        bool stopping = atomic_load_explicit(&pool->stopping, memory_order_acquire);
        struct tp_task *task = next_task(pool);
        if (task != NULL) {
            task->run(task);
            continue;
        }
        if (stopping)
            return NULL;
        atomic_fetch_add_explicit(&pool->idle_count, 1, memory_order_seq_cst);
        tp_event_count_sleep(&pool->work_or_stop, ticket);
        atomic_fetch_sub_explicit(&pool->idle_count, 1, memory_order_seq_cst);
    }
}

// Returns 0 or the errno of pthread_create.
static int start_thread(struct tp_pool *pool)
{
    int rc = 0;
    pthread_mutex_lock(&pool->starting);
    unsigned n = atomic_load(&pool->thread_count);
    if (n < pool->thread_max) {
        pthread_attr_t attr;
        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, STACK_BYTES);
        atomic_fetch_add_explicit(&pool->idle_count, 1, memory_order_seq_cst);
        rc = pthread_create(&pool->threads[n], &attr, worker, pool);
        pthread_attr_destroy(&attr);
        if (rc == 0)
            atomic_store(&pool->thread_count, n + 1);
        else
            atomic_fetch_sub_explicit(&pool->idle_count, 1, memory_order_seq_cst);
    }
    pthread_mutex_unlock(&pool->starting);
    return rc;
}

int tp_pool_create(unsigned thread_max, size_t task_max, struct tp_pool **ret_pool,
                   struct tp_error *err)
{
    struct tp_pool *pool =
        tp_alloc_zero(sizeof *pool + thread_max * sizeof pool->threads[0]);
    if (pool == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for worker threads");
    pool->thread_max = thread_max;
    pthread_mutex_init(&pool->starting, NULL);
    tp_event_count_init(&pool->work_or_stop);
    bool ok = true;
    for (size_t u = 0; u < TP_URGENCIES; u++)
        ok = (pool->queues[u] = tp_ring_create(task_max)) != NULL && ok;
    // Start the first thread now: it is needed in any case, and only here can its failure be
    // reported.
    int rc = ok ? start_thread(pool) : 0;
    if (!ok || rc != 0) {
        tp_pool_destroy(pool);
        return ok ? tp_fail_errno(err, TP_E_KERNEL, rc, "cannot start a worker thread")
                  : tp_fail(err, TP_E_MEMORY, "out of memory for work queues");
    }
    *ret_pool = pool;
    return 0;
}

void tp_pool_submit(struct tp_pool *pool, enum tp_urgency urgency, struct tp_task *task)
{
    // Count the task before a worker can take it, so that the count never falls below zero.
    unsigned waiting = atomic_fetch_add_explicit(&pool->waiting_count, 1, memory_order_seq_cst) + 1;
    bool taken = tp_ring_try_put(pool->queues[urgency], task);
    assert(taken && "more tasks than tp_pool_create allows");
    (void)taken;
    // Without another thread the run is only slower, so a failure here is no error.
    if (waiting > atomic_load_explicit(&pool->idle_count, memory_order_seq_cst) &&
        atomic_load_explicit(&pool->thread_count, memory_order_relaxed) < pool->thread_max)
        (void)start_thread(pool);
    tp_event_count_wake(&pool->work_or_stop);
}

void tp_pool_destroy(struct tp_pool *pool)
{
    if (pool == NULL)
        return;
    atomic_store_explicit(&pool->stopping, true, memory_order_release);
    tp_event_count_wake(&pool->work_or_stop);
    for (unsigned i = 0; i < atomic_load(&pool->thread_count); i++)
        pthread_join(pool->threads[i], NULL);
    for (size_t u = 0; u < TP_URGENCIES; u++)
        tp_ring_destroy(pool->queues[u]);
    pthread_mutex_destroy(&pool->starting);
    tp_free(pool);
}
