// Stacks in the report of `stats:level=full`: for each type the stacks with the longest waits.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/print.h"

static int compare(const void *left, const void *right, void *ctx)
{
    const struct tp_full_stack *a = left, *b = right;
    int order = tp_compare_wide(b->total_ns, a->total_ns);
    if (order == 0)
        order = tp_compare_u64(b->count, a->count);
    for (size_t i = 0; i < a->frame_count && i < b->frame_count && order == 0; i++)
        order = tp_totals_compare_frames(ctx, a->frames[i], b->frames[i]);
    return order != 0 ? order : tp_compare_u64(a->frame_count, b->frame_count);
}

static bool goes_first(const struct tp_totals *s, const struct tp_full_stack *a,
                       const struct tp_full_stack *b)
{
    return compare(a, b, (void *)s) > 0;
}

#define HEAP_ITEM struct tp_full_stack
#define HEAP_CTX const struct tp_totals
#include "base/sort/heap.def"

static bool has_match(const struct tp_full_report *r, const struct tp_full_stack *s)
{
    bool matches = r->filter[0] == '\0';
    for (size_t i = 0; i < s->frame_count && !matches; i++) {
        uint32_t function = tp_totals_frames_get(&r->totals->frames, s->frames[i]).function;
        matches = tp_full_matches(r, tp_intern_text(&r->totals->names, function));
    }
    return matches;
}

// Allocates room for all stacks of each type, at most `most` of one type.
static bool make_room(struct tp_full_report *r, size_t most)
{
    const struct tp_stack_counts *counts = &r->totals->by_stack;
    size_t type_counts[TP_STACK_TYPE_COUNT] = {0};
    bool fits = true;
    for (uint32_t i = 0; i < counts->count; i++)
        type_counts[tp_stack_count_type(&counts->items[i])]++;
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT && fits; type++) {
        struct tp_full_stacks *of = &r->stacks[type];
        of->room = type_counts[type] < most ? type_counts[type] : most;
        of->items = tp_alloc_array(of->room, sizeof *of->items);
        fits = of->items != NULL;
    }
    return fits;
}

static void keep(const struct tp_totals *totals, struct tp_full_stacks *of,
                 const struct tp_full_stack *s)
{
    of->all_count++;
    if (of->count < of->room)
        heap_push(totals, of->items, of->count++, s);
    else if (goes_first(totals, &of->items[0], s))
        heap_replace_first(totals, of->items, of->count, s);
}

int tp_full_make_stacks(struct tp_full_report *r, size_t most, struct tp_error *err)
{
    const struct tp_stack_counts *counts = &r->totals->by_stack;
    if (!make_room(r, most))
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of stacks");
    for (uint32_t i = 0; i < counts->count; i++) {
        const struct tp_stack_count *c = &counts->items[i];
        struct tp_full_stack s = {.count = c->count, .total_ns = c->total_ns};
        s.frame_count =
            tp_totals_stack_frames(&r->totals->stacks, tp_stack_count_stack(c), &s.frames);
        if (has_match(r, &s))
            keep(r->totals, &r->stacks[tp_stack_count_type(c)], &s);
    }
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        struct tp_full_stacks *of = &r->stacks[type];
        qsort_r(of->items, of->count, sizeof *of->items, compare, (void *)r->totals);
    }
    return 0;
}

// Replaces quotes, line ends and ';' by '_': real names do not have them, but a damaged or made-up
// trace may.
void tp_full_print_function(struct tp_emit *e, struct tp_span name)
{
    for (size_t i = 0; i < name.len_bytes; i++) {
        unsigned char byte = name.ptr[i];
        bool is_plain = byte != ';' && byte != '"' && byte != '\n' && byte != '\r';
        tp_emit_span(e, tp_span_of(is_plain ? &name.ptr[i] : (const unsigned char *)"_", 1));
    }
}
