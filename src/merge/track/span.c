#include "tracepipe/span.h"

#include "merge/tables/event_shape.h"

static struct tp_text text_of(struct tp_span s)
{
    return (struct tp_text){(const char *)s.ptr, s.len_bytes};
}

static struct tp_text string_at(const struct tp_tables *t, uint32_t idx)
{
    return text_of(t->strings.items[idx != TP_STRING_UNKNOWN ? idx : TP_STRING_EMPTY]);
}

struct tp_text tp_state_span_function(const struct tp_state_span *s, const struct tp_tables *t)
{
    return s->function & TP_REF_CARRIED ? tp_carried_states_text(t->carried_states, s->function)
                                        : string_at(t, (uint32_t)s->function);
}

struct tp_text tp_state_span_reason(const struct tp_state_span *s, const struct tp_tables *t)
{
    return s->reason & TP_REF_CARRIED ? tp_carried_states_text(t->carried_states, s->reason)
                                      : string_at(t, (uint32_t)s->reason);
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
    stack.known = tp_tables_resolve(t) == 0;
    if (!stack.known) {
        tp_tables_note_missed();
        return stack;
    }
    const struct tp_stack_def *def = &t->stacks.items[ref - 1];
    stack.id = def->id;
    stack.frames = t->frame_idx + def->first;
    stack.frame_count = def->frame_count;
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
