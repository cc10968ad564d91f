// The numbers of a stretch (indices of strings and stacks of its generation, reasons in the
// order of their coming) as those of the sums.
#include <string.h>

#include "base/alloc.h"
#include "decode/frame_key.h"
#include "decode/spec.h"
#include "merge/tables_read.h"
#include "sink/carry.h"

struct tp_carry_frame {
    struct tp_frame_key key;
    uint32_t number;
};

#define FRAMES_BYTES ((sizeof(struct tp_carry_frame)) << TP_FRAME_SLOT_BITS)

bool tp_carry_forget_numbers(struct tp_carry *c)
{
    tp_map_clear(&c->names_of_strings);
    tp_map_clear(&c->stacks_of_stacks);
    if (c->frames == NULL)
        c->frames = tp_alloc(FRAMES_BYTES);
    if (c->frames == NULL)
        return false;
    memset(c->frames, 0, FRAMES_BYTES);
    return true;
}

uint32_t tp_carry_name(struct tp_carry_step *step, uint32_t string)
{
    struct tp_carry *c = step->c;
    uint32_t name = tp_map_get(&c->names_of_strings, string);
    if (tp_likely(name != TP_MAP_NONE))
        return name;
    struct tp_span text =
        step->s->tables != NULL ? step->s->tables->strings[string] : tp_span_of("", 0);
    name = tp_intern_put(&c->sums.names, text);
    bool fits = name != TP_INTERN_NONE && tp_map_put(&c->names_of_strings, string, name);
    return fits ? name : TP_INTERN_NONE;
}

uint32_t tp_carry_measure(struct tp_carry_step *step, uint32_t measure)
{
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return measure;
    uint32_t string = step->s->reasons.items[measure - TP_MEASURE_FIRST_BLOCK].string;
    uint32_t reason =
        tp_intern_put(&step->c->sums.reasons, step->s->tables->strings[string]);
    return reason != TP_INTERN_NONE ? TP_MEASURE_FIRST_BLOCK + reason : TP_LEDGER_NONE;
}

static uint32_t take_new_frame(struct tp_carry_step *step, const unsigned char **p)
{
    struct tp_sum_frame f = {.pc = tp_table_take_known(p)};
    f.function = tp_carry_name(step, tp_stretch_string(step->s, tp_table_take_known(p)));
    f.file = tp_carry_name(step, tp_stretch_string(step->s, tp_table_take_known(p)));
    f.line = tp_table_take_known(p);
    if (f.function == TP_INTERN_NONE || f.file == TP_INTERN_NONE)
        return TP_INTERN_NONE;
    return tp_intern_put(&step->c->sums.frames, tp_span_of(&f, sizeof f));
}

// The frame of the stack at *p: mostly one that was there lately.
static uint32_t take_frame(struct tp_carry_step *step, const struct tp_stack_def *def,
                           const unsigned char **p)
{
    uint64_t wire[2];
    tp_table_frame_wire(def, *p, wire);
    struct tp_carry_frame *known = &step->c->frames[tp_frame_slot(wire[0])];
    if (tp_likely(tp_frame_key_fits(&known->key, wire))) {
        *p += known->key.wire_bytes;
        return known->number;
    }
    const unsigned char *from = *p;
    uint32_t number = take_new_frame(step, p);
    size_t wire_bytes = (size_t)(*p - from);
    if (wire_bytes <= TP_FRAME_WIRE_MAX_BYTES) {
        tp_frame_key_set(&known->key, wire, wire_bytes);
        known->number = number;
    }
    return number;
}

static uint32_t put_stack(struct tp_carry_step *step, uint32_t stack)
{
    uint32_t frames[TP_SUM_FRAMES_MAX];
    uint32_t count = 0;
    if (stack != TP_NO_STACK) {
        const struct tp_stack_def *def = &step->s->tables->stacks[stack];
        const unsigned char *p = def->frames;
        for (; count < def->frame_count && count < TP_SUM_FRAMES_MAX; count++) {
            frames[count] = take_frame(step, def, &p);
            if (frames[count] == TP_INTERN_NONE)
                return TP_INTERN_NONE;
        }
    }
    // As Go's profiles have it, a stack goes on with zeros for ever.
    while (count > 0 && tp_sum_frame(&step->c->sums, frames[count - 1])->pc == 0)
        count--;
    return tp_intern_put(&step->c->sums.stacks, tp_span_of(frames, count * sizeof *frames));
}

uint32_t tp_carry_stack(struct tp_carry_step *step, uint32_t stack)
{
    struct tp_carry *c = step->c;
    uint32_t number = tp_map_get(&c->stacks_of_stacks, stack);
    if (tp_likely(number != TP_MAP_NONE))
        return number;
    number = put_stack(step, stack);
    bool fits = number != TP_INTERN_NONE && tp_map_put(&c->stacks_of_stacks, stack, number);
    return fits ? number : TP_INTERN_NONE;
}
