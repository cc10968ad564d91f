// Worker threads that take tasks from two bounded queues: first tasks of late stages, which free
// memory, then tasks of early stages, which fill it. A task is embedded in the object that it works
// on, stands in a queue at most once, and leaves its result in that object. The pool starts a
// thread only when there is work for it, so that a small run uses few threads.
#ifndef TP_BASE_POOL_H
#define TP_BASE_POOL_H

#include "base/err.h"

// A piece of work. Embedded in an object of the owner; `run` casts to that object.
struct tp_task {
    void (*run)(struct tp_task *task); // called on a worker thread
};

// The queues, in the order in which workers look for tasks.
enum tp_urgency { TP_TASK_LATE_STAGE, TP_TASK_EARLY_STAGE, TP_URGENCIES };

struct tp_pool;

// Creates a pool of up to `thread_max` threads and starts the first one. At most `task_max` tasks
// may wait at a time, which is asserted. The caller destroys the pool. Fails with TP_E_MEMORY, or
// with TP_E_KERNEL if no thread can be started.
int tp_pool_create(unsigned thread_max, size_t task_max, struct tp_pool **ret_pool,
                   struct tp_error *err) TP_MUST_USE;
// Queues a task; the caller keeps the task alive until its `run` has returned. Any thread. Never
// waits for a task; cannot fail.
void tp_pool_submit(struct tp_pool *pool, enum tp_urgency urgency, struct tp_task *task);
// Waits until the queued tasks have run, joins the threads and frees the pool. NULL is fine.
void tp_pool_destroy(struct tp_pool *pool);

#endif
