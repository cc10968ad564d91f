// Translates references of the sums to names and reasons of the totals.
#include <string.h>

#include "merge/tables/text.h"
#include "stats/input/input.h"
#include "stats/names/wait_reasons.h"

bool tp_stats_forget_numbers(struct tp_list *numbers, size_t count)
{
    static_assert(TP_INTERN_NONE == UINT32_MAX && TP_MEASURE_NONE == UINT32_MAX, "all bits set");
    numbers->count = 0;
    if (count > numbers->capacity && !tp_list_grow(numbers, count, sizeof(uint32_t)))
        return false;
    if (count > 0)
        memset(numbers->items, 0xff, count * sizeof(uint32_t));
    return true;
}

bool tp_stats_forget_words(struct tp_stats_step *step)
{
    struct tp_stats_input *c = step->c;
    // Without tables the only string is the empty one.
    size_t count = step->s->tables != NULL ? step->s->tables->strings.count : TP_STRING_EMPTY + 1;
    return tp_stats_forget_numbers(&c->names_of_strings.as_list, count) &&
           tp_stats_forget_numbers(&c->measures_of_reasons.as_list, step->s->reasons.of.count);
}

static struct tp_span text_of(const struct tp_sums *s, uint32_t ref)
{
    return s->tables != NULL ? tp_text_span(tp_fact_text(ref, s->tables)) : tp_span_of("", 0);
}

uint32_t tp_stats_name(struct tp_stats_step *step, uint32_t ref)
{
    struct tp_intern *names = &step->c->totals.names;
    if ((ref & TP_REF_CARRIED) != 0)
        return tp_intern_put(names, text_of(step->s, ref));
    uint32_t *name = &step->c->names_of_strings.items[ref];
    if (tp_unlikely(*name == TP_INTERN_NONE))
        *name = tp_intern_put(names, text_of(step->s, ref));
    return *name;
}

static struct tp_span reason_of(const struct tp_sums *s, uint32_t ref)
{
    bool is_inferred = ref > TP_SUMS_INFERRED && ref < TP_SUMS_INFERRED + TP_INFERRED_COUNT;
    return is_inferred ? tp_inferred_text(ref - TP_SUMS_INFERRED) : text_of(s, ref);
}

uint32_t tp_stats_measure(struct tp_stats_step *step, uint32_t measure)
{
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return measure;
    uint32_t number = measure - TP_MEASURE_FIRST_BLOCK;
    uint32_t *known = &step->c->measures_of_reasons.items[number];
    if (tp_likely(*known != TP_MEASURE_NONE))
        return *known;
    uint32_t reason =
        tp_intern_put(&step->c->totals.reasons, reason_of(step->s, step->s->reasons.of.items[number]));
    if (reason == TP_INTERN_NONE)
        return TP_DURATIONS_NONE;
    *known = TP_MEASURE_FIRST_BLOCK + reason;
    return *known;
}

uint32_t tp_stats_measure_in(void *step, uint32_t measure)
{
    return tp_stats_measure(step, measure);
}
