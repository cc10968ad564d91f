#include "merge/tables/carried_states.h"

#include <string.h>

#include "base/alloc.h"
#include "base/holds.h"

struct tp_carried_states *tp_carried_states_create(void)
{
    struct tp_carried_states *c = tp_alloc_zero(sizeof *c);
    if (c != NULL)
        atomic_init(&c->holds, 1);
    return c;
}

struct tp_carried_states *tp_carried_states_hold(struct tp_carried_states *c)
{
    if (c != NULL)
        tp_hold(&c->holds);
    return c;
}

void tp_carried_states_release(struct tp_carried_states *c)
{
    if (c == NULL || !tp_release_last(&c->holds))
        return;
    tp_intern_fini(&c->texts);
    tp_intern_fini(&c->frames);
    tp_intern_fini(&c->stacks);
    tp_free(c);
}

size_t tp_carried_states_bytes(const struct tp_carried_states *c)
{
    return c == NULL ? 0
                     : sizeof *c + tp_intern_bytes(&c->texts) + tp_intern_bytes(&c->frames) +
                           tp_intern_bytes(&c->stacks);
}

static bool make_room(struct tp_intern *in, size_t more)
{
    return tp_list_resize(&in->as_list, in->count + in->count / 2 + more, sizeof *in->items);
}

bool tp_carried_states_fix(struct tp_carried_states *c, size_t more)
{
    c->is_fixed = true;
    return make_room(&c->texts, more) && make_room(&c->frames, more) && make_room(&c->stacks, more);
}

// Returns the number of the text, which is added if it is new. TP_INTERN_NONE: out of memory or room.
static uint32_t put(struct tp_carried_states *c, struct tp_intern *in, struct tp_span text)
{
    if (!c->is_fixed || in->count < in->capacity)
        return tp_intern_put(in, text);
    uint32_t number = tp_intern_find(in, text);
    c->lacks_room = c->lacks_room || number == TP_INTERN_NONE;
    return number;
}

static uint32_t ref_of(uint32_t number)
{
    return number != TP_INTERN_NONE ? TP_REF_CARRIED | number : 0;
}

uint32_t tp_carried_states_put_text(struct tp_carried_states *c, struct tp_text text)
{
    return ref_of(put(c, &c->texts, tp_text_span(text)));
}

// Sets *ret_number to the number of the frame with its flag. False: out of memory.
static bool put_frame(struct tp_carried_states *c, struct tp_frame frame, uint32_t *ret_number)
{
    const struct tp_carried_frame carried = {
        .pc = frame.pc,
        .line = frame.line,
        .function = put(c, &c->texts, tp_text_span(frame.function)),
        .file = put(c, &c->texts, tp_text_span(frame.file)),
    };
    if (carried.function == TP_INTERN_NONE || carried.file == TP_INTERN_NONE)
        return false;
    uint32_t number = put(c, &c->frames, tp_span_of(&carried, sizeof carried));
    *ret_number = number | TP_FRAME_CARRIED;
    return number != TP_INTERN_NONE;
}

uint32_t tp_carried_states_put_stack(struct tp_carried_states *c, const struct tp_frame *frames,
                                     uint32_t count)
{
    uint32_t *numbers = tp_alloc_array(count + 1u, sizeof *numbers);
    bool fits = numbers != NULL;
    for (uint32_t i = 0; i < count && fits; i++)
        fits = put_frame(c, frames[i], &numbers[i]);
    uint32_t number = TP_INTERN_NONE;
    if (fits)
        number = put(c, &c->stacks, tp_span_of(numbers, count * sizeof *numbers));
    tp_free(numbers);
    return ref_of(number);
}

static struct tp_text text_at(const struct tp_carried_states *c, uint32_t number)
{
    return tp_text_of(tp_intern_text(&c->texts, number));
}

struct tp_text tp_carried_states_text(const struct tp_carried_states *c, uint32_t ref)
{
    return text_at(c, ref & ~TP_REF_CARRIED);
}

struct tp_frame tp_carried_states_frame(const struct tp_carried_states *c, uint32_t number)
{
    struct tp_carried_frame f;
    memcpy(&f, tp_intern_text(&c->frames, number & ~TP_FRAME_CARRIED).ptr, sizeof f);
    return (struct tp_frame){f.pc, f.line, text_at(c, (uint32_t)f.function),
                             text_at(c, (uint32_t)f.file)};
}

const uint32_t *tp_carried_states_stack(const struct tp_carried_states *c, uint32_t ref,
                                        uint32_t *ret_count)
{
    // The blocks of an intern have the alignment of heap memory, and all stacks have whole numbers.
    struct tp_span numbers = tp_intern_text(&c->stacks, ref & ~TP_REF_CARRIED);
    *ret_count = (uint32_t)(numbers.len_bytes / sizeof(uint32_t));
    return (const uint32_t *)(const void *)numbers.ptr;
}
