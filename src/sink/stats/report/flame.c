#include "sink/stats/report/flame.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/report/report.h"

static struct tp_span name_at(const struct tp_flame_stack *s, size_t depth)
{
    if (s->frames == NULL)
        return s->names[depth];
    uint32_t frame = s->frames[s->frame_count - 1 - depth];
    return tp_intern_text(&s->totals->names, tp_totals_frames_get(&s->totals->frames, frame).function);
}

static int compare_names(struct tp_span a, struct tp_span b)
{
    return tp_intern_is_same(a, b) ? 0 : tp_span_compare(a, b);
}

// Returns how many functions two stacks have in common from the outermost on. *ret_order compares
// the stacks.
static size_t common_depth(const struct tp_flame_stack *a, const struct tp_flame_stack *b, int *ret_order)
{
    size_t depth = 0;
    for (; depth < a->frame_count && depth < b->frame_count; depth++) {
        *ret_order = compare_names(name_at(a, depth), name_at(b, depth));
        if (*ret_order != 0)
            return depth;
    }
    *ret_order = tp_compare_u64(a->frame_count, b->frame_count);
    return depth;
}

static int compare(const void *left, const void *right)
{
    int order;
    (void)common_depth(left, right, &order);
    return order;
}

// Where stacks come from.
struct origin {
    const struct tp_full_report *report;
    bool is_baseline;
};

static void add(struct tp_flame *f, const struct origin *from, struct tp_flame_stack s)
{
    s.totals = from->report->totals;
    if (from->is_baseline) {
        s.before = s.value;
        s.value = s.count = 0;
    }
    f->stacks[f->stack_count++] = s;
    f->value = tp_wide_add(f->value, s.value);
    f->count += s.count;
}

static void add_stacks(struct tp_flame *f, const struct origin *from)
{
    const struct tp_full_stacks *of = &from->report->stacks[f->type];
    for (size_t i = 0; i < of->count; i++) {
        const struct tp_full_stack *s = &of->items[i];
        add(f, from, (struct tp_flame_stack){
                   .frames = s->frames,
                   .frame_count = s->frame_count,
                   .value = f->type == TP_STACK_CPU ? s->count : s->total_ns,
                   .count = s->count,
               });
    }
    if (of->idle.count > 0)
        add(f, from, (struct tp_flame_stack){
                   .frame_count = 1,
                   .names = {tp_span_of_text(TP_FULL_IDLE)},
                   .value = of->idle.total_ns,
                   .count = of->idle.count,
               });
}

static void add_coarse_stacks(struct tp_flame *f, const struct origin *from)
{
    const struct tp_full_report *r = from->report;
    for (size_t i = 0; i < r->coarse_count; i++) {
        const struct tp_dist *d = r->coarse[i].dist;
        if (tp_coarse_type(r->coarse[i].measure) != f->type)
            continue;
        add(f, from, (struct tp_flame_stack){
                   .frame_count = 2,
                   .names = {tp_span_of_text("(folded)"), r->coarse[i].group},
                   .value = f->type == TP_STACK_CPU ? d->count : d->total_ns,
                   .count = d->count,
               });
    }
}

static void add_wakers(struct tp_flame *f, const struct origin *from)
{
    const struct tp_full_report *r = from->report;
    for (uint32_t i = 0; i < r->wakers.count; i++) {
        const struct tp_full_waker *w = &r->wakers.items[i];
        struct tp_flame_stack s = {.frames = w->stack.frames,
                                   .frame_count = w->stack.frame_count,
                                   .value = w->dist.total_ns,
                                   .count = w->dist.count};
        if (w->kind == TP_FULL_WAKER_IDLE || w->kind == TP_FULL_WAKER_OTHERS) {
            s.names[0] = tp_span_of_text(tp_full_waker_name(w->kind));
            s.frame_count = 1;
        }
        add(f, from, s);
    }
}

static bool make_room(struct tp_flame *f)
{
    size_t deepest = 0;
    for (size_t i = 0; i < f->stack_count; i++) {
        if (f->stacks[i].frame_count > deepest)
            deepest = f->stacks[i].frame_count;
    }
    f->open = tp_alloc_array(deepest + 1, sizeof *f->open);
    return f->open != NULL;
}

static size_t most_stacks(const struct tp_full_report *r, unsigned type)
{
    return type == TP_FLAME_WOKEN ? (size_t)r->wakers.count + 1
                                  : r->stacks[type].count + 1 + r->coarse_count;
}

int tp_flame_make(const struct tp_full_report *r, unsigned type, struct tp_flame *ret_flame,
                  struct tp_error *err)
{
    const struct origin origins[] = {{r, false}, {r->baseline, true}};
    size_t most = most_stacks(r, type) + (r->baseline != NULL ? most_stacks(r->baseline, type) : 0);
    *ret_flame = (struct tp_flame){.type = type};
    ret_flame->stacks = tp_alloc_array(most, sizeof *ret_flame->stacks);
    if (ret_flame->stacks == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a flame graph");
    for (size_t i = 0; i < TP_ARRAY_LEN(origins) && origins[i].report != NULL; i++) {
        if (type != TP_FLAME_WOKEN) {
            add_stacks(ret_flame, &origins[i]);
            add_coarse_stacks(ret_flame, &origins[i]);
        } else if (r->by == TP_STATS_BY_WAKER) {
            add_wakers(ret_flame, &origins[i]);
        }
    }
    if (!make_room(ret_flame))
        return tp_fail(err, TP_E_MEMORY, "out of memory for a flame graph");
    qsort(ret_flame->stacks, ret_flame->stack_count, sizeof *ret_flame->stacks, compare);
    return 0;
}

void tp_flame_fini(struct tp_flame *f)
{
    tp_free(f->stacks);
    tp_free(f->open);
    *f = (struct tp_flame){0};
}

// A walk: `open` of its flame has `open_count` frames that contain the next stack's beginning.
struct walk {
    const struct tp_flame *flame;
    tp_flame_fn each;
    void *ctx;
    size_t open_count;
    tp_wide value; // of the stacks in front, as the others
    tp_wide before;
    tp_wide count;
};

static void open_frame(struct walk *w, struct tp_span name)
{
    w->flame->open[w->open_count] = (struct tp_flame_frame){
        .name = name, .depth = w->open_count, .begin = w->value, .before = w->before, .count = w->count};
    w->open_count++;
}

// Closes the innermost frames until `left` frames are open.
static void close_frames(struct walk *w, size_t left)
{
    while (w->open_count > left) {
        struct tp_flame_frame *frame = &w->flame->open[--w->open_count];
        frame->value = w->value - frame->begin;
        frame->before = w->before - frame->before;
        frame->count = w->count - frame->count;
        w->each(w->ctx, frame);
    }
}

void tp_flame_walk(const struct tp_flame *f, tp_flame_fn each, void *ctx)
{
    struct walk w = {.flame = f, .each = each, .ctx = ctx};
    if (f->stack_count == 0)
        return;
    open_frame(&w, tp_span_of_text(""));
    for (size_t i = 0; i < f->stack_count; i++) {
        const struct tp_flame_stack *s = &f->stacks[i];
        int order;
        size_t common = i > 0 ? common_depth(s - 1, s, &order) : 0;
        close_frames(&w, common + 1);
        for (size_t depth = common; depth < s->frame_count; depth++)
            open_frame(&w, name_at(s, depth));
        w.value = tp_wide_add(w.value, s->value);
        w.before = tp_wide_add(w.before, s->before);
        w.count += s->count;
    }
    close_frames(&w, 0);
}

uint32_t tp_flame_place_mpx(const struct tp_flame *f, tp_wide at)
{
    // Shift all places by the same number of bits: tp_wide_ratio shifts each large number by as
    // many bits as that number needs, and promises nothing about the order of two results.
    unsigned shift = 0;
    while (f->value >> shift > (TP_WIDE_MAX >> 1) / TP_FLAME_WIDTH_MPX)
        shift++;
    return (uint32_t)tp_wide_ratio(at >> shift, TP_FLAME_WIDTH_MPX, f->value >> shift);
}

uint32_t tp_flame_width_mpx(const struct tp_flame *f, const struct tp_flame_frame *frame)
{
    return tp_flame_place_mpx(f, frame->begin + frame->value) - tp_flame_place_mpx(f, frame->begin);
}
