#include "tracepipe/span.h"

#include "merge/tables/event_shape.h"

static struct tp_text string_at(const struct tp_tables *t, uint64_t idx)
{
    return tp_text_of(t->strings.items[idx]);
}

struct tp_text tp_state_span_function(const struct tp_state_span *s, const struct tp_tables *t)
{
    return s->function & TP_REF_CARRIED ? tp_carried_states_text(t->carried_states, s->function)
                                        : string_at(t, s->function);
}

struct tp_text tp_state_span_reason(const struct tp_state_span *s, const struct tp_tables *t)
{
    return s->reason & TP_REF_CARRIED ? tp_carried_states_text(t->carried_states, s->reason)
                                      : string_at(t, s->reason);
}

// `ref`: the number of a stack, counted from 1; 0: none; or a reference to a carried one.
static struct tp_stack stack_of(uint64_t ref, const struct tp_tables *t)
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

struct tp_stack tp_state_span_stack(const struct tp_state_span *s, const struct tp_tables *t)
{
    return stack_of(s->stack, t);
}

struct tp_stack tp_state_span_waker_stack(const struct tp_state_span *s, const struct tp_tables *t)
{
    return stack_of(s->waker_stack, t);
}
