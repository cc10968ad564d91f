#include "sink/text/short_stack.h"

#include "base/text/decimal.h"
#include "base/text/quote.h"
#include "merge/tables/event_shape.h"
#include "stats/names/function_traits.h"

static unsigned char *put_text(unsigned char *to, const char *text)
{
    return mempcpy(to, text, strlen(text));
}

// Puts a text as Go quotes it, without the quotes: it takes no second line.
static unsigned char *put_inside(unsigned char *to, struct tp_text text)
{
    unsigned char before = to[-1];
    unsigned char *end = tp_quote(to - 1, tp_text_span(text));
    to[-1] = before;
    return end - 1;
}

// Puts a PC as Go prints it.
static unsigned char *put_pc(unsigned char *to, uint64_t pc)
{
    int shift = (63 - __builtin_clzll(pc | 1)) & ~3;
    for (to = put_text(to, "0x"); shift >= 0; shift -= 4)
        *to++ = (unsigned char)"0123456789abcdef"[pc >> shift & 0xf];
    return to;
}

static unsigned char *put_frame(unsigned char *to, const char *heading, const struct tp_frame *f)
{
    to = put_text(to, heading);
    if (f->function.len_bytes == 0 && f->file.len_bytes == 0)
        return put_pc(to, f->pc);
    to = put_inside(to, f->function);
    to = put_inside(put_text(to, " "), f->file);
    return tp_put_decimal(put_text(to, ":"), f->line);
}

static bool is_of_program(const struct tp_frame *f)
{
    unsigned traits = tp_function_traits_of(tp_text_span(f->function));
    return (traits & (TP_FUNCTION_STD | TP_FUNCTION_LOCKS)) == 0;
}

// Returns the index of the innermost frame of the program; the number of frames: there is none.
static uint32_t place_of(struct tp_short_places *places, const struct tp_stack *stack)
{
    size_t at = stack->id % TP_SHORT_PLACES;
    uint32_t i = 0;
    if (places->items[at].id == stack->id)
        return places->items[at].frame;
    for (; i < stack->frame_count; i++) {
        const struct tp_frame f = tp_stack_frame(stack, i);
        if (is_of_program(&f))
            break;
    }
    places->items[at].id = stack->id;
    places->items[at].frame = i;
    return i;
}

static unsigned char *put_stack(unsigned char *to, const struct tp_tables *t,
                                struct tp_short_places *places, const char *heading, uint64_t id)
{
    const struct tp_stack_def *def = id != 0 ? tp_tables_stack(t, id) : NULL;
    if (id != 0 && def == NULL)
        return tp_put_decimal(put_text(put_text(to, heading), "stack#"), id);
    if (id == 0 || def->frame_count == 0)
        return to;
    const struct tp_stack stack = tp_stack_of_def(t, def);
    struct tp_frame f = tp_stack_frame(&stack, 0);
    to = put_frame(to, heading, &f);
    uint32_t place = place_of(places, &stack);
    if (place == 0 || place == stack.frame_count)
        return to;
    f = tp_stack_frame(&stack, place);
    return put_frame(to, " Place=", &f);
}

unsigned char *tp_put_short_stacks(unsigned char *to, const struct tp_tables *t,
                                   struct tp_short_places *places, const struct tp_event *e)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    if (s->transition_stack_arg != 0 && s->transition_stack_arg != s->stack_arg)
        to = put_stack(to, t, places, " TransitionStack=", e->args[s->transition_stack_arg - 1]);
    return put_stack(to, t, places, " Stack=", e->args[s->stack_arg - 1]);
}
