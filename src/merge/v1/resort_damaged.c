#include "merge/v1/resort_damaged.h"

#include "base/alloc.h"
#include "base/list.h"
#include "base/slab.h"
#include "base/sort/gosort.h"
#include "merge/v1/wakeups.h"

// Sets *ret_rise to whether sequence numbers rise from event to event. The walk ends at the first
// event whose time is before that of the previous event; the number of this event is still
// compared. If the numbers rise up to there and only the time falls, sorting by numbers would not
// make the times rise.
static int do_numbers_rise(const struct tp_v1_trace *t, bool *ret_rise, struct tp_error *err)
{
    struct tp_v1_sequence s;
    struct tp_v1_ordered *e = NULL;
    enum tp_cursor_status st = TP_CURSOR_EVENT;
    int64_t ns, last_key = INT64_MIN;
    *ret_rise = true;
    int rc = tp_v1_sequence_begin(&s, t, err);
    while (rc == 0 && st == TP_CURSOR_EVENT && *ret_rise) {
        st = tp_v1_sequence_take(&s, &e, &ns, err);
        // Here TP_E_ORDER means that the event is earlier than the previous one; then `e` is set.
        bool is_late = st == TP_CURSOR_BAD && err->code == TP_E_ORDER;
        if (st == TP_CURSOR_EVENT || is_late)
            *ret_rise = e->key > last_key;
        // Go refuses the whole trace for such a time, before it checks events.
        if (st == TP_CURSOR_BAD && (!is_late || (*ret_rise && t->is_strict)))
            rc = err->code;
        if (e != NULL)
            last_key = e->key;
    }
    tp_v1_sequence_fini(&s);
    return rc;
}

// Gathers the events of all Ps in t->sorted, one P after the other.
static int gather(struct tp_v1_trace *t, struct tp_v1_order *o, struct tp_error *err)
{
    TP_LIST(struct tp_v1_ordered) events = {0};
    int rc = 0;
    for (size_t i = 0; i + 1 < o->stream_count && rc == 0; i++) {
        struct tp_v1_cursor *c = &o->streams[i].cursor;
        enum tp_cursor_status st = c->next.type != TP_V1_NONE ? TP_CURSOR_EVENT : TP_CURSOR_END;
        for (; st == TP_CURSOR_EVENT && rc == 0; st = tp_v1_cursor_advance(c, err)) {
            struct tp_v1_ordered e = c->next;
            if (e.type == TP_V1_GoSysExit) {
                int64_t ticks = (int64_t)tp_v1_arg(&e, GoSysExit, ts);
                e.key = (int64_t)tp_v1_arg(&e, GoSysExit, seq);
                e.ticks = ticks != 0 ? ticks : e.ticks;
            }
            if (events.count * sizeof e >= t->max_bytes)
                rc = tp_fail(err, TP_E_LIMIT, "events whose sequence numbers are damaged do "
                             "not fit into %llu bytes", (unsigned long long)t->max_bytes);
            else if (!TP_LIST_ADD(&events, e))
                rc = tp_fail(err, TP_E_MEMORY, "out of memory for the events of a trace");
        }
        rc = rc == 0 && st == TP_CURSOR_BAD ? err->code : rc;
    }
    t->sorted = events.items;
    t->sorted_count = events.count;
    return rc;
}

static int by_number(const void *a, const void *b, void *ctx)
{
    int64_t x = ((const struct tp_v1_ordered *)a)->key;
    int64_t y = ((const struct tp_v1_ordered *)b)->key;
    (void)ctx;
    return (x > y) - (x < y);
}

static int check_times(const struct tp_v1_trace *t, struct tp_error *err)
{
    for (size_t i = 1; i < t->sorted_count && t->is_strict; i++) {
        if (t->sorted[i].ticks < t->sorted[i - 1].ticks)
            return tp_fail(err, TP_E_ORDER, "time stamps out of order");
    }
    return 0;
}

static int plan_wakeups(struct tp_v1_trace *t, struct tp_error *err)
{
    struct tp_v1_wakeups w = {0};
    TP_SLAB(struct tp_v1_noted_wakeup) gs = {0};
    bool fits = true;
    t->futile.count = 0;
    for (size_t i = 0; i < t->sorted_count && fits; i++) {
        const struct tp_v1_ordered *e = &t->sorted[i];
        struct tp_v1_noted_wakeup *of = TP_SLAB_GET_OR_ADD(&gs, tp_v1_wakeup_g(e));
        fits = of != NULL && tp_v1_wakeups_note(&w, t, e, of);
    }
    TP_SLAB_FINI(&gs);
    tp_v1_wakeups_sort(t);
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for the wake-ups of a trace");
}

int tp_v1_sort_if_needed(struct tp_v1_trace *t, struct tp_error *err)
{
    struct tp_v1_order o;
    bool rise = true;
    int rc = tp_v1_is_sequenced(t) ? do_numbers_rise(t, &rise, err) : 0;
    if (rc != 0 || rise)
        return rc;
    rc = tp_v1_order_begin(&o, t, err);
    if (rc == 0)
        rc = gather(t, &o, err);
    tp_v1_order_fini(&o);
    if (rc != 0)
        return rc;
    tp_gosort(t->sorted, t->sorted_count, sizeof *t->sorted, by_number, NULL);
    rc = check_times(t, err);
    return rc == 0 ? plan_wakeups(t, err) : rc;
}
