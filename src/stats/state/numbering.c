// Numbers the items of a state: an item's number is its index among all used items of its
// kind, sorted by content. Names and reasons are sorted by their bytes; frames by function,
// file, line and program counter; stacks by their frames, innermost first; pairs by their stacks.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/state/section.h"

#define UNUSED UINT32_MAX

bool tp_state_orders_init(struct tp_state_writer *w)
{
#define TP_X(kind, field) w->orders[TP_STATE_##kind].all_count = w->totals->field.count;
    TP_STATE_KINDS(TP_X)
#undef TP_X
    for (unsigned kind = 0; kind < TP_STATE_KIND_COUNT; kind++) {
        struct tp_state_order *o = &w->orders[kind];
        o->number_of = tp_state_items(w, o->all_count, sizeof *o->number_of);
        o->sorted = tp_state_items(w, o->all_count, sizeof *o->sorted);
        for (uint32_t i = 0; i < o->all_count && o->number_of != NULL; i++)
            o->number_of[i] = UNUSED;
    }
    return !w->lacks_memory;
}

void tp_state_orders_fini(struct tp_state_writer *w)
{
    for (unsigned kind = 0; kind < TP_STATE_KIND_COUNT; kind++) {
        tp_free(w->orders[kind].number_of);
        tp_free(w->orders[kind].sorted);
    }
}

// Marks an item as used. False: it was marked before.
static bool is_new(struct tp_state_order *o, uint32_t number)
{
    if (o->number_of[number] != UNUSED)
        return false;
    o->sorted[o->count] = number;
    o->number_of[number] = o->count++;
    return true;
}

static void use_frame(struct tp_state_writer *w, uint32_t frame)
{
    if (!is_new(&w->orders[TP_STATE_FRAME], frame))
        return;
    const struct tp_totals_frame f = tp_totals_frames_get(&w->totals->frames, frame);
    (void)is_new(&w->orders[TP_STATE_NAME], f.function);
    (void)is_new(&w->orders[TP_STATE_NAME], f.file);
}

static void use_stack(struct tp_state_writer *w, uint32_t stack)
{
    if (!is_new(&w->orders[TP_STATE_STACK], stack))
        return;
    const uint32_t *frames;
    size_t count = tp_totals_stack_frames(&w->totals->stacks, stack, &frames);
    for (size_t i = 0; i < count; i++)
        use_frame(w, frames[i]);
}

static void use_pair(struct tp_state_writer *w, uint32_t pair)
{
    if (!is_new(&w->orders[TP_STATE_PAIR], pair))
        return;
    const struct tp_totals_pair *p = &w->totals->pairs.of.items[pair];
    if (p->left != TP_INTERN_NONE)
        use_stack(w, p->left);
    if (p->right != TP_INTERN_NONE)
        use_stack(w, p->right);
}

void tp_state_use(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number)
{
    switch (kind) {
    case TP_STATE_FRAME: use_frame(w, number); break;
    case TP_STATE_STACK: use_stack(w, number); break;
    case TP_STATE_PAIR: use_pair(w, number); break;
    default: (void)is_new(&w->orders[kind], number); break;
    }
}

uint64_t tp_state_refer(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number)
{
    if (!w->has_numbers)
        tp_state_use(w, kind, number);
    return tp_state_number(w, kind, number);
}

uint64_t tp_state_refer_any(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number)
{
    return number != TP_INTERN_NONE ? UINT64_C(1) + (uint32_t)tp_state_refer(w, kind, number) : 0;
}

static int compare_texts(const void *left, const void *right, void *ctx)
{
    const struct tp_intern *in = ctx;
    return tp_span_compare(tp_intern_text(in, *(const uint32_t *)left),
                           tp_intern_text(in, *(const uint32_t *)right));
}

// compare_frames and compare_stacks use numbers in the state. Names have such numbers by the time
// frames are sorted, and frames have them by the time stacks are sorted.

static int compare_frames(const void *left, const void *right, void *ctx)
{
    const struct tp_state_writer *w = ctx;
    const struct tp_totals_frame a =
        tp_totals_frames_get(&w->totals->frames, *(const uint32_t *)left);
    const struct tp_totals_frame b =
        tp_totals_frames_get(&w->totals->frames, *(const uint32_t *)right);
    int order = tp_compare_u64(tp_state_number(w, TP_STATE_NAME, a.function),
                               tp_state_number(w, TP_STATE_NAME, b.function));
    if (order == 0)
        order = tp_compare_u64(tp_state_number(w, TP_STATE_NAME, a.file),
                               tp_state_number(w, TP_STATE_NAME, b.file));
    if (order == 0)
        order = tp_compare_u64(a.line, b.line);
    return order != 0 ? order : tp_compare_u64(a.pc, b.pc);
}

static int compare_stacks(const void *left, const void *right, void *ctx)
{
    const struct tp_state_writer *w = ctx;
    const uint32_t *a, *b;
    size_t a_count = tp_totals_stack_frames(&w->totals->stacks, *(const uint32_t *)left, &a);
    size_t b_count = tp_totals_stack_frames(&w->totals->stacks, *(const uint32_t *)right, &b);
    int order = 0;
    for (size_t i = 0; i < a_count && i < b_count && order == 0; i++)
        order = tp_compare_u64(tp_state_number(w, TP_STATE_FRAME, a[i]),
                               tp_state_number(w, TP_STATE_FRAME, b[i]));
    return order != 0 ? order : tp_compare_u64(a_count, b_count);
}

// Pairs are sorted last, when stacks have numbers in the state.
static int compare_pairs(const void *left, const void *right, void *ctx)
{
    const struct tp_state_writer *w = ctx;
    const struct tp_totals_pair *a = &w->totals->pairs.of.items[*(const uint32_t *)left];
    const struct tp_totals_pair *b = &w->totals->pairs.of.items[*(const uint32_t *)right];
    int order = tp_compare_u64(tp_state_pair_stack(w, a->left), tp_state_pair_stack(w, b->left));
    return order != 0 ? order
                      : tp_compare_u64(tp_state_pair_stack(w, a->right),
                                       tp_state_pair_stack(w, b->right));
}

static void sort(struct tp_state_order *o, int (*compare)(const void *, const void *, void *),
                 void *ctx)
{
    qsort_r(o->sorted, o->count, sizeof *o->sorted, compare, ctx);
    for (uint32_t i = 0; i < o->count; i++)
        o->number_of[o->sorted[i]] = i;
}

void tp_state_orders_sort(struct tp_state_writer *w)
{
    sort(&w->orders[TP_STATE_NAME], compare_texts, (void *)&w->totals->names);
    sort(&w->orders[TP_STATE_REASON], compare_texts, (void *)&w->totals->reasons);
    sort(&w->orders[TP_STATE_FRAME], compare_frames, w);
    sort(&w->orders[TP_STATE_STACK], compare_stacks, w);
    sort(&w->orders[TP_STATE_PAIR], compare_pairs, w);
    w->has_numbers = true;
}
