// The stacks of a stretch, which are indices of its generation's, as those of the sums, which
// are what their frames are.
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

bool tp_carry_forget_stacks(struct tp_carry_step *step)
{
    struct tp_carry *c = step->c;
    // One more, in front: for no stack.
    size_t count = (step->s->tables != NULL ? step->s->tables->stack_count : 0) + 1;
    if (count > c->stack_number_capacity) {
        tp_free(c->stack_numbers);
        c->stack_number_capacity = 0;
        c->stack_numbers = tp_alloc_array(count, sizeof *c->stack_numbers);
        if (c->stack_numbers == NULL)
            return false;
        c->stack_number_capacity = count;
    }
    if (c->frames == NULL)
        c->frames = tp_alloc(FRAMES_BYTES);
    if (c->frames == NULL)
        return false;
    memset(c->stack_numbers, 0xff, count * sizeof *c->stack_numbers); // TP_INTERN_NONE
    memset(c->frames, 0, FRAMES_BYTES);
    return true;
}

static uint32_t *number_of(const struct tp_carry_step *step, uint32_t stack)
{
    static_assert((uint32_t)(TP_NO_STACK + 1) == 0, "no stack comes first");
    return &step->c->stack_numbers[(uint32_t)(stack + 1)];
}

// READING

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

// A stack as the sums have it.
struct frames {
    uint32_t numbers[TP_SUM_FRAMES_MAX];
    uint32_t count;
    uint64_t hash;
};

static struct tp_span span_of(const struct frames *f)
{
    return tp_span_of(f->numbers, f->count * sizeof f->numbers[0]);
}

static bool read_frames(struct tp_carry_step *step, uint32_t stack, struct frames *ret)
{
    uint32_t count = 0;
    if (stack != TP_NO_STACK) {
        const struct tp_stack_def *def = &step->s->tables->stacks[stack];
        const unsigned char *p = def->frames;
        for (; count < def->frame_count && count < TP_SUM_FRAMES_MAX; count++) {
            ret->numbers[count] = take_frame(step, def, &p);
            if (ret->numbers[count] == TP_INTERN_NONE)
                return false;
        }
    }
    // As Go's profiles have it, a stack goes on with zeros for ever.
    while (count > 0 && tp_sum_frame(&step->c->sums, ret->numbers[count - 1])->pc == 0)
        count--;
    ret->count = count;
    ret->hash = tp_intern_hash(span_of(ret));
    return true;
}

static uint32_t put_frames(struct tp_carry_step *step, uint32_t stack, const struct frames *f)
{
    uint32_t number = tp_intern_put_hashed(&step->c->sums.stacks, span_of(f), f->hash);
    *number_of(step, stack) = number;
    return number;
}

uint32_t tp_carry_stack(struct tp_carry_step *step, uint32_t stack)
{
    uint32_t number = *number_of(step, stack);
    if (tp_likely(number != TP_INTERN_NONE))
        return number;
    struct frames f;
    return read_frames(step, stack, &f) ? put_frames(step, stack, &f) : TP_INTERN_NONE;
}

// COUNTING

// Everything that is known of a stack lies anywhere in memory: where its frames are, they
// themselves, and in the sums its hash, what has this hash, that one's frames and its count.
// So each of these is asked for some stacks before it is needed: a stack goes through the
// stages, and between two of them as many others go through one.
#define STAGE_STACKS 4
#define CACHE_LINE_BYTES 64

enum stage { STAGE_READ, STAGE_FIND, STAGE_COMPARE, STAGE_PUT, STAGE_COUNT, STAGES };

struct on_the_way {
    struct frames frames;
    uint32_t number; // likely so, then surely
};

static void ask_for_frames(const struct tp_stretch *s, uint32_t at)
{
    const struct tp_stack_def *stacks = s->tables->stacks;
    const uint32_t *idx = s->first_stacks.items;
    uint32_t left = s->first_stacks.count - at;
    if (left > 4 * STAGE_STACKS)
        __builtin_prefetch(&stacks[idx[at + 4 * STAGE_STACKS]]);
    if (left <= 2 * STAGE_STACKS)
        return;
    const struct tp_stack_def *def = &stacks[idx[at + 2 * STAGE_STACKS]];
    for (uint32_t i = 0; i < def->frames_bytes; i += CACHE_LINE_BYTES)
        __builtin_prefetch(def->frames + i);
}

static bool go_through(struct tp_carry_step *step, enum stage stage, uint32_t at,
                       struct on_the_way *w)
{
    struct tp_sums *sums = &step->c->sums;
    uint32_t stack = step->s->first_stacks.items[at];
    const struct tp_stretch_first_wait *from = &step->s->first_waits[stack];
    switch (stage) {
    case STAGE_READ:
        ask_for_frames(step->s, at);
        __builtin_prefetch(from);
        if (!read_frames(step, stack, &w->frames))
            return false;
        tp_intern_ask_for_hash(&sums->stacks, w->frames.hash);
        return true;
    case STAGE_FIND:
        w->number = tp_intern_ask_for_text(&sums->stacks, w->frames.hash);
        return true;
    case STAGE_COMPARE:
        if (w->number != TP_INTERN_NONE)
            __builtin_prefetch(tp_intern_text(&sums->stacks, w->number).ptr);
        return true;
    case STAGE_PUT:
        w->number = put_frames(step, stack, &w->frames);
        tp_stack_counts_ask_for(&sums->by_stack, w->number, from->type);
        return w->number != TP_INTERN_NONE;
    default:
        return tp_stack_counts_add(&sums->by_stack, w->number, from->type, from->count,
                                   from->total_ns);
    }
}

static bool add_first(struct tp_carry_step *step)
{
    static_assert((STAGE_STACKS & (STAGE_STACKS - 1)) == 0, "a remainder is cheap");
    struct on_the_way ring[8 * STAGE_STACKS];
    static_assert(TP_ARRAY_LEN(ring) >= STAGES * STAGE_STACKS, "all that are on the way");
    uint32_t count = step->s->first_stacks.count;
    bool fits = true;
    for (uint32_t i = 0; i < count + (STAGES - 1) * STAGE_STACKS && fits; i++) {
        for (uint32_t stage = 0; stage < STAGES && fits; stage++) {
            uint32_t at = i - stage * STAGE_STACKS; // beyond all of them before the first
            if (at < count)
                fits = go_through(step, (enum stage)stage, at, &ring[at % TP_ARRAY_LEN(ring)]);
        }
    }
    return fits;
}

bool tp_carry_add_stacks(struct tp_carry_step *step)
{
    const struct tp_stack_counts *others = &step->s->stacks;
    bool fits = add_first(step);
    for (uint32_t i = 0; i < others->item_count && fits; i++) {
        const struct tp_stack_count *from = &others->items[i];
        uint32_t number = tp_carry_stack(step, tp_stack_count_stack(from));
        fits = number != TP_INTERN_NONE &&
               tp_stack_counts_add(&step->c->sums.by_stack, number, tp_stack_count_type(from),
                                   from->count, from->total_ns);
    }
    return fits;
}
