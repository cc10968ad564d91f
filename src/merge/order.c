#include "merge/order_rules.h"

const char *const tp_rule_names[TP_RULES] = {
#define TP_X(name) #name,
    TP_RULE_MAP(TP_X)
#undef TP_X
};

struct tp_binding *tp_order_meet(struct tp_order *o, int64_t m, uint32_t *m_slot,
                                 struct tp_error *err)
{
    if (o->first_generation == 0)
        o->first_generation = o->generation;
    *m_slot = tp_order_m(o, m);
    if (m == -1) {
        o->nobody = (struct tp_binding){.p = -1, .g = -1, .p_slot = TP_MAP_NONE,
                                        .g_slot = TP_MAP_NONE};
        return &o->nobody;
    }
    if (*m_slot == TP_MAP_NONE && !tp_order_add_m(o, m, m_slot, err))
        return NULL;
    return &o->ms.items[*m_slot].at;
}

void tp_order_bad_type(const struct tp_run_event *e, struct tp_error *err)
{
    tp_fail(err, TP_E_ORDER, "bad event type found while ordering: %u", e->type);
}
