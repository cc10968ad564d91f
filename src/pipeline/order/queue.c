#include "pipeline/order/queue.h"

#include "base/alloc.h"
#include "pipeline/order/collect.h"
#include "pipeline/order/ordering.h"

bool tp_order_queue_create(struct tp_input_run *in)
{
    struct parts {
        struct tp_order_queue queue; // first member: tp_free gets its address
        struct tp_collect collect;
        struct tp_ordering ordering;
        struct tp_order_report report;
    } *parts = tp_alloc_zero(sizeof *parts);
    if (parts == NULL)
        return false;
    parts->queue.collect = &parts->collect;
    parts->queue.ordering = &parts->ordering;
    in->order = &parts->queue;
    in->order_report = &parts->report;
    return true;
}

void tp_order_queue_destroy(struct tp_input_run *in)
{
    tp_order_queue_reset(in);
    tp_free(in->order);
}

void tp_order_queue_init(struct tp_input_run *in)
{
    struct tp_order_queue *q = in->order;
    atomic_store(&q->wrong_count, 0);
    atomic_store(&q->given_up_count, 0);
    atomic_store(&q->put_count, 0);
    atomic_store(&q->done_count, 0);
    *in->order_report = (struct tp_order_report){0};
    tp_collect_init(in);
    tp_ordering_init(in);
}

void tp_order_queue_reset(struct tp_input_run *in)
{
    struct tp_order_queue *q = in->order;
    tp_collect_fini(in);
    for (uint64_t i = atomic_load(&q->done_count); i < atomic_load(&q->put_count); i++)
        tp_pending_destroy(q->items[i % TP_PENDING_MAX]);
    atomic_store(&q->done_count, atomic_load(&q->put_count));
    tp_ordering_fini(in);
}
