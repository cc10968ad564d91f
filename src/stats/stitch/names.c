// Translates the names of a partial to names of the totals. A partial's names are indices of
// strings of its generation; its reasons of blocking are numbered in order of first appearance.
#include "stats/stitch/stitch.h"

#include <string.h>

bool tp_stitch_forget_numbers(struct tp_list *numbers, size_t count)
{
    static_assert(TP_INTERN_NONE == UINT32_MAX && TP_MEASURE_NONE == UINT32_MAX, "all bits set");
    numbers->count = 0;
    if (count > numbers->capacity && !tp_list_grow(numbers, count, sizeof(uint32_t)))
        return false;
    if (count > 0)
        memset(numbers->items, 0xff, count * sizeof(uint32_t));
    return true;
}

bool tp_stitch_forget_names(struct tp_stitch_step *step)
{
    struct tp_stitch *c = step->c;
    // Without tables the only string is the empty one.
    size_t count = step->s->tables != NULL ? step->s->tables->strings.count : TP_STRING_EMPTY + 1;
    return tp_stitch_forget_numbers(&c->names_of_strings.as_list, count) &&
           tp_stitch_forget_numbers(&c->measures_of_reasons.as_list, step->s->reasons.count);
}

uint32_t tp_stitch_name(struct tp_stitch_step *step, uint32_t string)
{
    struct tp_stitch *c = step->c;
    uint32_t *name = &c->names_of_strings.items[string];
    if (tp_unlikely(*name == TP_INTERN_NONE))
        *name = tp_intern_put(&c->totals.names, tp_partial_text(step->s, string));
    return *name;
}

uint32_t tp_stitch_measure(struct tp_stitch_step *step, uint32_t measure)
{
    struct tp_stitch *c = step->c;
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return measure;
    uint32_t *known = &c->measures_of_reasons.items[measure - TP_MEASURE_FIRST_BLOCK];
    if (tp_likely(*known != TP_MEASURE_NONE))
        return *known;
    uint32_t string = step->s->reasons.items[measure - TP_MEASURE_FIRST_BLOCK].string;
    uint32_t reason = tp_intern_put(&c->totals.reasons, step->s->tables->strings.items[string]);
    if (reason == TP_INTERN_NONE)
        return TP_DURATIONS_NONE;
    *known = TP_MEASURE_FIRST_BLOCK + reason;
    return *known;
}

uint32_t tp_stitch_measure_in(void *step, uint32_t measure)
{
    return tp_stitch_measure(step, measure);
}
