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

static int place(const struct tp_time_arg *m, const struct tp_generation *first, uint64_t frequency,
                 int64_t *ns, struct tp_error *err)
{
    if (m->kind == TP_TIME_ARG_SINCE && first == NULL) {
        *ns = m->since_ns;
    } else if (m->kind == TP_TIME_ARG_SINCE) {
        // The first event is the Sync of the first generation, at 1 ns or later.
        int64_t begin_ns = tp_ticks_to_ns(first->begin_ticks, frequency);
        *ns = plus(begin_ns > 1 ? begin_ns : 1, m->since_ns);
    } else if (m->kind == TP_TIME_ARG_WALL) {
        const struct tp_clock_snapshot *c = first != NULL ? &first->clock : NULL;
        int64_t sec;
        if (c == NULL || !first->has_clock)
            return tp_fail(err, TP_E_ORDER, "the trace does not know the time of day (Go 1.25 and "
                           "later do): give a duration from its beginning");
        if (__builtin_sub_overflow(m->wall_sec, (int64_t)c->wall_sec, &sec) ||
            __builtin_mul_overflow(sec, NSEC_PER_SEC, &sec))
            sec = m->wall_sec < (int64_t)c->wall_sec ? INT64_MIN : INT64_MAX;
        *ns = plus(tp_ticks_to_ns(c->trace_ticks, frequency),
                   plus(sec, m->wall_nsec - (int64_t)c->wall_nsec));
    }
    return 0;
}

static bool is_before(const struct tp_time_arg *a, const struct tp_time_arg *b)
{
    if (a->kind != b->kind || a->kind == TP_TIME_ARG_NONE)
        return false;
    if (a->kind == TP_TIME_ARG_SINCE)
        return a->since_ns < b->since_ns;
    return a->wall_sec != b->wall_sec ? a->wall_sec < b->wall_sec : a->wall_nsec < b->wall_nsec;
}

int tp_window_check(const struct tp_window_args *args, struct tp_error *err)
{
    return is_before(&args->to, &args->from)
               ? tp_fail(err, TP_E_USAGE, "the time window ends before it begins")
               : 0;
}

int tp_window_resolve(const struct tp_window_args *args, const struct tp_generation *first,
                      uint64_t frequency, struct tp_window *ret_window, struct tp_error *err)
{
    struct tp_window w = {.is_set = true, .from_ns = INT64_MIN, .to_ns = INT64_MAX};
    int rc = place(&args->from, first, frequency, &w.from_ns, err);
    if (rc == 0)
        rc = place(&args->to, first, frequency, &w.to_ns, err);
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

// Returns an upper bound on the time with which the last event is handed out: each earlier event
// may delay it by a nanosecond.
static int64_t end_bound_ns(struct tp_pending *h)
{
    return plus(tp_pending_end_ns(h), (int64_t)h->store.stored_bytes);
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

bool tp_window_begins_after_pending(const struct tp_window *w, struct tp_pending *h)
{
    return w->from_ns != INT64_MIN && (tp_window_begins_after(w, &h->lists, h->found.frequency) ||
                                       end_bound_ns(h) < w->from_ns);
}
