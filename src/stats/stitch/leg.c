// Joins the legs of goroutines from partial to partial, and records the longest leg of
// each task that began and ended in the trace.
#include "stats/evidence.h"
#include "stats/stitch/stitch.h"

bool tp_stitch_forget_task_ends(struct tp_stitch_step *step)
{
    struct tp_stitch *c = step->c;
    const struct tp_stitch_longest none = {0, TP_INTERN_NONE};
    c->task_longest.count = 0;
    bool fits = true;
    for (uint32_t i = 0; i < step->s->task_ends.count && fits; i++)
        fits = TP_LIST_ADD(&c->task_longest, none);
    return fits;
}

// LEGS

static uint32_t stack_of(struct tp_stitch_step *step, uint64_t stack_id)
{
    return tp_stitch_stack(step, tp_partial_stack(step->s, stack_id));
}

// Takes a leg of the partial if it is longer. False: out of memory.
static bool compare(struct tp_stitch_step *step, struct tp_stitch_longest *longest,
                    const struct tp_longest_leg *from)
{
    if (from->ns <= longest->ns)
        return true;
    *longest = (struct tp_stitch_longest){from->ns, stack_of(step, from->stack_id)};
    return longest->stack != TP_INTERN_NONE;
}

// Ends the leg that lasted when the partial began.
static bool end_leg(struct tp_stitch_step *step, struct tp_stitch_legs *of,
                    const struct tp_first_legs *first)
{
    uint64_t ns = (uint64_t)first->end_ns - (uint64_t)of->since_ns;
    if (first->end_ns == TP_LEG_BEFORE || ns <= of->longest.ns)
        return true;
    uint32_t stack = of->stack != TP_INTERN_NONE ? of->stack : stack_of(step, first->stack_id);
    of->longest = (struct tp_stitch_longest){ns, stack};
    return stack != TP_INTERN_NONE;
}

// Takes the leg that lasts when the partial ends.
static bool take_last(struct tp_stitch_step *step, struct tp_stitch_legs *of,
                      const struct tp_legs *from)
{
    if (from->since_ns != TP_LEG_BEFORE) {
        of->since_ns = from->since_ns;
        of->stack = TP_INTERN_NONE;
    }
    if (of->stack != TP_INTERN_NONE || from->stack_id == TP_LEG_NO_STACK)
        return true;
    of->stack = stack_of(step, from->stack_id);
    return of->stack != TP_INTERN_NONE;
}

// Adds the legs before the goroutine's first task event in the partial, or all if it has none.
static bool add_first(struct tp_stitch_step *step, struct tp_stitch_legs *of,
                      const struct tp_partial_g *from)
{
    if (from->first_legs == 0)
        return true;
    const struct tp_first_legs *first = &step->s->first_legs.items[from->first_legs - 1];
    if (!end_leg(step, of, first))
        return false;
    if (!from->has_task)
        return true;
    if (!compare(step, &of->longest, &first->longest))
        return false;
    if (first->task_end != 0)
        step->c->task_longest.items[first->task_end - 1] = of->longest;
    return true;
}

bool tp_stitch_add_legs(struct tp_stitch_step *step, struct tp_stitch_g *g,
                        const struct tp_partial_g *from)
{
    bool is_followed = g->is_followed || from->is_new || from->has_task;
    if (!is_followed || !tp_stitch_wants(step->c, TP_PART_WAKES))
        return true;
    if (g->is_followed && !add_first(step, &g->legs, from))
        return false;
    if (from->has_ended)
        return true;
    g->is_followed = true;
    if (from->has_task)
        g->legs.longest = (struct tp_stitch_longest){0, TP_INTERN_NONE};
    return compare(step, &g->legs.longest, &from->legs.longest) &&
           take_last(step, &g->legs, &from->legs);
}

// TASKS

// Returns the number of the stack of one frame that stands for a type of tasks. TP_INTERN_NONE:
// out of memory.
static uint32_t type_stack(struct tp_stitch *c, uint32_t name)
{
    struct tp_totals *totals = &c->totals;
    struct tp_stitch_type *known = &c->types[name % TP_ARRAY_LEN(c->types)];
    if (tp_likely(known->stack != 0 && known->name == name))
        return known->stack - 1;
    struct tp_totals_frame f = {.function = name,
                                .file = tp_intern_put(&totals->names, tp_span_of("", 0))};
    uint32_t frame = f.file != TP_INTERN_NONE
                         ? tp_totals_frames_put(&totals->frames, &totals->names, &f)
                         : TP_INTERN_NONE;
    uint32_t stack =
        frame != TP_INTERN_NONE ? tp_totals_add_stack(totals, &frame, 1) : TP_INTERN_NONE;
    *known = (struct tp_stitch_type){name, stack + 1};
    return stack;
}

// Records tasks of one type, with one octave and one stack of the longest leg.
static bool record(struct tp_stitch *c, uint32_t stack, uint32_t name, uint32_t octave,
                   uint64_t count, tp_wide ns)
{
    uint32_t type = stack != TP_INTERN_NONE && name != TP_INTERN_NONE ? type_stack(c, name)
                                                                      : TP_INTERN_NONE;
    return type != TP_INTERN_NONE &&
           tp_stitch_record_evidence_sum(c, TP_EVIDENCE_SLOW + octave, stack, type, count, ns);
}

bool tp_stitch_add_task_end(struct tp_stitch_step *step, uint32_t number, uint32_t name,
                            uint64_t task_ns)
{
    const struct tp_partial_task_end *end = &step->s->task_ends.items[number];
    struct tp_stitch_longest longest = step->c->task_longest.items[number];
    if (!end->is_first)
        longest = (struct tp_stitch_longest){end->longest_ns, tp_stitch_stack(step, end->stack)};
    return longest.ns == 0 || record(step->c, longest.stack, name, tp_octave_of_task(task_ns), 1,
                                     tp_task_leg_ns(longest.ns, task_ns));
}

bool tp_stitch_add_tasks(struct tp_stitch_step *step)
{
    bool fits = true;
    for (uint32_t i = 0; i < step->s->task_ends.count && fits; i++) {
        const struct tp_partial_task_end *end = &step->s->task_ends.items[i];
        fits = !end->began_here ||
               tp_stitch_add_task_end(step, i, tp_stitch_name(step, end->name), end->task_ns);
    }
    for (uint32_t i = 0; i < step->s->task_sums.count && fits; i++) {
        const struct tp_partial_task_sum *sum = &step->s->task_sums.items[i];
        fits = record(step->c, tp_stitch_stack(step, sum->stack), tp_stitch_name(step, sum->name),
                      sum->octave, sum->count, sum->ns);
    }
    return fits;
}

// GOROUTINES LEFT

bool tp_stitch_record_left(struct tp_stitch *c, const struct tp_stitch_g *g)
{
    if (!g->is_new || g->state != TP_STATE_WAITING || !tp_stitch_wants(c, TP_PART_WAKES))
        return true;
    uint64_t age_ns = (uint64_t)(g->begin_ns - c->first_ns);
    uint64_t whole_ns = (uint64_t)(c->last_ns - c->first_ns);
    enum tp_evidence half = age_ns < whole_ns - age_ns ? TP_EVIDENCE_LEFT_EARLY
                                                       : TP_EVIDENCE_LEFT_LATE;
    return tp_stitch_record_evidence_sum(c, half, g->creation_stack, g->wait_stack, 1, 0);
}
