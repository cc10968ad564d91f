// Joins the log lines of open tasks.
#include "stats/stitch/stitch.h"

// Returns the text of a partial in numbers of the totals; `name` is TP_INTERN_NONE if memory is
// out.
static struct tp_log_text text_in(struct tp_stitch_step *step, uint32_t string)
{
    struct tp_span text = tp_partial_text(step->s, string);
    struct tp_span kept = tp_log_text_kept(text);
    if (kept.len_bytes == text.len_bytes)
        return (struct tp_log_text){.name = tp_stitch_name(step, string)};
    return (struct tp_log_text){tp_intern_put(&step->c->totals.names, kept),
                                (uint32_t)(text.len_bytes - kept.len_bytes)};
}

// Turns a line of the partial into one of the totals. False: out of memory.
static bool translate(struct tp_stitch_step *step, struct tp_log_line *line)
{
    line->category = text_in(step, line->category.name);
    line->message = text_in(step, line->message.name);
    return line->category.name != TP_INTERN_NONE && line->message.name != TP_INTERN_NONE;
}

bool tp_stitch_take_lines(struct tp_stitch_step *step, struct tp_log_lines *lines)
{
    bool fits = true;
    for (uint32_t i = 0; i < lines->count && fits; i++)
        fits = translate(step, &lines->items[i]);
    return fits;
}

bool tp_stitch_take_logs(struct tp_stitch_step *step, uint32_t *logs)
{
    const struct tp_task_logs *from = &step->s->logs_of_tasks.chains;
    uint32_t taken = 0;
    bool fits = true;
    for (uint32_t at = *logs; at != 0 && fits; at = from->items[at].next) {
        struct tp_log_line line = from->items[at].line;
        fits = translate(step, &line) && tp_task_logs_add(&step->c->task_logs, &taken, &line);
    }
    *logs = taken;
    return fits;
}

bool tp_stitch_add_early_logs(struct tp_stitch_step *step, uint32_t *at, uint32_t end_count)
{
    struct tp_stitch *c = step->c;
    bool fits = true;
    for (; *at < step->s->logs_of_tasks.early.count && fits; ++*at) {
        const struct tp_early_log *log = &step->s->logs_of_tasks.early.items[*at];
        if (log->end_count > end_count)
            break;
        struct tp_open *open = TP_SLAB_GET(&c->open_intervals[TP_OPEN_TASK], log->task);
        if (open == NULL)
            continue;
        struct tp_log_line line = {(uint64_t)log->time_ns - (uint64_t)open->since_ns,
                                   {.name = log->category},
                                   {.name = log->message}};
        fits = translate(step, &line) && tp_task_logs_add(&c->task_logs, &open->logs, &line);
    }
    return fits;
}
