#include "merge/track/facts.h"

#include <string.h>

#include "base/alloc.h"

// tp_facts_clear frees a list with room for more items than this: one event of a hostile trace can make a
// list that long.
#define KEPT_MAX 131072

void tp_facts_clear(struct tp_facts *f)
{
#define TP_X(type, member)                             \
    f->member.count = 0;                               \
    if (tp_unlikely(f->member.capacity > KEPT_MAX)) {  \
        tp_free(f->member.items);                      \
        f->member.items = NULL;                        \
        f->member.capacity = 0;                        \
    }
    TP_FACT_LISTS(TP_X)
#undef TP_X
    f->event_count = f->first_life = f->life_base = 0;
    memset(f->event_counts, 0, sizeof f->event_counts);
}

void tp_facts_fini(struct tp_facts *f)
{
#define TP_X(type, member) tp_free(f->member.items);
    TP_FACT_LISTS(TP_X)
#undef TP_X
    *f = (struct tp_facts){0};
}

bool tp_facts_are_none(const struct tp_facts *f)
{
    uint32_t count = 0;
#define TP_X(type, member) count |= f->member.count;
    TP_FACT_LISTS(TP_X)
#undef TP_X
    return count == 0;
}

bool tp_track_labelled_join(struct tp_track_labelled *into, const struct tp_track_labelled *l)
{
    uint64_t ns;
    if (into->stack != l->stack || into->function != l->function || into->task != l->task ||
        into->region != l->region || into->state != l->state || into->wait != l->wait ||
        __builtin_add_overflow(into->ns, l->ns, &ns))
        return false;
    into->ns = ns;
    into->count += l->count;
    return true;
}
