#include "order_lab_v1.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "decode/scan_v1.h"

#define LISTS_MAX_BYTES TP_MIB(16)
#define STATE_MAX_BYTES TP_MIB(64)
#define TABLES_MAX_BYTES TP_MIB(256)
#define FILL_CAPACITY 512

struct lab {
    struct tp_batch_loader loader; // first: hooks get a pointer to it
    const struct order_v1_way *way;
    uint32_t minor;
    struct tp_span bytes;
    struct tp_generation lists;
    struct table_run {
        struct tp_span bytes;
        uint64_t offset;
    } *table_runs;                 // from malloc
    size_t table_run_count;
    struct tp_v1_trace trace;
    size_t room;                   // capacity of the array of events
    bool is_legacy;
    size_t load_count;
    struct order_v1_result r;
};

static void *grow(void *items, size_t count, size_t item_bytes)
{
    void *moved = realloc(items, count * item_bytes);
    if (moved == NULL)
        abort();
    return moved;
}

// Returns another byte for this place in the trace: one with another event type, one that
// continues a number, or any byte.
static unsigned char changed(unsigned char byte, unsigned how, uint64_t h)
{
    switch (how % 3) {
    case 0: return (unsigned char)((byte & 0xc0) | (h & 0x3f));
    case 1: return byte | 0x80;
    default: return (unsigned char)h;
    }
}

// Changes one place in sixteen and the byte after it; the same places each time.
static void change_some(const struct lab *lab, uint64_t offset, unsigned char *to,
                        uint32_t len_bytes)
{
    for (uint32_t i = 0; i + 1 < len_bytes; i++) {
        uint64_t h = (offset + i + lab->way->change_seed) * UINT64_C(0x9e3779b97f4a7c15);
        for (uint32_t k = i; h >> 60 == 0 && k < i + 2; k++)
            to[k] = changed(to[k], lab->way->change_seed, h >> 32);
    }
}

static void change(const struct lab *lab, uint64_t offset, unsigned char *to, uint32_t len_bytes)
{
    switch (lab->way->change) {
    case ORDER_V1_SAME: break;
    case ORDER_V1_SOME: change_some(lab, offset, to, len_bytes); break;
    case ORDER_V1_SYSCALLS:
        for (uint32_t i = 0; i < len_bytes; i++) {
            if (to[i] % TP_V1_CODES == TP_V1_GoSched)
                to[i] = (unsigned char)((to[i] & 0xc0) | TP_V1_GoSysCall);
        }
        break;
    case ORDER_V1_JOINED:
        // Make the last number of one event continue through the next event, which has a type and
        // one number.
        for (uint32_t i = len_bytes > 3 ? len_bytes - 3 : 0; i + 1 < len_bytes; i++)
            to[i] |= 0x80;
        break;
    }
}

static int load(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err)
{
    struct lab *lab = (struct lab *)loader;
    uint64_t offset = ref->load_offset + skip_bytes;
    (void)err;
    memcpy(to, lab->bytes.ptr + offset, len_bytes);
    if (lab->load_count++ >= lab->way->changes_after)
        change(lab, offset, to, len_bytes);
    return 0;
}

// Adds a run. It includes its Batch event, whose P and time the other events need.
static int add_run(struct lab *lab, const struct tp_scan_v1 *s, const struct tp_extent *x,
                   struct tp_error *err)
{
    struct tp_span bytes = tp_span_of(lab->bytes.ptr + x->offset, x->len_bytes);
    struct tp_extent run = *x;
    run.header_bytes = 0;
    int rc = tp_generation_add(&lab->lists, &run, bytes, lab->minor, err);
    if (rc != 0)
        return rc;
    if (x->kind == TP_EXTENT_LOST) {
        lab->r.lost_bytes += x->len_bytes;
    } else if (x->batch_kind == TP_BATCH_STACKS) {
        lab->table_runs = grow(lab->table_runs, lab->table_run_count + 1,
                               sizeof *lab->table_runs);
        lab->table_runs[lab->table_run_count++] = (struct table_run){bytes, x->offset};
    } else if (lab->lists.last_batch != NULL) {
        lab->lists.last_batch->body = lab->way->is_spilled ? NULL : bytes.ptr;
        lab->lists.last_batch->load_offset = x->offset;
    }
    if (x->kind == TP_EXTENT_BATCH && x->batch_kind == TP_BATCH_EVENTS)
        return tp_generation_mark(&lab->lists, x->offset, s->marks->offsets, s->marks->count, err);
    return 0;
}

static int scan(struct lab *lab, struct tp_error *err)
{
    struct tp_extent x;
    struct tp_scan_v1 s;
    struct tp_scan_marks marks;
    tp_scan_v1_init(&s, tp_v1_table(lab->minor), 0);
    s.marks = &marks;
    size_t all_bytes = lab->bytes.len_bytes, piece_bytes = lab->way->piece_bytes;
    size_t done_bytes = 0, to = 0;
    while (done_bytes < all_bytes) {
        size_t before = done_bytes;
        to = piece_bytes == 0 || all_bytes - to < piece_bytes ? all_bytes : to + piece_bytes;
        while (tp_scan_v1_next(&s, tp_span_of(lab->bytes.ptr + done_bytes, to - done_bytes),
                               to == all_bytes, &x)) {
            done_bytes += x.len_bytes;
            int rc = add_run(lab, &s, &x, err);
            if (rc != 0)
                return rc;
        }
        if (to == all_bytes && done_bytes == before)
            abort();
    }
    return 0;
}

static int make_tables(struct lab *lab, struct tp_error *err)
{
    const struct order_v1_way *way = lab->way;
    struct tp_v1_trace *t = &lab->trace;
    lab->r.tables = tp_tables_create(
        1, lab->minor, way->tables_max_bytes != 0 ? way->tables_max_bytes : TABLES_MAX_BYTES);
    if (lab->r.tables == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for tables");
    *t = (struct tp_v1_trace){.table = tp_v1_table(lab->minor),
                              .tables = lab->r.tables,
                              .lists = &lab->lists,
                              .loader = &lab->loader,
                              .max_bytes = way->max_bytes != 0 ? way->max_bytes : STATE_MAX_BYTES,
                              .is_strict = way->is_strict,
                              .may_prescan = !way->is_strict && !way->walks_first,
                              .is_legacy = lab->is_legacy,
                              .symbols = way->symbols};
    int rc = 0;
    for (size_t i = 0; i < lab->table_run_count && rc == 0; i++)
        rc = tp_v1_tables_add(t, lab->table_runs[i].bytes, lab->table_runs[i].offset, err);
    return rc == 0 ? tp_v1_tables_finish(t, err) : rc;
}

static int open_lab(struct lab *lab, uint32_t minor, struct tp_span bytes,
                    const struct order_v1_way *way, bool is_legacy)
{
    size_t lists_max_bytes = way->lists_max_bytes != 0 ? way->lists_max_bytes : LISTS_MAX_BYTES;
    *lab = (struct lab){.loader = {load, TP_CURSOR_WINDOW_MIN_BYTES}, .way = way,
                        .minor = minor, .bytes = bytes, .is_legacy = is_legacy};
    tp_generation_init(&lab->lists, lists_max_bytes);
    int rc = scan(lab, &lab->r.err);
    return rc == 0 ? make_tables(lab, &lab->r.err) : rc;
}

// Frees the lab and returns its result. `rc` other than 0 becomes the error of the result.
static struct order_v1_result close_lab(struct lab *lab, int rc)
{
    if (rc == 0)
        lab->r.err.code = 0;
    tp_v1_trace_fini(&lab->trace);
    tp_generation_fini(&lab->lists);
    free(lab->table_runs);
    return lab->r;
}

struct order_v1_result order_v1_walk(uint32_t minor, struct tp_span bytes,
                                     const struct order_v1_way *way)
{
    struct lab lab;
    struct tp_v1_order o = {0};
    struct tp_v1_ordered *e;
    enum tp_cursor_status st = TP_CURSOR_END;
    int rc = open_lab(&lab, minor, bytes, way, false);
    if (rc == 0)
        rc = tp_v1_order_begin(&o, &lab.trace, &lab.r.err);
    struct order_v1_result *r = &lab.r;
    while (rc == 0 && (st = tp_v1_order_next(&o, &e, &r->err)) == TP_CURSOR_EVENT) {
        if (r->count == lab.room) {
            lab.room = 2 * lab.room + 1;
            r->ordered = grow(r->ordered, lab.room, sizeof *r->ordered);
        }
        r->ordered[r->count] = *e;
        r->ordered[r->count++].message = tp_span_of(NULL, 0);
    }
    if (st == TP_CURSOR_BAD)
        rc = r->err.code;
    tp_v1_order_fini(&o);
    return close_lab(&lab, rc);
}

static int fill(struct lab *lab, struct tp_v1_sequence *s)
{
    size_t capacity = lab->way->fill_capacity != 0 ? lab->way->fill_capacity : FILL_CAPACITY;
    struct order_v1_result *r = &lab->r;
    enum tp_fill_status st;
    do {
        size_t count = 0;
        if (lab->room - r->count < capacity) {
            lab->room = 2 * lab->room + capacity;
            r->events = grow(r->events, lab->room, sizeof *r->events);
        }
        st = tp_v1_sequence_fill(s, r->events + r->count, capacity, &count, &r->err);
        r->count += count;
    } while (st == TP_FILL_MORE);
    return st == TP_FILL_BROKEN ? r->err.code : 0;
}

struct order_v1_result order_v1_convert(uint32_t minor, struct tp_span bytes,
                                        const struct order_v1_way *way)
{
    struct lab lab;
    struct tp_v1_sequence s = {0};
    int rc = open_lab(&lab, minor, bytes, way, false);
    if (rc == 0)
        rc = tp_v1_plan(&lab.trace, &lab.r.err);
    if (way->forgets_turns)
        lab.trace.has_turns = false;
    lab.r.had_turns = lab.trace.has_turns;
    lab.r.was_prescanned = lab.trace.is_prescanned;
    if (rc == 0 && way->is_rehearsed)
        rc = tp_v1_sequence_rehearse(&lab.trace, &lab.r.err);
    if (rc == 0)
        rc = tp_v1_sequence_begin(&s, &lab.trace, &lab.r.err);
    if (rc == 0)
        rc = fill(&lab, &s);
    lab.r.left_bytes = tp_v1_order_left_bytes(&s.walk.order);
    lab.r.unknown_id_count = s.unknown_id_count;
    tp_v1_sequence_fini(&s);
    return close_lab(&lab, rc);
}

static int fill_legacy_events(struct lab *lab, struct tp_legacy_events *o)
{
    size_t capacity = lab->way->fill_capacity != 0 ? lab->way->fill_capacity : FILL_CAPACITY;
    struct order_v1_result *r = &lab->r;
    enum tp_fill_status st;
    do {
        size_t count = 0;
        if (lab->room - r->count < capacity) {
            lab->room = 2 * lab->room + capacity;
            r->legacy_events = grow(r->legacy_events, lab->room, sizeof *r->legacy_events);
        }
        st = tp_legacy_events_fill(o, r->legacy_events + r->count, capacity, &count, &r->err);
        r->count += count;
    } while (st == TP_FILL_MORE);
    return st == TP_FILL_BROKEN ? r->err.code : 0;
}

struct order_v1_result order_v1_legacy_events(uint32_t minor, struct tp_span bytes,
                                              const struct order_v1_way *way)
{
    struct lab lab;
    struct tp_legacy_events o = {0};
    int rc = open_lab(&lab, minor, bytes, way, true);
    if (rc == 0)
        rc = tp_v1_plan(&lab.trace, &lab.r.err);
    if (rc == 0)
        rc = tp_legacy_events_plan(&lab.trace, way->is_strict, &lab.r.err);
    if (rc == 0)
        rc = tp_legacy_events_begin(&o, &lab.trace, &lab.r.err);
    if (rc == 0)
        rc = fill_legacy_events(&lab, &o);
    lab.r.unknown_id_count = o.unknown_id_count;
    tp_legacy_events_fini(&o);
    return close_lab(&lab, rc);
}

void order_v1_result_fini(struct order_v1_result *r)
{
    free(r->legacy_events);
    free(r->ordered);
    free(r->events);
    tp_tables_release(r->tables);
    *r = (struct order_v1_result){0};
}

static bool is_same_text(const struct tp_tables *a, uint64_t id_a, const struct tp_tables *b,
                         uint64_t id_b)
{
    struct tp_span x = a->strings.items[tp_tables_string_idx(a, id_a)];
    struct tp_span y = b->strings.items[tp_tables_string_idx(b, id_b)];
    return x.len_bytes == y.len_bytes &&
           (x.len_bytes == 0 || memcmp(x.ptr, y.ptr, x.len_bytes) == 0);
}

// Compares event `i` of both results. Compares messages by their texts, because their numbers
// depend on the order of first appearance.
static const char *event_difference(const struct order_v1_result *a,
                                    const struct order_v1_result *b, size_t i)
{
    const struct tp_event *x = &a->events[i], *y = &b->events[i];
    if (x->type != y->type || x->time_ns != y->time_ns)
        return "another event, or at another time";
    if (x->m != y->m || x->p != y->p || x->g != y->g)
        return "an event in another context";
    uint64_t args[TP_EVENT_ARGS];
    memcpy(args, y->args, sizeof args);
    enum { TEXT = TP_ARG_UserLog_value_string };
    if (x->type == TP_EV_UserLog && is_same_text(a->tables, x->args[TEXT], b->tables, args[TEXT]))
        args[TEXT] = x->args[TEXT];
    return memcmp(x->args, args, sizeof args) != 0 ? "an event with other arguments" : NULL;
}

static const char *original_difference(const struct tp_legacy_event *x,
                                       const struct tp_legacy_event *y)
{
    if (x->offset != y->offset || x->type != y->type || x->time_ns != y->time_ns)
        return "another event, or at another time";
    if (x->p != y->p || x->g != y->g || x->stack != y->stack)
        return "an event in another context";
    if (memcmp(x->args, y->args, sizeof x->args) != 0 ||
        memcmp(x->strings, y->strings, sizeof x->strings) != 0)
        return "an event with other arguments";
    bool is_same = x->has_link == y->has_link && x->link_ns == y->link_ns &&
                   x->link_offset == y->link_offset;
    return is_same ? NULL : "an event with another link";
}

const char *order_v1_difference(const struct order_v1_result *a,
                                const struct order_v1_result *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const char *difference =
            a->legacy_events != NULL
                ? original_difference(&a->legacy_events[i], &b->legacy_events[i])
                : event_difference(a, b, i);
        if (difference != NULL)
            return difference;
    }
    if (a->count != b->count)
        return "more or fewer events";
    if (a->lost_bytes != b->lost_bytes || a->left_bytes != b->left_bytes ||
        a->unknown_id_count != b->unknown_id_count)
        return "more or fewer losses";
    bool is_same = a->err.code == b->err.code &&
                   (a->err.code == 0 || strcmp(a->err.text, b->err.text) == 0);
    return is_same ? NULL : "another error";
}
