// Adds counts and times by stack and labels: labels are further frames of a stack (stats/stack_limit.h).
#include <string.h>

#include "stats/input/input.h"

uint32_t tp_stats_frame_of_name(struct tp_stats_input *c, uint32_t name)
{
    struct tp_totals *totals = &c->totals;
    struct tp_totals_frame f = {.function = name,
                                .file = tp_intern_put(&totals->names, tp_span_of("", 0))};
    return name != TP_INTERN_NONE && f.file != TP_INTERN_NONE
               ? tp_totals_frames_put(&totals->frames, &totals->names, &f)
               : TP_INTERN_NONE;
}

// `trace`: the name of the input.
static bool add(struct tp_stats_step *step, const struct tp_track_labelled *l, uint32_t trace)
{
    struct tp_totals *totals = &step->c->totals;
    enum tp_stack_type type = tp_labelled_type(l);
    const uint32_t names[TP_STACK_LABEL_COUNT] = {
        [TP_STACK_LABEL_TRACE] = trace,
        [TP_STACK_LABEL_FUNCTION] = tp_stats_name(step, l->function),
        [TP_STACK_LABEL_TASK] = tp_stats_name(step, l->task),
        [TP_STACK_LABEL_REGION] = tp_stats_name(step, l->region)};
    uint32_t labels[TP_STACK_LABEL_COUNT], all[TP_TOTALS_FRAMES_MAX + TP_STACK_LABEL_COUNT];
    uint32_t stack = tp_stats_stack(step, l->stack);
    bool fits = stack != TP_INTERN_NONE;
    for (unsigned i = 0; i < TP_STACK_LABEL_COUNT && fits; i++) {
        labels[i] = tp_stats_frame_of_name(step->c, names[i]);
        fits = labels[i] != TP_INTERN_NONE;
    }
    if (!fits)
        return false;
    const uint32_t *frames;
    size_t count = tp_totals_stack_frames(&totals->stacks, stack, &frames);
    if (count > 0)
        memcpy(all, frames, count * sizeof *all);
    if (type == TP_STACK_RUN &&
        tp_intern_text(&totals->names, names[TP_STACK_LABEL_FUNCTION]).len_bytes > 0)
        all[count++] = labels[TP_STACK_LABEL_FUNCTION]; // a run has no other frame
    memcpy(all + count, labels, sizeof labels);
    stack = tp_totals_add_stack(totals, all, count + TP_STACK_LABEL_COUNT);
    return stack != TP_INTERN_NONE &&
           tp_totals_record_stack(totals, stack, type, l->count, l->ns);
}

bool tp_stats_add_labelled(struct tp_stats_step *step)
{
    uint32_t count = step->s->labelled.of.count;
    uint32_t trace = count > 0 ? tp_intern_put(&step->c->totals.names, step->c->path) : 0;
    bool fits = trace != TP_INTERN_NONE;
    for (uint32_t i = 0; i < count && fits; i++)
        fits = add(step, &step->s->labelled.of.items[i], trace);
    return fits;
}
