// Sections of a state: frames, stacks, pairs of stacks, and the counts and times by stack.
#include "stats/figures/stack_sums.h"
#include "stats/state/section.h"

// FRAMES

static void visit_frame(struct tp_state_visit *v, void *row)
{
    struct tp_totals_frame *f = row;
    tp_visit_row(v, &f->function, TP_SECTION_names);
    tp_visit_row(v, &f->file, TP_SECTION_names);
    tp_visit_u64(v, &f->line);
    tp_visit_u64(v, &f->pc);
}

static void load_frame(const struct tp_totals *s, uint64_t ref, void *row)
{
    *(struct tp_totals_frame *)row = tp_totals_frames_get(&s->frames, (uint32_t)ref);
}

static uint32_t put_frame(struct tp_totals *s, const void *row)
{
    return tp_totals_frames_put(&s->frames, &s->names, row);
}

const struct tp_section tp_section_frames = {.visit = visit_frame,
                                             TP_STATE_ROWS(struct tp_totals_frame, frames),
                                             .item = "frame",
                                             .load = load_frame,
                                             .intern = put_frame};

// STACKS

struct stack {
    uint32_t depth;
    uint32_t frames[TP_TOTALS_FRAMES_MAX];
};

static void visit_stack(struct tp_state_visit *v, void *row)
{
    struct stack *of = row;
    tp_visit_below(v, &of->depth, TP_TOTALS_FRAMES_MAX + 1, "depth of a stack");
    for (uint32_t i = 0; i < of->depth; i++)
        tp_visit_row(v, &of->frames[i], TP_SECTION_frames);
}

static void load_stack(const struct tp_totals *s, uint64_t ref, void *row)
{
    struct stack *of = row;
    const uint32_t *frames;
    of->depth = (uint32_t)tp_totals_stack_frames(&s->stacks, (uint32_t)ref, &frames);
    for (uint32_t i = 0; i < of->depth; i++)
        of->frames[i] = frames[i];
}

static uint32_t put_stack(struct tp_totals *s, const void *row)
{
    const struct stack *of = row;
    return tp_totals_add_stack(s, of->frames, of->depth);
}

// A state may have the stacks that are kept for what is recorded under them, and two for each pair.
const struct tp_section tp_section_stacks = {.visit = visit_stack,
                                             .row_bytes = sizeof(struct stack),
                                             TP_STATE_LIST(stacks.of),
                                             .item = "stack",
                                             .load = load_stack,
                                             .intern = put_stack,
                                             .most = TP_TOTALS_STACKS_MAX + 2 * TP_TOTALS_PAIRS_MAX};

// PAIRS

static void visit_pair(struct tp_state_visit *v, void *row)
{
    struct tp_totals_pair *p = row;
    tp_visit_any(v, &p->left, TP_SECTION_stacks);
    tp_visit_any(v, &p->right, TP_SECTION_stacks);
}

static uint32_t put_pair(struct tp_totals *s, const void *row)
{
    const struct tp_totals_pair *p = row;
    return tp_totals_put_pair(s, p->left, p->right);
}

const struct tp_section tp_section_pairs = {.visit = visit_pair,
                                            TP_STATE_ROWS(struct tp_totals_pair, pairs.of),
                                            .item = "pair of stacks",
                                            .intern = put_pair,
                                            .most = TP_TOTALS_PAIRS_MAX};

// WAITS

struct wait {
    struct tp_stack_count of;
    struct tp_dist times; // borrows the histogram of a writer; a reader has none
};

static void load_wait(const struct tp_totals *s, uint64_t ref, void *row)
{
    struct wait *w = row;
    w->of = s->by_stack.items[ref];
    struct tp_dist one;
    const struct tp_dist *times = tp_stack_count_times(&w->of, &one);
    w->times = times != NULL ? *times : (struct tp_dist){.count = 0};
}

// Visits the distribution of the waits that the trace does not cut; a count of 0: there is none.
static void visit_times(struct tp_state_visit *v, struct tp_dist *times)
{
    tp_visit_u64(v, &times->count);
    if (times->count == 0)
        return;
    tp_visit_wide(v, &times->total_ns);
    tp_visit_u64(v, &times->max_ns);
    if (times->max_ns > 0)
        tp_visit_u64(v, &times->max_at);
    if (v->mode == TP_STATE_PUT)
        tp_state_put_hist(v->w->to, &times->hist);
}

static void visit_wait(struct tp_state_visit *v, void *row)
{
    struct wait *w = row;
    struct tp_stack_count *c = &w->of;
    uint32_t type = tp_stack_count_type(c), stack = tp_stack_count_stack(c);
    tp_visit_below(v, &type, TP_STACK_TYPE_COUNT, "type of wait");
    tp_visit_row(v, &stack, TP_SECTION_stacks);
    tp_visit_u64(v, &c->count);
    tp_visit_wide(v, &c->total_ns);
    c->stack = stack;
    c->type = (uint8_t)type;
    if (tp_stack_type_is_timed(type))
        visit_times(v, &w->times);
}

// Reads the histogram of a row, and adds the distribution.
static void add_times(struct tp_state_reader *r, const struct wait *w)
{
    struct tp_dist times = w->times;
    struct tp_state_contents contents;
    size_t hist_bytes = 0;
    times.hist = (struct tp_hist){.count = 0};
    times.cut = NULL;
    tp_state_get_hist(r, &times.hist, &hist_bytes, &contents);
    if (r->code == 0 && (times.count > w->of.count || times.total_ns > w->of.total_ns))
        tp_state_refuse(r, "more waits than there are");
    if (r->code == 0 && tp_state_hist_fits(r, &times, &contents) &&
        !tp_stack_counts_add_times(&r->totals->by_stack, tp_stack_count_stack(&w->of),
                                   tp_stack_count_type(&w->of), &times))
        tp_state_lack_memory(r);
    tp_hist_fini(&times.hist);
}

static void add_wait(struct tp_state_reader *r, const void *row)
{
    const struct wait *w = row;
    const struct tp_stack_count *c = &w->of;
    if (c->count == 0)
        tp_state_refuse(r, "a stack without waits or samples");
    else if (!tp_totals_record_stack(r->totals, tp_stack_count_stack(c), tp_stack_count_type(c),
                                     c->count, c->total_ns))
        tp_state_lack_memory(r);
    else if (w->times.count > 0)
        add_times(r, w);
}

const struct tp_section tp_section_waits = {.visit = visit_wait,
                                            .row_bytes = sizeof(struct wait),
                                            TP_STATE_LIST(by_stack),
                                            .load = load_wait,
                                            .add = add_wait};
