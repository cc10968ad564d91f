#include "merge/order/rules.h"

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

// Event types that name a goroutine.
static const bool names_g[TP_EVENT_CODES] = {
    [TP_EV_GoCreate] = true, [TP_EV_GoCreateSyscall] = true, [TP_EV_GoCreateBlocked] = true,
    [TP_EV_GoStart] = true,  [TP_EV_GoUnblock] = true,       [TP_EV_GoStatus] = true,
    [TP_EV_GoSwitch] = true, [TP_EV_GoSwitchDestroy] = true, [TP_EV_GoStatusStack] = true,
};

void tp_order_prefetch(const struct tp_order *o, const struct tp_run_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (names_g[events[i].type])
            tp_map_prefetch(&o->gs.by_id, tp_arg(&events[i], Named, id));
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = names_g[events[i].type]
                            ? tp_order_g(o, (int64_t)tp_arg(&events[i], Named, id))
                            : TP_MAP_NONE;
        if (slot != TP_MAP_NONE)
            __builtin_prefetch(&o->gs.items[slot], 1);
    }
}

void tp_order_bad_type(const struct tp_run_event *e, struct tp_error *err)
{
    tp_fail(err, TP_E_ORDER, "bad event type found while ordering: %u", e->type);
}
