#include "merge/v1/syscall_exit_order.h"

// `ends` has at most this part of the memory limit: one in ENDS_SHARE.
#define ENDS_SHARE 8

// States of a syscall's end in `ends`. REACHED: the walk has reached the event that records the
// end, but the end is not handed out yet. PUT_OFF: the end waits until the walk reaches the event
// that records it.
enum { REACHED = TP_MAP_NONE + 1, PUT_OFF };

static int load_exit(struct tp_v1_final *f, struct tp_error *err)
{
    struct tp_v1_exits *exits = f->trace->exits;
    int rc = exits != NULL ? tp_v1_exits_get(exits, f->exit_idx, &f->exit, &f->has_exit, err) : 0;
    f->exit_key = f->has_exit ? f->exit.key : INT64_MAX;
    return rc;
}

int tp_v1_final_begin(struct tp_v1_final *f, const struct tp_v1_trace *t, struct tp_error *err)
{
    *f = (struct tp_v1_final){.trace = t};
    int rc = tp_v1_order_begin(&f->order, t, err);
    return rc == 0 ? load_exit(f, err) : rc;
}

void tp_v1_final_fini(struct tp_v1_final *f)
{
    tp_v1_order_fini(&f->order);
    tp_map_fini(&f->ends);
    *f = (struct tp_v1_final){0};
}

static int add_end(struct tp_v1_final *f, int64_t key, uint32_t what, struct tp_error *err)
{
    uint64_t max_bytes = f->trace->max_bytes / ENDS_SHARE;
    if (tp_map_bytes(&f->ends) > max_bytes)
        return tp_fail(err, TP_E_LIMIT, "ends of syscalls that wait for their events do not "
                       "fit into %llu bytes", (unsigned long long)max_bytes);
    return tp_map_put(&f->ends, (uint64_t)key, what)
               ? 0
               : tp_fail(err, TP_E_MEMORY, "out of memory for ends of syscalls");
}

// Handles an event that records the end of a syscall, when the walk reaches the event. Sets
// *ret_stays to whether the event is handed out in this place: only if the end was put off. If not,
// tp_v1_final_next returns another event at the time when the syscall ended.
static int reach_event(struct tp_v1_final *f, struct tp_v1_ordered *e, bool *ret_stays,
                       struct tp_error *err)
{
    int64_t key = (int64_t)tp_v1_arg(e, GoSysExit, ts);
    *ret_stays = f->ends.count > 0 && tp_map_get(&f->ends, (uint64_t)key) == PUT_OFF;
    if (*ret_stays) {
        tp_map_remove(&f->ends, (uint64_t)key);
        e->ticks = e->key = key;
        return 0;
    }
    bool is_past = !f->has_exit || key < f->exit.key;
    return is_past ? 0 : add_end(f, key, REACHED, err);
}

// Returns whether an event that records the end of a syscall stays in its place. Normally this
// event is dropped, and tp_v1_final_next returns another one at the time when the syscall ended.
static TP_NOINLINE bool stays(struct tp_v1_final *f, struct tp_v1_ordered *e, bool *ret_failed,
                             struct tp_error *err)
{
    bool is_put_off = false;
    *ret_failed = f->trace->is_prescanned && reach_event(f, e, &is_put_off, err) != 0;
    return is_put_off;
}

// Sets `kept` to the next event of the walk that keeps its place. False: an error.
static bool keep_next(struct tp_v1_final *f, struct tp_error *err)
{
    bool has_failed = false;
    while (!f->has_kept && !has_failed) {
        struct tp_v1_ordered *e = NULL;
        if (tp_unlikely(tp_v1_order_next(&f->order, &e, err) == TP_CURSOR_BAD))
            return false;
        f->event_count++;
        f->kept = e;
        f->has_kept = tp_likely(e == NULL || !tp_v1_is_moved(f->trace, e)) ||
                      stays(f, e, &has_failed, err);
    }
    return !has_failed;
}

// Returns whether the walk reached the event that records the end `x` before it reached f->kept.
// Both have the same key.
static bool is_first(const struct tp_v1_final *f, const struct tp_v1_exit *x)
{
    return f->trace->is_prescanned ? tp_map_get(&f->ends, (uint64_t)x->key) == REACHED
                                 : x->order + 1 < f->event_count;
}

static bool exit_is_next(const struct tp_v1_final *f)
{
    const struct tp_v1_exit *x = &f->exit;
    return f->has_exit && (f->kept == NULL || x->key < f->kept->key ||
                           (x->key == f->kept->key && is_first(f, x)));
}

static int give_exit(struct tp_v1_final *f, struct tp_v1_ordered **ret, struct tp_error *err)
{
    const struct tp_v1_exit *x = &f->exit;
    const uint64_t key = (uint64_t)x->key;
    const bool is_sequenced = tp_v1_is_sequenced(f->trace);
    f->given = (struct tp_v1_ordered){.ticks = x->ticks, .key = x->key, .g = x->g,
                                      .offset = x->offset, .type = TP_V1_GoSysExit,
                                      .wire_bytes = (uint32_t)x->wire_bytes};
    tp_v1_arg(&f->given, GoSysExit, g) = x->g;
    tp_v1_arg(&f->given, GoSysExit, seq) = is_sequenced ? key : x->other;
    tp_v1_arg(&f->given, GoSysExit, ts) = is_sequenced ? x->other : key;
    if (f->trace->is_prescanned) {
        f->is_early = tp_map_get(&f->ends, key) == TP_MAP_NONE;
        tp_map_remove(&f->ends, key);
    }
    *ret = &f->given;
    f->exit_idx++;
    return load_exit(f, err);
}

bool tp_v1_final_look(struct tp_v1_final *f, bool *ret_has, struct tp_error *err)
{
    if (!keep_next(f, err))
        return false;
    *ret_has = f->kept != NULL || exit_is_next(f);
    return true;
}

enum tp_cursor_status tp_v1_final_next(struct tp_v1_final *f, struct tp_v1_ordered **ret,
                                       struct tp_error *err)
{
    f->is_early = false;
    if (tp_unlikely(f->trace->sorted != NULL)) {
        if (f->sorted_idx == f->trace->sorted_count)
            return TP_CURSOR_END;
        f->given = f->trace->sorted[f->sorted_idx++];
        *ret = &f->given;
        return TP_CURSOR_EVENT;
    }
    if (!keep_next(f, err))
        return TP_CURSOR_BAD;
    bool is_before_exits = f->kept != NULL && f->kept->key < f->exit_key;
    if (tp_unlikely(!is_before_exits) && exit_is_next(f))
        return give_exit(f, ret, err) == 0 ? TP_CURSOR_EVENT : TP_CURSOR_BAD;
    *ret = f->kept;
    f->has_kept = false;
    return f->kept != NULL ? TP_CURSOR_EVENT : TP_CURSOR_END;
}

int tp_v1_final_put_off(struct tp_v1_final *f, struct tp_error *err)
{
    return add_end(f, f->given.key, PUT_OFF, err);
}
