#include "merge/v1/order_v0.h"

#include "base/alloc.h"

// The sorter's buffer has at most this part of the memory limit: one in SORTER_PART.
#define SORTER_PART 8
#define SORTER_MOST_BYTES TP_MIB(16)

static bool goes_first(const void *ctx, const struct tp_v0_front *a, const struct tp_v0_front *b)
{
    (void)ctx;
    return a->ticks != b->ticks ? a->ticks < b->ticks : a->offset < b->offset;
}

#define HEAP_ITEM struct tp_v0_front
#define HEAP_CTX const void
#include "base/sort/heap.def"

// Advances a cursor. The cursor gives each event its goroutine by the rules since Go 1.5; this
// function corrects the goroutine where the rules before Go 1.5 differ: events of the collector
// have none, and statuses from before the trace belong to the goroutine that runs on the P.
static enum tp_cursor_status advance(struct tp_v1_cursor *c, struct tp_error *err)
{
    enum tp_cursor_status st = tp_v1_cursor_advance(c, err);
    if (tp_v1_is_of_collector(c->next.type))
        c->next.g = 0;
    else if (c->next.type == TP_V1_GoWaiting || c->next.type == TP_V1_GoInSyscall)
        c->next.g = c->last_g;
    return st;
}

// PS WHOSE TIMES FALL

static int does_rise(const struct tp_v1_trace *t, const struct tp_m_run *run, bool *ret_rises,
                     struct tp_error *err)
{
    struct tp_v1_cursor c;
    enum tp_cursor_status st = TP_CURSOR_EVENT;
    int64_t last_ticks = INT64_MIN;
    tp_v1_cursor_init(&c, t, run);
    *ret_rises = true;
    while (*ret_rises && (st = advance(&c, err)) == TP_CURSOR_EVENT) {
        *ret_rises = c.next.ticks >= last_ticks;
        last_ticks = c.next.ticks;
    }
    tp_v1_cursor_fini(&c);
    return st == TP_CURSOR_BAD ? err->code : 0;
}

static int init_sorter(struct tp_v0_order *o, const struct tp_v1_trace *t, struct tp_error *err)
{
    const struct tp_sorter_memory memory =
        tp_sorter_memory_of(t->max_bytes / SORTER_PART, SORTER_MOST_BYTES);
    return tp_sorter_init(&o->sorter, &memory, err);
}

// An event in the sorter, with its length on the wire.
struct item {
    struct tp_v1_ordered event;
    uint64_t len_bytes;
};

static int put_events(struct tp_v0_order *o, struct tp_v1_cursor *c, struct tp_error *err)
{
    enum tp_cursor_status st;
    while ((st = advance(c, err)) == TP_CURSOR_EVENT) {
        struct tp_sorter_key key = {{tp_sorter_word_of(c->next.ticks), c->next.offset}};
        struct item item = {c->next, tp_v1_cursor_offset(c) - c->next.offset};
        struct tp_span bytes = tp_span_of((const unsigned char *)&item, sizeof item);
        if (tp_sorter_put(&o->sorter, &key, &bytes, 1, err) != 0)
            return err->code;
        o->sorted_left_bytes += item.len_bytes;
    }
    return st == TP_CURSOR_BAD ? err->code : 0;
}

static int sort_run(struct tp_v0_order *o, const struct tp_v1_trace *t,
                    const struct tp_m_run *run, struct tp_error *err)
{
    struct tp_v1_cursor c;
    bool is_first = o->sorter.buf.ptr == NULL;
    int rc = is_first ? init_sorter(o, t, err) : 0;
    tp_v1_cursor_init(&c, t, run);
    if (rc == 0)
        rc = put_events(o, &c, err);
    tp_v1_cursor_fini(&c);
    return rc;
}

static enum tp_cursor_status take_sorted(struct tp_v0_order *o, struct tp_error *err)
{
    struct tp_sorter_item got;
    struct item item;
    bool has;
    if (tp_sorter_next(&o->sorter, &got, &has, err) != 0)
        return TP_CURSOR_BAD;
    if (!has)
        return TP_CURSOR_END;
    memcpy(&item, got.bytes.ptr, sizeof item);
    o->sorted = item.event;
    o->sorted_left_bytes -= item.len_bytes;
    return TP_CURSOR_EVENT;
}

// THE HEAP

static struct tp_v1_ordered *next_of(struct tp_v0_order *o, struct tp_v1_cursor *cursor)
{
    return cursor != NULL ? &cursor->next : &o->sorted;
}

static enum tp_cursor_status advance_source(struct tp_v0_order *o, struct tp_v1_cursor *cursor,
                                            struct tp_v0_front *ret_front, struct tp_error *err)
{
    enum tp_cursor_status st = cursor != NULL ? advance(cursor, err) : take_sorted(o, err);
    const struct tp_v1_ordered *e = next_of(o, cursor);
    if (st == TP_CURSOR_EVENT)
        *ret_front = (struct tp_v0_front){e->ticks, e->offset, cursor};
    return st;
}

static int add_source(struct tp_v0_order *o, struct tp_v1_cursor *cursor, struct tp_error *err)
{
    struct tp_v0_front front;
    enum tp_cursor_status st = advance_source(o, cursor, &front, err);
    if (st == TP_CURSOR_EVENT)
        heap_push(NULL, o->heap, o->heap_count++, &front);
    return st == TP_CURSOR_BAD ? err->code : 0;
}

int tp_v0_order_begin(struct tp_v0_order *o, const struct tp_v1_trace *t, struct tp_error *err)
{
    const struct tp_generation *lists = t->lists;
    *o = (struct tp_v0_order){0};
    o->cursors = tp_alloc_array(lists->ms.count + 1, sizeof *o->cursors);
    o->heap = tp_alloc_array(lists->ms.count + 1, sizeof *o->heap);
    if (o->cursors == NULL || o->heap == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the Ps of a trace");
    int rc = 0;
    for (size_t i = 0; i < lists->ms.count && rc == 0; i++) {
        bool rises;
        rc = does_rise(t, &lists->ms.items[i], &rises, err);
        if (rc == 0 && !rises)
            rc = sort_run(o, t, &lists->ms.items[i], err);
        else if (rc == 0)
            tp_v1_cursor_init(&o->cursors[o->cursor_count++], t, &lists->ms.items[i]);
    }
    for (size_t i = 0; i < o->cursor_count && rc == 0; i++)
        rc = add_source(o, &o->cursors[i], err);
    bool has_sorter = o->sorter.buf.ptr != NULL;
    if (rc == 0 && has_sorter)
        rc = tp_sorter_sort(&o->sorter, err);
    return rc == 0 && has_sorter ? add_source(o, NULL, err) : rc;
}

void tp_v0_order_fini(struct tp_v0_order *o)
{
    for (size_t i = 0; i < o->cursor_count; i++)
        tp_v1_cursor_fini(&o->cursors[i]);
    tp_free(o->cursors);
    tp_free(o->heap);
    tp_sorter_fini(&o->sorter);
    *o = (struct tp_v0_order){0};
}

uint64_t tp_v0_order_left_bytes(const struct tp_v0_order *o)
{
    uint64_t left_bytes = o->sorted_left_bytes;
    for (size_t i = 0; i < o->cursor_count; i++)
        left_bytes += tp_v1_cursor_left_bytes(&o->cursors[i]);
    return left_bytes;
}

TP_NOINLINE
enum tp_cursor_status tp_v0_order_next(struct tp_v0_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err)
{
    struct tp_v0_front front;
    if (o->first_is_out) {
        switch (advance_source(o, o->heap[0].cursor, &front, err)) {
        case TP_CURSOR_BAD: return TP_CURSOR_BAD;
        case TP_CURSOR_END: front = o->heap[--o->heap_count]; break;
        case TP_CURSOR_EVENT: break;
        }
        heap_replace_first(NULL, o->heap, o->heap_count, &front);
    }
    o->first_is_out = o->heap_count > 0;
    if (o->heap_count == 0)
        return TP_CURSOR_END;
    *ret = next_of(o, o->heap[0].cursor);
    return TP_CURSOR_EVENT;
}
