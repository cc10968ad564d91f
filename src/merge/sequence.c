#include "merge/sequence.h"

#include <string.h>

#include "base/alloc.h"
#include "decode/spec.h"
#include "merge/order_step.h"

// How often a sort of the frontier looks at each entry, about.
#define SORT_LOOKS 16

void tp_sequencer_init(struct tp_sequencer *s, uint64_t max_state_bytes, bool strict)
{
    *s = (struct tp_sequencer){.strict = strict};
    tp_order_init(&s->order, max_state_bytes);
}

static void close_cursors(struct tp_sequencer *s)
{
    for (size_t i = 0; i < s->cursor_count; i++)
        tp_cursor_fini(&s->cursors[i]);
    s->cursor_count = 0;
    s->frontier.count = 0;
    tp_tables_release(s->tables);
    s->tables = NULL;
}

void tp_sequencer_fini(struct tp_sequencer *s)
{
    close_cursors(s);
    tp_free(s->cursors);
    tp_free(s->frontier.entries);
    tp_order_fini(&s->order);
    *s = (struct tp_sequencer){0};
}

void tp_sequencer_forget(struct tp_sequencer *s)
{
    tp_order_reset(&s->order);
}

// BEGIN

static int make_room(struct tp_sequencer *s, size_t count, struct tp_error *err)
{
    if (count <= s->cursor_capacity && s->cursors != NULL)
        return 0;
    tp_free(s->cursors);
    tp_free(s->frontier.entries);
    s->cursor_capacity = 0;
    s->cursors = tp_alloc_array(count, sizeof *s->cursors);
    s->frontier.entries =
        tp_alloc_array(TP_FRONTIER_ROOM(count), sizeof *s->frontier.entries);
    if (s->cursors == NULL || s->frontier.entries == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the threads of a generation");
    s->cursor_capacity = count;
    return 0;
}

// When the next CPU sample comes, TP_FRONTIER_NEVER if there is none.
static int64_t sample_time(const struct tp_sequencer *s)
{
    return s->sample_idx < s->tables->sample_count ? s->tables->samples[s->sample_idx].time_ns
                                                   : TP_FRONTIER_NEVER;
}

static int open_cursor(struct tp_sequencer *s, const struct tp_m_run *run,
                       const struct tp_decoded_run *decoded, struct tp_error *err)
{
    struct tp_cursor *c = &s->cursors[s->cursor_count++];
    if (decoded != NULL)
        tp_cursor_init_decoded(c, decoded);
    else
        tp_cursor_init(c, run);
    switch (tp_cursor_advance(c, s->tables, s->loader, err)) {
    case TP_CURSOR_EVENT: tp_frontier_push(&s->frontier, c->next->time_ns, c); return 0;
    case TP_CURSOR_END: return 0;
    default: return err->code;
    }
}

int tp_sequencer_begin(struct tp_sequencer *s, const struct tp_generation *g,
                       struct tp_tables *tables, enum tp_repair repair,
                       const struct tp_decoded_run *decoded, struct tp_batch_loader *loader,
                       struct tp_error *err)
{
    close_cursors(s);
    if (!g->has_lists)
        return tp_fail(err, TP_E_TOO_LARGE, "generation %llu has too many batches",
                       (unsigned long long)g->number);
    int rc = make_room(s, g->m_count, err);
    if (rc == 0)
        rc = tp_order_begin(&s->order, tables, err);
    if (rc != 0)
        return rc;
    tp_tables_hold(tables);
    tp_frontier_clear(&s->frontier, g->m_count);
    s->tables = tables;
    s->loader = loader;
    s->sample_idx = 0;
    s->sample_ns = sample_time(s);
    s->repair = repair;
    s->unknown_id_count = 0;
    s->order.forced_count = 0;
    for (size_t i = 0; i < g->m_count && rc == 0; i++)
        rc = open_cursor(s, &g->ms[i], decoded != NULL ? &decoded[i] : NULL, err);
    s->sync_ns = tp_tables_ns(tables, g->begin_ticks);
    s->sync_is_due = rc == 0;
    return rc;
}

// HANDING OUT

// Which arguments (counted without the time) must name a stack or a string of the
// tables, in the order in which Go looks.
enum id_kind { ID_NONE, ID_STRING, ID_STACK };
struct id_arg {
    uint8_t kind; // enum id_kind; NONE behind the last
    uint8_t idx;
};
#define IDS_MAX 3
#define STACK(i) {ID_STACK, (i)}
#define STRING(i) {ID_STRING, (i)}
static const struct id_arg id_args[TP_EVENT_CODES][IDS_MAX] = {
    [TP_EV_ProcsChange] = {STACK(1)},
    [TP_EV_GoCreate] = {STACK(2), STACK(1)},
    [TP_EV_GoCreateBlocked] = {STACK(2), STACK(1)},
    [TP_EV_GoStop] = {STACK(1), STRING(0)},
    [TP_EV_GoBlock] = {STACK(1), STRING(0)},
    [TP_EV_GoUnblock] = {STACK(2)},
    [TP_EV_GoSyscallBegin] = {STACK(1)},
    [TP_EV_GoStatusStack] = {STACK(3)},
    [TP_EV_STWBegin] = {STACK(1), STRING(0)},
    // Not Go's check, but its printer panics: the id is that of the begin, which may
    // have been in another generation.
    [TP_EV_STWEnd] = {STRING(0)},
    [TP_EV_GCBegin] = {STACK(1)},
    [TP_EV_GCSweepBegin] = {STACK(0)},
    [TP_EV_GCMarkAssistBegin] = {STACK(0)},
    [TP_EV_GoLabel] = {STRING(0)},
    [TP_EV_UserTaskBegin] = {STACK(3), STRING(2)},
    [TP_EV_UserTaskEnd] = {STACK(1)},
    [TP_EV_UserRegionBegin] = {STACK(2), STRING(1)},
    [TP_EV_UserRegionEnd] = {STACK(2), STRING(1)},
    [TP_EV_UserLog] = {STACK(3), STRING(1), STRING(2)},
};

// An id that the tables lack: counted, or the end of the generation, as Go has it.
static TP_NOINLINE bool may_lack(struct tp_sequencer *s, const struct tp_event *e,
                                 struct id_arg arg, struct tp_error *err)
{
    if (s->strict) {
        // Its cursor has moved on: it cannot be taken by force, and is not to be.
        s->repair = TP_REPAIR_NEVER;
        tp_fail(err, TP_E_ORDER, "found invalid %s ID %llu for event %s",
                arg.kind == ID_STACK ? "stack" : "string", (unsigned long long)e->args[arg.idx],
                tp_event_specs[e->type].name);
        return false;
    }
    s->unknown_id_count++;
    if (s->repair == TP_REPAIR_IF_TORN)
        s->repair = TP_REPAIR_ALWAYS;
    return true;
}

TP_INLINE bool has_id(const struct tp_tables *t, uint8_t kind, uint64_t id)
{
    return kind == ID_STACK ? tp_tables_has_stack(t, id) : tp_tables_has_string(t, id);
}

TP_INLINE bool check_ids(struct tp_sequencer *s, const struct tp_event *e, struct tp_error *err)
{
    const struct id_arg *arg = id_args[e->type];
    for (size_t i = 0; i < IDS_MAX && arg[i].kind != ID_NONE; i++) {
        if (tp_unlikely(!has_id(s->tables, arg[i].kind, e->args[arg[i].idx])))
            return may_lack(s, e, arg[i], err);
    }
    return true;
}

// Times only ever rise: an event that is not later than the one before comes one
// nanosecond after it.
TP_INLINE void stamp(struct tp_sequencer *s, struct tp_event *e)
{
    int64_t next_ns = (int64_t)((uint64_t)s->last_ns + 1);
    e->time_ns = e->time_ns <= s->last_ns ? next_ns : e->time_ns;
    s->last_ns = e->time_ns;
}

void tp_sequencer_sync(struct tp_sequencer *s, struct tp_event *ret_event)
{
    *ret_event = (struct tp_event){.time_ns = s->last_ns, .m = -1, .p = -1, .g = -1,
                                   .args = {++s->sync_count}, .type = TP_EVENT_SYNC};
    stamp(s, ret_event);
}

static bool begin_sync(struct tp_sequencer *s, struct tp_event *out, struct tp_error *err)
{
    s->sync_is_due = false;
    if (s->strict && s->tables->has_unknown_experiment) {
        tp_fail(err, TP_E_ORDER, "data of an unknown experiment");
        return false;
    }
    *out = (struct tp_event){.time_ns = s->sync_ns, .m = -1, .p = -1, .g = -1,
                             .args = {++s->sync_count, 1}, .type = TP_EVENT_SYNC};
    stamp(s, out);
    return true;
}

static bool take_sample(struct tp_sequencer *s, struct tp_event *out, struct tp_error *err)
{
    const struct tp_sample *sample = &s->tables->samples[s->sample_idx++];
    s->sample_ns = sample_time(s);
    if (s->strict && !tp_tables_has_stack(s->tables, sample->stack)) {
        tp_fail(err, TP_E_ORDER, "expected id %llu in trace.stack table",
                (unsigned long long)sample->stack);
        return false;
    }
    *out = (struct tp_event){.time_ns = sample->time_ns, .m = sample->m, .p = sample->p,
                             .g = sample->g, .args = {sample->stack}, .type = TP_EV_CPUSample};
    stamp(s, out);
    return true;
}

// The times and ids of the events that a step has made. `has_known_ids`: those of the first
// one need not be looked up.
TP_INLINE bool finish_events(struct tp_sequencer *s, struct tp_event *out, size_t made,
                             bool has_known_ids, struct tp_error *err)
{
    if (tp_unlikely(!has_known_ids) && !check_ids(s, &out[0], err))
        return false;
    stamp(s, &out[0]);
    for (size_t k = 1; tp_unlikely(k < made); k++) {
        if (!check_ids(s, &out[k], err))
            return false;
        stamp(s, &out[k]);
    }
    return true;
}

// Moves the cursor at place `i` on and hands out what its event came to. False: that
// fails.
static bool hand_out(struct tp_sequencer *s, size_t i, struct tp_event *out, size_t *ret_made,
                        struct tp_error *err)
{
    struct tp_cursor *c = s->frontier.entries[i].cursor;
    size_t made = s->order.made_count;
    enum tp_cursor_status st = tp_cursor_advance(c, s->tables, s->loader, err);
    if (tp_likely(st == TP_CURSOR_EVENT)) {
        tp_frontier_update(&s->frontier, i, c->next->time_ns);
    } else if (st == TP_CURSOR_END) {
        tp_frontier_remove(&s->frontier, i);
    } else {
        return false;
    }
    if (!finish_events(s, out, made, false, err))
        return false;
    *ret_made = made;
    return true;
}

// Whether a refusal of the rules is passed over. Memory is never.
static bool may_force(const struct tp_sequencer *s, const struct tp_error *err)
{
    return s->repair == TP_REPAIR_ALWAYS && err->code == TP_E_ORDER;
}

static TP_NOINLINE enum tp_verdict take_by_force(struct tp_sequencer *s, size_t i,
                                                 struct tp_event *out, size_t *ret_made,
                                                 struct tp_error *err)
{
    struct tp_cursor *c = s->frontier.entries[i].cursor;
    return tp_order_force(&s->order, c->next, c->m, &c->m_slot, out, err) &&
                   hand_out(s, i, out, ret_made, err)
               ? TP_ORDER_TAKE
               : TP_ORDER_BROKEN;
}

static void say_stuck(const struct tp_sequencer *s, struct tp_error *err)
{
    const struct tp_cursor *c = s->frontier.entries[0].cursor;
    tp_fail(err, TP_E_ORDER, "broken trace: failed to advance: frontier: "
            "[gen=%llu] M %lld [%s time=%lld] and %zu more",
            (unsigned long long)s->order.generation, (long long)c->m,
            tp_event_specs[c->next->type].name, (long long)c->next->time_ns, s->frontier.count - 1);
}

// Nobody is first in time and may go: the others are asked in the order of their
// times. The first place is passed over even if the sort put somebody else there,
// because Go does so.
static TP_NOINLINE enum tp_verdict advance_another(struct tp_sequencer *s, struct tp_event *out,
                                                   size_t *ret_made, struct tp_error *err)
{
    tp_frontier_sort(&s->frontier);
    for (size_t i = 1; i < s->frontier.count; i++) {
        struct tp_cursor *c = s->frontier.entries[i].cursor;
        enum tp_verdict verdict = tp_order_step(&s->order, c->next, c->m, &c->m_slot, out, err);
        if (verdict == TP_ORDER_TAKE)
            return hand_out(s, i, out, ret_made, err) ? TP_ORDER_TAKE : TP_ORDER_BROKEN;
        if (verdict == TP_ORDER_BROKEN)
            return may_force(s, err) ? take_by_force(s, i, out, ret_made, err) : verdict;
    }
    say_stuck(s, err);
    if (!may_force(s, err))
        return TP_ORDER_BROKEN;
    // What the earliest event waits for is in a hole. It took a sort to see that.
    s->order.forced_look_count += SORT_LOOKS * s->frontier.count;
    return take_by_force(s, 0, out, ret_made, err);
}

// Until when the first cursor stays first.
TP_INLINE int64_t first_until_ns(const struct tp_sequencer *s)
{
    const struct tp_frontier_entry *e = s->frontier.entries;
    return e[1].time_ns < e[2].time_ns ? e[1].time_ns : e[2].time_ns;
}

// Takes the events of whichever cursor is first. Ends with TAKE where there is no room, where
// a sample comes first or a cursor is at its end, or with the verdict on the next event.
static enum tp_verdict take_firsts(struct tp_sequencer *s, struct tp_event **out_io,
                                   const struct tp_event *last, struct tp_error *err)
{
    struct tp_cursor *c = s->frontier.entries[0].cursor;
    const struct tp_run_event *next = c->next;
    int64_t until_ns = first_until_ns(s);
    enum tp_verdict verdict;
    struct tp_event *out = *out_io;
    do {
        verdict = tp_order_step(&s->order, next, c->m, &c->m_slot, out, err);
        if (tp_unlikely(verdict != TP_ORDER_TAKE))
            break;
        size_t made = s->order.made_count;
        bool has_known_ids = next->has_known_ids;
        enum tp_cursor_status st = tp_cursor_advance_from(c, &next, s->tables, s->loader, err);
        if (tp_unlikely(st == TP_CURSOR_BAD) || !finish_events(s, out, made, has_known_ids, err)) {
            verdict = TP_ORDER_BROKEN;
            break;
        }
        out += made;
        if (tp_unlikely(st == TP_CURSOR_END)) {
            tp_frontier_remove(&s->frontier, 0);
            *out_io = out;
            return verdict;
        }
        // Mostly it stays first for a while, and nothing else of the frontier is looked at.
        if (next->time_ns > until_ns) {
            c = tp_frontier_update_first(&s->frontier, next->time_ns);
            next = c->next;
            until_ns = first_until_ns(s);
        }
    } while (tp_likely(next->time_ns <= s->sample_ns) && tp_likely(out <= last));
    tp_frontier_update_first(&s->frontier, next->time_ns);
    *out_io = out;
    return verdict;
}

enum tp_fill_status tp_sequencer_fill(struct tp_sequencer *s, struct tp_event *events,
                                      size_t capacity, size_t *ret_count, struct tp_error *err)
{
    struct tp_event *out = events, *const last = events + (capacity - TP_ORDER_STEP_EVENTS);
    enum tp_fill_status status = TP_FILL_MORE;
    if (s->sync_is_due) {
        *ret_count = 0;
        if (!begin_sync(s, out, err))
            return TP_FILL_BROKEN;
        out++;
    }
    while (out <= last && status == TP_FILL_MORE) {
        enum tp_verdict verdict = TP_ORDER_TAKE;
        size_t made = 0;
        // Behind the last event the guard of the frontier is later than any sample.
        if (s->sample_ns < s->frontier.entries[0].time_ns) {
            made = take_sample(s, out, err);
            verdict = made > 0 ? TP_ORDER_TAKE : TP_ORDER_BROKEN;
        } else if (s->frontier.count == 0) {
            status = TP_FILL_END;
        } else {
            verdict = take_firsts(s, &out, last, err);
            if (tp_unlikely(verdict == TP_ORDER_WAIT))
                verdict = advance_another(s, out, &made, err);
            else if (tp_unlikely(verdict == TP_ORDER_BROKEN) && may_force(s, err))
                verdict = take_by_force(s, 0, out, &made, err);
        }
        out += made;
        if (tp_unlikely(verdict == TP_ORDER_BROKEN))
            status = TP_FILL_BROKEN;
    }
    *ret_count = (size_t)(out - events);
    return status;
}

uint64_t tp_sequencer_left_bytes(const struct tp_sequencer *s)
{
    uint64_t left_bytes = 0;
    for (size_t i = 0; i < s->cursor_count; i++)
        left_bytes += tp_cursor_left_bytes(&s->cursors[i]);
    return left_bytes;
}

int tp_sequencer_rehearse(const struct tp_sequencer *s, const struct tp_generation *g,
                          struct tp_tables *tables, struct tp_batch_loader *loader,
                          struct tp_error *err)
{
    struct tp_sequencer trial = {.last_ns = s->last_ns};
    struct tp_event *events = tp_alloc_array(TP_BLOCK_EVENTS, sizeof *events);
    int rc = events != NULL ? tp_order_copy(&s->order, &trial.order, err)
                            : tp_fail(err, TP_E_MEMORY, "out of memory for a block");
    if (rc == 0)
        rc = tp_sequencer_begin(&trial, g, tables, TP_REPAIR_NEVER, NULL, loader, err);
    enum tp_fill_status st = TP_FILL_MORE;
    size_t count;
    while (rc == 0 && st == TP_FILL_MORE)
        st = tp_sequencer_fill(&trial, events, TP_BLOCK_EVENTS, &count, err);
    if (st == TP_FILL_BROKEN)
        rc = err->code;
    tp_sequencer_fini(&trial);
    tp_free(events);
    return rc;
}
