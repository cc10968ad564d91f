#include "merge/tables/carried_names.h"

#include <stdatomic.h>

#include "base/alloc.h"

struct tp_carried_names *tp_carried_names_create(struct tp_intern *texts)
{
    struct tp_carried_names *c = tp_alloc(sizeof *c);
    if (c == NULL)
        return NULL;
    *c = (struct tp_carried_names){.texts = *texts, .holds = 1};
    *texts = (struct tp_intern){0};
    return c;
}

struct tp_carried_names *tp_carried_names_hold(struct tp_carried_names *c)
{
    if (c != NULL)
        atomic_fetch_add_explicit(&c->holds, 1, memory_order_relaxed);
    return c;
}

void tp_carried_names_release(struct tp_carried_names *c)
{
    // Acquire and release order the other holders' uses before the free.
    if (c == NULL || atomic_fetch_sub_explicit(&c->holds, 1, memory_order_acq_rel) != 1)
        return;
    tp_intern_fini(&c->texts);
    tp_free(c);
}
