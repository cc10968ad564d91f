// One step of the order: applies the rule of its type to a thread's next event. Inline,
// because the sequencer does it for every event.
#ifndef TP_MERGE_ORDER_STEP_H
#define TP_MERGE_ORDER_STEP_H

#include "merge/order/rules.h"

// Applies the rule of the event `next`. The caller has filled out[0] from `next` and from the
// binding `at` of its thread. Verdict and outputs are those of tp_order_step.
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

// Applies the rule to the event `next` of the thread `m`, whose slot is cached in *m_slot
// (TP_MAP_NONE at first). TAKE: out[0 .. made_count) are the events to hand out, in this order,
// their times still that of `next`. `out` has room for TP_ORDER_STEP_EVENTS; a step may write to
// it whatever the verdict.
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
