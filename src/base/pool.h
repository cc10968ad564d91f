// Worker threads that take tasks from two bounded queues: what is nearer to the
// end of the pipe first, so that memory drains before more is taken in. A task is
// part of the object it works on, stands in a queue at most once, and reports
// through that object. Threads are started when there is work for them, so that
// a small run stays on few.
#ifndef TP_BASE_POOL_H
#define TP_BASE_POOL_H

#include "base/err.h"

struct tp_task {
    void (*run)(struct tp_task *task);
};

enum tp_urgency { TP_TASK_LATE_STAGE, TP_TASK_EARLY_STAGE, TP_URGENCIES };

struct tp_pool;

// `task_max`: the most tasks that can wait at once; the owner guarantees it.
int tp_pool_create(unsigned thread_max, size_t task_max, struct tp_pool **ret_pool,
                   struct tp_error *err) TP_MUST_USE;
// Any thread. Never blocks.
void tp_pool_submit(struct tp_pool *pool, enum tp_urgency urgency, struct tp_task *task);
// Runs what is queued, then joins the threads. NULL is fine.
void tp_pool_destroy(struct tp_pool *pool);

#endif
