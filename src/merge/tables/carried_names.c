#include "merge/tables/carried_names.h"

#include "base/alloc.h"
#include "base/holds.h"

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
        tp_hold(&c->holds);
    return c;
}

void tp_carried_names_release(struct tp_carried_names *c)
{
    if (c == NULL || !tp_release_last(&c->holds))
        return;
    tp_intern_fini(&c->texts);
    tp_free(c);
}
