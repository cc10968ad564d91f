// Sections of a state: frames, stacks, pairs of stacks, and the counts and times by stack.
#include "stats/figures/stack_sums.h"
#include "stats/state/section.h"

// FRAMES

static void put_frames(struct tp_state_writer *w)
{
    const struct tp_state_order *o = &w->orders[TP_STATE_FRAME];
    for (uint32_t i = 0; i < o->count; i++) {
        const struct tp_totals_frame f = tp_totals_frames_get(&w->totals->frames, o->sorted[i]);
        tp_state_put(w, tp_state_number(w, TP_STATE_NAME, f.function));
        tp_state_put(w, tp_state_number(w, TP_STATE_NAME, f.file));
        tp_state_put(w, f.line);
        tp_state_put(w, f.pc);
    }
}

static void get_frames(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        struct tp_totals_frame f = {0};
        f.function = tp_state_get_below(r, s->names.count, "name");
        f.file = tp_state_get_below(r, s->names.count, "name");
        f.line = tp_state_get(r);
        f.pc = tp_state_get(r);
        uint32_t wanted = s->frames.count;
        if (r->code == 0)
            tp_state_expect(r, tp_totals_frames_put(&s->frames, &s->names, &f), wanted,
                            "duplicate frame or stack");
    }
}

const struct tp_section tp_section_frames = {.put = put_frames, .get = get_frames};

// STACKS

static void put_stacks(struct tp_state_writer *w)
{
    const struct tp_state_order *o = &w->orders[TP_STATE_STACK];
    for (uint32_t i = 0; i < o->count; i++) {
        const uint32_t *frames;
        size_t count = tp_totals_stack_frames(&w->totals->stacks, o->sorted[i], &frames);
        tp_state_put(w, count);
        for (size_t k = 0; k < count; k++)
            tp_state_put(w, tp_state_number(w, TP_STATE_FRAME, frames[k]));
    }
}

// How many stacks a state may have: those that are kept for what is recorded under them, and two for
// each pair.
#define STACKS_MAX (TP_TOTALS_STACKS_MAX + 2 * TP_TOTALS_PAIRS_MAX)

static void get_stacks(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        uint32_t frames[TP_TOTALS_FRAMES_MAX];
        uint32_t count = tp_state_get_below(r, TP_TOTALS_FRAMES_MAX + 1, "depth of a stack");
        for (uint32_t k = 0; k < count; k++)
            frames[k] = tp_state_get_below(r, s->frames.count, "frame");
        uint32_t wanted = s->stacks.of.count;
        if (wanted == STACKS_MAX)
            tp_state_refuse(r, "more stacks than are kept");
        if (r->code == 0)
            tp_state_expect(r, tp_totals_add_stack(s, frames, count), wanted,
                            "duplicate frame or stack");
    }
}

const struct tp_section tp_section_stacks = {.put = put_stacks, .get = get_stacks};

// PAIRS

static void put_pairs(struct tp_state_writer *w)
{
    const struct tp_state_order *o = &w->orders[TP_STATE_PAIR];
    for (uint32_t i = 0; i < o->count; i++) {
        const struct tp_totals_pair *p = &w->totals->pairs.of.items[o->sorted[i]];
        tp_state_put(w, tp_state_pair_stack(w, p->left));
        tp_state_put(w, tp_state_pair_stack(w, p->right));
    }
}

static uint32_t get_pair_stack(struct tp_state_reader *r)
{
    uint32_t stack = tp_state_get_below(r, (uint64_t)r->totals->stacks.of.count + 1, "stack");
    return stack > 0 ? stack - 1 : TP_INTERN_NONE;
}

static void get_pairs(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        uint32_t left = get_pair_stack(r), right = get_pair_stack(r);
        uint32_t wanted = s->pairs.of.count;
        if (wanted == TP_TOTALS_PAIRS_MAX)
            tp_state_refuse(r, "more pairs of stacks than are kept");
        if (r->code == 0)
            tp_state_expect(r, tp_totals_put_pair(s, left, right), wanted,
                            "duplicate pair of stacks");
    }
}

const struct tp_section tp_section_pairs = {.put = put_pairs, .get = get_pairs};

// WAITS

static void fill_wait(struct tp_state_writer *w, uint32_t i, tp_wide *row)
{
    const struct tp_stack_count *c = &w->totals->by_stack.items[i];
    row[0] = tp_stack_count_type(c);
    row[1] = tp_state_refer(w, TP_STATE_STACK, tp_stack_count_stack(c));
    row[2] = c->count;
    row[3] = c->total_ns;
}

static void put_waits(struct tp_state_writer *w)
{
    tp_state_put_rows(w, w->totals->by_stack.count, 4, fill_wait);
}

static void get_waits(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        uint32_t type = tp_state_get_below(r, TP_STACK_TYPE_COUNT, "type of wait");
        uint32_t stack = tp_state_get_below(r, s->stacks.of.count, "stack");
        uint64_t count = tp_state_get(r);
        tp_wide total_ns = tp_state_get_wide(r);
        if (count == 0)
            tp_state_refuse(r, "a stack without waits or samples");
        if (r->code == 0 && !tp_totals_record_stack(s, stack, type, count, total_ns))
            tp_state_lack_memory(r);
    }
}

const struct tp_section tp_section_waits = {.use = put_waits, .put = put_waits,
                                            .get = get_waits};
