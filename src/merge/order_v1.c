#include "merge/order_v1.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/compare.h"
#include "merge/front_sort_v1.h"

enum { G_DEAD, G_RUNNABLE, G_RUNNING, G_WAITING };

// Keys that are no goroutines: the collector, and what needs none.
#define KEY_COLLECTOR (UINT64_MAX - 1)
#define KEY_NONE UINT64_MAX
// Sequence numbers: whatever it is, and one more.
#define SEQ_ANY UINT64_MAX
#define SEQ_NEXT (UINT64_MAX - 1)

struct tp_v1_step {
    uint64_t key;
    uint64_t seq, next_seq;
    uint32_t slot;        // of the goroutine that was looked up last, if it is there
    uint8_t status, next_status;
    bool is_found;        // false: the cursor has moved on
};

TP_INLINE void set_step(struct tp_v1_step *s, uint64_t key, uint64_t seq, uint64_t next_seq,
                        uint8_t status, uint8_t next_status)
{
    s->key = key;
    s->seq = seq;
    s->next_seq = next_seq;
    s->status = status;
    s->next_status = next_status;
}

// What an event needs to be ready, and what comes of it. Written where it stays: to copy what
// was just written piece by piece costs more than to find it out.
static void find_step(const struct tp_v1_order *o, const struct tp_v1_ordered *e,
                      struct tp_v1_step *s)
{
    s->key = KEY_NONE;
    s->is_found = true;
    if (o->is_sequenced)
        return;
    switch (e->type) {
    case TP_V1_GoCreate: set_step(s, e->args[0], 0, 1, G_DEAD, G_RUNNABLE); break;
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall: set_step(s, e->g, 1, 2, G_RUNNABLE, G_WAITING); break;
    case TP_V1_GoStart:
    case TP_V1_GoStartLabel:
        set_step(s, e->g, e->args[1], e->args[1] + 1, G_RUNNABLE, G_RUNNING);
        break;
    // On the P where the goroutine was made runnable: that has been merged.
    case TP_V1_GoStartLocal:
        set_step(s, e->g, SEQ_ANY, SEQ_NEXT, G_RUNNABLE, G_RUNNING);
        break;
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend:
    case TP_V1_GoBlockRecv:
    case TP_V1_GoBlockSelect:
    case TP_V1_GoBlockSync:
    case TP_V1_GoBlockCond:
    case TP_V1_GoBlockNet:
    case TP_V1_GoBlockGC:
    case TP_V1_GoSleep:
    case TP_V1_GoSysBlock: set_step(s, e->g, SEQ_ANY, SEQ_ANY, G_RUNNING, G_WAITING); break;
    case TP_V1_GoSched:
    case TP_V1_GoPreempt: set_step(s, e->g, SEQ_ANY, SEQ_ANY, G_RUNNING, G_RUNNABLE); break;
    case TP_V1_GoUnblock:
    case TP_V1_GoSysExit:
        set_step(s, e->args[0], e->args[1], e->args[1] + 1, G_WAITING, G_RUNNABLE);
        break;
    case TP_V1_GoUnblockLocal:
    case TP_V1_GoSysExitLocal:
        set_step(s, e->args[0], SEQ_ANY, SEQ_NEXT, G_WAITING, G_RUNNABLE);
        break;
    case TP_V1_GCStart:
        set_step(s, KEY_COLLECTOR, e->args[0], e->args[0] + 1, G_DEAD, G_DEAD);
        break;
    default: break;
    }
}

// GOROUTINES

static bool is_ready_in(const struct tp_v1_step *s, const struct tp_v1_g_order *g)
{
    return (s->seq == SEQ_ANY || s->seq == g->seq) && s->status == g->status;
}

// The place of the step's goroutine, TP_MAP_NONE if nothing is known of it. What waits is
// asked again and again, and most events of a stream are of the goroutine of the one before.
TP_INLINE uint32_t slot_of(const struct tp_v1_order *o, struct tp_v1_step *s)
{
    if (s->slot == TP_MAP_NONE || o->gs.items[s->slot].key != s->key)
        s->slot = tp_map_get(&o->gs_by_id, s->key);
    return s->slot;
}

static bool is_ready(const struct tp_v1_order *o, struct tp_v1_step *s)
{
    if (s->key == KEY_NONE)
        return true;
    uint32_t slot = slot_of(o, s);
    struct tp_v1_g_order unknown = {s->key, 0, G_DEAD};
    return is_ready_in(s, slot != TP_MAP_NONE ? &o->gs.items[slot] : &unknown);
}

static struct tp_v1_g_order *g_of(struct tp_v1_order *o, struct tp_v1_step *s,
                                  struct tp_error *err)
{
    uint64_t key = s->key;
    uint32_t slot = slot_of(o, s);
    if (tp_likely(slot != TP_MAP_NONE))
        return &o->gs.items[slot];
    if (o->gs.count * (sizeof *o->gs.items + sizeof(struct tp_map_entry)) >= o->trace->max_bytes) {
        tp_fail(err, TP_E_TOO_LARGE, "%u goroutines do not fit into the memory allowed",
                o->gs.count);
        return NULL;
    }
    slot = o->free_g_plus_1 - 1;
    bool is_free = o->free_g_plus_1 != 0;
    if ((!is_free && !TP_LIST_ROOM(&o->gs)) ||
        !tp_map_put(&o->gs_by_id, key, is_free ? slot : o->gs.count)) {
        tp_fail(err, TP_E_MEMORY, "out of memory for a goroutine");
        return NULL;
    }
    if (is_free)
        o->free_g_plus_1 = (uint32_t)o->gs.items[slot].seq;
    else
        slot = o->gs.count++;
    o->gs.items[slot] = (struct tp_v1_g_order){key, 0, G_DEAD};
    return &o->gs.items[slot];
}

// Nothing else can come of it, but that Go refuses to have its number again.
static void forget(struct tp_v1_order *o, uint64_t g)
{
    uint32_t slot = tp_map_get(&o->gs_by_id, g);
    if (slot == TP_MAP_NONE || o->trace->is_strict)
        return;
    o->gs.items[slot].key = KEY_NONE;
    o->gs.items[slot].seq = o->free_g_plus_1;
    o->free_g_plus_1 = slot + 1;
    tp_map_remove(&o->gs_by_id, g);
}

// The state may have changed since the event was found ready.
static bool apply(struct tp_v1_order *o, struct tp_v1_step *s, struct tp_error *err)
{
    if (s->key == KEY_NONE)
        return true;
    struct tp_v1_g_order *g = g_of(o, s, err);
    if (g == NULL)
        return false;
    if (tp_unlikely(!is_ready_in(s, g))) {
        tp_fail(err, TP_E_ORDER, "%s",
                o->trace->is_original ? "event sequences are broken"
                                      : "encountered impossible goroutine state transition");
        return false;
    }
    if (s->next_seq == SEQ_NEXT)
        g->seq++;
    else if (s->next_seq != SEQ_ANY)
        g->seq = s->next_seq;
    g->status = s->next_status;
    return true;
}

// THE FRONTIER

// What is known of stays_as_it_is, which is asked for each event and seldom changes.
enum { STAYS_UNKNOWN, STAYS, STAYS_NOT };

static void swap(struct tp_v1_front *a, struct tp_v1_front *b)
{
    struct tp_v1_front kept = *a;
    *a = *b;
    *b = kept;
}

static void push(struct tp_v1_order *o, struct tp_v1_front entry)
{
    struct tp_v1_front *f = o->frontier;
    o->frontier_stays = STAYS_UNKNOWN;
    size_t i = o->frontier_count++;
    f[i] = entry;
    if (o->trace->is_original)
        return;
    for (; i > 0 && f[i].key < f[(i - 1) / 2].key; i = (i - 1) / 2)
        swap(&f[i], &f[(i - 1) / 2]);
}

static uint32_t pop_original(struct tp_v1_order *o)
{
    struct tp_v1_front *f = o->frontier;
    tp_v1_front_sort(f, o->frontier_count);
    uint32_t first = f[0].cursor;
    f[0] = f[--o->frontier_count];
    return first;
}

static uint32_t pop(struct tp_v1_order *o)
{
    o->frontier_stays = STAYS_UNKNOWN;
    if (o->trace->is_original)
        return pop_original(o);
    struct tp_v1_front *f = o->frontier;
    size_t count = --o->frontier_count;
    swap(&f[0], &f[count]);
    for (size_t i = 0;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && f[child + 1].key < f[child].key)
            child++;
        if (f[child].key >= f[i].key)
            break;
        swap(&f[i], &f[child]);
        i = child;
    }
    return f[count].cursor;
}

// Whether the frontier stays as it is when an entry that is earlier than all goes in and comes
// out again: what it passes on its way up goes back down to where it was, unless it is equal
// to what it meets there.
static bool find_whether_stays(const struct tp_v1_order *o)
{
    const struct tp_v1_front *f = o->frontier;
    if (o->frontier_count <= 2)
        return true;
    size_t i = (o->frontier_count - 1) / 2;
    if (f[(i - 1) / 2].key >= f[i].key)
        return false;
    for (; i > 0; i = (i - 1) / 2) {
        if (i % 2 == 0 && f[(i - 1) / 2].key >= f[i - 1].key)
            return false;
    }
    return true;
}

TP_INLINE bool stays_as_it_is(struct tp_v1_order *o)
{
    if (tp_unlikely(o->frontier_stays == STAYS_UNKNOWN))
        o->frontier_stays = find_whether_stays(o) ? STAYS : STAYS_NOT;
    return o->frontier_stays == STAYS;
}

// BEGIN AND END

static int by_p(const void *a, const void *b)
{
    int32_t x = (int32_t)(uint32_t)((const struct tp_v1_cursor *)a)->run->m;
    int32_t y = (int32_t)(uint32_t)((const struct tp_v1_cursor *)b)->run->m;
    return tp_compare_i64(x, y);
}

static int by_whole_p(const void *a, const void *b)
{
    return tp_compare_i64((int64_t)((const struct tp_v1_cursor *)a)->run->m,
                          (int64_t)((const struct tp_v1_cursor *)b)->run->m);
}

int tp_v1_order_begin(struct tp_v1_order *o, const struct tp_v1_trace *t, struct tp_error *err)
{
    const struct tp_generation *lists = t->lists;
    size_t count = lists->m_count + 1;
    *o = (struct tp_v1_order){.trace = t, .is_sequenced = tp_v1_is_sequenced(t),
                              .is_by_rules = !tp_v1_is_by_time(t) && !t->has_turns};
    if (!lists->has_lists && lists->m_count > 0)
        return tp_fail(err, TP_E_TOO_LARGE, "trace has too many batches");
    if (tp_v1_is_by_time(t))
        return tp_v0_order_begin(&o->by_time, t, err);
    o->cursors = tp_alloc_array(count, sizeof *o->cursors);
    o->steps = tp_alloc_array(count, sizeof *o->steps);
    o->available = tp_alloc_array(count, sizeof *o->available);
    o->frontier = tp_alloc_array(count, sizeof *o->frontier);
    if (o->cursors == NULL || o->steps == NULL || o->available == NULL || o->frontier == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the Ps of a trace");
    o->cursor_count = count;
    for (size_t i = 0; i < count; i++)
        tp_v1_cursor_init(&o->cursors[i], t, i + 1 < count ? &lists->ms[i] : NULL);
    qsort(o->cursors, count - 1, sizeof *o->cursors, t->is_original ? by_whole_p : by_p);
    // All have to move on to their first event.
    for (size_t i = 0; i < count; i++) {
        enum tp_cursor_status st = tp_v1_cursor_advance(&o->cursors[i], err);
        if (st == TP_CURSOR_BAD)
            return err->code;
        if (st == TP_CURSOR_END)
            o->cursors[i].next.type = TP_V1_NONE;
        o->steps[i] = (struct tp_v1_step){.slot = TP_MAP_NONE};
        o->available[o->available_count++] = (uint32_t)i;
    }
    return 0;
}

void tp_v1_order_fini(struct tp_v1_order *o)
{
    tp_v0_order_fini(&o->by_time);
    for (size_t i = 0; i < o->cursor_count; i++)
        tp_v1_cursor_fini(&o->cursors[i]);
    tp_free(o->cursors);
    tp_free(o->steps);
    tp_free(o->available);
    tp_free(o->frontier);
    tp_map_fini(&o->gs_by_id);
    tp_free(o->gs.items);
    *o = (struct tp_v1_order){0};
}

uint64_t tp_v1_order_left_bytes(const struct tp_v1_order *o)
{
    uint64_t left_bytes = tp_v0_order_left_bytes(&o->by_time);
    for (size_t i = 0; i < o->cursor_count; i++)
        left_bytes += tp_v1_cursor_left_bytes(&o->cursors[i]);
    return left_bytes;
}

// THE LOOP

// Its place goes to the last one, which is looked at next; or all move up.
static void take_available(struct tp_v1_order *o, size_t i)
{
    size_t behind = --o->available_count - i;
    if (o->trace->is_original)
        memmove(&o->available[i], &o->available[i + 1], behind * sizeof *o->available);
    else
        o->available[i] = o->available[i + behind];
}

// Behind the others; or where it belongs.
static void put_available(struct tp_v1_order *o, uint32_t at)
{
    size_t i = o->available_count++;
    for (; o->trace->is_original && i > 0 && o->available[i - 1] > at; i--)
        o->available[i] = o->available[i - 1];
    o->available[i] = at;
}

static void fill_frontier(struct tp_v1_order *o)
{
    for (size_t i = 0; i < o->available_count;) {
        uint32_t at = o->available[i];
        const struct tp_v1_ordered *e = &o->cursors[at].next;
        if (e->type == TP_V1_NONE) {
            o->ended_count++;
            take_available(o, i);
            continue;
        }
        struct tp_v1_step *s = &o->steps[at];
        // What was not ready still is not, unless something happened to its goroutine.
        bool waits_on = s->is_found && s->key != o->changed_key;
        if (!s->is_found)
            find_step(o, e, s);
        if (waits_on || !is_ready(o, s)) {
            i++;
            continue;
        }
        take_available(o, i);
        push(o, (struct tp_v1_front){e->key, at});
    }
}

static enum tp_cursor_status advance_last(struct tp_v1_order *o, struct tp_error *err)
{
    if (o->last_plus_1 == 0)
        return TP_CURSOR_EVENT;
    struct tp_v1_cursor *c = &o->cursors[o->last_plus_1 - 1];
    enum tp_cursor_status st = tp_v1_cursor_advance(c, err);
    if (st == TP_CURSOR_END)
        c->next.type = TP_V1_NONE;
    return st;
}

static void make_last_available(struct tp_v1_order *o)
{
    if (o->last_plus_1 == 0)
        return;
    o->steps[o->last_plus_1 - 1].is_found = false;
    put_available(o, o->last_plus_1 - 1);
    o->last_plus_1 = 0;
}

// Whether the last event made something ready that waits for its goroutine.
static bool may_wake(const struct tp_v1_order *o)
{
    // What needs no goroutine does not wait.
    if (o->changed_key == KEY_NONE)
        return false;
    for (size_t i = 0; i < o->available_count; i++) {
        if (o->steps[o->available[i]].key == o->changed_key)
            return true;
    }
    return false;
}

// Whether the stream of the last event goes first again, as most do. Then all the rest is as it
// was: streams that wait still do, and the frontier is the same.
static bool goes_on(struct tp_v1_order *o)
{
    if (o->last_plus_1 == 0 || o->trace->is_original)
        return false;
    const struct tp_v1_ordered *e = &o->cursors[o->last_plus_1 - 1].next;
    if (e->type == TP_V1_NONE || (o->frontier_count > 0 && e->key >= o->frontier[0].key))
        return false;
    struct tp_v1_step *s = &o->steps[o->last_plus_1 - 1];
    find_step(o, e, s);
    return !may_wake(o) && is_ready(o, s) && stays_as_it_is(o);
}

// The stream that goes first. False: there is none.
static bool choose(struct tp_v1_order *o, uint32_t *ret_at)
{
    if (tp_likely(goes_on(o))) {
        *ret_at = o->last_plus_1 - 1;
        return true;
    }
    make_last_available(o);
    fill_frontier(o);
    if (o->frontier_count == 0)
        return false;
    *ret_at = pop(o);
    return true;
}

static uint8_t shown_type(uint8_t type)
{
    switch (type) {
    case TP_V1_GoStartLocal: return TP_V1_GoStart;
    case TP_V1_GoUnblockLocal: return TP_V1_GoUnblock;
    case TP_V1_GoSysExitLocal: return TP_V1_GoSysExit;
    default: return type;
    }
}

static void hand_out(struct tp_v1_order *o, uint32_t at, struct tp_v1_ordered **ret)
{
    struct tp_v1_ordered *e = &o->cursors[at].next;
    // A Local exit has no time of its own where the others have one: args[2] is 0.
    e->type = shown_type(e->type);
    o->last_plus_1 = at + 1;
    *ret = e;
}

static enum tp_cursor_status next_by_turns(struct tp_v1_order *o, struct tp_v1_ordered **ret,
                                           struct tp_error *err)
{
    const struct tp_v1_trace *t = o->trace;
    if (o->turn_count < t->turns.count) {
        uint32_t at = t->turns.items[o->turn_count++];
        if (tp_unlikely(o->cursors[at].next.type == TP_V1_NONE)) {
            tp_fail(err, TP_E_READ, "the file was written to meanwhile");
            return TP_CURSOR_BAD;
        }
        hand_out(o, at, ret);
        return TP_CURSOR_EVENT;
    }
    *err = t->turns_end;
    return err->code != 0 ? TP_CURSOR_BAD : TP_CURSOR_END;
}

enum tp_cursor_status tp_v1_order_next(struct tp_v1_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err)
{
    if (tp_unlikely(!o->is_by_rules) && tp_v1_is_by_time(o->trace))
        return tp_v0_order_next(&o->by_time, ret, err);
    if (advance_last(o, err) == TP_CURSOR_BAD)
        return TP_CURSOR_BAD;
    if (tp_unlikely(!o->is_by_rules))
        return next_by_turns(o, ret, err);
    uint32_t at;
    if (!choose(o, &at)) {
        if (o->ended_count == o->cursor_count)
            return TP_CURSOR_END;
        tp_fail(err, TP_E_ORDER, "no consistent ordering of events possible");
        return TP_CURSOR_BAD;
    }
    struct tp_v1_ordered *e = &o->cursors[at].next;
    if (!apply(o, &o->steps[at], err))
        return TP_CURSOR_BAD;
    o->changed_key = o->steps[at].key;
    if (e->type == TP_V1_GoEnd) {
        forget(o, e->g);
        o->changed_key = e->g;
    }
    hand_out(o, at, ret);
    return TP_CURSOR_EVENT;
}
