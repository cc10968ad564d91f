// The first walk over a trace from before Go 1.22: see trace.h.
#include "base/alloc.h"
#include "base/slab.h"
#include "merge/tables/read.h"
#include "merge/v1/named.h"
#include "merge/v1/order.h"
#include "merge/v1/prescan.h"
#include "merge/v1/wakeups.h"

// `turns` has at most this part of the memory limit: one in TURNS_SHARE.
#define TURNS_SHARE 4

struct plan_g {
    int64_t blocked_ticks;           // when its last syscall blocked; 0: none did
    uint64_t syscall;         // number of the GoSysCall that is its last event; 0: none
};

struct plan_legacy_g {
    struct plan_g g;
    struct tp_v1_noted_wakeup wakeup;
};

struct plan {
    struct tp_v1_trace *trace;
    struct tp_v1_order order;
    uint64_t event_count;
    uint64_t syscall_count;
    int64_t last_key;
    struct tp_slab gs;               // struct plan_g; of legacy events struct plan_legacy_g
    TP_LIST(uint64_t) starts;        // PCs of functions that goroutines begin in
    struct tp_v1_wakeups wakeups;
    // Go checks times after it has ordered all events, so these faults are reported after the walk.
    bool is_unordered;
    const char *fault;
};

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the order of a trace");
}

static int too_large(const struct plan *p, struct tp_error *err)
{
    return tp_fail(err, TP_E_LIMIT, "the order of a trace does not fit "
                   "into %llu bytes", (unsigned long long)p->trace->max_bytes);
}

static size_t g_bytes(const struct plan *p)
{
    return p->trace->is_legacy ? sizeof(struct plan_legacy_g) : sizeof(struct plan_g);
}

static bool is_full(const struct plan *p)
{
    const struct tp_v1_trace *t = p->trace;
    size_t bytes = tp_slab_bytes(&p->gs, g_bytes(p));
    bytes += t->blocked.count * sizeof(uint64_t);
    bytes += p->starts.count * (sizeof *p->starts.items + sizeof(struct tp_map_entry));
    bytes += t->futile.count * sizeof *t->futile.items;
    return bytes + tp_v1_names_bytes(t) > t->max_bytes;
}

// Returns the record of a goroutine, which is added if needed. NULL: out of memory.
static struct plan_g *g_of(struct plan *p, uint64_t id)
{
    return tp_slab_get_or_add(&p->gs, id, g_bytes(p));
}

static void note_fault(struct plan *p, const char *text)
{
    if (p->fault == NULL)
        p->fault = text;
}

// Adds the end of a syscall. The event `e`, which records the end, comes when the goroutine runs
// again, and holds the time of the end.
static int add_exit(struct plan *p, const struct plan_g *g, const struct tp_v1_ordered *e,
                    struct tp_error *err)
{
    struct tp_v1_trace *t = p->trace;
    int64_t seq = (int64_t)tp_v1_arg(e, GoSysExit, seq);
    int64_t ticks = (int64_t)tp_v1_arg(e, GoSysExit, ts);
    bool is_sequenced = tp_v1_is_sequenced(t);
    if (!tp_v1_is_moved(t, e))
        return 0;
    if (!is_sequenced && g->blocked_ticks == 0)
        note_fault(p, "stray syscall exit");
    else if (!is_sequenced && ticks < g->blocked_ticks)
        note_fault(p, "time stamps out of order");
    const struct tp_v1_exit exit = {.ticks = ticks != 0 ? ticks : e->ticks,
                                    .key = is_sequenced ? seq : ticks,
                                    .order = p->event_count,
                                    .g = e->g,
                                    .other = (uint64_t)(is_sequenced ? ticks : seq),
                                    .offset = e->offset,
                                    .wire_bytes = e->wire_bytes};
    return tp_v1_trace_add_exit(t, &exit, err);
}

static bool add_syscall(struct plan *p, struct plan_g *g)
{
    struct tp_v1_trace *t = p->trace;
    if (p->syscall_count % 64 == 0) {
        if (!TP_LIST_ADD(&t->blocked, 0))
            return false;
    }
    g->syscall = ++p->syscall_count;
    return true;
}

// Keeps the PC that a GoCreate up to Go 1.6 names instead of a stack. Legacy events show the PC
// itself.
static bool add_start(struct plan *p, uint64_t pc)
{
    struct tp_map *starts = &p->trace->stacks_of_starts;
    if (!tp_v1_has_bare_pcs(p->trace) || p->trace->is_legacy ||
        tp_map_get(starts, pc) != TP_MAP_NONE)
        return true;
    return TP_LIST_ROOM(&p->starts) && tp_map_put(starts, pc, 1) &&
           (p->starts.items[p->starts.count++] = pc, true);
}

// False: out of memory.
static bool note_wakeup(struct plan *p, const struct tp_v1_ordered *e)
{
    struct plan_legacy_g *g = (struct plan_legacy_g *)g_of(p, tp_v1_wakeup_g(e));
    return g != NULL && tp_v1_wakeups_note(&p->wakeups, p->trace, e, &g->wakeup);
}

static int add(struct plan *p, const struct tp_v1_ordered *e, struct tp_error *err)
{
    if (p->trace->is_legacy && !note_wakeup(p, e))
        return no_memory(err);
    struct plan_g *g = g_of(p, e->g);
    if (g == NULL)
        return no_memory(err);
    p->is_unordered |= p->event_count > 0 && e->key < p->last_key;
    p->last_key = e->key;
    if (g->syscall != 0 && e->type == TP_V1_GoSysBlock) {
        uint64_t syscall = g->syscall - 1;
        p->trace->blocked.items[syscall / 64] |= UINT64_C(1) << syscall % 64;
    }
    g->syscall = 0;
    bool fits = true;
    int rc = 0;
    switch (e->type) {
    case TP_V1_GoSysBlock:
    case TP_V1_GoInSyscall: g->blocked_ticks = e->ticks; break;
    case TP_V1_GoSysExit: rc = add_exit(p, g, e, err); break;
    case TP_V1_GoSysCall: fits = add_syscall(p, g); break;
    case TP_V1_GoCreate: fits = add_start(p, tp_v1_arg(e, GoCreate, new_stack)); break;
    case TP_V1_GoEnd: tp_slab_remove(&p->gs, e->g, g_bytes(p)); break;
    case TP_V1_UserLog:
        fits = tp_intern_put(&p->trace->tables->messages, e->message) != TP_INTERN_NONE;
        break;
    default: break;
    }
    p->event_count++;
    return fits ? rc : no_memory(err);
}

// Records in `turns` which stream gave the event. If memory does not suffice for all events, frees
// `turns`; the second walk then puts the events in order anew.
static void add_turn(struct plan *p)
{
    struct tp_v1_trace *t = p->trace;
    t->has_turns = t->turns.count < t->max_bytes / TURNS_SHARE && TP_LIST_ROOM(&t->turns);
    if (t->has_turns) {
        t->turns.items[t->turns.count++] = (uint8_t)tp_v1_order_stream(&p->order);
        return;
    }
    tp_free(t->turns.items);
    t->turns.items = NULL;
    t->turns.count = t->turns.capacity = 0;
}

static bool may_go_on(const struct plan *p, const struct tp_error *err)
{
    return !p->trace->is_strict && (err->code == TP_E_ORDER || err->code == TP_E_EVENT);
}

static int walk(struct plan *p, struct tp_error *err)
{
    struct tp_v1_ordered *e;
    enum tp_cursor_status st;
    int rc = tp_v1_order_begin(&p->order, p->trace, err);
    if (rc != 0)
        return rc;
    // Set only now, because tp_v1_order_begin repeats the turns of an earlier walk if this is set.
    p->trace->has_turns = p->order.stream_count <= UINT8_MAX + 1 && !tp_v1_is_by_time(p->trace);
    while ((st = tp_v1_order_next(&p->order, &e, err)) == TP_CURSOR_EVENT) {
        rc = add(p, e, err);
        if (rc != 0)
            return rc;
        if (is_full(p))
            return too_large(p, err);
        if (p->trace->has_turns)
            add_turn(p);
    }
    if (st == TP_CURSOR_BAD) {
        // The second walk finds the same error, after the events before it.
        p->trace->turns_end = *err;
        return may_go_on(p, err) ? 0 : err->code;
    }
    // The legacy parser does not refuse sequence numbers that fall: it sorts by them.
    bool is_sorted_later = p->trace->is_legacy && tp_v1_is_sequenced(p->trace);
    if (p->trace->is_strict && p->is_unordered && !is_sorted_later)
        return tp_fail(err, TP_E_ORDER, "time stamps out of order");
    if (p->trace->is_strict && p->fault != NULL)
        return tp_fail(err, TP_E_ORDER, "%s", p->fault);
    return 0;
}

// Adds the messages as strings of the tables.
static int put_messages(struct tp_v1_trace *t, struct tp_error *err)
{
    const struct tp_intern *messages = &t->tables->messages;
    if (!tp_tables_charge(t->tables, messages->text_bytes))
        return tp_tables_refuse(t->tables, TP_E_LIMIT, err);
    int rc = 0;
    for (uint32_t i = 0; i < messages->count && rc == 0; i++)
        rc = tp_tables_put_string(t->tables, t->first_message_id + i, tp_intern_text(messages, i),
                                  err);
    return rc;
}

// Adds messages and words of the conversion as strings, with ids above those of the trace.
static int add_strings(struct tp_v1_trace *t, struct tp_error *err)
{
    static const char *const words[TP_V1_WORD_COUNT] = {
#define TP_X(name, text) text,
        TP_V1_WORDS(TP_X)
#undef TP_X
    };
    if (t->tables->max_string_id > UINT64_MAX - t->tables->messages.count - TP_V1_WORD_COUNT)
        return tp_fail(err, TP_E_EVENT, "trace contains too many strings");
    t->first_word_id = t->first_message_id + t->tables->messages.count;
    int rc = put_messages(t, err);
    for (unsigned i = 0; i < TP_V1_WORD_COUNT && rc == 0; i++)
        rc = tp_tables_put_string(t->tables, t->first_word_id + i, tp_span_of_text(words[i]), err);
    return rc;
}

// Adds a stack with one frame, the function at `pc`. No other stack may have `id`.
static int add_start_stack(struct tp_v1_trace *t, uint64_t id, uint64_t pc, struct tp_error *err)
{
    // `pc` is where the function begins; the PC of a frame is the one after a call.
    unsigned char frame[TP_VARINT_MAX_BYTES];
    size_t frame_bytes = (size_t)(tp_varint_put(frame, pc + 1) - frame);
    struct tp_stack_def def = {.id = id, .frames = frame, .frame_count = 1,
                               .frames_bytes = (uint16_t)frame_bytes};
    int rc = tp_v1_frames_complete(t, &def, err);
    if (rc != 0)
        return rc;
    tp_map_remove(&t->stacks_of_starts, pc);
    if (!tp_map_put(&t->stacks_of_starts, pc, (uint32_t)id))
        return no_memory(err);
    return tp_tables_put_stack(t->tables, &def, err);
}

// Returns the next id that no stack has. There always is one: tables have fewer stacks than ids.
static uint64_t next_free_id(const struct tp_tables *tables, uint64_t id)
{
    do
        id = id < UINT32_MAX - 1 ? id + 1 : 1;
    while (tp_idmap_get(&tables->stack_ids, id) != UINT32_MAX);
    return id;
}

static int add_starts(struct plan *p, struct tp_error *err)
{
    const struct tp_tables *tables = p->trace->tables;
    uint64_t id = 0;
    for (size_t i = 0; i < tables->stacks.count; i++)
        id = tables->stacks.items[i].id > id ? tables->stacks.items[i].id : id;
    int rc = 0;
    for (uint32_t i = 0; i < p->starts.count && rc == 0; i++) {
        id = next_free_id(tables, id);
        rc = add_start_stack(p->trace, id, p->starts.items[i], err);
    }
    return rc;
}

static int plan_in_order(struct tp_v1_trace *t, struct tp_error *err)
{
    struct plan p = {.trace = t};
    int rc = walk(&p, err);
    tp_v1_order_fini(&p.order);
    tp_slab_fini(&p.gs);
    if (rc == 0)
        rc = add_starts(&p, err);
    tp_free(p.starts.items);
    if (rc != 0)
        return rc;
    tp_v1_wakeups_sort(t);
    return t->exits != NULL ? tp_v1_exits_sort(t->exits, err) : 0;
}

int tp_v1_plan(struct tp_v1_trace *t, struct tp_error *err)
{
    int rc = tp_v1_prescan(t, err);
    if (rc == 0 && !t->is_prescanned)
        rc = plan_in_order(t, err);
    t->pc_count = t->places.count;
    t->known_pc_count = t->places.known_count;
    TP_SLAB_FINI(&t->places);
    if (rc == 0)
        rc = add_strings(t, err);
    return rc == 0 ? tp_v1_named_prepare(t, err) : rc;
}
