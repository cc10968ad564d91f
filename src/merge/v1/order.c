#include "merge/v1/order.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"

enum { G_DEAD, G_RUNNABLE, G_RUNNING, G_WAITING };

// Keys of the collector, and of events that need no state; all other keys are ids of goroutines.
#define KEY_COLLECTOR (UINT64_MAX - 1)
#define KEY_NONE UINT64_MAX
// A sequence number that fits any state.
#define FITS_ANY UINT64_MAX

// Whose state decides whether an event is ready.
enum needs { NEEDS_NOBODY, NEEDS_G, NEEDS_ARG, NEEDS_COLLECTOR };
// Which sequence number must be the next one of that state.
enum number { NUMBER_ANY, NUMBER_0, NUMBER_1, NUMBER_OF_G, NUMBER_OF_COLLECTION };

// The state that makes an event ready, and the state after it.
struct tp_v1_rule {
    uint8_t needs;
    uint8_t number;
    uint8_t status;
    uint8_t next_status;
    uint8_t counts; // 1: the event takes a sequence number
};

#define RULE_BLOCKS {NEEDS_G, NUMBER_ANY, G_RUNNING, G_WAITING, 0}
#define RULE_YIELDS {NEEDS_G, NUMBER_ANY, G_RUNNING, G_RUNNABLE, 0}
#define RULE_WAITS {NEEDS_ARG, NUMBER_1, G_RUNNABLE, G_WAITING, 1}
#define RULE_STARTS {NEEDS_ARG, NUMBER_OF_G, G_RUNNABLE, G_RUNNING, 1}
#define RULE_WAKES {NEEDS_ARG, NUMBER_OF_G, G_WAITING, G_RUNNABLE, 1}
// A Local event needs no number: it is on the same P as the goroutine's last change, so the change
// has been handed out before.
#define RULE_STARTS_LOCAL {NEEDS_ARG, NUMBER_ANY, G_RUNNABLE, G_RUNNING, 1}
#define RULE_WAKES_LOCAL {NEEDS_ARG, NUMBER_ANY, G_WAITING, G_RUNNABLE, 1}

static const struct tp_v1_rule rules[TP_V1_CODES] = {
    [TP_V1_GoCreate] = {NEEDS_ARG, NUMBER_0, G_DEAD, G_RUNNABLE, 1},
    [TP_V1_GoWaiting] = RULE_WAITS,
    [TP_V1_GoInSyscall] = RULE_WAITS,
    [TP_V1_GoStart] = RULE_STARTS,
    [TP_V1_GoStartLabel] = RULE_STARTS,
    [TP_V1_GoStartLocal] = RULE_STARTS_LOCAL,
    [TP_V1_GoBlock] = RULE_BLOCKS,
    [TP_V1_GoBlockSend ... TP_V1_GoBlockNet] = RULE_BLOCKS,
    [TP_V1_GoBlockGC] = RULE_BLOCKS,
    [TP_V1_GoSleep] = RULE_BLOCKS,
    [TP_V1_GoSysBlock] = RULE_BLOCKS,
    [TP_V1_GoSched] = RULE_YIELDS,
    [TP_V1_GoPreempt] = RULE_YIELDS,
    [TP_V1_GoUnblock] = RULE_WAKES,
    [TP_V1_GoSysExit] = RULE_WAKES,
    [TP_V1_GoUnblockLocal] = RULE_WAKES_LOCAL,
    [TP_V1_GoSysExitLocal] = RULE_WAKES_LOCAL,
    [TP_V1_GCStart] = {NEEDS_COLLECTOR, NUMBER_OF_COLLECTION, G_DEAD, G_DEAD, 1},
};

// The rules for traces whose events are ordered by their sequence numbers alone: any event is
// ready.
static const struct tp_v1_rule no_rules[TP_V1_CODES];

static uint64_t key_of(const struct tp_v1_rule *r, const struct tp_v1_ordered *e)
{
    if (r->needs == NEEDS_NOBODY)
        return KEY_NONE;
    if (tp_unlikely(r->needs == NEEDS_COLLECTOR))
        return KEY_COLLECTOR;
    return r->needs == NEEDS_G ? e->g : tp_v1_arg(e, Named, g);
}

static uint64_t number_of(const struct tp_v1_rule *r, const struct tp_v1_ordered *e)
{
    switch ((enum number)r->number) {
    case NUMBER_OF_G: return tp_v1_arg(e, Named, seq);
    case NUMBER_OF_COLLECTION: return tp_v1_arg(e, GCStart, seq);
    case NUMBER_1: return 1;
    default: return 0;
    }
}

// GOROUTINES

static bool is_ready_in(const struct tp_v1_rule *r, const struct tp_v1_ordered *e,
                        const struct tp_v1_g_order *g)
{
    if (r->status != g->status)
        return false;
    if (r->number == NUMBER_ANY)
        return true;
    uint64_t number = number_of(r, e);
    return number == g->seq || number == FITS_ANY;
}

// Returns the slot of a goroutine, TP_MAP_NONE if nothing is known of it. Cached in the stream,
// because a waiting event is looked up repeatedly and most events of a stream belong to the same
// goroutine as the previous one.
TP_INLINE uint32_t slot_of(const struct tp_v1_order *o, struct tp_v1_stream *stream, uint64_t key)
{
    if (stream->slot == TP_MAP_NONE || o->gs.items[stream->slot].key != key)
        stream->slot = tp_map_get(&o->gs.by_id, key);
    return stream->slot;
}

// Returns the state of a goroutine that no event has changed yet.
static struct tp_v1_g_order unknown_g(uint64_t key)
{
    return (struct tp_v1_g_order){.key = key, .status = G_DEAD};
}

static bool is_ready(const struct tp_v1_order *o, struct tp_v1_stream *stream)
{
    const struct tp_v1_ordered *e = &stream->cursor.next;
    if (stream->key == KEY_NONE)
        return true;
    uint32_t slot = slot_of(o, stream, stream->key);
    struct tp_v1_g_order unknown = unknown_g(stream->key);
    return is_ready_in(&o->rules[e->type], e, slot != TP_MAP_NONE ? &o->gs.items[slot] : &unknown);
}

static TP_NOINLINE struct tp_v1_g_order *add_g(struct tp_v1_order *o, uint64_t key,
                                               struct tp_error *err)
{
    if (TP_SLAB_BYTES(&o->gs) >= o->trace->max_bytes) {
        tp_fail(err, TP_E_LIMIT, "%u goroutines do not fit into %llu bytes", o->gs.count,
                (unsigned long long)o->trace->max_bytes);
        return NULL;
    }
    uint32_t slot = TP_SLAB_ADD(&o->gs, key);
    if (slot == 0) {
        tp_fail(err, TP_E_MEMORY, "out of memory for a goroutine");
        return NULL;
    }
    o->gs.items[slot] = unknown_g(key);
    return &o->gs.items[slot];
}

// Maps a key to one of 64 bits; keys for which streams wait rarely share a bit.
static uint64_t bit_of(uint64_t key)
{
    return UINT64_C(1) << key % 64;
}

static void set_changed(struct tp_v1_order *o, uint64_t key)
{
    o->changed_key = key;
    o->changed_bit = bit_of(key);
}

// Drops the state of a goroutine that has ended. With is_strict it stays, because Go refuses an id
// that comes again.
static TP_NOINLINE void forget(struct tp_v1_order *o, uint64_t g)
{
    set_changed(o, g);
    uint32_t slot = tp_map_get(&o->gs.by_id, g);
    if (slot == TP_MAP_NONE || o->trace->is_strict)
        return;
    o->gs.items[slot].key = KEY_NONE;
    TP_SLAB_REMOVE(&o->gs, g);
}

enum taken { TAKEN, NOT_READY, TAKE_FAILED };

static void change(struct tp_v1_order *o, const struct tp_v1_rule *r,
                   const struct tp_v1_ordered *e, struct tp_v1_g_order *g)
{
    g->seq = r->number == NUMBER_ANY ? g->seq + r->counts : number_of(r, e) + 1;
    g->status = r->next_status;
    set_changed(o, g->key);
}

static TP_NOINLINE enum taken take_of_unknown(struct tp_v1_order *o,
                                              const struct tp_v1_ordered *e, uint64_t key,
                                              struct tp_error *err)
{
    const struct tp_v1_rule *r = &o->rules[e->type];
    struct tp_v1_g_order unknown = unknown_g(key);
    if (!is_ready_in(r, e, &unknown))
        return NOT_READY;
    struct tp_v1_g_order *g = add_g(o, key, err);
    if (g == NULL)
        return TAKE_FAILED;
    change(o, r, e, g);
    return TAKEN;
}

// Takes the stream's next event if it is ready, and changes the state with this key accordingly.
static enum taken take(struct tp_v1_order *o, struct tp_v1_stream *stream, uint64_t key,
                       struct tp_error *err)
{
    const struct tp_v1_ordered *e = &stream->cursor.next;
    const struct tp_v1_rule *r = &o->rules[e->type];
    if (key == KEY_NONE) {
        o->changed_key = key;
        o->changed_bit = 0;
        if (tp_unlikely(e->type == TP_V1_GoEnd))
            forget(o, e->g);
        return TAKEN;
    }
    uint32_t slot = slot_of(o, stream, key);
    if (tp_unlikely(slot == TP_MAP_NONE))
        return take_of_unknown(o, e, key, err);
    struct tp_v1_g_order *g = &o->gs.items[slot];
    if (tp_unlikely(!is_ready_in(r, e, g)))
        return NOT_READY;
    change(o, r, e, g);
    return TAKEN;
}

// THE FRONTIER

#define SORT_ITEM struct tp_v1_front
#define SORT_KEY key
#include "base/sort/gosort.def"

static bool goes_first(const void *ctx, const struct tp_v1_front *a, const struct tp_v1_front *b)
{
    (void)ctx;
    return a->key < b->key;
}

// Moves entries as Go's container/heap does, so that equal keys come out in Go's order.
#define HEAP_ITEM struct tp_v1_front
#define HEAP_CTX const void
#include "base/sort/heap.def"

static void push(struct tp_v1_order *o, struct tp_v1_front entry)
{
    if (o->trace->is_legacy)
        o->frontier[o->frontier_count++] = entry;
    else
        heap_push(NULL, o->frontier, o->frontier_count++, &entry);
}

static struct tp_v1_stream *pop_legacy_event(struct tp_v1_order *o)
{
    struct tp_v1_front *f = o->frontier;
    sort_all(&(struct sorter){f}, o->frontier_count);
    struct tp_v1_stream *first = f[0].stream;
    f[0] = f[--o->frontier_count];
    return first;
}

static struct tp_v1_stream *pop_earliest(struct tp_v1_order *o)
{
    struct tp_v1_front *f = o->frontier;
    struct tp_v1_stream *first = f[0].stream;
    size_t count = --o->frontier_count;
    heap_replace_first(NULL, f, count, &f[count]);
    return first;
}

// Whether the frontier stays the same when an entry earlier than all others is added and removed
// again: the entries that it passes on its way up return to their places, unless they are equal to
// their siblings there.
static bool stays_as_it_is(const struct tp_v1_order *o)
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

static int64_t find_goes_on_below(const struct tp_v1_order *o)
{
    if (o->frontier_count == 0)
        return INT64_MAX;
    return stays_as_it_is(o) ? o->frontier[0].key : INT64_MIN;
}

static struct tp_v1_stream *pop(struct tp_v1_order *o)
{
    if (o->trace->is_legacy)
        return pop_legacy_event(o);
    struct tp_v1_stream *first = pop_earliest(o);
    o->goes_on_below = find_goes_on_below(o);
    return first;
}

// BEGIN AND END

static int by_p(const void *a, const void *b)
{
    return tp_compare_i64(((const struct tp_v1_stream *)a)->cursor.p,
                          ((const struct tp_v1_stream *)b)->cursor.p);
}

// Advances a stream. At the end of the stream, sets its next event to one that has no type and is
// later than all others.
static enum tp_cursor_status advance(struct tp_v1_stream *stream, struct tp_error *err)
{
    enum tp_cursor_status st = tp_v1_cursor_advance(&stream->cursor, err);
    stream->is_asked = false;
    if (tp_unlikely(st == TP_CURSOR_END)) {
        stream->cursor.next.type = TP_V1_NONE;
        stream->cursor.next.key = INT64_MAX;
    }
    return st;
}

int tp_v1_order_begin(struct tp_v1_order *o, const struct tp_v1_trace *t, struct tp_error *err)
{
    const struct tp_generation *lists = t->lists;
    size_t count = lists->ms.count + 1;
    *o = (struct tp_v1_order){.trace = t, .rules = tp_v1_is_sequenced(t) ? no_rules : rules,
                              .is_by_rules = !tp_v1_is_by_time(t) && !t->has_turns,
                              .goes_on_below = INT64_MIN};
    if (!lists->has_lists && lists->ms.count > 0)
        return tp_generation_refuse_batches(lists, err);
    if (tp_v1_is_by_time(t))
        return tp_v0_order_begin(&o->by_time, t, err);
    o->streams = tp_alloc_array(count, sizeof *o->streams);
    o->available = tp_alloc_array(count, sizeof *o->available);
    o->frontier = tp_alloc_array(count, sizeof *o->frontier);
    if (o->streams == NULL || o->available == NULL || o->frontier == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the Ps of a trace");
    o->stream_count = count;
    for (size_t i = 0; i < count; i++) {
        o->streams[i] = (struct tp_v1_stream){.slot = TP_MAP_NONE};
        tp_v1_cursor_init(&o->streams[i].cursor, t, i + 1 < count ? &lists->ms.items[i] : NULL);
    }
    qsort(o->streams, count - 1, sizeof *o->streams, by_p);
    // Moves all streams to their first events.
    for (size_t i = 0; i < count; i++) {
        if (advance(&o->streams[i], err) == TP_CURSOR_BAD)
            return err->code;
        o->available[o->available_count++] = &o->streams[i];
    }
    return 0;
}

void tp_v1_order_fini(struct tp_v1_order *o)
{
    tp_v0_order_fini(&o->by_time);
    for (size_t i = 0; i < o->stream_count; i++)
        tp_v1_cursor_fini(&o->streams[i].cursor);
    tp_free(o->streams);
    tp_free((void *)o->available);
    tp_free(o->frontier);
    TP_SLAB_FINI(&o->gs);
    *o = (struct tp_v1_order){0};
}

uint64_t tp_v1_order_left_bytes(const struct tp_v1_order *o)
{
    uint64_t left_bytes = tp_v0_order_left_bytes(&o->by_time);
    for (size_t i = 0; i < o->stream_count; i++)
        left_bytes += tp_v1_cursor_left_bytes(&o->streams[i].cursor);
    return left_bytes;
}

int64_t tp_v1_order_least_ticks(const struct tp_v1_order *o)
{
    int64_t least_ticks = INT64_MAX;
    // Sequence numbers are no times.
    for (size_t i = 0; i < o->stream_count && !tp_v1_is_sequenced(o->trace); i++) {
        if (o->streams[i].cursor.next.key < least_ticks)
            least_ticks = o->streams[i].cursor.next.key;
    }
    return least_ticks;
}

// THE LOOP

// Removes a stream from the available ones, as the imitated reader does: Go 1.26 puts the last
// available stream in its place; with is_legacy, all streams after it move up, as in Go 1.21.
static void take_available(struct tp_v1_order *o, size_t i)
{
    size_t behind = --o->available_count - i;
    if (o->trace->is_legacy)
        memmove(&o->available[i], &o->available[i + 1], behind * sizeof *o->available);
    else
        o->available[i] = o->available[i + behind];
}

// Makes a stream available again, as the imitated reader does: Go 1.26 appends the stream; with
// is_legacy, the available streams stay in ascending order, as in Go 1.21.
static void put_available(struct tp_v1_order *o, struct tp_v1_stream *stream)
{
    size_t i = o->available_count++;
    for (; o->trace->is_legacy && i > 0 && o->available[i - 1] > stream; i--)
        o->available[i] = o->available[i - 1];
    o->available[i] = stream;
}

// Results of asking an available stream for its next event.
enum asked { IS_AT_END, WAITS, IS_READY };

static enum asked ask(struct tp_v1_order *o, struct tp_v1_stream *stream)
{
    const struct tp_v1_ordered *e = &stream->cursor.next;
    if (tp_unlikely(e->type == TP_V1_NONE)) {
        o->ended_count++;
        return IS_AT_END;
    }
    // An event that was not ready stays so unless the state that it needs has changed.
    bool waits_on = stream->is_asked && stream->key != o->changed_key;
    if (!stream->is_asked)
        stream->key = key_of(&o->rules[e->type], e);
    stream->is_asked = true;
    if (waits_on || !is_ready(o, stream)) {
        o->waiting |= bit_of(stream->key);
        return WAITS;
    }
    push(o, (struct tp_v1_front){e->key, stream});
    return IS_READY;
}

static void ask_all(struct tp_v1_order *o)
{
    o->waiting = 0;
    for (size_t i = 0; i < o->available_count;) {
        if (ask(o, o->available[i]) == WAITS)
            i++;
        else
            take_available(o, i);
    }
}

// Whether the last event may have made another event ready. True if an event waits for the state
// that the last event changed, or for a state whose key has the same bit in o->waiting.
static bool may_wake(const struct tp_v1_order *o)
{
    return (o->waiting & o->changed_bit) != 0;
}

// Takes the next event of the stream that gave the last event, if this stream is first again, as it
// mostly is. Then nothing else changes: streams that wait still wait, and the frontier stays the
// same.
static enum taken go_on(struct tp_v1_order *o, struct tp_v1_stream *last, struct tp_error *err)
{
    const struct tp_v1_ordered *e = &last->cursor.next;
    if (e->key >= o->goes_on_below || may_wake(o))
        return NOT_READY;
    return take(o, last, key_of(&o->rules[e->type], e), err);
}

// Adds all ready streams to the frontier and takes the first one out. NULL: no stream is ready,
// which is the end or an error.
static struct tp_v1_stream *choose(struct tp_v1_order *o)
{
    struct tp_v1_stream *last = o->last;
    o->last = NULL;
    if (tp_likely(last != NULL && !may_wake(o) && !o->trace->is_legacy)) {
        if (ask(o, last) == WAITS)
            put_available(o, last);
    } else {
        if (last != NULL)
            put_available(o, last);
        ask_all(o);
    }
    return o->frontier_count > 0 ? pop(o) : NULL;
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

static struct tp_v1_ordered *hand_out(struct tp_v1_order *o, struct tp_v1_stream *stream)
{
    struct tp_v1_ordered *e = &stream->cursor.next;
    // A Local exit has its time where other exits have `seq`; its `ts` is 0 here.
    e->type = shown_type(e->type);
    o->last = stream;
    return e;
}

static enum tp_cursor_status next_by_turns(struct tp_v1_order *o, struct tp_v1_ordered **ret,
                                           struct tp_error *err)
{
    const struct tp_v1_trace *t = o->trace;
    if (o->turn_count < t->turns.count) {
        struct tp_v1_stream *stream = &o->streams[t->turns.items[o->turn_count++]];
        if (tp_unlikely(stream->cursor.next.type == TP_V1_NONE)) {
            tp_fail(err, TP_E_READ, "the file changed while it was read");
            return TP_CURSOR_BAD;
        }
        *ret = hand_out(o, stream);
        return TP_CURSOR_EVENT;
    }
    *err = t->turns_end;
    return err->code != 0 ? TP_CURSOR_BAD : TP_CURSOR_END;
}

static TP_NOINLINE enum tp_cursor_status next_without_rules(struct tp_v1_order *o,
                                                            struct tp_v1_ordered **ret,
                                                            struct tp_error *err)
{
    if (tp_v1_is_by_time(o->trace))
        return tp_v0_order_next(&o->by_time, ret, err);
    if (o->last != NULL && advance(o->last, err) == TP_CURSOR_BAD)
        return TP_CURSOR_BAD;
    return next_by_turns(o, ret, err);
}

static enum tp_cursor_status end(const struct tp_v1_order *o, struct tp_error *err)
{
    if (o->ended_count == o->stream_count)
        return TP_CURSOR_END;
    tp_fail(err, TP_E_ORDER, "no consistent ordering of events possible");
    return TP_CURSOR_BAD;
}

// Fails because the state has changed since the event was found ready.
static enum tp_cursor_status refuse(const struct tp_v1_order *o, struct tp_error *err)
{
    tp_fail(err, TP_E_ORDER, "%s",
            o->trace->is_legacy ? "event sequences are broken"
                                  : "encountered impossible goroutine state transition");
    return TP_CURSOR_BAD;
}

// Takes the first of the next events of all streams, if go_on has taken none of the last stream.
static TP_NOINLINE enum tp_cursor_status next_of_all(struct tp_v1_order *o,
                                                      struct tp_v1_ordered **ret,
                                                      struct tp_error *err)
{
    struct tp_v1_stream *stream = choose(o);
    if (stream == NULL)
        return end(o, err);
    switch (take(o, stream, stream->key, err)) {
    case TAKE_FAILED: return TP_CURSOR_BAD;
    case NOT_READY: return refuse(o, err);
    case TAKEN: break;
    }
    *ret = hand_out(o, stream);
    return TP_CURSOR_EVENT;
}

TP_NOINLINE TP_FLATTEN
enum tp_cursor_status tp_v1_order_next(struct tp_v1_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err)
{
    if (tp_unlikely(!o->is_by_rules))
        return next_without_rules(o, ret, err);
    struct tp_v1_stream *stream = o->last;
    if (tp_likely(stream != NULL)) {
        if (tp_unlikely(advance(stream, err) == TP_CURSOR_BAD))
            return TP_CURSOR_BAD;
        enum taken taken = go_on(o, stream, err);
        if (tp_likely(taken == TAKEN)) {
            *ret = hand_out(o, stream);
            return TP_CURSOR_EVENT;
        }
        if (taken == TAKE_FAILED)
            return TP_CURSOR_BAD;
    }
    return next_of_all(o, ret, err);
}
