#include "merge/v1/mistakes.h"

void tp_v1_note_mistake(const struct tp_v1_check *c, const struct tp_v1_ordered *e, int64_t ns,
                        enum tp_doubt_kind kind, struct tp_nest_key key, uint64_t stack)
{
    const struct tp_tables *t = c->tables;
    if (c->doubts == NULL)
        return;
    const struct tp_mistake mistake = {
        .kind = kind,
        .at = {.time_ns = ns, .m = -1, .g = (int64_t)e->g},
        .task = key.task,
        .name = t->strings.items[tp_string_or_empty(tp_tables_string_idx(t, key.name))],
        .tables = t,
        .stack = stack};
    tp_doubts_add_mistake(c->doubts, &mistake);
}

void tp_v1_time_doubts(struct tp_v1_check *c, int64_t ns, int64_t last_ns)
{
    if (c->doubts == NULL)
        return;
    int64_t next_ns = (int64_t)((uint64_t)last_ns + 1);
    for (uint64_t i = c->timed_doubt_count; i < c->doubts->count && i < TP_DOUBTS_KEPT; i++)
        c->doubts->first[i].time_ns = ns <= last_ns ? next_ns : ns;
    c->timed_doubt_count = c->doubts->count;
}
