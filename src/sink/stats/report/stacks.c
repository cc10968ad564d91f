// Stacks in the report of `stats:level=full`: for each type the rows with the longest waits. Stacks
// that look alike in the form of the report (looks.c) are one row.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/report/parts.h"
#include "stats/findings/place.h"
#include "stats/idle_waits.h"
#include "stats/names/wait_reasons.h"

bool tp_full_stack_matches(const struct tp_full_report *r, const struct tp_full_stack *s)
{
    bool matches = r->filter[0] == '\0';
    for (size_t i = 0; i < s->frame_count && !matches; i++) {
        uint32_t function = tp_full_frame(r->totals, s, i).function;
        matches = tp_full_matches(r, tp_full_text(r, function));
    }
    return matches;
}

// ROWS

// The rows of one type, as the list of an index.
struct rows {
    const struct tp_totals *totals;
    enum tp_full_look look;
    struct tp_full_stacks *of;
};

static uint64_t hash_of(const void *list, uint32_t number)
{
    const struct rows *rows = list;
    return tp_full_look_hash(rows->totals, rows->look, &rows->of->items[number]);
}

static bool is_row(const void *list, uint32_t number, const void *key)
{
    const struct rows *rows = list;
    return tp_full_look_alike(rows->totals, rows->look, &rows->of->items[number], key);
}

int tp_full_compare_stacks(const struct tp_totals *s, const struct tp_full_stack *a,
                           const struct tp_full_stack *b)
{
    int order = 0;
    for (size_t i = 0; i < a->frame_count && i < b->frame_count && order == 0; i++)
        order = tp_totals_compare_frames(s, a->frames[i], b->frames[i]);
    return order ?: tp_compare_u64(a->frame_count, b->frame_count);
}

void tp_full_free_times(struct tp_full_stack *s)
{
    if (s->times != NULL)
        tp_dist_fini(s->times);
    tp_free(s->times);
    s->times = NULL;
}

// Adds the distribution of an item to that of a row. False: out of memory.
static bool join_times(struct tp_full_stack *row, const struct tp_stack_count *timed)
{
    struct tp_dist one;
    if (timed == NULL)
        return true;
    if (row->timed == NULL) {
        row->timed = timed;
        return true;
    }
    if (row->times == NULL) {
        row->times = tp_alloc_zero(sizeof *row->times);
        if (row->times == NULL || !tp_dist_merge(row->times, tp_stack_count_times(row->timed, &one)))
            return false;
    }
    return tp_dist_merge(row->times, tp_stack_count_times(timed, &one));
}

// Adds a stack to a row that looks like it. False: out of memory. The row has the frames of the least of its stacks, so
// that the result does not depend on the order in which stacks are added.
static bool join(const struct rows *rows, struct tp_full_stack *row, const struct tp_full_stack *s)
{
    row->count += s->count;
    row->total_ns = tp_wide_add(row->total_ns, s->total_ns);
    if (tp_full_compare_stacks(rows->totals, s, row) < 0) {
        row->frames = s->frames;
        row->frame_count = s->frame_count;
        row->place = s->place;
        row->caller = s->caller;
    }
    return join_times(row, s->timed);
}

// `items` has room for all stacks of the type. False: out of memory.
static bool add(struct rows *rows, struct tp_index *index, const struct tp_full_stack *s)
{
    struct tp_full_stacks *of = rows->of;
    uint64_t hash = tp_full_look_hash(rows->totals, rows->look, s);
    uint32_t known = tp_index_find(index, hash, rows, is_row, s);
    if (known != TP_INDEX_NONE) {
        return join(rows, &of->items[known], s);
    }
    if (!tp_index_make_room(index, (uint32_t)of->count, hash_of, rows))
        return false;
    of->items[of->count] = *s;
    (void)tp_index_put(index, hash, (uint32_t)of->count++);
    return true;
}

static int compare(const void *left, const void *right, void *ctx)
{
    const struct tp_full_stack *a = left, *b = right;
    return tp_compare_wide(b->total_ns, a->total_ns)
        ?: tp_compare_u64(b->count, a->count)
        ?: tp_full_compare_stacks(ctx, a, b);
}

static size_t count_of_type(const struct tp_stack_counts *counts, unsigned type)
{
    size_t count = 0;
    for (uint32_t i = 0; i < counts->count; i++)
        count += tp_stack_count_type(&counts->items[i]) == type;
    return count;
}

static bool add_idle(struct tp_full_stack *idle, const struct tp_full_stack *s)
{
    idle->count += s->count;
    idle->total_ns = tp_wide_add(idle->total_ns, s->total_ns);
    idle->is_idle = true;
    return join_times(idle, s->timed);
}

struct functions {
    const struct tp_totals *totals;
    const struct tp_full_stack *stack;
};

static struct tp_span function_of(const void *ctx, size_t frame)
{
    const struct functions *of = ctx;
    return tp_intern_text(&of->totals->names, tp_full_frame(of->totals, of->stack, frame).function);
}

// Infers the reason of waits from before the trace. Text then has their stacks from the function on that
// tells the reason; the functions inside of it park any goroutine.
static void infer(const struct rows *rows, struct tp_full_stack *s)
{
    const struct functions of = {rows->totals, s};
    size_t frame;
    s->inferred = tp_inferred_reason(s->frame_count, function_of, &of, &frame);
    if (s->inferred == TP_NOT_INFERRED || rows->look != TP_FULL_LOOK_TEXT)
        return;
    s->frames += frame;
    s->frame_count -= frame;
}

static bool is_call(unsigned type)
{
    return type == TP_STACK_SYSCALL || type == TP_STACK_SYSCALL_OPEN;
}

tp_wide tp_full_in_c_ns(const struct tp_full_report *r)
{
    const struct tp_stack_counts *counts = &r->totals->by_stack;
    tp_wide ns = 0;
    for (uint32_t i = 0; i < counts->count; i++) {
        const struct tp_stack_count *c = &counts->items[i];
        const uint32_t *frames;
        size_t frame_count =
            tp_totals_stack_frames(&r->totals->stacks, tp_stack_count_stack(c), &frames);
        if (is_call(tp_stack_count_type(c)) && tp_frames_are_in_c(r->totals, frames, frame_count))
            ns = tp_wide_add(ns, c->total_ns);
    }
    return ns;
}

static bool add_all(struct tp_full_report *r, struct rows *rows, unsigned type)
{
    const struct tp_stack_counts *counts = &r->totals->by_stack;
    struct tp_index index = {0};
    bool fits = true;
    for (uint32_t i = 0; i < counts->count && fits; i++) {
        const struct tp_stack_count *c = &counts->items[i];
        if (tp_stack_count_type(c) != type)
            continue;
        struct tp_full_stack s = {.count = c->count,
                                  .total_ns = c->total_ns,
                                  .timed = c->timed != TP_STACK_TIMED_NONE ? c : NULL};
        s.frame_count =
            tp_totals_stack_frames(&r->totals->stacks, tp_stack_count_stack(c), &s.frames);
        if (type == TP_STACK_BEFORE)
            infer(rows, &s);
        s.place = tp_frames_place(r->totals, s.frames, s.frame_count, type);
        if (rows->look == TP_FULL_LOOK_TEXT)
            s.caller = tp_frames_caller(r->totals, s.frames, s.frame_count, s.place);
        s.is_in_c = is_call(type) && tp_frames_are_in_c(r->totals, s.frames, s.frame_count);
        s.is_idle = tp_frames_are_idle(r->totals, s.frames, s.frame_count, type);
        if (!tp_full_stack_matches(r, &s))
            continue;
        fits = s.is_idle && r->joins_idle ? add_idle(&rows->of->idle, &s) : add(rows, &index, &s);
    }
    tp_index_fini(&index);
    return fits;
}

int tp_full_make_stacks(struct tp_full_report *r, enum tp_full_look look, size_t most,
                        struct tp_error *err)
{
    bool fits = true;
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT && fits; type++) {
        struct tp_full_stacks *of = &r->stacks[type];
        struct rows rows = {r->totals, look, of};
        of->items =
            tp_alloc_array(count_of_type(&r->totals->by_stack, type) + 1, sizeof *of->items);
        fits = of->items != NULL && add_all(r, &rows, type);
        if (!fits)
            break;
        qsort_r(of->items, of->count, sizeof *of->items, compare, (void *)r->totals);
        of->all_count = of->count;
        for (size_t i = most; i < of->count; i++)
            tp_full_free_times(&of->items[i]);
        of->count = of->count < most ? of->count : most;
    }
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for a table of stacks");
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
