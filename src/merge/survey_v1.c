#include "merge/survey_v1.h"

#include "base/alloc.h"
#include "merge/cursor_v1.h"

// Before Go 1.7 the next event of a goroutine may be on any P. That it is on the same one is
// what tp_v1_final_blocks rests on.
bool tp_v1_can_survey(const struct tp_v1_trace *t)
{
    bool has_p_rules = !tp_v1_is_by_time(t) && !tp_v1_is_sequenced(t);
    return t->may_survey && !t->is_original && has_p_rules && t->tables->sample_count == 0 &&
           t->lists->has_lists;
}

static int add_message(struct tp_v1_trace *t, struct tp_span message, struct tp_error *err)
{
    if (tp_intern_put(&t->messages, message) == TP_INTERN_NONE)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the messages of a trace");
    if (tp_v1_names_bytes(t) > t->max_bytes)
        return tp_fail(err, TP_E_TOO_LARGE, "the messages of a trace do not fit into %llu bytes",
                       (unsigned long long)t->max_bytes);
    return 0;
}

static int add_exit(struct tp_v1_trace *t, const struct tp_v1_ordered *e, struct tp_error *err)
{
    int64_t ticks = (int64_t)e->args[2];
    const struct tp_v1_exit exit = {.ticks = ticks, .key = ticks, .order = e->offset, .g = e->g,
                                    .other = e->args[1], .offset = e->offset};
    return tp_v1_trace_add_exit(t, &exit, err);
}

static int survey_stream(struct tp_v1_trace *t, struct tp_v1_cursor *c, struct tp_error *err)
{
    enum tp_cursor_status st;
    int rc = 0;
    while (rc == 0 && (st = tp_v1_cursor_advance(c, err)) != TP_CURSOR_END) {
        if (st == TP_CURSOR_BAD)
            return err->code;
        if (c->next.type == TP_V1_UserLog)
            rc = add_message(t, c->next.message, err);
        else if (tp_v1_is_moved(t, &c->next))
            rc = add_exit(t, &c->next, err);
    }
    return rc;
}

static void forget(struct tp_v1_trace *t)
{
    tp_intern_fini(&t->messages);
    tp_v1_exits_fini(t->exits);
    tp_free(t->exits);
    t->exits = NULL;
}

int tp_v1_survey(struct tp_v1_trace *t, struct tp_error *err)
{
    if (!tp_v1_can_survey(t))
        return 0;
    int rc = 0;
    for (size_t i = 0; i < t->lists->m_count && rc == 0; i++) {
        struct tp_v1_cursor c;
        tp_v1_cursor_init(&c, t, &t->lists->ms[i]);
        rc = survey_stream(t, &c, err);
        tp_v1_cursor_fini(&c);
    }
    if (rc == 0 && t->exits != NULL)
        rc = tp_v1_exits_sort(t->exits, err);
    if (rc != 0)
        return rc;
    t->is_surveyed = t->exits == NULL || !t->exits->has_ties;
    if (!t->is_surveyed)
        forget(t);
    return 0;
}
