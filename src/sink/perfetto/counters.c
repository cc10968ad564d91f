#include "sink/perfetto/counters.h"

#include "base/alloc.h"
#include "merge/tables/event_args.h"

#define NO_COUNTER TP_PERFETTO_COUNTER_COUNT

void tp_perfetto_counters_fini(struct tp_perfetto_counters *c) { tp_free(c->points.items); }

int tp_perfetto_counters_begin(struct tp_perfetto_names *n, struct tp_error *err)
{
    static const struct {
        const char *name, *axis;
        unsigned unit;
    } counters[] = {
#define TP_X(counter, name, unit, axis) {name, axis, unit},
        TP_PERFETTO_COUNTERS(TP_X)
#undef TP_X
    };
    int rc = 0;
    for (unsigned i = 0; i < TP_PERFETTO_COUNTER_COUNT && rc == 0; i++) {
        struct tp_message counter, more;
        counter.len_bytes = more.len_bytes = 0;
        tp_message_value(&counter, COUNTER_UNIT, counters[i].unit);
        tp_message_text(&counter, COUNTER_AXIS, counters[i].axis);
        tp_message_nested(&more, TRACK_COUNTER, &counter);
        rc = tp_perfetto_put_track(n, tp_perfetto_uuid(TP_PERFETTO_COUNTER, i),
                                   tp_perfetto_uuid(TP_PERFETTO_GROUP, TP_PERFETTO_GROUP_COUNTERS), i,
                                   &more, counters[i].name, err);
    }
    return rc;
}

// WINDOWS

// In damaged traces times may wrap.
static int64_t window_of(const struct tp_perfetto_counters *c, int64_t time_ns)
{
    return (int64_t)((uint64_t)time_ns - (uint64_t)c->begin_ns) / c->window_ns;
}

static bool add_point(struct tp_perfetto_counters *c, unsigned counter, int64_t time_ns,
                      int64_t value)
{
    const struct tp_perfetto_point point = {time_ns, value, counter};
    return TP_LIST_ADD(&c->points, point);
}

// Closes the counter's window. False: out of memory.
static bool close_window(struct tp_perfetto_counters *c, unsigned counter)
{
    struct tp_perfetto_level *l = &c->levels[counter];
    if (!l->is_open)
        return true;
    l->is_open = false;
    return (l->peak == l->value || add_point(c, counter, l->peak_ns, l->peak)) &&
           add_point(c, counter, l->last_ns, l->value);
}

// Gives a counter a value from `time_ns` on.
static bool set(struct tp_perfetto_counters *c, unsigned counter, int64_t time_ns, int64_t value)
{
    struct tp_perfetto_level *l = &c->levels[counter];
    int64_t window = window_of(c, time_ns);
    bool fits = true;
    if (l->is_open && window != l->window)
        fits = close_window(c, counter);
    if (!l->is_open || value > l->peak) {
        l->peak = value;
        l->peak_ns = time_ns;
    }
    l->is_open = true;
    l->window = window;
    l->value = value;
    l->last_ns = time_ns;
    return fits;
}

// Doubles the windows, until half of the held values or fewer are left. In damaged traces, where times wrap,
// more may be left.
static bool coarsen(struct tp_perfetto_counters *c)
{
    bool fits = true;
    while (fits && c->points.count > TP_PERFETTO_HELD_MAX / 2 && c->window_ns < INT64_MAX / 4) {
        struct tp_perfetto_level open[TP_PERFETTO_COUNTER_COUNT];
        uint32_t count = c->points.count;
        memcpy(open, c->levels, sizeof open);
        memset(c->levels, 0, sizeof c->levels);
        c->window_ns *= 2;
        // No window gives more values than it gets, so each is read before another takes its place.
        c->points.count = 0;
        for (uint32_t i = 0; i < count && fits; i++) {
            const struct tp_perfetto_point p = c->points.items[i];
            fits = set(c, p.counter, p.time_ns, p.value);
        }
        for (unsigned i = 0; i < TP_PERFETTO_COUNTER_COUNT && fits; i++) {
            fits = close_window(c, i);
            c->levels[i] = open[i];
            c->levels[i].window = window_of(c, open[i].last_ns);
        }
    }
    return fits;
}

// CHANGES

static unsigned counter_of(uint8_t state)
{
    switch (state) {
    case TP_STATE_RUNNING: return TP_PERFETTO_COUNTER_RUNNING;
    case TP_STATE_RUNNABLE: return TP_PERFETTO_COUNTER_RUNNABLE;
    case TP_STATE_WAITING: return TP_PERFETTO_COUNTER_WAITING;
    case TP_STATE_SYSCALL: return TP_PERFETTO_COUNTER_SYSCALL;
    default: return NO_COUNTER;
    }
}

static bool change(struct tp_perfetto_counters *c, unsigned counter, int64_t time_ns, int64_t by)
{
    if (counter == NO_COUNTER)
        return true;
    if (!c->has_ended_first && time_ns <= c->begin_ns) {
        c->base[counter] += by;
        return true;
    }
    return set(c, counter, time_ns, c->levels[counter].value + by);
}

static bool move(struct tp_perfetto_counters *c, unsigned from, unsigned to, int64_t time_ns)
{
    return from == to || (change(c, from, time_ns, -1) && change(c, to, time_ns, 1));
}

static bool add_span(struct tp_perfetto_counters *c, const struct tp_state_span *s)
{
    return s->goes_on || move(c, counter_of(s->state), counter_of(s->next), s->end_ns);
}

static bool add_move(struct tp_perfetto_counters *c, const struct tp_track_move *m)
{
    if (!m->is_proc)
        return move(c, counter_of(m->from), counter_of(m->to), m->time_ns);
    return move(c, m->from == TP_STATE_RUNNING ? TP_PERFETTO_COUNTER_PROCS_USED : NO_COUNTER,
                m->to == TP_STATE_RUNNING ? TP_PERFETTO_COUNTER_PROCS_USED : NO_COUNTER, m->time_ns);
}

static bool add_event(struct tp_perfetto_counters *c, const struct tp_event *e)
{
    unsigned counter = e->type == TP_EV_HeapAlloc      ? TP_PERFETTO_COUNTER_HEAP
                       : e->type == TP_EV_HeapGoal     ? TP_PERFETTO_COUNTER_GOAL
                       : e->type == TP_EV_ProcsChange  ? TP_PERFETTO_COUNTER_PROCS
                                                       : NO_COUNTER;
    uint64_t value = counter != NO_COUNTER ? tp_arg(e, Metric, value) : 0;
    return counter == NO_COUNTER ||
           set(c, counter, e->time_ns, value < INT64_MAX ? (int64_t)value : INT64_MAX);
}

static bool add_block(struct tp_perfetto_counters *c, const struct tp_block *b)
{
    const struct tp_facts *f = b->facts;
    bool fits = true;
    uint32_t span = 0, step = 0;
    while (fits && (span < f->spans.count || step < f->moves.count)) {
        bool is_span = step == f->moves.count ||
                       (span < f->spans.count &&
                        f->spans.items[span].end_ns <= f->moves.items[step].time_ns);
        fits = is_span ? add_span(c, &f->spans.items[span++]) : add_move(c, &f->moves.items[step++]);
    }
    for (uint32_t i = 0; i < f->others.count && fits; i++)
        fits = add_event(c, &b->events[f->others.items[i]]);
    return fits;
}

// OUTPUT

static int write_point(const struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                       const struct tp_perfetto_point *p, struct tp_error *err)
{
    struct tp_message packet, event;
    if (p->time_ns < 0)
        return 0; // the format cannot have such times, which only damaged traces have
    tp_track_event_begin(&event, EVENT_IS_COUNTER,
                         tp_perfetto_uuid(TP_PERFETTO_COUNTER, p->counter));
    tp_message_value(&event, EVENT_COUNTER_VALUE, (uint64_t)(p->value + c->base[p->counter]));
    tp_packet_begin_plain(&packet, p->time_ns);
    tp_message_nested(&packet, PACKET_TRACK_EVENT, &event);
    return tp_perfetto_put(&n->output, &packet, err);
}

static int write_points(struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                        struct tp_error *err)
{
    int rc = 0;
    for (uint32_t i = 0; i < c->points.count && rc == 0; i++)
        rc = write_point(c, n, &c->points.items[i], err);
    c->points.count = 0;
    return rc;
}

// Writes the levels with which the trace began, and the values that were held.
static int end_first(struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                     struct tp_error *err)
{
    int rc = 0;
    c->has_ended_first = true;
    for (uint32_t i = 0; i <= TP_PERFETTO_COUNTER_PROCS_USED && rc == 0; i++)
        rc = write_point(c, n, &(struct tp_perfetto_point){c->begin_ns, 0, i}, err);
    return rc == 0 ? write_points(c, n, err) : rc;
}

static int fail_for_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for counters");
}

int tp_perfetto_counters_add(struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                             const struct tp_block *b, struct tp_error *err)
{
    if (b->tables == NULL)
        return 0;
    if (c->window_ns == 0 && b->event_count == 0)
        return 0;
    if (c->window_ns == 0) {
        c->window_ns = TP_PERFETTO_WINDOW_NS;
        c->begin_ns = b->tables->first_ns > 0 ? b->tables->first_ns : 0; // before Go 1.22 it is -1
        c->first_generation = b->tables->generation;
    }
    int rc = 0;
    if (!c->has_ended_first && b->tables->generation != c->first_generation)
        rc = end_first(c, n, err);
    if (rc != 0)
        return rc;
    if (!add_block(c, b) ||
        (!c->has_ended_first && c->points.count > TP_PERFETTO_HELD_MAX && !coarsen(c)))
        return fail_for_memory(err);
    if (!c->has_ended_first && c->points.count > TP_PERFETTO_HELD_MAX)
        return end_first(c, n, err);
    return c->has_ended_first ? write_points(c, n, err) : 0;
}

int tp_perfetto_counters_end(struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                             struct tp_error *err)
{
    int rc = c->has_ended_first || c->window_ns == 0 ? 0 : end_first(c, n, err);
    for (unsigned i = 0; i < TP_PERFETTO_COUNTER_COUNT && rc == 0; i++)
        rc = close_window(c, i) ? 0 : fail_for_memory(err);
    return rc == 0 ? write_points(c, n, err) : rc;
}
