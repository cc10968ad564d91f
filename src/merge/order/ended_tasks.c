#include "merge/order/ended_tasks.h"

#include "base/alloc.h"

bool tp_ended_tasks_add(struct tp_ended_tasks *e, uint64_t id, tp_name_ref name)
{
    if (e->items == NULL)
        e->items = tp_alloc_zero(TP_ENDED_TASKS * sizeof *e->items);
    if (e->items == NULL)
        return false;
    e->items[id % TP_ENDED_TASKS] = (struct tp_ended_task){id, name};
    return true;
}

bool tp_ended_tasks_join(struct tp_ended_tasks *e, const struct tp_ended_tasks *later)
{
    bool fits = true;
    for (size_t i = 0; later->items != NULL && i < TP_ENDED_TASKS && fits; i++) {
        const struct tp_ended_task *task = &later->items[i];
        fits = task->id == 0 || tp_ended_tasks_add(e, task->id, task->name);
    }
    return fits;
}

void tp_ended_tasks_drop_names(struct tp_ended_tasks *e)
{
    for (size_t i = 0; e->items != NULL && i < TP_ENDED_TASKS; i++)
        e->items[i].name = 0;
}

void tp_ended_tasks_fini(struct tp_ended_tasks *e)
{
    tp_free(e->items);
    *e = (struct tp_ended_tasks){0};
}
