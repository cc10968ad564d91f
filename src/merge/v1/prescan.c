#include "merge/v1/prescan.h"

#include "base/alloc.h"
#include "decode/event_v1.h"
#include "decode/scan_v1.h"
#include "merge/tables/read.h"
#include "merge/v1/cursor.h"

// Returns whether the prescan can replace the first walk. It cannot before Go 1.7: the event that
// shows whether a syscall blocked may be on any P there, and tp_v1_cursor_blocks looks for it on
// the syscall's P only.
static bool can_do(const struct tp_v1_trace *t)
{
    bool has_p_rules = !tp_v1_is_by_time(t) && !tp_v1_is_sequenced(t);
    return t->may_prescan && !t->is_legacy && has_p_rules && t->tables->samples.count == 0 &&
           t->lists->has_lists;
}

static int add_message(struct tp_v1_trace *t, struct tp_span message, struct tp_error *err)
{
    if (tp_intern_put(&t->tables->messages, message) == TP_INTERN_NONE)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the messages of a trace");
    if (tp_v1_names_bytes(t) > t->max_bytes)
        return tp_fail(err, TP_E_LIMIT, "the messages of a trace do not fit into %llu bytes",
                       (unsigned long long)t->max_bytes);
    return 0;
}

// Adds the end of a syscall that the event at `offset` in the stream records.
static int add_exit(struct tp_v1_trace *t, const struct tp_wire_event *ev, uint64_t offset,
                    uint64_t wire_bytes, struct tp_error *err)
{
    const uint64_t *args = ev->args + t->table->prefix_count;
    int64_t ticks = (int64_t)args[TP_V1_ARG_GoSysExit_ts];
    const struct tp_v1_exit exit = {.ticks = ticks, .key = ticks, .order = offset,
                                    .g = args[TP_V1_ARG_GoSysExit_g],
                                    .other = args[TP_V1_ARG_GoSysExit_seq], .offset = offset,
                                    .wire_bytes = wire_bytes};
    return ticks != 0 ? tp_v1_trace_add_exit(t, &exit, err) : 0;
}

// The marks of one run, as a range of lists->marks.
struct marks {
    size_t at, end;
};

static size_t first_mark_from(const struct tp_generation *lists, uint64_t offset)
{
    size_t begin = 0, end = lists->marks.count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (lists->marks.items[middle] < offset)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static struct marks marks_of(const struct tp_generation *lists, const struct tp_batch_ref *run)
{
    uint64_t end_offset = run->offset + run->header_bytes + run->body_bytes;
    return (struct marks){first_mark_from(lists, run->offset),
                          first_mark_from(lists, end_offset)};
}

// Prescans the event at *p and moves *p past it. If the file was overwritten meanwhile, there may
// be no event.
static int prescan_event(struct tp_v1_trace *t, const unsigned char **p, const unsigned char *end,
                         uint64_t offset, struct tp_error *err)
{
    struct tp_wire_event ev;
    const unsigned char *begin = *p;
    if (tp_v1_event_read(p, end, t->table, &ev) != TP_V1_OK)
        return tp_fail(err, TP_E_EVENT, "event type %u cannot be read", ev.type);
    switch (ev.type) {
    case TP_V1_UserLog: return add_message(t, ev.tail, err);
    case TP_V1_GoSysExit: return add_exit(t, &ev, offset, (uint64_t)(*p - begin), err);
    default: return 0;
    }
}

// Prescans the events of the open run that the scan has marked.
static int prescan_marks(struct tp_v1_trace *t, const struct tp_v1_cursor *c, struct marks m,
                         struct tp_error *err)
{
    int rc = 0;
    for (; m.at < m.end && rc == 0; m.at++) {
        uint64_t offset = t->lists->marks.items[m.at];
        const unsigned char *p = c->end - (c->end_offset - offset);
        rc = prescan_event(t, &p, c->end, offset, err);
    }
    return rc;
}

// Prescans the open run without marks.
static int prescan_all(struct tp_v1_trace *t, const struct tp_scan_v1 *scan,
                       const struct tp_v1_cursor *c, struct tp_error *err)
{
    const unsigned char *p = c->at;
    int rc = 0;
    while (rc == 0 && tp_scan_v1_find(scan, &p, c->end))
        rc = prescan_event(t, &p, c->end, c->end_offset - (uint64_t)(c->end - p), err);
    return rc;
}

// Prescans the next run of the stream.
static int prescan_run(struct tp_v1_trace *t, const struct tp_scan_v1 *scan,
                       struct tp_v1_cursor *c, struct tp_error *err)
{
    const struct tp_batch_ref *run = &c->run->batches.items[c->begun_count];
    bool is_marked = run->offset < t->lists->unmarked_offset;
    struct marks m = {0};
    if (is_marked)
        m = marks_of(t->lists, run);
    if (is_marked && m.at == m.end) {
        c->begun_count++;
        return 0;
    }
    if (tp_v1_cursor_open_run(c, err) == TP_CURSOR_BAD)
        return err->code;
    return is_marked ? prescan_marks(t, c, m, err) : prescan_all(t, scan, c, err);
}

static int prescan_stream(struct tp_v1_trace *t, const struct tp_scan_v1 *scan,
                          struct tp_v1_cursor *c, struct tp_error *err)
{
    int rc = 0;
    while (c->begun_count < c->run->batches.count && rc == 0)
        rc = prescan_run(t, scan, c, err);
    return rc;
}

// Returns whether `id` is no id of a log message. Messages get string ids in the order in which
// they are found, and the prescan finds them in another order than the first walk: if a damaged id
// equals the id of a message, it would name another message after a prescan.
static bool is_no_message(const void *trace, uint64_t id)
{
    const struct tp_v1_trace *t = trace;
    return id < t->first_message_id || id - t->first_message_id >= t->tables->messages.count;
}

static void forget(struct tp_v1_trace *t)
{
    tp_intern_fini(&t->tables->messages);
    if (t->exits != NULL)
        tp_v1_exits_fini(t->exits);
    tp_free(t->exits);
    t->exits = NULL;
}

int tp_v1_prescan(struct tp_v1_trace *t, struct tp_error *err)
{
    if (!can_do(t))
        return 0;
    int rc = 0;
    struct tp_scan_v1 scan;
    tp_scan_v1_init(&scan, t->table, 0);
    for (size_t i = 0; i < t->lists->ms.count && rc == 0; i++) {
        struct tp_v1_cursor c;
        tp_v1_cursor_init(&c, t, &t->lists->ms.items[i]);
        rc = prescan_stream(t, &scan, &c, err);
        tp_v1_cursor_fini(&c);
    }
    if (rc == 0 && t->exits != NULL)
        rc = tp_v1_exits_sort(t->exits, err);
    if (rc != 0)
        return rc;
    bool has_ties = t->exits != NULL && t->exits->has_ties;
    t->is_prescanned = !has_ties && (t->tables->messages.count == 0 ||
                                     tp_tables_frame_strings_pass(t->tables, is_no_message, t));
    if (!t->is_prescanned)
        forget(t);
    return 0;
}
