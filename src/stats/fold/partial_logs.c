// Folds log messages: counts them by category, and keeps the first ones of each task.
#include "merge/tables/event_shape.h"
#include "stats/fold/partial.h"

static struct tp_log_text text_of(uint32_t string)
{
    return (struct tp_log_text){.name = string};
}

static bool add_early(struct tp_partial *s, const struct tp_early_log *log)
{
    struct tp_partial_logs *l = &s->logs_of_tasks;
    uint32_t first = tp_map_get(&l->early_of_task, log->task);
    if (first != TP_MAP_NONE && l->early.items[first - 1].line_count >= TP_LOG_LINES_MAX)
        return true;
    if (!TP_LIST_ADD(&l->early, *log))
        return false;
    if (first == TP_MAP_NONE) {
        first = l->early.count;
        if (!tp_map_put(&l->early_of_task, log->task, first))
            return false;
    }
    l->early.items[first - 1].line_count++;
    return true;
}

// Keeps the line if its task is open, or may be.
static bool keep_line(struct tp_partial *s, const struct tp_event *e, uint32_t category)
{
    uint64_t task = tp_arg(e, UserLog, task);
    uint32_t message = tp_partial_string(s, tp_arg(e, UserLog, value_string));
    struct tp_open *open = TP_SLAB_GET(&s->open_intervals[TP_OPEN_TASK], task);
    if (tp_unlikely(open == NULL)) {
        if (tp_idset_has(&s->over_task_ids, task))
            return true;
        const struct tp_early_log log = {.task = task,
                                         .time_ns = e->time_ns,
                                         .category = category,
                                         .message = message,
                                         .end_count = s->open_ends.count};
        return add_early(s, &log);
    }
    const struct tp_log_line line = {(uint64_t)e->time_ns - (uint64_t)open->since_ns,
                                     text_of(category), text_of(message)};
    return tp_task_logs_add(&s->logs_of_tasks.chains, &open->logs, &line);
}

TP_NOINLINE bool tp_partial_log(struct tp_partial *s, const struct tp_event *e)
{
    if (!tp_partial_wants(s, TP_PART_INTERVALS))
        return true;
    uint32_t category = tp_partial_string(s, tp_arg(e, UserLog, key_string));
    struct tp_dist *d = tp_durations_dist_again(&s->durations, TP_SPACE_LOG, category);
    if (tp_likely(d != NULL))
        d->count++;
    else if (!tp_durations_record_sum(&s->durations, TP_SPACE_LOG, category, 0, 1, 0))
        return false;
    return keep_line(s, e, category);
}
