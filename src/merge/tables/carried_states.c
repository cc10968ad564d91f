#include "merge/tables/carried_states.h"

#include <string.h>

#include "base/alloc.h"

struct tp_carried_states *tp_carried_states_create(void)
{
    return tp_alloc_zero(sizeof(struct tp_carried_states));
}

void tp_carried_states_destroy(struct tp_carried_states *c)
{
    if (c == NULL)
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

static uint64_t ref_of(uint32_t number)
{
    return number != TP_INTERN_NONE ? TP_REF_CARRIED | number : 0;
}

uint64_t tp_carried_states_put_text(struct tp_carried_states *c, struct tp_text text)
{
    return ref_of(tp_intern_put(&c->texts, tp_span_of(text.ptr, text.len_bytes)));
}

// Sets *ret_number to the number of the frame with its flag. False: out of memory.
static bool put_frame(struct tp_carried_states *c, struct tp_frame frame, uint32_t *ret_number)
{
    const struct tp_carried_frame carried = {
        .pc = frame.pc,
        .line = frame.line,
        .function = tp_intern_put(&c->texts, tp_span_of(frame.function.ptr, frame.function.len_bytes)),
        .file = tp_intern_put(&c->texts, tp_span_of(frame.file.ptr, frame.file.len_bytes)),
    };
    if (carried.function == TP_INTERN_NONE || carried.file == TP_INTERN_NONE)
        return false;
    uint32_t number = tp_intern_put(&c->frames, tp_span_of(&carried, sizeof carried));
    *ret_number = number | TP_FRAME_CARRIED;
    return number != TP_INTERN_NONE;
}

uint64_t tp_carried_states_put_stack(struct tp_carried_states *c, const struct tp_frame *frames,
                                     uint32_t count)
{
    uint32_t *numbers = tp_alloc_array(count + 1u, sizeof *numbers);
    bool fits = numbers != NULL;
    for (uint32_t i = 0; i < count && fits; i++)
        fits = put_frame(c, frames[i], &numbers[i]);
    uint32_t number = TP_INTERN_NONE;
    if (fits)
        number = tp_intern_put(&c->stacks, tp_span_of(numbers, count * sizeof *numbers));
    tp_free(numbers);
    return ref_of(number);
}

static struct tp_text text_at(const struct tp_carried_states *c, uint32_t number)
{
    struct tp_span text = tp_intern_text(&c->texts, number);
    return (struct tp_text){(const char *)text.ptr, text.len_bytes};
}

struct tp_text tp_carried_states_text(const struct tp_carried_states *c, uint64_t ref)
{
    return text_at(c, (uint32_t)ref);
}

struct tp_frame tp_carried_states_frame(const struct tp_carried_states *c, uint32_t number)
{
    struct tp_carried_frame f;
    memcpy(&f, tp_intern_text(&c->frames, number & ~TP_FRAME_CARRIED).ptr, sizeof f);
    return (struct tp_frame){f.pc, f.line, text_at(c, (uint32_t)f.function),
                             text_at(c, (uint32_t)f.file)};
}

const uint32_t *tp_carried_states_stack(const struct tp_carried_states *c, uint64_t ref,
                                        uint32_t *ret_count)
{
    // The blocks of an intern have the alignment of heap memory, and all stacks have whole numbers.
    struct tp_span numbers = tp_intern_text(&c->stacks, (uint32_t)ref);
    *ret_count = (uint32_t)(numbers.len_bytes / sizeof(uint32_t));
    return (const uint32_t *)(const void *)numbers.ptr;
}
