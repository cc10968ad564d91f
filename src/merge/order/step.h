// One step of the order: applies the rule of the event's type to the next event of a thread.
// Inline, because the sequencer makes a step for every event. Runs on the thread to which the order
// belongs.
#ifndef TP_MERGE_ORDER_STEP_H
#define TP_MERGE_ORDER_STEP_H

#include "merge/order/rules.h"

// Applies the rule of the event `next`. The caller has filled out[0] from `next` and from `at`, the
// binding of the event's thread. Verdict and outputs are those of tp_order_step.
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

// Applies the rule of the event `next` of the thread `m`. *m_slot caches the slot of that thread
// (TP_MAP_NONE at first). TAKE: out[0 .. o->made_count) are the events to hand out, in this order;
// all still have the time of `next`. BROKEN: *err is filled. `out` has room for
// TP_ORDER_STEP_EVENTS events; a step may write to `out` whatever the verdict.
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
