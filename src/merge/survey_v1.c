#include "merge/survey_v1.h"

#include "base/alloc.h"
#include "decode/event_v1.h"
#include "decode/scan_v1.h"
#include "decode/varint.h"
#include "merge/cursor_v1.h"

// Before Go 1.7 the next event of a goroutine may be on any P. That it is on the same one is
// what tp_v1_final_blocks rests on.
static bool can_do(const struct tp_v1_trace *t)
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

// `offset`: of the event in the stream.
static int add_exit(struct tp_v1_trace *t, const struct tp_v1_event *ev, uint64_t offset,
                    struct tp_error *err)
{
    enum { G = 1, SEQ, TICKS }; // behind dt
    int64_t ticks = (int64_t)ev->args[TICKS];
    const struct tp_v1_exit exit = {.ticks = ticks, .key = ticks, .order = offset,
                                    .g = ev->args[G], .other = ev->args[SEQ], .offset = offset};
    return ticks != 0 ? tp_v1_trace_add_exit(t, &exit, err) : 0;
}

static int survey_run(struct tp_v1_trace *t, const struct tp_scan_v1 *scan,
                      const struct tp_v1_cursor *c, struct tp_error *err)
{
    const uint64_t types = UINT64_C(1) << TP_V1_UserLog | UINT64_C(1) << TP_V1_GoSysExit;
    const unsigned char *p = c->at;
    int rc = 0;
    while (rc == 0 && tp_scan_v1_find(scan, types, &p, c->end)) {
        struct tp_v1_event ev;
        uint64_t offset = c->end_offset - (uint64_t)(c->end - p);
        if (tp_v1_event_read(&p, c->end, t->table, &ev) != TP_V1_OK)
            return tp_fail(err, TP_E_EVENT, "%s cannot be read", tp_v1_type_names[ev.type]);
        rc = ev.type == TP_V1_UserLog ? add_message(t, ev.tail, err)
                                      : add_exit(t, &ev, offset, err);
    }
    return rc;
}

static int survey_stream(struct tp_v1_trace *t, const struct tp_scan_v1 *scan,
                         struct tp_v1_cursor *c, struct tp_error *err)
{
    enum tp_cursor_status st;
    int rc = 0;
    while (rc == 0 && (st = tp_v1_cursor_open_run(c, err)) != TP_CURSOR_END)
        rc = st == TP_CURSOR_BAD ? err->code : survey_run(t, scan, c, err);
    return rc;
}

// Messages get the next string ids in the order of their events. Where an id is damaged so that
// it is one of these, it shows which message has it.
static bool is_message(const struct tp_v1_trace *t, uint64_t id)
{
    return id >= t->first_message_id && id - t->first_message_id < t->messages.count;
}

static bool frames_name_messages(const struct tp_v1_trace *t)
{
    enum { PC, FUNCTION, FILE_NAME, LINE, NUMBERS };
    for (size_t i = 0; i < t->tables->stack_count; i++) {
        const struct tp_stack_def *def = &t->tables->stacks[i];
        const unsigned char *p = def->frames, *end = p + def->frames_bytes;
        uint64_t frame[NUMBERS];
        for (size_t n = 0; tp_varint_get(&p, end, &frame[n % NUMBERS]) == TP_VARINT_OK; n++) {
            if (n % NUMBERS == LINE &&
                (is_message(t, frame[FUNCTION]) || is_message(t, frame[FILE_NAME])))
                return true;
        }
    }
    return false;
}

static void forget(struct tp_v1_trace *t)
{
    tp_intern_fini(&t->messages);
    if (t->exits != NULL)
        tp_v1_exits_fini(t->exits);
    tp_free(t->exits);
    t->exits = NULL;
}

int tp_v1_survey(struct tp_v1_trace *t, struct tp_error *err)
{
    if (!can_do(t))
        return 0;
    int rc = 0;
    struct tp_scan_v1 scan;
    tp_scan_v1_init(&scan, t->table, 0);
    for (size_t i = 0; i < t->lists->m_count && rc == 0; i++) {
        struct tp_v1_cursor c;
        tp_v1_cursor_init(&c, t, &t->lists->ms[i]);
        rc = survey_stream(t, &scan, &c, err);
        tp_v1_cursor_fini(&c);
    }
    if (rc == 0 && t->exits != NULL)
        rc = tp_v1_exits_sort(t->exits, err);
    if (rc != 0)
        return rc;
    bool has_ties = t->exits != NULL && t->exits->has_ties;
    t->is_surveyed = !has_ties && (t->messages.count == 0 || !frames_name_messages(t));
    if (!t->is_surveyed)
        forget(t);
    return 0;
}
