#include "sink/perfetto/unit.h"

#include <assert.h>

#include "merge/tables/event_shape.h"
#include "sink/perfetto/wire.h"

// A slice of a track. The trace may not show its begin or end; then it is only known to have lasted from or
// until there.
struct slice {
    uint64_t track;
    int64_t begin_ns, end_ns;
    uint64_t name; // iid
    enum tp_perfetto_category category;
    bool had_begun, goes_on;
    uint32_t stack;      // reference; 0: none
    uint64_t flow_end;   // number of the flow that ends here; 0: none
};

struct encoder {
    const struct tp_perfetto_config *config;
    const struct tp_block *block;
    struct tp_perfetto_unit *unit;
    struct tp_buf *buf;
    struct tp_perfetto_sequence sequence;
    bool is_full; // something did not fit
};

// NEEDS

// Notes a need. Needs of the first kinds are noted once, as far as the cache knows.
static void need(struct encoder *e, enum tp_perfetto_need_kind kind, uint64_t id, int64_t other,
                 uint32_t ref)
{
    struct tp_perfetto_unit *u = e->unit;
    uint16_t *recent = &u->recent[(id ^ id >> 8) * TP_PERFETTO_NEED_KINDS % TP_PERFETTO_RECENT + kind];
    const struct tp_perfetto_need *known = &u->needs[*recent];
    if (kind <= TP_PERFETTO_NEEDS_REGIONS && *recent < u->need_count && known->kind == kind &&
        known->id == id)
        return;
    if (u->need_count == TP_PERFETTO_NEEDS_MAX) {
        e->is_full = true;
        return;
    }
    *recent = (uint16_t)u->need_count;
    u->needs[u->need_count++] = (struct tp_perfetto_need){id, other, ref, (uint8_t)kind};
}

static uint64_t need_name(struct encoder *e, enum tp_perfetto_name kind, uint64_t id, uint32_t ref)
{
    uint64_t iid = tp_perfetto_name(kind, id);
    need(e, TP_PERFETTO_NEEDS_NAME, iid, 0, ref);
    return iid;
}

// Returns the iid of a text of the trace, or of a word if the text is empty.
static uint64_t need_text(struct encoder *e, uint32_t ref, enum tp_perfetto_word otherwise)
{
    return ref != TP_STRING_EMPTY && tp_fact_text(ref, e->block->tables).len_bytes > 0
               ? need_name(e, TP_PERFETTO_NAME_TEXT, ref, ref)
               : TP_PERFETTO_IID(otherwise);
}

static uint64_t need_track(struct encoder *e, enum tp_perfetto_track kind, int64_t id)
{
    uint64_t uuid = tp_perfetto_uuid(kind, id);
    need(e, TP_PERFETTO_NEEDS_TRACK, uuid, id, 0);
    return uuid;
}

// The same for a second track of a P or thread with the id `id`, for slices that may not nest with those of the
// first one. `other` tells it from further ones. Viewers draw tracks with one name as one.
static uint64_t need_track_beside(struct encoder *e, enum tp_perfetto_track kind, int64_t id,
                                  int64_t other)
{
    uint64_t uuid = tp_perfetto_uuid(kind, tp_perfetto_pair_id((uint64_t)id, ~(uint64_t)other));
    need(e, TP_PERFETTO_NEEDS_TRACK, uuid, id, 0);
    return uuid;
}

// The same for a track of regions of `owner`: a task for TP_PERFETTO_TASK_REGION, else a goroutine.
static uint64_t need_regions(struct encoder *e, enum tp_perfetto_track kind, int64_t id,
                             uint64_t owner)
{
    uint64_t uuid = tp_perfetto_uuid(kind, id);
    need(e, TP_PERFETTO_NEEDS_REGIONS, uuid, (int64_t)owner, 0);
    return uuid;
}

static uint64_t need_goroutine(struct encoder *e, int64_t goroutine)
{
    need(e, TP_PERFETTO_NEEDS_USED, (uint64_t)goroutine, 0, 0);
    return tp_perfetto_uuid(TP_PERFETTO_GOROUTINE, goroutine);
}

// PACKETS

static void put_packet(struct encoder *e, const struct tp_message *packet)
{
    struct tp_message head;
    head.len_bytes = 0;
    tp_message_sized(&head, TRACE_PACKET, packet->len_bytes);
    if (!tp_buf_put(e->buf, head.bytes, head.len_bytes) ||
        !tp_buf_put(e->buf, packet->bytes, packet->len_bytes))
        e->is_full = true;
}

static void put_event(struct encoder *e, int64_t time_ns, const struct tp_message *event)
{
    struct tp_message packet;
    tp_packet_begin_at(&packet, &e->sequence, time_ns);
    tp_message_nested(&packet, PACKET_TRACK_EVENT, event);
    put_packet(e, &packet);
}

static bool has_stack(uint32_t stack) { return stack != 0 && stack != TP_REF_LOST_STACK; }

static void put_stack_arg(struct encoder *e, struct tp_message *event, enum tp_perfetto_arg arg,
                          uint32_t stack)
{
    if (!has_stack(stack))
        return;
    need(e, TP_PERFETTO_NEEDS_STACK_TEXT, stack, 0, stack);
    tp_perfetto_put_arg(event, arg, ARG_TEXT_IID, stack);
}

// Begins the event that begins a slice. The caller adds arguments and calls put_slice.
static void begin_slice(struct encoder *e, const struct slice *s, struct tp_message *event)
{
    tp_track_event_begin(event, EVENT_BEGINS, s->track);
    tp_message_value(event, EVENT_NAME, s->name);
    tp_message_value(event, EVENT_CATEGORY, TP_PERFETTO_IID(s->category));
    if (s->flow_end != 0)
        tp_message_fixed64(event, EVENT_FLOW_END, s->flow_end);
    if (e->config->args)
        put_stack_arg(e, event, TP_PERFETTO_ARG_STACK, s->stack);
    if (e->config->callstacks && has_stack(s->stack)) {
        need(e, TP_PERFETTO_NEEDS_STACK, s->stack, 0, s->stack);
        tp_message_value(event, EVENT_STACK, s->stack);
    }
    if (s->had_begun || s->goes_on)
        tp_perfetto_put_arg(event, TP_PERFETTO_ARG_CUT, ARG_TEXT_IID,
                TP_PERFETTO_CUT_IID + (!s->goes_on    ? TP_PERFETTO_CUT_BEGIN
                                       : s->had_begun ? TP_PERFETTO_CUT_BOTH
                                                      : TP_PERFETTO_CUT_END));
}

static void put_slice(struct encoder *e, const struct slice *s, const struct tp_message *event)
{
    struct tp_message end;
    // An end without a name ends the slice that was begun last. Cut slices may overlap others, so their ends
    // tell by name which slice they end.
    put_event(e, s->begin_ns, event);
    tp_track_event_begin(&end, EVENT_ENDS, s->track);
    if (s->had_begun || s->goes_on)
        tp_message_value(&end, EVENT_NAME, s->name);
    put_event(e, s->end_ns, &end);
}

// Whether an item is at times that the format cannot have, which only damaged traces have.
static bool is_too_early(struct encoder *e, int64_t begin_ns, int64_t end_ns)
{
    bool is_early = begin_ns < 0 || end_ns < begin_ns;
    e->unit->omitted_count += is_early;
    return is_early;
}

// SPANS

static const struct state {
    enum tp_perfetto_category category;
    enum tp_perfetto_word word;
    bool is_shown;
} states[TP_STATES] = {
#define TP_X(state) \
    [TP_STATE_##state] = {TP_PERFETTO_CATEGORY_##state, TP_PERFETTO_WORD_##state, true}
    TP_X(RUNNING),
    TP_X(RUNNABLE),
    TP_X(WAITING),
    TP_X(SYSCALL),
#undef TP_X
};

// Whether there are flows from who made a goroutine runnable to the run that followed. The number of a
// flow is the time at which the run began, which no other event has.
static bool has_flows(const struct tp_perfetto_config *c)
{
    return c->args && tp_perfetto_shows_goroutines(c) && !tp_perfetto_selects(c);
}

// Puts the state of a goroutine onto its own track.
static void put_state(struct encoder *e, const struct tp_state_span *s)
{
    const struct state *state = &states[s->state];
    struct tp_message event;
    const struct slice slice = {
        .track = need_goroutine(e, s->goroutine),
        .begin_ns = s->begin_ns,
        .end_ns = s->end_ns,
        .name = s->state == TP_STATE_WAITING ? need_text(e, s->reason, state->word)
                                             : TP_PERFETTO_IID(state->word),
        .category = state->category,
        .had_begun = s->had_begun,
        .goes_on = s->goes_on,
        .stack = (s->marks & TP_SPAN_STACK_OF_OTHERS) == 0 ? s->stack : 0,
        .flow_end = s->was_woken && has_flows(e->config) ? (uint64_t)s->begin_ns : 0};
    begin_slice(e, &slice, &event);
    if (e->config->args) {
        if (s->waker != TP_NO_GOROUTINE)
            tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_WAKER, ARG_INT, (uint64_t)s->waker);
        put_stack_arg(e, &event, TP_PERFETTO_ARG_WAKER_STACK, s->waker_stack);
        if (s->state == TP_STATE_RUNNING && s->proc >= 0 && !tp_perfetto_shows_procs(e->config))
            tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_PROC, ARG_INT, (uint64_t)s->proc);
        if (s->task != TP_NO_TASK)
            tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_TASK, ARG_UINT, s->task);
    }
    put_slice(e, &slice, &event);
}

// Puts a run onto the track of its P.
static void put_run(struct encoder *e, const struct tp_state_span *s)
{
    struct tp_message event;
    bool is_named = s->function != TP_STRING_EMPTY;
    const struct slice slice = {
        // If the end is missing, other goroutines may have run in the meantime.
        .track = s->goes_on ? need_track_beside(e, TP_PERFETTO_PROC, s->proc, s->goroutine)
                            : need_track(e, TP_PERFETTO_PROC, s->proc),
        .begin_ns = s->begin_ns,
        .end_ns = s->end_ns,
        .name = need_name(e, is_named ? TP_PERFETTO_NAME_NAMED : TP_PERFETTO_NAME_UNNAMED,
                          (uint64_t)s->goroutine, s->function),
        .category = TP_PERFETTO_CATEGORY_PROC,
        .had_begun = s->had_begun,
        .goes_on = s->goes_on};
    begin_slice(e, &slice, &event);
    put_slice(e, &slice, &event);
}

// Puts the begin of a flow onto the track of the waker.
static void put_wake(struct encoder *e, const struct tp_state_span *s)
{
    struct tp_message event;
    tp_track_event_begin(&event, EVENT_IS_INSTANT, need_goroutine(e, s->waker));
    tp_message_value(&event, EVENT_NAME, TP_PERFETTO_IID(TP_PERFETTO_WORD_WAKE));
    tp_message_fixed64(&event, EVENT_FLOW, (uint64_t)s->end_ns);
    put_event(e, s->begin_ns, &event);
}

static void put_span(struct encoder *e, const struct tp_state_span *s)
{
    if (!tp_span_filter_takes(&e->config->filter, s, e->block->tables) || !states[s->state].is_shown || is_too_early(e, s->begin_ns, s->end_ns))
        return;
    if (s->state == TP_STATE_RUNNABLE && s->next == TP_STATE_RUNNING &&
        s->waker != TP_NO_GOROUTINE && has_flows(e->config))
        put_wake(e, s);
    if (tp_perfetto_shows_goroutines(e->config))
        put_state(e, s);
    size_t before_bytes = e->buf->len_bytes;
    if (s->state == TP_STATE_RUNNING && s->proc >= 0 && tp_perfetto_shows_procs(e->config))
        put_run(e, s);
    e->unit->proc_bytes += e->buf->len_bytes - before_bytes;
}

// INTERVALS

// Returns whether the options select an interval of a goroutine or task. Which function a goroutine began
// with is not known here, so with `function` they are left out.
static bool is_selected(const struct tp_perfetto_config *c, int64_t goroutine, uint64_t task)
{
    const struct tp_span_filter *f = &c->filter;
    return f->function[0] == '\0' && (f->goroutine == -1 || goroutine == f->goroutine) &&
           (f->task == 0 || task == (uint64_t)f->task);
}

static void put_interval_slice(struct encoder *e, const struct tp_interval *i, struct slice slice)
{
    struct tp_message event;
    slice.begin_ns = i->begin_ns;
    slice.end_ns = i->end_ns;
    slice.had_begun = i->had_begun;
    slice.goes_on = i->goes_on;
    slice.stack = i->kind == TP_INTERVAL_PAUSE ? i->stack : 0;
    begin_slice(e, &slice, &event);
    if (e->config->args && i->goroutine != TP_NO_GOROUTINE)
        tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_GOROUTINE, ARG_INT, (uint64_t)i->goroutine);
    if (e->config->args && i->task != TP_NO_TASK)
        tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_TASK, ARG_UINT, i->task);
    if (e->config->args && i->parent != TP_NO_TASK)
        tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_PARENT, ARG_UINT, i->parent);
    put_slice(e, &slice, &event);
}

// Puts a region onto tracks below its goroutine and its task. Slices of a track must nest, so a region that
// does not, or whose end is not known, has tracks of its own.
static void put_region(struct encoder *e, const struct tp_interval *i)
{
    uint64_t goroutine = (uint64_t)i->goroutine;
    bool is_alone = i->crosses || i->goes_on;
    uint64_t other = is_alone ? (uint64_t)i->begin_ns : 0;
    struct slice slice = {.name = need_text(e, i->name, TP_PERFETTO_WORD_REGION),
                          .category = TP_PERFETTO_CATEGORY_REGION};
    (void)need_goroutine(e, i->goroutine);
    slice.track = need_regions(e, is_alone ? TP_PERFETTO_CROSSING : TP_PERFETTO_REGION,
                               is_alone ? tp_perfetto_pair_id(other, goroutine) : i->goroutine,
                               goroutine);
    put_interval_slice(e, i, slice);
    if (i->task == TP_NO_TASK)
        return;
    (void)need_track(e, TP_PERFETTO_TASK, (int64_t)i->task);
    slice.track = need_regions(e, TP_PERFETTO_TASK_REGION,
                               tp_perfetto_pair_id(i->task, goroutine ^ other), i->task);
    put_interval_slice(e, i, slice);
}

static void put_goroutine_interval(struct encoder *e, const struct tp_interval *i, uint32_t idx)
{
    if (!tp_perfetto_shows_goroutines(e->config))
        return;
    if (i->kind == TP_INTERVAL_LIFE) {
        need(e, TP_PERFETTO_NEEDS_LIFE, 0, 0, idx);
        return;
    }
    if (!is_selected(e->config, i->goroutine, i->task))
        return;
    switch (i->kind) {
    case TP_INTERVAL_TASK:
        put_interval_slice(
            e, i,
            (struct slice){.track = need_track(e, TP_PERFETTO_TASK, (int64_t)i->task),
                           .name = need_text(e, i->name, TP_PERFETTO_WORD_TASK),
                           .category = TP_PERFETTO_CATEGORY_TASK});
        break;
    case TP_INTERVAL_REGION: put_region(e, i); break;
    default:
        (void)need_goroutine(e, i->goroutine);
        put_interval_slice(
            e, i,
            (struct slice){.track = need_track(e, TP_PERFETTO_ASSIST, i->goroutine),
                           .name = TP_PERFETTO_IID(TP_PERFETTO_WORD_ASSIST),
                           .category = TP_PERFETTO_CATEGORY_COLLECTOR});
        break;
    }
}

static void put_machine_interval(struct encoder *e, const struct tp_interval *i)
{
    struct slice slice = {.category = TP_PERFETTO_CATEGORY_COLLECTOR};
    bool has_procs = tp_perfetto_shows_procs(e->config) && !tp_perfetto_selects(e->config);
    size_t before_bytes = e->buf->len_bytes;
    switch (i->kind) {
    case TP_INTERVAL_MARK:
        slice.track = need_track(e, TP_PERFETTO_MARK, 0);
        slice.name = TP_PERFETTO_IID(TP_PERFETTO_WORD_MARK);
        break;
    case TP_INTERVAL_PAUSE:
        slice.track = need_track(e, TP_PERFETTO_PAUSE, 0);
        slice.name = need_text(e, i->name, TP_PERFETTO_WORD_PAUSE);
        break;
    case TP_INTERVAL_SWEEP:
        if (!has_procs)
            return;
        (void)need_track(e, TP_PERFETTO_PROC, i->proc);
        slice.track = need_track(e, TP_PERFETTO_SWEEP, i->proc);
        slice.name = TP_PERFETTO_IID(TP_PERFETTO_WORD_SWEEP);
        break;
    default:
        if (!has_procs || i->thread < 0)
            return;
        // Before Go 1.22 a thread may get a P before the time of its P before ends.
        slice.track = need_track_beside(e, TP_PERFETTO_THREAD, i->thread, i->proc);
        slice.name = need_name(e, TP_PERFETTO_NAME_PROC, (uint64_t)i->proc, 0);
        slice.category = TP_PERFETTO_CATEGORY_THREAD;
        break;
    }
    put_interval_slice(e, i, slice);
    e->unit->proc_bytes += e->buf->len_bytes - before_bytes;
}

static void put_interval(struct encoder *e, uint32_t idx)
{
    const struct tp_interval *i = &e->block->facts->lasting.items[idx];
    if (i->kind != TP_INTERVAL_LIFE && is_too_early(e, i->begin_ns, i->end_ns))
        return;
    switch (i->kind) {
    case TP_INTERVAL_LIFE:
    case TP_INTERVAL_TASK:
    case TP_INTERVAL_REGION:
    case TP_INTERVAL_ASSIST: put_goroutine_interval(e, i, idx); break;
    default: put_machine_interval(e, i); break;
    }
}

// OTHER EVENTS

static void put_other(struct encoder *e, uint32_t idx)
{
    const struct tp_event *event = &e->block->events[idx];
    struct tp_log log;
    bool is_shown = tp_event_kind(event) == TP_KIND_LOG || tp_event_kind(event) == TP_KIND_STACK_SAMPLE;
    if (!is_shown || is_too_early(e, event->time_ns, event->time_ns))
        return;
    if (tp_event_log(event, e->block->tables, &log)) {
        if (!tp_perfetto_shows_goroutines(e->config) || !is_selected(e->config, event->g, log.task))
            return;
        (void)need_goroutine(e, event->g);
        need(e, TP_PERFETTO_NEEDS_EVENT, 0, 0, idx);
    } else if (is_selected(e->config, event->g, 0)) {
        uint32_t stack = tp_idmap_get(&e->block->tables->stack_ids, tp_arg(event, CPUSample, stack)) + 1;
        if (stack != 0)
            need(e, TP_PERFETTO_NEEDS_STACK, stack, 0, stack);
        need(e, TP_PERFETTO_NEEDS_EVENT, stack, 0, idx);
    }
}

// ALL ITEMS

static void put_item(struct encoder *e, size_t idx)
{
    const struct tp_facts *f = e->block->facts;
    if (idx < f->spans.count)
        put_span(e, &f->spans.items[idx]);
    else if (idx - f->spans.count < f->lasting.count)
        put_interval(e, (uint32_t)(idx - f->spans.count));
    else
        put_other(e, f->others.items[idx - f->spans.count - f->lasting.count]);
}

void tp_perfetto_encode(const struct tp_perfetto_config *c, const struct tp_block *b,
                        struct tp_perfetto_unit *u, struct tp_buf *buf)
{
    struct encoder e = {.config = c, .block = b, .unit = u, .buf = buf};
    const struct tp_facts *f = b->facts;
    size_t count = f != NULL ? (size_t)f->spans.count + f->lasting.count + f->others.count : 0;
    if (count > 0)
        e.sequence = tp_perfetto_sequence_of(b->tables);
    size_t first = u->next;
    u->need_count = 0;
    while (u->next < count && !e.is_full) {
        size_t before_bytes = buf->len_bytes;
        uint64_t proc_bytes = u->proc_bytes;
        uint32_t need_count = u->need_count;
        put_item(&e, u->next);
        if (e.is_full) {
            buf->len_bytes = before_bytes;
            u->proc_bytes = proc_bytes;
            u->need_count = need_count;
        } else {
            u->next++;
        }
    }
    u->is_done = u->next == count;
    assert((u->is_done || u->next > first) && "an item fits");
    u->all_bytes += buf->len_bytes;
}
