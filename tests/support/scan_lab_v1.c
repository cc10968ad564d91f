#include "scan_lab_v1.h"

#include "decode/event_v1.h"
#include "scan_many.h"

#define RESUME_EVENTS 8
#define RESUME_BYTES 1024

// Joins runs to the normal form in which two scans are compared. A run that is only a header
// gets the class of what follows it.
static void join_runs(struct scan_list *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        struct tp_extent *x = &l->items[i], *last = kept > 0 ? &l->items[kept - 1] : NULL;
        bool goes_on = last != NULL && x->kind == TP_EXTENT_BATCH && x->header_bytes == 0 &&
                       last->kind == TP_EXTENT_BATCH;
        if (goes_on && (x->m != last->m || x->time_ticks != last->time_ticks))
            l->complaint = "a run without a header belongs to another batch";
        if (goes_on && last->len_bytes == last->header_bytes)
            last->batch_kind = x->batch_kind;
        if (goes_on && last->batch_kind == x->batch_kind)
            last->len_bytes += x->len_bytes;
        else
            l->items[kept++] = *x;
    }
    l->count = kept;
}

// THE MODEL

enum verdict { FINE, CUT, BAD };

struct model {
    const struct tp_v1_table *table;
    struct tp_span bytes;
    uint64_t p, time_ticks;
    bool has_begun;
};

static enum verdict take_number(struct tp_span *rest, uint64_t *ret_value)
{
    *ret_value = 0;
    for (unsigned i = 0; i < 10; i++) {
        if (i >= rest->len_bytes)
            return CUT;
        *ret_value |= (uint64_t)(rest->ptr[i] & 0x7f) << (7 * i);
        if (rest->ptr[i] < 0x80) {
            *rest = tp_span_skip(*rest, i + 1);
            return FINE;
        }
    }
    return BAD;
}

static enum verdict take_bytes(struct tp_span *rest, uint64_t least, uint64_t most)
{
    uint64_t len_bytes;
    enum verdict v = take_number(rest, &len_bytes);
    if (v != FINE)
        return v;
    if (len_bytes < least || len_bytes > most)
        return BAD;
    if (len_bytes > rest->len_bytes)
        return CUT;
    *rest = tp_span_skip(*rest, len_bytes);
    return FINE;
}

static enum verdict take_string(struct tp_span *rest)
{
    uint64_t id;
    enum verdict v = take_number(rest, &id);
    if (v == FINE && id == 0)
        v = BAD;
    return v == FINE ? take_bytes(rest, 1, 65536) : v;
}

// Reads the arguments of an event that stores their length first.
static enum verdict take_sized(const struct tp_v1_table *table, unsigned code,
                               struct tp_span *rest)
{
    uint64_t len_bytes, args[TP_V1_MAX_ARGS];
    unsigned arg_count = table->forms[code].arg_count;
    enum verdict v = take_number(rest, &len_bytes);
    if (v != FINE)
        return v;
    if (len_bytes > (code == TP_V1_Stack ? 65536 : 10 * arg_count))
        return BAD;
    if (len_bytes > rest->len_bytes)
        return CUT;
    struct tp_span inside = tp_span_of(rest->ptr, len_bytes);
    *rest = tp_span_skip(*rest, len_bytes);
    for (unsigned i = 0; i < arg_count; i++) {
        if (take_number(&inside, &args[i]) != FINE)
            return BAD;
    }
    uint64_t frames = code == TP_V1_Stack ? args[1] : 0, ignored;
    for (uint64_t left = frames <= 1000 ? frames * table->frame_args : 0; left > 0; left--) {
        if (take_number(&inside, &ignored) != FINE)
            return BAD;
    }
    return inside.len_bytes == 0 && frames <= 1000 ? FINE : BAD;
}

static enum verdict take_event(const struct tp_v1_table *table, struct tp_span *rest)
{
    if (rest->len_bytes == 0)
        return CUT;
    unsigned n = rest->ptr[0] >> 6, code = rest->ptr[0] & 63;
    const struct tp_v1_form *form = &table->forms[code];
    bool is_log = code == TP_V1_UserLog;
    if (form->name == NULL)
        return BAD;
    *rest = tp_span_skip(*rest, 1);
    if (code == TP_V1_String)
        return take_string(rest);
    enum verdict v = FINE;
    uint64_t ignored;
    if (n == 3)
        v = take_sized(table, code, rest);
    else if (n + table->prefix_count != form->arg_count || code == TP_V1_Stack)
        v = BAD;
    else
        for (unsigned i = 0; i < form->arg_count && v == FINE; i++)
            v = take_number(rest, &ignored);
    return v == FINE && is_log ? take_bytes(rest, 0, 65536) : v;
}

// IN PIECES

// The fault in the marks of the last wrong step; NULL: all were right.
static const char *wrong_marks;

// Returns whether the scan has marked the ends of syscalls and the logs of the last run, and no
// other events.
static bool are_marked(const struct tp_scan_v1 *s, struct tp_span run)
{
    struct tp_span rest = run;
    size_t count = 0;
    while (rest.len_bytes > 0) {
        unsigned code = rest.ptr[0] & 63;
        bool is_wanted = code == TP_V1_GoSysExit || code == TP_V1_UserLog;
        size_t at = run.len_bytes - rest.len_bytes;
        if (is_wanted && (count == s->marks->count || s->marks->offsets[count++] != at))
            return false;
        if (take_event(s->table, &rest) != FINE)
            return false;
    }
    return count == s->marks->count;
}

static size_t step_v1(void *scan, struct tp_span bytes, bool at_end, struct tp_extent *extents,
                      size_t capacity, size_t *ret_count)
{
    size_t done_bytes = scan_many_v1(scan, bytes, at_end, extents, capacity, ret_count);
    if (capacity == 1 && *ret_count == 1 && extents->kind == TP_EXTENT_BATCH &&
        !are_marked(scan, tp_span_of(bytes.ptr, done_bytes)))
        wrong_marks = "events are marked that are not looked for, or not those that are";
    return done_bytes;
}

struct scan_list scan_v1_in_pieces(uint32_t minor, uint64_t offset, struct tp_span bytes,
                                   scan_cut_fn cut, void *ctx, size_t capacity)
{
    struct tp_scan_v1 s;
    struct tp_scan_marks marks;
    tp_scan_v1_init(&s, tp_v1_table(minor), offset);
    s.marks = &marks;
    wrong_marks = NULL;
    struct scan_list l = scan_step_in_pieces(step_v1, &s, bytes, cut, ctx, capacity);
    for (size_t i = 0; i < l.count; i++) {
        if (l.items[i].kind == TP_EXTENT_BATCH && l.items[i].len_bytes > TP_V1_RUN_MAX_BYTES)
            l.complaint = "a run is longer than promised";
    }
    if (wrong_marks != NULL)
        l.complaint = wrong_marks;
    join_runs(&l);
    return l;
}

// Decodes a Batch event, with or without a length before its arguments. False: it is none.
static bool is_batch(const struct model *m, struct tp_span rest, struct tp_wire_event *ret_batch)
{
    const unsigned char *p = rest.ptr;
    return tp_v1_event_read(&p, rest.ptr + rest.len_bytes, m->table, ret_batch) == TP_V1_OK &&
           ret_batch->type == TP_V1_Batch;
}

static bool can_resume(const struct model *m, struct tp_span rest)
{
    struct tp_wire_event batch;
    if (rest.len_bytes > RESUME_BYTES)
        rest.len_bytes = RESUME_BYTES;
    if (!is_batch(m, rest, &batch) || (batch.args[0] > INT32_MAX && batch.args[0] != UINT64_MAX))
        return false;
    for (int i = 0; i <= RESUME_EVENTS; i++) {
        enum verdict v = take_event(m->table, &rest);
        if (v != FINE)
            return v == CUT;
    }
    return true;
}

static bool is_of_tables(unsigned code)
{
    return code == TP_V1_String || code == TP_V1_Stack || code == TP_V1_Frequency ||
           code == TP_V1_TimerGoroutine || code == TP_V1_CPUSample;
}

// Reads the event at `at` as a run of its own.
static enum verdict take_run(struct model *m, size_t at, struct tp_extent *x)
{
    struct tp_span from = tp_span_skip(m->bytes, at), rest = from;
    unsigned code = from.ptr[0] & 63;
    enum verdict v = take_event(m->table, &rest);
    if (v != FINE)
        return v;
    x->kind = TP_EXTENT_BATCH;
    x->generation = 1;
    x->first_of_generation = !m->has_begun;
    x->batch_kind = is_of_tables(code) ? TP_BATCH_STACKS : TP_BATCH_EVENTS;
    x->len_bytes = (uint32_t)(from.len_bytes - rest.len_bytes);
    if (code == TP_V1_Batch) {
        struct tp_wire_event batch;
        if (!is_batch(m, from, &batch))
            return BAD;
        m->p = batch.args[0];
        m->time_ticks = batch.args[batch.arg_count - 1];
        x->header_bytes = x->len_bytes;
    }
    x->m = m->p;
    x->time_ticks = m->time_ticks;
    m->has_begun = true;
    return FINE;
}

struct scan_list scan_v1_by_model(uint32_t minor, uint64_t offset, struct tp_span bytes)
{
    struct scan_list l = {0};
    struct model m = {.table = tp_v1_table(minor), .bytes = bytes};
    for (size_t at = 0; at < bytes.len_bytes;) {
        struct tp_extent x = {.offset = offset + at};
        enum verdict v = take_run(&m, at, &x);
        if (v != FINE) {
            size_t to = at;
            while (to < bytes.len_bytes && !can_resume(&m, tp_span_skip(bytes, to)))
                to++;
            x = (struct tp_extent){.offset = offset + at,
                                   .kind = TP_EXTENT_LOST,
                                   .loss = v == CUT ? TP_LOSS_EVENT_CUT : TP_LOSS_EVENT,
                                   .len_bytes = (uint32_t)(to - at)};
        }
        scan_list_add(&l, &x);
        at += x.len_bytes;
    }
    join_runs(&l);
    return l;
}

// DECODED

static const char *undecodable(const struct tp_v1_table *table, struct tp_span run)
{
    while (run.len_bytes > 0) {
        struct tp_wire_event ev;
        struct tp_span rest = run;
        const unsigned char *p = run.ptr;
        if (take_event(table, &rest) != FINE)
            return "a run does not hold whole events";
        if (tp_v1_event_read(&p, run.ptr + run.len_bytes, table, &ev) != TP_V1_OK)
            return "an event does not decode";
        if (p != rest.ptr)
            return "an event does not end where the next begins";
        run = rest;
    }
    return NULL;
}

const char *scan_v1_undecodable(const struct scan_list *l, uint32_t minor, uint64_t offset,
                                struct tp_span bytes)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct tp_extent *x = &l->items[i];
        struct tp_span run = {bytes.ptr + (x->offset - offset), x->len_bytes};
        const char *wrong = NULL;
        if (x->kind == TP_EXTENT_BATCH)
            wrong = undecodable(tp_v1_table(minor), run);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}
