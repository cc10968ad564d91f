#include "merge/order/sequence.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "decode/spec.h"
#include "merge/order/step.h"
#include "merge/order/usual.h"

// Approximate number of times that a sort of the frontier examines each entry.
#define SORT_LOOKS 16
// Exponential backoff: after each failed attempt to enter `waiting`, the number of sorts of the
// frontier before the next attempt doubles, at most this many times.
#define WAITING_DOUBLINGS 7

// HANDING OUT

enum id_kind { ID_NONE, ID_STRING, ID_STACK };
// An argument of an event that must be the id of a stack or string of the tables. The arguments of
// an event are in the order in which Go checks them.
struct id_arg {
    uint8_t kind; // enum id_kind; NONE after the last argument
    uint8_t idx;  // in the `args` of the event
};
#define IDS_MAX 3
#define STACK(event_arg) {ID_STACK, TP_ARG_##event_arg}
#define STRING(event_arg) {ID_STRING, TP_ARG_##event_arg}
static const struct id_arg id_args[TP_EVENT_CODES][IDS_MAX] = {
    [TP_EV_ProcsChange] = {STACK(ProcsChange_stack)},
    [TP_EV_GoCreate] = {STACK(GoCreate_stack), STACK(GoCreate_new_stack)},
    [TP_EV_GoCreateBlocked] = {STACK(GoCreateBlocked_stack), STACK(GoCreateBlocked_new_stack)},
    [TP_EV_GoStop] = {STACK(GoStop_stack), STRING(GoStop_reason_string)},
    [TP_EV_GoBlock] = {STACK(GoBlock_stack), STRING(GoBlock_reason_string)},
    [TP_EV_GoUnblock] = {STACK(GoUnblock_stack)},
    [TP_EV_GoSyscallBegin] = {STACK(GoSyscallBegin_stack)},
    [TP_EV_GoStatusStack] = {STACK(GoStatusStack_stack)},
    [TP_EV_STWBegin] = {STACK(STWBegin_stack), STRING(STWBegin_kind_string)},
    // Go's reader does not check this id, but Go's printer panics if the tables lack it. It is the
    // id in the begin event, which may belong to another generation.
    [TP_EV_STWEnd] = {STRING(STWEnd_kind_string)},
    [TP_EV_GCBegin] = {STACK(GCBegin_stack)},
    [TP_EV_GCSweepBegin] = {STACK(GCSweepBegin_stack)},
    [TP_EV_GCMarkAssistBegin] = {STACK(GCMarkAssistBegin_stack)},
    [TP_EV_GoLabel] = {STRING(GoLabel_label_string)},
    [TP_EV_UserTaskBegin] = {STACK(UserTaskBegin_stack), STRING(UserTaskBegin_name_string)},
    [TP_EV_UserTaskEnd] = {STACK(UserTaskEnd_stack)},
    [TP_EV_UserRegionBegin] = {STACK(UserRegionBegin_stack), STRING(UserRegionBegin_name_string)},
    [TP_EV_UserRegionEnd] = {STACK(UserRegionEnd_stack), STRING(UserRegionEnd_name_string)},
    [TP_EV_UserLog] = {STACK(UserLog_stack), STRING(UserLog_key_string),
                       STRING(UserLog_value_string)},
};

// Counts an id that the tables lack. With `strict` such an id ends the generation, as in Go:
// returns false after filling the error.
static TP_NOINLINE bool may_lack(struct tp_sequencer *s, const struct tp_event *e,
                                 struct id_arg arg, struct tp_error *err)
{
    if (s->strict) {
        // The cursor is already past this event, so the event must not be taken by force.
        s->repair = TP_REPAIR_NEVER;
        tp_fail(err, TP_E_ORDER, "found invalid %s ID %llu for event %s",
                arg.kind == ID_STACK ? "stack" : "string", (unsigned long long)e->args[arg.idx],
                tp_event_specs[e->type].name);
        return false;
    }
    s->unknown_id_count++;
    if (s->repair == TP_REPAIR_IF_TORN)
        tp_sequencer_set_repair(s, TP_REPAIR_ALWAYS);
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

// Makes times strictly rising: an event that is not later than the previous one gets a time one
// nanosecond after the previous one.
TP_INLINE void stamp(struct tp_sequencer *s, struct tp_event *e)
{
    int64_t next_ns = (int64_t)((uint64_t)s->last_ns + 1);
    e->time_ns = e->time_ns <= s->last_ns ? next_ns : e->time_ns;
    s->last_ns = e->time_ns;
}

void tp_sequencer_sync(struct tp_sequencer *s, struct tp_event *ret_event)
{
    *ret_event = tp_sync_event(s->last_ns, ++s->sync_count, 0);
    stamp(s, ret_event);
}

static bool begin_sync(struct tp_sequencer *s, struct tp_event *out, struct tp_error *err)
{
    s->sync_is_due = false;
    if (s->strict && s->tables->has_unknown_experiment) {
        tp_fail(err, TP_E_ORDER, "data of an unknown experiment");
        return false;
    }
    *out = tp_sync_event(s->sync_ns, ++s->sync_count, 1);
    stamp(s, out);
    return true;
}

static bool take_sample(struct tp_sequencer *s, struct tp_event *out, struct tp_error *err)
{
    const struct tp_sample *sample = &s->tables->samples.items[s->sample_idx++];
    s->sample_ns = tp_sequencer_next_sample_ns(s);
    if (s->strict && !tp_tables_has_stack(s->tables, sample->stack)) {
        tp_fail(err, TP_E_ORDER, "expected id %llu in trace.stack table",
                (unsigned long long)sample->stack);
        return false;
    }
    *out = (struct tp_event){.time_ns = sample->time_ns, .m = sample->m, .p = sample->p,
                             .g = sample->g, .args = {[TP_ARG_CPUSample_stack] = sample->stack},
                             .type = TP_EV_CPUSample, .wire_bytes = sample->wire_bytes};
    stamp(s, out);
    return true;
}

// Gives the doubts about an event the time with which it is handed out.
static TP_NOINLINE void time_doubts(struct tp_sequencer *s, int64_t time_ns)
{
    for (uint64_t i = s->timed_doubt_count; i < s->doubts.count && i < TP_DOUBTS_KEPT; i++)
        s->doubts.first[i].time_ns = time_ns;
    s->timed_doubt_count = s->doubts.count;
}

// A cursor of a generation with holes waits for what never comes, and goes on when all others have to
// wait. Its events are then later than others by more than threads' clocks differ.
#define DISPLACED_NS 100000

static TP_NOINLINE void note_displaced(const struct tp_sequencer *s, struct tp_event *e)
{
    e->is_displaced = e->is_displaced || (e->time_ns < s->last_ns &&
                                          (uint64_t)s->last_ns - (uint64_t)e->time_ns >= DISPLACED_NS);
}

// Checks the ids of the `made` events in `out`, and stamps their times. `has_known_ids`: the tables
// are known to have the ids of the first event.
TP_INLINE bool finish_events(struct tp_sequencer *s, struct tp_event *out, size_t made,
                             bool has_known_ids, struct tp_error *err)
{
    if (tp_unlikely(!has_known_ids) && !check_ids(s, &out[0], err))
        return false;
    if (tp_unlikely(s->repair == TP_REPAIR_ALWAYS))
        note_displaced(s, &out[0]);
    stamp(s, &out[0]);
    for (size_t k = 1; tp_unlikely(k < made); k++) {
        if (!check_ids(s, &out[k], err))
            return false;
        stamp(s, &out[k]);
    }
    if (tp_unlikely(!has_known_ids) && tp_unlikely(s->doubts.count != s->timed_doubt_count))
        time_doubts(s, out[0].time_ns);
    return true;
}

// ADVANCING CURSORS
//
// The place of a cursor is its index in `cursors` while `waiting` is active, otherwise its index in
// the entries of the frontier.

static struct tp_cursor *cursor_at(const struct tp_sequencer *s, size_t i)
{
    return s->waiting.is_active ? &s->cursors[i] : s->frontier.entries[i].cursor;
}

void tp_sequencer_settle(struct tp_sequencer *s)
{
    if (!s->waiting.is_active)
        return;
    tp_waiting_leave(&s->waiting, &s->frontier, s->cursors);
    s->tried_look_count = s->look_count;
}

// Updates the frontier after cursor `c`, at its place `i`, has advanced with the status `st`. EVENT:
// moves the cursor to the place of its next event's time. END: removes the cursor.
static void move_on(struct tp_sequencer *s, size_t i, const struct tp_cursor *c,
                    enum tp_cursor_status st)
{
    bool has_next = st == TP_CURSOR_EVENT;
    if (s->waiting.is_active) {
        bool stays = has_next ? tp_waiting_move(&s->waiting, (uint32_t)i, c->next->time_ns)
                              : tp_waiting_remove(&s->waiting, (uint32_t)i);
        if (!stays)
            tp_sequencer_settle(s);
    } else if (has_next) {
        tp_frontier_update(&s->frontier, i, c->next->time_ns);
    } else {
        tp_frontier_remove(&s->frontier, i);
    }
}

// Call after the order has taken the next event of the cursor at place `i`; `out` holds the events
// that the order has made of this event. Advances the cursor, checks the ids of the events in
// `out`, stamps their times, and sets *ret_made to their number. False after filling the error.
static bool hand_out(struct tp_sequencer *s, size_t i, struct tp_event *out, size_t *ret_made,
                     struct tp_error *err)
{
    struct tp_cursor *c = cursor_at(s, i);
    size_t made = s->order.made_count;
    enum tp_cursor_status st = tp_cursor_advance(c, s->tables, s->loader, err);
    if (st == TP_CURSOR_BAD)
        return false;
    move_on(s, i, c, st);
    if (!finish_events(s, out, made, false, err))
        return false;
    *ret_made = made;
    return true;
}

// Returns whether to take an event against the rules. A lack of memory is never ignored.
static bool may_force(const struct tp_sequencer *s, const struct tp_error *err)
{
    return s->repair >= TP_REPAIR_MIDDLE && err->code == TP_E_ORDER;
}

static TP_NOINLINE enum tp_verdict take_by_force(struct tp_sequencer *s, size_t i,
                                                 struct tp_event *out, size_t *ret_made,
                                                 struct tp_error *err)
{
    struct tp_cursor *c = cursor_at(s, i);
    if (!tp_order_force(&s->order, c->next, c->m, &c->m_slot, out, err))
        return TP_ORDER_BROKEN;
    // A forced event may change the state of any goroutine, P or thread.
    tp_waiting_answer_all(&s->waiting);
    out->is_displaced = s->repair == TP_REPAIR_ALWAYS;
    return hand_out(s, i, out, ret_made, err) ? TP_ORDER_TAKE : TP_ORDER_BROKEN;
}

// Takes the refused event at place `i` if it is a fault of the tracer (doubt.h). BROKEN: the event
// is no such fault, and *err keeps the refusal; or *err has another failure.
static TP_NOINLINE enum tp_verdict take_in_doubt(struct tp_sequencer *s, size_t i,
                                                 struct tp_event *out, size_t *ret_made,
                                                 struct tp_error *err)
{
    const struct tp_cursor *c = cursor_at(s, i);
    const struct tp_error refusal = *err;
    const int64_t m = c->m;
    size_t made;
    if (tp_order_believe(&s->order, c, s->loader, out, &made, err) != 0 || made == 0)
        return TP_ORDER_BROKEN;
    tp_waiting_answer_all(&s->waiting);
    if (!hand_out(s, i, out, ret_made, err))
        return TP_ORDER_BROKEN;
    struct tp_doubt *doubt = tp_doubts_count(&s->doubts, TP_DOUBT_STATUS);
    if (doubt != NULL) {
        doubt->generation = s->order.generation;
        doubt->m = m;
        doubt->g = -1;
        snprintf(doubt->text, sizeof doubt->text, "%s", refusal.text);
    }
    time_doubts(s, out->time_ns);
    return TP_ORDER_TAKE;
}

// Takes the event at place `i`, which the rules refuse, if `repair` allows that; else returns
// BROKEN.
static TP_NOINLINE enum tp_verdict take_refused(struct tp_sequencer *s, size_t i,
                                                struct tp_event *out, size_t *ret_made,
                                                struct tp_error *err)
{
    if (may_force(s, err))
        return take_by_force(s, i, out, ret_made, err);
    return s->repair != TP_REPAIR_NEVER && err->code == TP_E_ORDER
               ? take_in_doubt(s, i, out, ret_made, err)
               : TP_ORDER_BROKEN;
}

static void say_stuck(const struct tp_sequencer *s, const struct tp_cursor *c, size_t count,
                      struct tp_error *err)
{
    tp_fail(err, TP_E_ORDER, "broken trace: failed to advance: frontier: "
            "[gen=%llu] M %lld [%s time=%lld] and %zu more",
            (unsigned long long)s->order.generation, (long long)c->m,
            tp_event_specs[c->next->type].name, (long long)c->next->time_ns, count - 1);
}

// Call if no event of the `count` cursors may be taken. Takes the earliest event, which is that of
// the cursor at place `i`, by force if `repair` allows that; else returns BROKEN.
static enum tp_verdict take_of_stuck(struct tp_sequencer *s, size_t i, size_t count,
                                     struct tp_event *out, size_t *ret_made, struct tp_error *err)
{
    say_stuck(s, cursor_at(s, i), count, err);
    if (!may_force(s, err))
        return TP_ORDER_BROKEN;
    // The event for which the earliest cursor waits is missing. The sort that was necessary to find
    // that out counts as work.
    s->order.forced_look_count += SORT_LOOKS * count;
    return take_by_force(s, i, out, ret_made, err);
}

// Asks the rules about the events of the other cursors, in the order of their times, because the
// earliest event has to wait. Skips place 0 even if the sort put another cursor there, because Go
// does so.
static TP_NOINLINE enum tp_verdict advance_another(struct tp_sequencer *s, struct tp_event *out,
                                                   size_t *ret_made, struct tp_error *err)
{
    tp_frontier_sort(s->frontier.entries, s->frontier.count);
    s->look_count += s->frontier.count;
    for (size_t i = 1; i < s->frontier.count; i++) {
        struct tp_cursor *c = s->frontier.entries[i].cursor;
        enum tp_verdict verdict = tp_order_step(&s->order, c->next, c->m, &c->m_slot, out, err);
        if (verdict == TP_ORDER_TAKE)
            return hand_out(s, i, out, ret_made, err) ? TP_ORDER_TAKE : TP_ORDER_BROKEN;
        if (verdict == TP_ORDER_BROKEN)
            return take_refused(s, i, out, ret_made, err);
    }
    return take_of_stuck(s, 0, s->frontier.count, out, ret_made, err);
}

// WAITING

// Enters `waiting` if that is possible and pays off.
static void have_them_wait(struct tp_sequencer *s)
{
    size_t count = s->frontier.count;
    uint64_t sort_count = (uint64_t)s->waiting_from.sort_count << s->failed_try_count;
    if (count < s->waiting_from.count || s->look_count - s->tried_look_count < sort_count * count)
        return;
    bool ok = tp_waiting_enter(&s->waiting, &s->frontier, s->cursors, s->cursor_count,
                               s->waiting_from.count / 2);
    s->tried_look_count = s->look_count;
    if (ok)
        s->failed_try_count = 0;
    else if (s->failed_try_count < WAITING_DOUBLINGS)
        s->failed_try_count++;
}

static struct tp_binding binding_of(const struct tp_order *o, const struct tp_cursor *c)
{
    uint32_t slot = c->m_slot != TP_MAP_NONE ? c->m_slot : tp_order_m(o, c->m);
    return slot != TP_MAP_NONE ? o->ms.items[slot].at : (struct tp_binding){.p = -1, .g = -1};
}

// Asks the rules about the event of cursor `i`, a ready cursor. WAIT: parks the cursor, and counts
// it in `asked`. TAKE: makes the cursors ready that wait for a state that the event has changed.
static enum tp_verdict ask(struct tp_sequencer *s, uint32_t i, uint32_t asked[TP_WAIT_ROWS],
                           struct tp_event *out, struct tp_error *err)
{
    struct tp_cursor *c = &s->cursors[i];
    struct tp_binding before = binding_of(&s->order, c);
    enum tp_verdict verdict = tp_order_step(&s->order, c->next, c->m, &c->m_slot, out, err);
    s->look_count++;
    if (verdict == TP_ORDER_WAIT) {
        struct tp_waits waits;
        unsigned row = tp_order_waits(&s->order, c->next, c->m_slot, &waits);
        asked[row]++;
        tp_waiting_park(&s->waiting, i, row, &waits);
    } else if (verdict == TP_ORDER_TAKE) {
        struct tp_answers answers;
        tp_order_answers(&s->order, c->next, &before, &answers);
        tp_waiting_answer(&s->waiting, &answers);
    }
    return verdict;
}

// Does the work of take_firsts and advance_another for one event while `waiting` is active. Also
// counts in `hits` the waiting cursors that it need not ask, because Go asks every cursor that is
// earlier than the one whose event is taken.
static TP_NOINLINE enum tp_verdict advance_ready(struct tp_sequencer *s, struct tp_event *out,
                                                 size_t *ret_made, struct tp_error *err)
{
    uint32_t passed[TP_WAIT_ROWS], asked[TP_WAIT_ROWS] = {0}, i;
    int64_t first_ns;
    uint32_t first = tp_waiting_first(&s->waiting, &first_ns);
    enum tp_verdict verdict = TP_ORDER_WAIT;
    while ((i = tp_waiting_first_ready(&s->waiting, passed)) != TP_WAITING_NONE) {
        verdict = ask(s, i, asked, out, err);
        if (verdict != TP_ORDER_WAIT)
            break;
    }
    for (unsigned row = 1; row < TP_WAIT_ROWS; row++)
        s->order.hits[tp_wait_rules[row]] += passed[row] - asked[row];
    if (i != first)
        tp_waiting_sorts(&s->waiting);
    if (i == TP_WAITING_NONE)
        return take_of_stuck(s, first, s->waiting.count, out, ret_made, err);
    if (verdict == TP_ORDER_BROKEN)
        return take_refused(s, i, out, ret_made, err);
    return hand_out(s, i, out, ret_made, err) ? verdict : TP_ORDER_BROKEN;
}

// THE FIRST IN TIME

static int64_t earliest_ns(const struct tp_sequencer *s)
{
    int64_t ns = s->frontier.entries[0].time_ns;
    if (tp_unlikely(s->waiting.is_active))
        tp_waiting_first(&s->waiting, &ns);
    return ns;
}

// Returns the time up to which the first cursor stays first.
TP_INLINE int64_t first_until_ns(const struct tp_sequencer *s)
{
    const struct tp_frontier_entry *e = s->frontier.entries;
    return e[1].time_ns < e[2].time_ns ? e[1].time_ns : e[2].time_ns;
}

// Advances the cursor to an event that is not decoded yet. If there are many goroutines, prefetches
// the states that this event and the events decoded with it name.
static TP_NOINLINE enum tp_cursor_status decode_on(const struct tp_sequencer *s,
                                                   struct tp_cursor *c, struct tp_error *err)
{
    enum tp_cursor_status st = tp_cursor_advance_slow(c, s->tables, s->loader, err);
    size_t count = (size_t)(c->ready_end - c->next);
    if (st == TP_CURSOR_EVENT && s->order.gs.by_id.count >= TP_ORDER_FAR_GOROUTINES)
        tp_order_prefetch(&s->order, c->next, count < TP_CURSOR_AHEAD ? count : TP_CURSOR_AHEAD);
    return st;
}

// The cursor that is first in the frontier, for as long as it stays first.
struct turn {
    struct tp_cursor *cursor;
    const struct tp_run_event *next;       // the cursor's next event
    const struct tp_run_event *ready_last; // the cursor's last decoded event
    struct tp_binding *at;                 // binding of its thread; NULL: there is no fast path
    int64_t until_ns;                      // the cursor stays first up to this time
};

// Returns the binding of the cursor's thread; NULL for a thread that has not been met, for thread -1,
// which has no binding of its own, and in a generation with holes, whose events all pass
// finish_events. The pointer is valid until the next rule, which may move all bindings.
TP_INLINE struct tp_binding *usual_binding(const struct tp_sequencer *s, const struct tp_cursor *c)
{
    return tp_likely(c->m_slot != TP_MAP_NONE && c->m != -1 && s->repair != TP_REPAIR_ALWAYS)
               ? &s->order.ms.items[c->m_slot].at
               : NULL;
}

TP_INLINE struct turn turn_of(const struct tp_sequencer *s, struct tp_cursor *c)
{
    return (struct turn){.cursor = c,
                         .next = c->next,
                         .ready_last = c->ready_end - 1,
                         .at = usual_binding(s, c),
                         .until_ns = first_until_ns(s)};
}

// Makes a step for a thread for which usual_binding is NULL.
static TP_NOINLINE enum tp_verdict step_of_unmet(struct tp_sequencer *s, struct tp_cursor *c,
                                                 struct tp_event *out, struct tp_error *err)
{
    return tp_order_step(&s->order, c->next, c->m, &c->m_slot, out, err);
}

// Takes the event t->next, whatever its type, and decodes more events if the cursor has no further
// decoded event. `is_usual`: the fast path has taken the event already. If the verdict is TAKE,
// sets *ret_st to whether the cursor has a next event.
TP_INLINE enum tp_verdict take_any(struct tp_sequencer *s, struct turn *t, bool is_usual,
                                   struct tp_event **out_io, enum tp_cursor_status *ret_st,
                                   struct tp_error *err)
{
    struct tp_cursor *c = t->cursor;
    struct tp_event *out = *out_io;
    size_t made = 1;
    *ret_st = TP_CURSOR_EVENT;
    if (!is_usual) {
        enum tp_verdict verdict = tp_likely(t->at != NULL)
                                      ? tp_order_ask(&s->order, t->next, t->at, out, err)
                                      : step_of_unmet(s, c, out, err);
        if (tp_unlikely(verdict != TP_ORDER_TAKE))
            return verdict;
        made = s->order.made_count;
    }
    bool has_known_ids = t->next->usual != TP_USUAL_NONE;
    if (tp_unlikely(!tp_cursor_advance_ready(c, &t->next))) {
        *ret_st = decode_on(s, c, err);
        t->next = c->next;
        t->ready_last = c->ready_end - 1;
    }
    if (tp_unlikely(*ret_st == TP_CURSOR_BAD) || !finish_events(s, out, made, has_known_ids, err))
        return TP_ORDER_BROKEN;
    t->at = usual_binding(s, c);
    *out_io = out + made;
    return TP_ORDER_TAKE;
}

// Takes events of whichever cursor is first, until an event has to wait or is refused. Returns the
// verdict on that event; TAKE if the array is full, a sample comes first or a cursor is at its end.
static enum tp_verdict take_firsts(struct tp_sequencer *s, struct tp_event **out_io,
                                   const struct tp_event *last, struct tp_error *err)
{
    struct turn t = turn_of(s, s->frontier.entries[0].cursor);
    enum tp_verdict verdict = TP_ORDER_TAKE;
    struct tp_event *out = *out_io;
    do {
        bool is_usual = false;
        if (tp_likely(t.at != NULL)) {
            set_event(out, t.next, t.cursor->m, t.at);
            is_usual = tp_order_usual_step(&s->order, t.next, t.at);
        }
        if (is_usual && tp_likely(t.next < t.ready_last)) {
            stamp(s, out);
            out++;
            t.cursor->next = ++t.next;
        } else {
            enum tp_cursor_status st;
            verdict = take_any(s, &t, is_usual, &out, &st, err);
            if (tp_unlikely(verdict != TP_ORDER_TAKE))
                break;
            if (tp_unlikely(st == TP_CURSOR_END)) {
                tp_frontier_remove(&s->frontier, 0);
                *out_io = out;
                return verdict;
            }
        }
        // In most cases a cursor stays first for a while, during which no other entry is examined.
        if (t.next->time_ns > t.until_ns)
            t = turn_of(s, tp_frontier_update_first(&s->frontier, t.next->time_ns));
    } while (tp_likely(t.next->time_ns <= s->sample_ns) && tp_likely(out <= last));
    tp_frontier_update_first(&s->frontier, t.next->time_ns);
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
        // After the last event earliest_ns returns the time of the frontier's guard entry, which is
        // later than any sample.
        if (s->sample_ns < earliest_ns(s)) {
            made = take_sample(s, out, err);
            verdict = made > 0 ? TP_ORDER_TAKE : TP_ORDER_BROKEN;
        } else if (tp_unlikely(s->waiting.is_active)) {
            verdict = advance_ready(s, out, &made, err);
        } else if (s->frontier.count == 0) {
            status = TP_FILL_END;
        } else {
            verdict = take_firsts(s, &out, last, err);
            if (tp_unlikely(verdict == TP_ORDER_WAIT)) {
                verdict = advance_another(s, out, &made, err);
                if (verdict == TP_ORDER_TAKE)
                    have_them_wait(s);
            } else if (tp_unlikely(verdict == TP_ORDER_BROKEN)) {
                verdict = take_refused(s, 0, out, &made, err);
            }
        }
        out += made;
        if (tp_unlikely(verdict == TP_ORDER_BROKEN))
            status = TP_FILL_BROKEN;
    }
    *ret_count = (size_t)(out - events);
    return status;
}
