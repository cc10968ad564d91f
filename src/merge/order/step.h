// One step of the order: the event of a thread is put to the rule of its type. Inline,
// because the reader loop does it for every event.
#ifndef TP_MERGE_ORDER_STEP_H
#define TP_MERGE_ORDER_STEP_H

#include "merge/order/rules.h"

// Puts out[0], which is `next` in the context of its thread, whose binding is `at`, to the rule of
// its type. As tp_order_step otherwise.
TP_INLINE enum tp_verdict tp_order_ask(struct tp_order *o, const struct tp_run_event *next,
                                       struct tp_binding *at, struct tp_event *out,
                                       struct tp_error *err)
{
    tp_rule_fn *rule = tp_order_rules[next->type];
    if (tp_unlikely(rule == NULL)) {
        tp_order_bad_type(next, err);
        return TP_ORDER_BROKEN;
    }
    o->made_count = 1;
    return rule(o, out, at, err);
}

// One step with the event `next` of the thread `m`, whose slot is kept in *m_slot
// (TP_MAP_NONE at first). TAKE: out[0 .. made_count) are what to hand out, one after
// the other, times still those of `next`. `out` has room for TP_ORDER_STEP_EVENTS
// and may be written in any case.
TP_INLINE enum tp_verdict tp_order_step(struct tp_order *o, const struct tp_run_event *next,
                                        int64_t m, uint32_t *m_slot, struct tp_event *out,
                                        struct tp_error *err)
{
    struct tp_binding *at = tp_likely(*m_slot != TP_MAP_NONE) ? &o->ms.items[*m_slot].at
                                                              : tp_order_meet(o, m, m_slot, err);
    if (tp_unlikely(at == NULL))
        return TP_ORDER_BROKEN;
    set_event(out, next, m, at);
    return tp_order_ask(o, next, at, out, err);
}

#endif
