#include "tracepipe/span.h"

#include "merge/tables/event_shape.h"
#include "merge/track/facts.h"

struct tp_text tp_fact_text(uint32_t ref, const struct tp_tables *t)
{
    if (ref == TP_REF_FROM_C)
        return tp_text_of(tp_span_of_text(TP_FROM_C));
    return ref & TP_REF_CARRIED ? tp_carried_states_text(t->carried_states, ref)
                                : tp_text_of(t->strings.items[ref]);
}

struct tp_stack tp_fact_stack(uint32_t ref, const struct tp_tables *t)
{
    struct tp_stack stack = {.tables = t, .id = ref, .known = ref != TP_REF_LOST_STACK};
    if (ref == 0 || !stack.known)
        return stack;
    if (ref & TP_REF_CARRIED) {
        stack.frames = tp_carried_states_stack(t->carried_states, ref, &stack.frame_count);
        return stack;
    }
    if (tp_tables_resolve(t) == 0)
        return tp_stack_of_def(t, &t->stacks.items[ref - 1]);
    tp_tables_note_missed();
    stack.known = false;
    return stack;
}

struct tp_text tp_interval_name(const struct tp_interval *i, const struct tp_tables *t)
{
    return tp_fact_text(i->name, t);
}

struct tp_stack tp_interval_stack(const struct tp_interval *i, const struct tp_tables *t)
{
    return tp_fact_stack(i->stack, t);
}

struct tp_text tp_state_span_function(const struct tp_state_span *s, const struct tp_tables *t)
{
    return tp_fact_text(s->function, t);
}

struct tp_text tp_state_span_reason(const struct tp_state_span *s, const struct tp_tables *t)
{
    return tp_fact_text(s->reason, t);
}

struct tp_stack tp_state_span_stack(const struct tp_state_span *s, const struct tp_tables *t)
{
    return tp_fact_stack((s->marks & TP_SPAN_STACK_OF_OTHERS) == 0 ? s->stack : 0, t);
}

struct tp_stack tp_state_span_waker_stack(const struct tp_state_span *s, const struct tp_tables *t)
{
    return tp_fact_stack(s->waker_stack, t);
}
