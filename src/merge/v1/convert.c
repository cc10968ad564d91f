#include "merge/v1/convert.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "decode/spec.h"
#include "merge/tables/event_shape.h"
#include "merge/v1/mistakes.h"
#include "merge/v1/named.h"

// Statuses of goroutines and Ps, with their numbers in traces of Go 1.22 and later.
enum { GO_RUNNABLE = 1, GO_RUNNING, GO_SYSCALL, GO_WAITING };
enum { PROC_RUNNING = 1, PROC_IDLE };

#define NOBODY UINT64_MAX
#define FIRST_GO_CONVERTS 11

int tp_v1_sequence_begin(struct tp_v1_sequence *s, const struct tp_v1_trace *t,
                         struct tp_error *err)
{
    *s = (struct tp_v1_sequence){.trace = t, .last_ns = -1, .check.minor = t->table->minor,
                                 .check.is_strict = t->is_strict, .check.tables = t->tables,
                                 .last_m = -1,
                                 .is_by_time = tp_v1_is_by_time(t),
                                 .ends_as_go = t->is_strict};
    return tp_v1_final_begin(&s->walk, t, err);
}

void tp_v1_sequence_fini(struct tp_v1_sequence *s)
{
    tp_v1_final_fini(&s->walk);
    tp_v1_check_fini(&s->check);
    tp_free(s->created.items);
    tp_map_fini(&s->created_by_id);
    TP_SLAB_FINI(&s->ps);
    *s = (struct tp_v1_sequence){0};
}

static bool no_memory(struct tp_error *err)
{
    tp_fail(err, TP_E_MEMORY, "out of memory for the events of a trace");
    return false;
}

// TIME AND PLACE

// Returns the time one nanosecond later. The largest time is followed by the smallest, as in Go.
static int64_t after(int64_t ns)
{
    return (int64_t)((uint64_t)ns + 1);
}

// Returns the nanoseconds from the first event to `ticks`, computed in integers as parsers from
// before Go 1.5 did; 128 bits hold every product.
static int64_t whole_ns_of(const struct tp_v1_sequence *s, int64_t ticks)
{
    uint64_t passed = (uint64_t)ticks - (uint64_t)s->begin_ticks;
    unsigned __int128 ns =
        (unsigned __int128)passed * 1000000000 / (uint64_t)s->trace->ticks_per_second;
    return ns < INT64_MAX ? (int64_t)ns : INT64_MAX;
}

static int64_t ns_of(const struct tp_v1_sequence *s, int64_t ticks)
{
    if (s->is_by_time)
        return whole_ns_of(s, ticks);
    return tp_v1_ticks_to_ns((int64_t)((uint64_t)ticks - (uint64_t)s->begin_ticks),
                             s->trace->tables->ns_per_tick);
}

// Moves wake-ups by timers and ends of syscalls to their fake Ps.
static void move_to_other_p(const struct tp_v1_sequence *s, struct tp_v1_ordered *e)
{
    if (e->type == TP_V1_GoUnblock && tp_map_get(&s->trace->timer_gs, e->g) != TP_MAP_NONE)
        e->p = TP_V1_TIMER_P;
    if (e->type == TP_V1_GoSysExit)
        e->p = TP_V1_SYSCALL_P;
}

// Takes the next event of the walk, and puts off ends of syscalls that must come later.
static enum tp_cursor_status next_of_walk(struct tp_v1_sequence *s, struct tp_v1_ordered **ret,
                                          struct tp_error *err)
{
    for (;;) {
        enum tp_cursor_status st = tp_v1_final_next(&s->walk, ret, err);
        if (tp_likely(st != TP_CURSOR_EVENT || !s->walk.is_early) ||
            tp_v1_check_waits(&s->check, (*ret)->g))
            return st;
        // The goroutine does not wait, so it cannot end a syscall yet: the end moves to the event
        // that records it.
        if (tp_v1_final_put_off(&s->walk, err) != 0)
            return TP_CURSOR_BAD;
    }
}

enum tp_cursor_status tp_v1_sequence_take(struct tp_v1_sequence *s, struct tp_v1_ordered **ret,
                                          int64_t *ret_ns, struct tp_error *err)
{
    enum tp_cursor_status st = next_of_walk(s, ret, err);
    if (st != TP_CURSOR_EVENT)
        return st;
    struct tp_v1_ordered *e = *ret;
    if (!s->has_begun)
        s->begin_ticks = s->last_ticks = e->ticks;
    s->has_begun = true;
    if (e->ticks < s->last_ticks) {
        tp_fail(err, TP_E_ORDER, "time stamps out of order");
        return TP_CURSOR_BAD;
    }
    s->last_ticks = e->ticks;
    *ret_ns = ns_of(s, e->ticks);
    move_to_other_p(s, e);
    return TP_CURSOR_EVENT;
}

// Returns the thread of the P of the latest event, or `unknown` if it is not known: Go then gives
// most events -1 and some 0. Traces from before Go 1.5 never name a thread.
static int64_t m_of_last_p(const struct tp_v1_sequence *s, int64_t unknown)
{
    uint32_t slot = s->last_p_slot;
    if (s->is_by_time)
        return -1;
    return slot != 0 && s->ps.items[slot].runs ? s->ps.items[slot].m : unknown;
}

static void set_last_m(struct tp_v1_sequence *s)
{
    s->last_m = (int32_t)s->last_p != -1 ? m_of_last_p(s, -1) : -1;
}

static TP_NOINLINE void find_p(struct tp_v1_sequence *s, int64_t p)
{
    s->last_p = (uint32_t)p;
    s->last_p_slot = tp_map_get(&s->ps.by_id, (uint32_t)p);
    set_last_m(s);
}

// Caches the P of the event, because most events are on the P of the previous event.
static void look_up_p(struct tp_v1_sequence *s, int64_t p)
{
    if (tp_unlikely((uint32_t)p != s->last_p))
        find_p(s, p);
}

static int64_t m_of(struct tp_v1_sequence *s, int64_t p, int64_t unknown)
{
    look_up_p(s, p);
    return m_of_last_p(s, unknown);
}

static struct tp_v1_thread *thread_of(struct tp_v1_sequence *s, int64_t p)
{
    look_up_p(s, p);
    if (tp_likely(s->last_p_slot != 0))
        return &s->ps.items[s->last_p_slot];
    s->last_p_slot = TP_SLAB_ADD(&s->ps, (uint32_t)p);
    if (s->last_p_slot == 0)
        return NULL;
    s->ps.items[s->last_p_slot] = (struct tp_v1_thread){0};
    return &s->ps.items[s->last_p_slot];
}

// STATES FROM BEFORE THE TRACE

static bool note_created(struct tp_v1_sequence *s, uint64_t g, uint64_t start_stack)
{
    if (tp_map_get(&s->created_by_id, g) != TP_MAP_NONE)
        return true;
    uint32_t noted = start_stack < UINT32_MAX ? (uint32_t)start_stack + 1 : 1;
    return TP_LIST_ROOM(&s->created) && tp_map_put(&s->created_by_id, g, noted) &&
           (s->created.items[s->created.count++] = g, true);
}

// Handles the first Gomaxprocs. Removes from `created` the goroutines that have got a status; the
// others are runnable.
static void end_init(struct tp_v1_sequence *s, int64_t ns)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->created.count; i++) {
        uint64_t g = s->created.items[i];
        if (tp_map_get(&s->created_by_id, g) != TP_MAP_NONE)
            s->created.items[count++] = g;
    }
    s->created.count = count;
    if (count > 0)
        qsort(s->created.items, count, sizeof *s->created.items, tp_compare_u64_at);
    s->created_ns = ns;
    s->is_past_init = s->has_waiting = true;
}

static void set_status(struct tp_event *out, uint64_t g, unsigned status, uint32_t start_stack)
{
    out->type = TP_EV_GoStatus;
    tp_arg(out, GoStatus, g) = g;
    tp_arg(out, GoStatus, m) = NOBODY;
    tp_arg(out, GoStatus, gstatus) = status;
    tp_arg(out, GoStatus, start_stack) = start_stack;
}

// CONVERSION

static uint64_t word(const struct tp_v1_sequence *s, unsigned number)
{
    return s->trace->first_word_id + number;
}

static uint64_t stw_word(const struct tp_v1_sequence *s, uint64_t kind)
{
    uint64_t number = 0;
    if (s->trace->table->minor < 21)
        number = kind <= 1 ? kind + 1 : 0;
    else if (kind < TP_V1_STW_KINDS)
        number = kind;
    return word(s, TP_V1_WORD_STW_UNKNOWN + (unsigned)number);
}

// Types that become a GoBlock or GoStop with a reason.
static const struct {
    uint8_t type;
    uint8_t word;
} reasons[TP_V1_CODES] = {
    [TP_V1_GoStop] = {TP_EV_GoBlock, TP_V1_WORD_FOREVER},
    [TP_V1_GoSched] = {TP_EV_GoStop, TP_V1_WORD_GOSCHED},
    [TP_V1_GoPreempt] = {TP_EV_GoStop, TP_V1_WORD_PREEMPTED},
    [TP_V1_GoSleep] = {TP_EV_GoBlock, TP_V1_WORD_SLEEP},
    [TP_V1_GoBlock] = {TP_EV_GoBlock, TP_V1_WORD_EMPTY},
    [TP_V1_GoBlockSend] = {TP_EV_GoBlock, TP_V1_WORD_CHAN_SEND},
    [TP_V1_GoBlockRecv] = {TP_EV_GoBlock, TP_V1_WORD_CHAN_RECV},
    [TP_V1_GoBlockSelect] = {TP_EV_GoBlock, TP_V1_WORD_SELECT},
    [TP_V1_GoBlockSync] = {TP_EV_GoBlock, TP_V1_WORD_SYNC},
    [TP_V1_GoBlockCond] = {TP_EV_GoBlock, TP_V1_WORD_SYNC_COND},
    [TP_V1_GoBlockNet] = {TP_EV_GoBlock, TP_V1_WORD_NETWORK},
    [TP_V1_GoBlockGC] = {TP_EV_GoBlock, TP_V1_WORD_ASSIST_WAIT},
};

// Types that become one other type, with the same arguments, followed by the stack.
static const uint8_t same_types[TP_V1_CODES] = {
    [TP_V1_Gomaxprocs] = TP_EV_ProcsChange,
    [TP_V1_GCStart] = TP_EV_GCBegin,
    [TP_V1_GCDone] = TP_EV_GCEnd,
    [TP_V1_GCSweepStart] = TP_EV_GCSweepBegin,
    [TP_V1_GCSweepDone] = TP_EV_GCSweepEnd,
    [TP_V1_GoCreate] = TP_EV_GoCreate,
    [TP_V1_GoStart] = TP_EV_GoStart,
    [TP_V1_GoEnd] = TP_EV_GoDestroy,
    [TP_V1_GoUnblock] = TP_EV_GoUnblock,
    [TP_V1_HeapAlloc] = TP_EV_HeapAlloc,
    [TP_V1_HeapGoal] = TP_EV_HeapGoal,
    [TP_V1_GCMarkAssistStart] = TP_EV_GCMarkAssistBegin,
    [TP_V1_GCMarkAssistDone] = TP_EV_GCMarkAssistEnd,
};
// The arguments of both types have the same places.
#define SAME(v1_arg, arg) ((int)TP_V1_ARG_##v1_arg == (int)TP_ARG_##arg)
_Static_assert(SAME(GCSweepDone_swept, GCSweepEnd_swept_value) && SAME(GoUnblock_g, GoUnblock_g) &&
               SAME(GCSweepDone_reclaimed, GCSweepEnd_reclaimed_value) &&
               SAME(Gomaxprocs_procs, ProcsChange_procs_value) && SAME(GoStart_g, GoStart_g) &&
               SAME(HeapAlloc_mem, HeapAlloc_heapalloc_value) && SAME(GoCreate_g, GoCreate_new_g) &&
               SAME(HeapGoal_mem, HeapGoal_heapgoal_value) && SAME(GCStart_seq, GCBegin_gc_seq) &&
               SAME(GoStart_seq, GoStart_g_seq) && SAME(GoUnblock_seq, GoUnblock_g_seq) &&
               SAME(GoCreate_new_stack, GoCreate_new_stack), "as convert_same takes for granted");

static void convert_same(const struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                         struct tp_event *out)
{
    out->type = same_types[e->type];
    memcpy(out->args, e->args, sizeof out->args);
    if (s->trace->table->forms[e->type].has_stack)
        out->args[tp_event_shapes[out->type].stack_arg - 1] = e->stack;
    if (e->type == TP_V1_GoCreate)
        tp_arg(out, GoCreate, new_stack) = tp_v1_start_stack(s->trace, e);
}

static void convert_status(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                           unsigned status, struct tp_event *out)
{
    uint64_t g = tp_v1_arg(e, Named, g);
    set_status(out, g, status, tp_map_remove(&s->created_by_id, g));
}

// The first start or stop of a P becomes its ProcStatus. `status` is that after the event.
static bool convert_p(struct tp_v1_sequence *s, const struct tp_v1_ordered *e, unsigned status,
                      struct tp_event *out, struct tp_error *err)
{
    struct tp_v1_thread *p = thread_of(s, e->p);
    if (p == NULL)
        return no_memory(err);
    uint8_t change = status == PROC_RUNNING ? TP_EV_ProcStart : TP_EV_ProcStop;
    out->type = p->is_seen ? change : TP_EV_ProcStatus;
    tp_arg(out, Named, id) = (uint64_t)(int64_t)e->p;
    if (!p->is_seen)
        tp_arg(out, ProcStatus, pstatus) = status;
    p->is_seen = true;
    p->runs = status == PROC_RUNNING;
    p->m = (int64_t)tp_v1_arg(e, ProcStart, thread); // 0 of a stop
    set_last_m(s);
    if (p->runs)
        out->m = s->last_m;
    return true;
}

// A syscall that did not block gets its end as an extra event, one nanosecond later.
static bool convert_syscall(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                            struct tp_event *out, struct tp_error *err)
{
    bool blocks;
    if (!s->trace->is_prescanned)
        blocks = tp_v1_is_blocked(s->trace, s->syscall_count++);
    else if (tp_v1_cursor_blocks(&s->walk.order.last->cursor, &blocks, err) != 0)
        return false;
    out->type = TP_EV_GoSyscallBegin;
    tp_arg(out, GoSyscallBegin, stack) = e->stack;
    if (blocks)
        return true;
    out->m = m_of(s, e->p, 0);
    s->extra = (struct tp_event){.time_ns = after(out->time_ns), .m = out->m, .p = out->p,
                                 .g = out->g, .type = TP_EV_GoSyscallEnd};
    return s->has_extra = s->has_waiting = true;
}

static void convert_label(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                          struct tp_event *out)
{
    out->type = TP_EV_GoStart;
    memcpy(out->args, e->args, sizeof out->args);
    out->g = (int64_t)e->g;
    out->m = m_of(s, e->p, 0);
    s->extra = (struct tp_event){.time_ns = out->time_ns, .m = out->m, .p = out->p, .g = out->g,
                                 .type = TP_EV_GoLabel};
    tp_arg(&s->extra, GoLabel, label_string) = tp_v1_arg(e, GoStartLabel, label_string);
    s->has_extra = s->has_waiting = true;
}

static void convert_task_end(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                             struct tp_event *out)
{
    uint64_t id = tp_v1_arg(e, UserTaskEnd, task);
    const struct tp_v1_task *task = tp_v1_check_task(&s->check, id);
    uint32_t name = task != NULL ? tp_tables_string_idx(s->trace->tables, task->name)
                                 : TP_STRING_EMPTY;
    out->type = TP_EV_UserTaskEnd;
    tp_arg(out, UserTaskEnd, task) = id;
    tp_arg(out, UserTaskEnd, stack) = e->stack;
    tp_arg(out, UserTaskEnd, parent_task) = task != NULL ? task->parent : TP_NO_TASK;
    tp_arg(out, UserTaskEnd, name) = tp_string_or_empty(name);
    if (s->check.is_stray)
        tp_arg(out, UserTaskEnd, name) = TP_NAME_OF_STRAY;
    tp_v1_check_end_task(&s->check, id);
    tp_v1_time_doubts(&s->check, out->time_ns, s->last_ns);
}

static void convert_task_begin(const struct tp_v1_ordered *e, struct tp_event *out)
{
    uint64_t parent = tp_v1_arg(e, UserTaskCreate, parent_task);
    out->type = TP_EV_UserTaskBegin;
    tp_arg(out, UserTaskBegin, task) = tp_v1_arg(e, UserTaskCreate, task);
    tp_arg(out, UserTaskBegin, parent_task) = parent == 0 ? TP_NO_TASK : parent;
    tp_arg(out, UserTaskBegin, name_string) = tp_v1_arg(e, UserTaskCreate, name_string);
    tp_arg(out, UserTaskBegin, stack) = e->stack;
}

static void convert_region(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                           struct tp_event *out)
{
    bool is_begin = tp_v1_arg(e, UserRegion, mode) == 0;
    if (!is_begin) {
        tp_v1_check_end_region(&s->check, tp_v1_check_g(&s->check, e->g), e->g,
                               s->check.ended_region);
        tp_arg(out, UserRegionEnd, is_stray) = s->check.is_stray;
        tp_v1_time_doubts(&s->check, out->time_ns, s->last_ns);
    }
    out->type = is_begin ? TP_EV_UserRegionBegin : TP_EV_UserRegionEnd;
    tp_arg(out, Region, task) = tp_v1_arg(e, UserRegion, task);
    tp_arg(out, Region, name_string) = tp_v1_arg(e, UserRegion, name_string);
    tp_arg(out, Region, stack) = e->stack;
}

static void convert_log(const struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                        struct tp_event *out)
{
    uint64_t message = tp_intern_find(&s->trace->tables->messages, e->message);
    out->type = TP_EV_UserLog;
    tp_arg(out, UserLog, task) = tp_v1_arg(e, UserLog, task);
    tp_arg(out, UserLog, key_string) = tp_v1_arg(e, UserLog, key_string);
    tp_arg(out, UserLog, value_string) = s->trace->first_message_id + message;
    tp_arg(out, UserLog, stack) = e->stack;
}

static void convert_stw(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                        struct tp_event *out)
{
    if (e->type == TP_V1_STWStart)
        s->stw_string = stw_word(s, tp_v1_arg(e, STWStart, kindid));
    out->type = e->type == TP_V1_STWStart ? TP_EV_STWBegin : TP_EV_STWEnd;
    tp_arg(out, STW, kind_string) = s->stw_string;
}

enum made { MADE_NONE, MADE_ONE, MADE_ERROR };

static TP_NOINLINE enum made convert_init(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                              struct tp_event *out, struct tp_error *err)
{
    uint64_t g = tp_v1_arg(e, Named, g);
    switch (e->type) {
    case TP_V1_Gomaxprocs: end_init(s, out->time_ns); return MADE_NONE;
    case TP_V1_GoCreate:
        return note_created(s, g, tp_v1_start_stack(s->trace, e)) || no_memory(err) ? MADE_NONE : MADE_ERROR;
    default: convert_status(s, e, GO_RUNNING, out); return MADE_ONE;
    }
}

static enum made convert_type(struct tp_v1_sequence *s, const struct tp_v1_ordered *e,
                              struct tp_event *out, struct tp_error *err)
{
    switch (e->type) {
    case TP_V1_Gomaxprocs:
    case TP_V1_GoCreate:
    case TP_V1_GoStart:
        if (!s->is_past_init)
            return convert_init(s, e, out, err);
        break;
    case TP_V1_ProcStart: return convert_p(s, e, PROC_RUNNING, out, err) ? MADE_ONE : MADE_ERROR;
    case TP_V1_ProcStop: return convert_p(s, e, PROC_IDLE, out, err) ? MADE_ONE : MADE_ERROR;
    case TP_V1_STWStart:
    case TP_V1_STWDone:
        // Before Go 1.5 these are beginning and end of a scan, for which later traces have no
        // event.
        if (s->is_by_time)
            return MADE_NONE;
        convert_stw(s, e, out);
        return MADE_ONE;
    case TP_V1_GoStartLabel: convert_label(s, e, out); return MADE_ONE;
    case TP_V1_GoSysCall: return convert_syscall(s, e, out, err) ? MADE_ONE : MADE_ERROR;
    case TP_V1_GoSysBlock: return MADE_NONE;
    case TP_V1_FutileWakeup:
        // The event marks the next wake-up as futile. Go's conversion ends with an error here.
        if (!s->ends_as_go || s->trace->table->minor < FIRST_GO_CONVERTS)
            return MADE_NONE;
        break;
    case TP_V1_GoSysExit: out->type = TP_EV_GoSyscallEndBlocked; return MADE_ONE;
    case TP_V1_GoWaiting: convert_status(s, e, GO_WAITING, out); return MADE_ONE;
    case TP_V1_GoInSyscall: convert_status(s, e, GO_SYSCALL, out); return MADE_ONE;
    case TP_V1_UserTaskCreate: convert_task_begin(e, out); return MADE_ONE;
    case TP_V1_UserTaskEnd: convert_task_end(s, e, out); return MADE_ONE;
    case TP_V1_UserRegion: convert_region(s, e, out); return MADE_ONE;
    case TP_V1_UserLog: convert_log(s, e, out); return MADE_ONE;
    case TP_V1_GoEnd:
        tp_v1_time_doubts(&s->check, out->time_ns, s->last_ns);
        if (!tp_v1_check_end_g(&s->check, e->g)) {
            no_memory(err);
            return MADE_ERROR;
        }
        break;
    case TP_V1_CPUSample:
        out->type = TP_EV_CPUSample;
        out->m = -1;
        tp_arg(out, CPUSample, stack) = e->stack;
        tp_arg(out, CPUSample, m) = NOBODY;
        tp_arg(out, CPUSample, p) = (uint64_t)(int64_t)e->p;
        tp_arg(out, CPUSample, g) = e->g;
        return MADE_ONE;
    default: break;
    }
    if (tp_likely(reasons[e->type].type != 0)) {
        out->type = reasons[e->type].type;
        tp_arg(out, GoStop, reason_string) = word(s, reasons[e->type].word);
        tp_arg(out, GoStop, stack) = e->stack;
        return MADE_ONE;
    }
    if (tp_unlikely(same_types[e->type] == 0)) {
        tp_fail(err, TP_E_ORDER, "unexpected event type %u", e->type);
        return MADE_ERROR;
    }
    convert_same(s, e, out);
    return MADE_ONE;
}

// Counts an event that names missing strings or stacks. A missing stack becomes no stack.
static void check_names(struct tp_v1_sequence *s, struct tp_v1_ordered *e)
{
    if (!s->trace->is_strict && tp_v1_lacks_names(s->trace, e->type, e->args, e->stack))
        s->unknown_id_count++;
    if (tp_unlikely(!tp_tables_has_stack(s->trace->tables, e->stack)))
        e->stack = 0;
}

static enum made convert(struct tp_v1_sequence *s, struct tp_v1_ordered *e, int64_t ns,
                         struct tp_event *out, struct tp_error *err)
{
    if (tp_v1_check(&s->check, e, ns, s->trace->max_bytes, err) != 0)
        return MADE_ERROR;
    check_names(s, e);
    look_up_p(s, e->p);
    *out = (struct tp_event){.time_ns = ns,
                             .m = s->last_m,
                             .p = e->p,
                             .g = e->g == 0 ? -1 : (int64_t)e->g,
                             .wire_bytes = e->wire_bytes};
    return convert_type(s, e, out, err);
}

// HANDING OUT

static void stamp(struct tp_v1_sequence *s, struct tp_event *out)
{
    if (out->time_ns <= s->last_ns)
        out->time_ns = after(s->last_ns);
    s->last_ns = out->time_ns;
}

// Makes an event that must come before the next event of the walk: s->extra, or a status of one of
// s->created. False: there is no such event.
static bool make_waiting(struct tp_v1_sequence *s, struct tp_event *out)
{
    if (tp_likely(!s->has_waiting))
        return false;
    if (s->is_past_init && s->created_idx < s->created.count) {
        *out = (struct tp_event){.time_ns = s->created_ns, .m = -1, .p = -1, .g = -1};
        uint64_t g = s->created.items[s->created_idx++];
        set_status(out, g, GO_RUNNABLE, tp_map_get(&s->created_by_id, g));
        return true;
    }
    s->has_waiting = false;
    if (!s->has_extra)
        return false;
    *out = s->extra;
    s->has_extra = false;
    return true;
}

// Makes the next event. MADE_NONE: the trace ends.
static enum made make_next(struct tp_v1_sequence *s, struct tp_event *out, struct tp_error *err)
{
    enum made made = MADE_NONE;
    while (made == MADE_NONE) {
        struct tp_v1_ordered *e;
        int64_t ns;
        if (make_waiting(s, out))
            return MADE_ONE;
        enum tp_cursor_status st = tp_v1_sequence_take(s, &e, &ns, err);
        if (st != TP_CURSOR_EVENT)
            return st == TP_CURSOR_BAD ? MADE_ERROR : MADE_NONE;
        made = convert(s, e, ns, out, err);
    }
    return made;
}

// Makes the Sync before the first event of the walk, which is at time 0.
static TP_NOINLINE enum made make_sync(struct tp_v1_sequence *s, struct tp_event *out,
                                       struct tp_error *err)
{
    s->sync_is_done = true;
    if (!tp_v1_final_look(&s->walk, &s->has_sync, err))
        return MADE_ERROR;
    *out = tp_sync_event(-1, 1, 1);
    return s->has_sync ? MADE_ONE : MADE_NONE;
}

TP_FLATTEN
enum tp_fill_status tp_v1_sequence_fill(struct tp_v1_sequence *s, struct tp_event *events,
                                        size_t capacity, size_t *ret_count, struct tp_error *err)
{
    struct tp_event *out = events, *end = events + capacity;
    enum made made = MADE_ONE;
    if (!s->sync_is_done) {
        made = make_sync(s, out, err);
        out += s->has_sync;
    }
    while (out < end && made == MADE_ONE) {
        made = make_next(s, out, err);
        bool is_printed = s->ends_as_go && made == MADE_ONE;
        if (tp_unlikely(is_printed && tp_v1_cannot_print(s->trace, out, err)))
            made = MADE_ERROR;
        if (tp_likely(made == MADE_ONE))
            stamp(s, out++);
    }
    *ret_count = (size_t)(out - events);
    if (made == MADE_ERROR)
        return TP_FILL_BROKEN;
    return made == MADE_NONE ? TP_FILL_END : TP_FILL_MORE;
}

int tp_v1_sequence_rehearse(const struct tp_v1_trace *t, struct tp_error *err)
{
    struct tp_v1_sequence s;
    struct tp_event events[64];
    size_t count;
    enum tp_fill_status st = TP_FILL_BROKEN;
    if (tp_v1_sequence_begin(&s, t, err) == 0) {
        s.ends_as_go = false;
        do
            st = tp_v1_sequence_fill(&s, events, TP_ARRAY_LEN(events), &count, err);
        while (st == TP_FILL_MORE);
    }
    tp_v1_sequence_fini(&s);
    return st == TP_FILL_BROKEN ? err->code : 0;
}
