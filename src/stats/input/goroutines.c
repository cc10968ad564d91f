// Adds durations by name to the totals, and the goroutines that ran longest one by one. Durations of a
// goroutine whose name is not known yet are recorded in TP_SPACE_UNNAMED by the number of its life, until
// the name comes.
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "merge/tables/text.h"
#include "stats/input/input.h"

static size_t functions_of(const struct tp_tables *t, uint32_t stack, struct tp_span *functions)
{
    if ((stack & TP_REF_CARRIED) == 0)
        return tp_functions_of_stack(t, stack - 1, functions);
    const struct tp_stack carried = tp_fact_stack(stack, t);
    size_t count = 0;
    for (; count < carried.frame_count && count < TP_WHOLE_STACK_FRAMES; count++)
        functions[count] = tp_text_span(tp_stack_frame(&carried, (uint32_t)count).function);
    return count;
}

#define DEEPER " < "

// Adds the name of a group of TP_SPACE_WRAPPED. `stack`: shows the function that is wrapped.
static bool put_wrapped(struct tp_stats_step *step, uint32_t stack, uint32_t *ret_name)
{
    struct tp_span functions[TP_WHOLE_STACK_FRAMES];
    struct tp_wrapped of;
    size_t count = functions_of(step->s->tables, stack, functions), room_bytes = 0;
    bool is_found = tp_wrapped_of(functions, count, &of), fits;
    assert(is_found);
    for (size_t i = 0; i < count; i++)
        room_bytes += functions[i].len_bytes + sizeof DEEPER;
    unsigned char *text = tp_alloc(room_bytes), *end = text;
    if (text == NULL)
        return false;
    end = mempcpy(end, of.wrapper.ptr, of.wrapper.len_bytes);
    *end++ = '\0';
    end = mempcpy(end, of.function.ptr, of.function.len_bytes);
    for (unsigned depth = 1; depth < step->c->wrapped_depth && tp_wrapped_next(functions, &of); depth++) {
        end = mempcpy(end, DEEPER, sizeof DEEPER - 1);
        end = mempcpy(end, of.function.ptr, of.function.len_bytes);
    }
    fits = tp_totals_name(&step->c->totals, TP_SPACE_WRAPPED, tp_span_of(text, (size_t)(end - text)),
                          ret_name);
    tp_free(text);
    return fits;
}

static uint32_t name_in(void *ctx, enum tp_durations_space space, uint32_t ref)
{
    struct tp_stats_step *step = ctx;
    uint32_t name;
    bool fits = space == TP_SPACE_WRAPPED
                    ? put_wrapped(step, ref, &name)
                    : tp_totals_name(&step->c->totals, space,
                                     tp_text_span(tp_fact_text(ref, step->s->tables)), &name);
    return fits ? name : TP_DURATIONS_NONE;
}

// LIVES

uint32_t tp_stats_life(const struct tp_sums *s, uint32_t number)
{
    const struct tp_sums_life *life = number >= s->lives.first && number - s->lives.first < s->lives.of.count
                                          ? &s->lives.of.items[number - s->lives.first]
                                          : NULL;
    return life != NULL && life->alias != 0 ? life->alias : number + s->life_base;
}

static bool add_unnamed_span(struct tp_stats_step *step, uint32_t number, uint32_t measure_in_sums,
                             uint64_t ns, uint64_t at, bool is_cut)
{
    uint32_t measure = tp_stats_measure(step, measure_in_sums);
    return measure != TP_DURATIONS_NONE &&
           tp_durations_record(&step->c->totals.durations, TP_SPACE_UNNAMED,
                               tp_stats_life(step->s, number), measure, ns, at, is_cut);
}

// Adds the single spans in the sums of lives that have no name yet.
static bool add_unnamed_spans(struct tp_stats_step *step)
{
    const struct tp_sums *s = step->s;
    bool fits = true;
    for (uint32_t i = 0; i < s->lives.older_spans.count && fits; i++) {
        const struct tp_sums_older_span *span = &s->lives.older_spans.items[i];
        fits = add_unnamed_span(step, span->number, span->measure, span->ns, span->at,
                                span->is_cut);
    }
    for (uint32_t i = 0; i < s->lives.of.count && fits; i++) {
        for (uint32_t at = s->lives.of.items[i].spans; at != 0 && fits;
             at = s->lives.unnamed.items[at].next) {
            const struct tp_sums_unnamed *span = &s->lives.unnamed.items[at];
            fits = add_unnamed_span(step, i + s->lives.first, span->measure, span->ns,
                                    span->at, span->is_cut);
        }
    }
    return fits;
}

static bool add_unnamed(struct tp_stats_step *step)
{
    const struct tp_durations *from = &step->s->durations;
    const struct tp_durations_words words = {NULL, tp_stats_measure_in, step};
    bool fits = add_unnamed_spans(step);
    for (uint32_t i = 0; i < from->groups.count && fits; i++) {
        const struct tp_durations_group *group = &from->groups.items[i];
        if (group->space == TP_SPACE_UNNAMED && group->dist_count > 0)
            fits = tp_durations_merge_group(&step->c->totals.durations, TP_SPACE_UNNAMED,
                                            tp_stats_life(step->s, group->name), group, &words);
    }
    return fits;
}

// Names lives that began before these sums: moves the durations recorded by the numbers of the lives to
// the names that the sums have for them.
static bool name_older(struct tp_stats_step *step)
{
    struct tp_totals *totals = &step->c->totals;
    bool fits = true;
    for (uint32_t i = 0; i < step->s->lives.older.count && fits; i++) {
        const struct tp_sums_older_life *life = &step->s->lives.older.items[i];
        uint32_t group =
            tp_durations_find_group(&totals->durations, TP_SPACE_UNNAMED, life->number);
        if (group == TP_DURATIONS_NONE)
            continue;
        uint32_t name = name_in(step, TP_SPACE_GOROUTINE, life->name);
        fits = name != TP_DURATIONS_NONE &&
               tp_durations_move_group(&totals->durations, TP_SPACE_GOROUTINE, name,
                                       &totals->durations, group);
    }
    return fits;
}

bool tp_stats_add_durations(struct tp_stats_step *step)
{
    const struct tp_durations_words words = {name_in, tp_stats_measure_in, step};
    return tp_durations_merge(&step->c->totals.durations, &step->s->durations, &words) &&
           add_unnamed(step) && name_older(step);
}

// ONE BY ONE

bool tp_stats_add_longest(struct tp_stats_step *step)
{
    struct tp_totals *totals = &step->c->totals;
    const struct tp_totals_part *from = &step->s->longest;
    tp_totals_others_join(&totals->gs.others, &from->others);
    for (uint32_t i = 0; i < from->items.count; i++) {
        struct tp_top_goroutine g = from->items.items[i];
        g.path = TP_INTERN_NONE;
        g.function = tp_stats_name(step, g.function);
        if (g.function == TP_INTERN_NONE || !tp_totals_add_g(totals, &g))
            return false;
    }
    return true;
}
