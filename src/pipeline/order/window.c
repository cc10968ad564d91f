#include "pipeline/order/window.h"

#include "decode/varint.h"
#include "pipeline/order/pending.h"

#define NSEC_PER_SEC INT64_C(1000000000)
// Largest difference between the clocks of two processors, with a margin.
#define CLOCKS_APART_NS 10000

// Adds with saturation: a time out of range has the same effect as no limit.
static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

// Returns the nanoseconds from the beginning to a Unix time, INT64_MIN or INT64_MAX if they are out
// of range.
static int64_t ns_since(const struct tp_beginning *b, const struct tp_time_arg *wall)
{
    int64_t ns, sec = wall->wall_sec - b->wall.sec;
    if (__builtin_mul_overflow(sec, NSEC_PER_SEC, &ns))
        return sec < 0 ? INT64_MIN : INT64_MAX;
    return plus(ns, wall->wall_nsec - b->wall.nsec);
}

// Finds the place of one end of the window in a trace, and makes it a time on a day.
static int place(struct tp_time_arg *a, const struct tp_zone *z, const struct tp_beginning *b,
                 int64_t *ns, struct tp_error *err)
{
    if (a->kind == TP_TIME_ARG_NONE)
        return 0;
    if (a->kind != TP_TIME_ARG_SINCE && !b->has_wall)
        return tp_fail(err, TP_E_ORDER,
                       "the trace has no wall-clock time (Go 1.25 and later "
                       "record it): give a duration since its start");
    tp_time_arg_set_day(a, z, b->wall.sec);
    *ns = plus(b->ns, a->kind == TP_TIME_ARG_SINCE ? a->since_ns : ns_since(b, a));
    return 0;
}

int tp_window_resolve(const struct tp_settings *s, const struct tp_generation *first,
                      uint64_t frequency, struct tp_window *ret_window, struct tp_error *err)
{
    struct tp_window w = {.is_set = true,
                          .from_ns = INT64_MIN,
                          .to_ns = INT64_MAX,
                          .from = s->window.from,
                          .to = s->window.to,
                          .begin = tp_beginning_of(first, frequency)};
    tp_time_arg_set_zone(&w.from, &s->zone);
    tp_time_arg_set_zone(&w.to, &s->zone);
    int rc = place(&w.from, &s->zone, &w.begin, &w.from_ns, err);
    if (rc == 0)
        rc = place(&w.to, &s->zone, &w.begin, &w.to_ns, err);
    if (rc == 0)
        *ret_window = w;
    return rc;
}

// Returns the time of the last event of a thread, which is in its last batch, because a thread's
// batches follow each other in time. INT64_MAX: the batch cannot be read. INT64_MIN: no event.
static int64_t run_end_ns(struct tp_pending *h, const struct tp_tables *clock,
                          const struct tp_m_run *run)
{
    struct tp_m_run last = {.m = run->m, .batches.count = 1};
    struct tp_cursor c;
    struct tp_run_event ahead[TP_CURSOR_AHEAD];
    struct tp_error err;
    int64_t end_ns = INT64_MIN;
    if (run->batches.count == 0)
        return end_ns;
    last.batches.items = &run->batches.items[run->batches.count - 1];
    tp_cursor_init(&c, &last);
    tp_cursor_use_ahead(&c, ahead, TP_CURSOR_AHEAD);
    enum tp_cursor_status st;
    while ((st = tp_cursor_advance(&c, clock, &h->loader, &err)) == TP_CURSOR_EVENT)
        end_ns = c.next->time_ns > end_ns ? c.next->time_ns : end_ns;
    tp_cursor_fini(&c);
    return st == TP_CURSOR_BAD && err.code != TP_E_EVENT ? INT64_MAX : end_ns;
}

static int64_t samples_end_ns(const struct tp_pending *h, const struct tp_table_batch *b)
{
    struct tp_span body = tp_table_batch_body(b);
    const unsigned char *p = body.ptr, *end = p + body.len_bytes;
    int64_t end_ns = INT64_MIN;
    for (p += 1; p < end;) {
        uint64_t fields[5];
        size_t i = 0;
        p++;
        while (i < TP_ARRAY_LEN(fields) && p <= end &&
               tp_varint_get(&p, end, &fields[i]) == TP_VARINT_OK)
            i++;
        if (i < TP_ARRAY_LEN(fields))
            break;
        int64_t ns = tp_ticks_to_ns(fields[0], h->found.frequency);
        end_ns = ns > end_ns ? ns : end_ns;
    }
    return end_ns;
}

int64_t tp_pending_end_ns(struct tp_pending *h)
{
    struct tp_tables clock = {.frequency = h->found.frequency,
                              .ns_per_tick = 1.0 / ((double)h->found.frequency / 1e9)};
    int64_t end_ns = tp_ticks_to_ns(h->lists.begin_ticks, h->found.frequency);
    for (size_t i = 0; i < h->lists.ms.count; i++) {
        int64_t ns = run_end_ns(h, &clock, &h->lists.ms.items[i]);
        end_ns = ns > end_ns ? ns : end_ns;
    }
    for (size_t i = 0; i < h->store.table_batches.count; i++) {
        if (h->store.table_batches.items[i].extent.batch_kind != TP_BATCH_SAMPLES)
            continue;
        int64_t ns = samples_end_ns(h, &h->store.table_batches.items[i]);
        end_ns = ns > end_ns ? ns : end_ns;
    }
    return end_ns;
}

bool tp_window_begins_after(const struct tp_window *w, const struct tp_generation *g,
                        uint64_t frequency)
{
    int64_t end_ns = tp_ticks_to_ns(g->end_ticks, frequency);
    return g->end_ticks != 0 && end_ns != INT64_MIN &&
           plus(end_ns, (int64_t)g->batch_bytes + CLOCKS_APART_NS) < w->from_ns;
}

bool tp_window_ends_before(const struct tp_window *w, const struct tp_generation *g,
                         uint64_t frequency)
{
    return tp_ticks_to_ns(g->begin_ticks, frequency) >= w->to_ns;
}

bool tp_window_begins_after_pending(const struct tp_window *w, struct tp_pending *h,
                                    int64_t *ret_end_ns)
{
    if (w->from_ns == INT64_MIN)
        return false;
    bool is_known = tp_window_begins_after(w, &h->lists, h->found.frequency);
    int64_t end_ns =
        is_known ? tp_ticks_to_ns(h->lists.end_ticks, h->found.frequency) : tp_pending_end_ns(h);
    // Each earlier event may put off the last one by a nanosecond.
    if (!is_known && plus(end_ns, (int64_t)h->store.stored_bytes) >= w->from_ns)
        return false;
    *ret_end_ns = end_ns;
    return true;
}
