#include "merge/order_rules.h"

const char *const tp_rule_names[TP_RULES] = {
#define TP_X(name) #name,
    TP_RULE_MAP(TP_X)
#undef TP_X
};

bool tp_order_meet(struct tp_order *o, int64_t m, uint32_t *m_slot, struct tp_error *err)
{
    if (o->first_generation == 0)
        o->first_generation = o->generation;
    *m_slot = tp_order_m(o, m);
    return m == -1 || *m_slot != TP_MAP_NONE || tp_order_add_m(o, m, m_slot, err);
}

enum tp_verdict tp_order_step(struct tp_order *o, const struct tp_event *next, uint32_t *m_slot,
                              struct tp_event *out, struct tp_error *err)
{
    // Of the thread -1, which never has any.
    struct tp_binding nobody = {.p = -1, .g = -1, .p_slot = TP_MAP_NONE, .g_slot = TP_MAP_NONE};
    if (tp_unlikely(*m_slot == TP_MAP_NONE) && !tp_order_meet(o, next->m, m_slot, err))
        return TP_ORDER_BROKEN;
    struct tp_binding *at = tp_likely(*m_slot != TP_MAP_NONE) ? &o->ms.items[*m_slot].at : &nobody;
    tp_rule_fn *rule = tp_order_rules[next->type];
    if (tp_unlikely(rule == NULL)) {
        tp_fail(err, TP_E_ORDER, "bad event type found while ordering: %u", next->type);
        return TP_ORDER_BROKEN;
    }
    *out = *next;
    out->p = at->p;
    out->g = at->g;
    o->made_count = 1;
    return rule(o, out, at, err);
}
