#include "stats/summary/goroutine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"

void tp_goroutine_reset(struct tp_summary_goroutine *g)
{
    struct tp_time_list blocks = g->times.blocks, ranges = g->times.ranges, open = g->open_ranges;
    *g = (struct tp_summary_goroutine){.times = {.blocks = blocks, .ranges = ranges},
                                       .open_ranges = open};
    g->times.blocks.count = g->times.ranges.count = g->open_ranges.count = 0;
}

static void add(int64_t *sum, int64_t ns, struct tp_summary_status *st)
{
    *sum = tp_ns_plus(*sum, ns, st);
}

// STATES

void tp_goroutine_count_state(struct tp_summary_goroutine *g, enum tp_state in, bool has_p,
                              int64_t ns, struct tp_summary_status *st)
{
    struct tp_times *t = &g->times;
    switch (in) {
    case TP_STATE_RUNNING: add(&t->sums.exec_ns, ns, st); break;
    case TP_STATE_RUNNABLE: add(&t->sums.sched_ns, ns, st); break;
    case TP_STATE_WAITING: tp_time_list_add(&t->blocks, TP_NAME_EMPTY, ns, st); break;
    case TP_STATE_SYSCALL:
        add(has_p ? &t->sums.syscall_ns : &t->sums.syscall_block_ns, ns, st);
        break;
    default: break;
    }
}

static bool leave_syscall(struct tp_summary_goroutine *g, int64_t now_ns,
                          struct tp_summary_status *st)
{
    int64_t until_ns = now_ns;
    if (g->last_syscall_ns == 0)
        return false;
    if (g->last_syscall_block_ns != 0) {
        until_ns = g->last_syscall_block_ns;
        add(&g->times.sums.syscall_block_ns, tp_ns_minus(now_ns, until_ns), st);
    }
    add(&g->times.sums.syscall_ns, tp_ns_minus(until_ns, g->last_syscall_ns), st);
    g->last_syscall_ns = g->last_syscall_block_ns = 0;
    return true;
}

bool tp_goroutine_leave(struct tp_summary_goroutine *g, enum tp_state state, int64_t now_ns,
                        struct tp_summary_status *st)
{
    switch (state) {
    case TP_STATE_RUNNING:
        add(&g->times.sums.exec_ns, tp_ns_minus(now_ns, g->last_start_ns), st);
        g->last_start_ns = 0;
        return false;
    case TP_STATE_RUNNABLE:
        if (g->last_runnable_ns != 0)
            add(&g->times.sums.sched_ns, tp_ns_minus(now_ns, g->last_runnable_ns), st);
        g->last_runnable_ns = 0;
        return false;
    case TP_STATE_WAITING:
        if (g->last_block_ns != 0)
            tp_time_list_add(&g->times.blocks, g->last_reason,
                             tp_ns_minus(now_ns, g->last_block_ns), st);
        g->last_block_ns = 0;
        return false;
    case TP_STATE_SYSCALL: return leave_syscall(g, now_ns, st);
    default: return false;
    }
}

void tp_goroutine_enter(struct tp_summary_goroutine *g, enum tp_state state, int64_t p,
                        uint32_t reason, int64_t now_ns)
{
    switch (state) {
    case TP_STATE_RUNNING:
        g->last_start_ns = now_ns;
        if (g->start_ns == 0)
            g->start_ns = now_ns;
        break;
    case TP_STATE_RUNNABLE: g->last_runnable_ns = now_ns; break;
    case TP_STATE_WAITING:
        g->last_block_ns = now_ns;
        g->last_reason = reason;
        break;
    case TP_STATE_SYSCALL:
        g->last_syscall_ns = now_ns;
        g->syscall_p = p;
        break;
    default: break;
    }
}

// SNAPSHOTS

// Adds a syscall that has not ended. Go counts its blocked time both as time in the syscall and
// as waiting to be scheduled; with `fixes` it counts only as blocked time.
static void add_open_syscall(struct tp_times *to, const struct tp_summary_goroutine *g,
                             int64_t now_ns, bool fixes, struct tp_summary_status *st)
{
    int64_t until_ns = now_ns;
    if (g->last_syscall_block_ns != 0) {
        int64_t blocked_ns = tp_ns_minus(now_ns, g->last_syscall_block_ns);
        if (fixes) {
            add(&to->sums.syscall_block_ns, blocked_ns, st);
            until_ns = g->last_syscall_block_ns;
        } else {
            add(&to->sums.sched_ns, blocked_ns, st);
        }
    }
    if (g->last_syscall_ns != 0)
        add(&to->sums.syscall_ns, tp_ns_minus(until_ns, g->last_syscall_ns), st);
}

// Adds the times of the open state and of the open ranges to `to`, which has the times so far.
static void add_open(struct tp_times *to, const struct tp_summary_goroutine *g, int64_t now_ns,
                     bool fixes, struct tp_summary_status *st)
{
    if (to->sums.total_ns == 0)
        to->sums.total_ns = tp_ns_minus(now_ns, g->creation_ns);
    if (g->last_start_ns != 0)
        add(&to->sums.exec_ns, tp_ns_minus(now_ns, g->last_start_ns), st);
    if (g->last_runnable_ns != 0)
        add(&to->sums.sched_ns, tp_ns_minus(now_ns, g->last_runnable_ns), st);
    if (g->last_block_ns != 0)
        tp_time_list_add(&to->blocks, g->last_reason, tp_ns_minus(now_ns, g->last_block_ns), st);
    add_open_syscall(to, g, now_ns, fixes, st);
    for (uint32_t i = 0; i < g->open_ranges.count; i++) {
        const struct tp_named_ns *open = &g->open_ranges.items[i];
        tp_time_list_add(&to->ranges, open->name, tp_ns_minus(now_ns, open->ns), st);
    }
}

void tp_goroutine_snapshot(const struct tp_summary_goroutine *g, int64_t now_ns, bool fixes,
                           struct tp_times *into, struct tp_summary_status *st)
{
    tp_times_copy(into, &g->times, st);
    add_open(into, g, now_ns, fixes, st);
}

void tp_goroutine_settle(struct tp_summary_goroutine *g, int64_t now_ns, bool fixes,
                         struct tp_summary_status *st)
{
    add_open(&g->times, g, now_ns, fixes, st);
    g->last_start_ns = g->last_runnable_ns = g->last_block_ns = 0;
    g->last_syscall_ns = g->last_syscall_block_ns = 0;
    g->last_reason = TP_NAME_EMPTY;
    g->open_ranges.count = 0;
}

// RANGES

void tp_goroutine_range_active(struct tp_summary_goroutine *g, uint32_t name, int64_t sync_ns,
                               struct tp_summary_status *st)
{
    const struct tp_named_ns *open = tp_time_list_find(&g->open_ranges, name);
    if (open != NULL && open->ns != 0)
        tp_time_list_add(&g->times.ranges, name, tp_ns_minus(sync_ns, open->ns), st);
    tp_time_list_set(&g->open_ranges, name, sync_ns, st);
}

void tp_goroutine_range_end(struct tp_summary_goroutine *g, uint32_t name, int64_t now_ns,
                            struct tp_summary_status *st)
{
    struct tp_named_ns *open = tp_time_list_find(&g->open_ranges, name);
    if (open == NULL || open->ns == 0)
        return;
    tp_time_list_add(&g->times.ranges, name, tp_ns_minus(now_ns, open->ns), st);
    *open = g->open_ranges.items[--g->open_ranges.count];
}

// REGIONS

static struct tp_named_ns *lists_of(const struct tp_summary_region *r)
{
    return (struct tp_named_ns *)(uintptr_t)(r + 1);
}

struct tp_times tp_summary_region_base(const struct tp_summary_region *r)
{
    struct tp_named_ns *items = lists_of(r);
    return (struct tp_times){.sums = r->base,
                             .blocks = {.items = items, .count = r->block_count},
                             .ranges = {.items = items + r->block_count, .count = r->range_count}};
}

struct tp_span tp_summary_region_name(const struct tp_summary_region *r)
{
    return tp_span_of(lists_of(r) + r->block_count + r->range_count, r->name_bytes);
}

static size_t region_bytes(size_t item_count, size_t name_bytes)
{
    return sizeof(struct tp_summary_region) + sizeof(struct tp_summary_open) +
           item_count * sizeof(struct tp_named_ns) + name_bytes;
}

// An inherited region has no name, and no end.
static struct tp_nest_key key_of(uint64_t task, struct tp_span name, bool is_inherited)
{
    return (struct tp_nest_key){task, is_inherited ? 0 : tp_digest_short(name) | 1};
}

static struct tp_named_ns *put_list(struct tp_named_ns *to, const struct tp_time_list *from)
{
    if (from->count > 0)
        memcpy(to, from->items, from->count * sizeof *to);
    return to + from->count;
}

void tp_goroutine_push_region(struct tp_summary_regions *l, struct tp_summary_goroutine *g,
                              uint64_t task, struct tp_span name, int64_t start_ns,
                              const struct tp_times *base, bool is_inherited,
                              struct tp_summary_status *st)
{
    static_assert(TP_TIME_LIST_MAX <= UINT16_MAX, "lists of a region have 16 bits for a count");
    size_t memory_bytes =
        region_bytes((size_t)base->blocks.count + base->ranges.count, name.len_bytes);
    if (!tp_summary_charge(st, memory_bytes))
        return;
    struct tp_summary_region *r = tp_alloc(memory_bytes - sizeof(struct tp_summary_open));
    if (r == NULL || !TP_NESTS_PUSH(l, &g->region, (uint64_t)g->id,
                                    key_of(task, name, is_inherited))) {
        tp_free(r);
        st->code = tp_fail(st->err, TP_E_MEMORY, "out of memory for an open region");
        return;
    }
    *r = (struct tp_summary_region){.task = task,
                                    .start_ns = start_ns,
                                    .base = base->sums,
                                    .block_count = (uint16_t)base->blocks.count,
                                    .range_count = (uint16_t)base->ranges.count,
                                    .is_inherited = is_inherited,
                                    .name_bytes = (uint32_t)name.len_bytes};
    struct tp_named_ns *text = put_list(put_list(lists_of(r), &base->blocks), &base->ranges);
    if (name.len_bytes > 0)
        memcpy(text, name.ptr, name.len_bytes);
    l->items[g->region].region = r;
}

uint32_t tp_goroutine_find_region(struct tp_summary_regions *l,
                                  const struct tp_summary_goroutine *g, uint64_t task,
                                  struct tp_span name)
{
    return TP_NESTS_FIND(l, g->region, (uint64_t)g->id, key_of(task, name, false));
}

void tp_goroutine_remove_region(struct tp_summary_regions *l, struct tp_summary_goroutine *g,
                                uint32_t slot, struct tp_summary_status *st)
{
    struct tp_summary_region *r = l->items[slot].region;
    st->used_bytes -= region_bytes((size_t)r->block_count + r->range_count, r->name_bytes);
    tp_free(r);
    TP_NESTS_REMOVE(l, &g->region, (uint64_t)g->id, slot);
}
