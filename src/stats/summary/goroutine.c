#include "stats/summary/goroutine.h"

#include <string.h>

#include "base/alloc.h"

void tp_goroutine_reset(struct tp_summary_goroutine *g)
{
    struct tp_time_list blocks = g->times.blocks, ranges = g->times.ranges, open = g->open_ranges;
    *g = (struct tp_summary_goroutine){.times = {.blocks = blocks, .ranges = ranges},
                                       .open_ranges = open};
    g->times.blocks.count = g->times.ranges.count = g->open_ranges.count = 0;
}

static void add(int64_t *sum, int64_t ns, struct tp_summary_memory *m)
{
    *sum = tp_ns_plus(*sum, ns, m);
}

// STATES

int tp_goroutine_count_state(struct tp_summary_goroutine *g, enum tp_state in, bool has_p,
                             int64_t ns, struct tp_summary_memory *m)
{
    struct tp_times *t = &g->times;
    switch (in) {
    case TP_STATE_RUNNING: add(&t->sums.exec_ns, ns, m); break;
    case TP_STATE_RUNNABLE: add(&t->sums.sched_ns, ns, m); break;
    case TP_STATE_WAITING: return tp_time_list_add(&t->blocks, TP_NAME_EMPTY, ns, m);
    case TP_STATE_SYSCALL:
        add(has_p ? &t->sums.syscall_ns : &t->sums.syscall_block_ns, ns, m);
        break;
    default: break;
    }
    return 0;
}

static void leave_syscall(struct tp_summary_goroutine *g, int64_t now_ns,
                          struct tp_summary_memory *m)
{
    int64_t until_ns = now_ns;
    if (g->last_syscall_block_ns != 0) {
        until_ns = g->last_syscall_block_ns;
        add(&g->times.sums.syscall_block_ns, tp_ns_minus(now_ns, until_ns), m);
    }
    add(&g->times.sums.syscall_ns, tp_ns_minus(until_ns, g->last_syscall_ns), m);
    g->last_syscall_ns = g->last_syscall_block_ns = 0;
}

int tp_goroutine_leave(struct tp_summary_goroutine *g, enum tp_state state, int64_t now_ns,
                       struct tp_summary_memory *m, bool *ret_left_syscall)
{
    *ret_left_syscall = false;
    switch (state) {
    case TP_STATE_RUNNING:
        add(&g->times.sums.exec_ns, tp_ns_minus(now_ns, g->last_start_ns), m);
        g->last_start_ns = 0;
        return 0;
    case TP_STATE_RUNNABLE:
        if (g->last_runnable_ns != 0)
            add(&g->times.sums.sched_ns, tp_ns_minus(now_ns, g->last_runnable_ns), m);
        g->last_runnable_ns = 0;
        return 0;
    case TP_STATE_WAITING: {
        int64_t since_ns = g->last_block_ns;
        g->last_block_ns = 0;
        return since_ns == 0 ? 0
                             : tp_time_list_add(&g->times.blocks, g->last_reason,
                                                tp_ns_minus(now_ns, since_ns), m);
    }
    case TP_STATE_SYSCALL:
        *ret_left_syscall = g->last_syscall_ns != 0;
        if (*ret_left_syscall)
            leave_syscall(g, now_ns, m);
        return 0;
    default: return 0;
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
// as waiting to be scheduled.
static void add_open_syscall(struct tp_times *to, const struct tp_summary_goroutine *g,
                             int64_t now_ns, const struct tp_summary_rules *rules,
                             struct tp_summary_memory *m)
{
    int64_t until_ns = now_ns;
    if (g->last_syscall_block_ns != 0) {
        int64_t blocked_ns = tp_ns_minus(now_ns, g->last_syscall_block_ns);
        if (rules->splits_open_syscalls) {
            add(&to->sums.syscall_block_ns, blocked_ns, m);
            until_ns = g->last_syscall_block_ns;
        } else {
            add(&to->sums.sched_ns, blocked_ns, m);
        }
    }
    if (g->last_syscall_ns != 0)
        add(&to->sums.syscall_ns, tp_ns_minus(until_ns, g->last_syscall_ns), m);
}

// Adds the times of the open state and of the open ranges to `to`, which has the times so far.
static int add_open(struct tp_times *to, const struct tp_summary_goroutine *g, int64_t now_ns,
                    const struct tp_summary_rules *rules, struct tp_summary_memory *m)
{
    int rc = 0;
    if (to->sums.total_ns == 0)
        to->sums.total_ns = tp_ns_minus(now_ns, g->creation_ns);
    if (g->last_start_ns != 0)
        add(&to->sums.exec_ns, tp_ns_minus(now_ns, g->last_start_ns), m);
    if (g->last_runnable_ns != 0)
        add(&to->sums.sched_ns, tp_ns_minus(now_ns, g->last_runnable_ns), m);
    if (g->last_block_ns != 0)
        rc =
            tp_time_list_add(&to->blocks, g->last_reason, tp_ns_minus(now_ns, g->last_block_ns), m);
    add_open_syscall(to, g, now_ns, rules, m);
    for (uint32_t i = 0; i < g->open_ranges.count && rc == 0; i++) {
        const struct tp_named_ns *open = &g->open_ranges.items[i];
        rc = tp_time_list_add(&to->ranges, open->name, tp_ns_minus(now_ns, open->ns), m);
    }
    return rc;
}

int tp_goroutine_snapshot(const struct tp_summary_goroutine *g, int64_t now_ns,
                          const struct tp_summary_rules *rules, struct tp_times *into,
                          struct tp_summary_memory *m)
{
    int rc = tp_times_copy(into, &g->times, m);
    return rc == 0 ? add_open(into, g, now_ns, rules, m) : rc;
}

int tp_goroutine_settle(struct tp_summary_goroutine *g, int64_t now_ns,
                        const struct tp_summary_rules *rules, struct tp_summary_memory *m)
{
    int rc = add_open(&g->times, g, now_ns, rules, m);
    g->last_start_ns = g->last_runnable_ns = g->last_block_ns = 0;
    g->last_syscall_ns = g->last_syscall_block_ns = 0;
    g->last_reason = TP_NAME_EMPTY;
    g->open_ranges.count = 0;
    return rc;
}

// RANGES

int tp_goroutine_range_begin(struct tp_summary_goroutine *g, uint32_t name, int64_t now_ns,
                             struct tp_summary_memory *m)
{
    return tp_time_list_set(&g->open_ranges, name, now_ns, m);
}

int tp_goroutine_range_active(struct tp_summary_goroutine *g, uint32_t name, int64_t sync_ns,
                              struct tp_summary_memory *m)
{
    const struct tp_named_ns *open = tp_time_list_find(&g->open_ranges, name);
    int rc = 0;
    if (open != NULL && open->ns != 0)
        rc = tp_time_list_add(&g->times.ranges, name, tp_ns_minus(sync_ns, open->ns), m);
    return rc == 0 ? tp_time_list_set(&g->open_ranges, name, sync_ns, m) : rc;
}

int tp_goroutine_range_end(struct tp_summary_goroutine *g, uint32_t name, int64_t now_ns,
                           struct tp_summary_memory *m)
{
    struct tp_named_ns *open = tp_time_list_find(&g->open_ranges, name);
    if (open == NULL || open->ns == 0)
        return 0;
    int64_t ns = tp_ns_minus(now_ns, open->ns);
    tp_time_list_remove(&g->open_ranges, open);
    return tp_time_list_add(&g->times.ranges, name, ns, m);
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
    return sizeof(struct tp_summary_region) + item_count * sizeof(struct tp_named_ns) + name_bytes;
}

static struct tp_named_ns *put_list(struct tp_named_ns *to, const struct tp_time_list *from)
{
    if (from->count > 0)
        memcpy(to, from->items, from->count * sizeof *to);
    return to + from->count;
}

int tp_goroutine_push_region(struct tp_summary_goroutine *g, uint64_t task, struct tp_span name,
                             int64_t start_ns, const struct tp_times *base,
                             struct tp_summary_memory *m)
{
    static_assert(TP_TIME_LIST_MAX <= UINT16_MAX, "lists of a region have 16 bits for a count");
    size_t memory_bytes =
        region_bytes((size_t)base->blocks.count + base->ranges.count, name.len_bytes);
    int rc = tp_summary_record(m, memory_bytes);
    if (rc != 0)
        return rc;
    struct tp_summary_region *r = tp_alloc(memory_bytes);
    if (r == NULL) {
        tp_summary_uncharge(m, memory_bytes);
        return tp_fail(m->err, TP_E_MEMORY, "no memory for an open region");
    }
    *r = (struct tp_summary_region){.outer = g->regions,
                                    .task = task,
                                    .start_ns = start_ns,
                                    .base = base->sums,
                                    .block_count = (uint16_t)base->blocks.count,
                                    .range_count = (uint16_t)base->ranges.count,
                                    .name_bytes = (uint32_t)name.len_bytes};
    struct tp_named_ns *text = put_list(put_list(lists_of(r), &base->blocks), &base->ranges);
    if (name.len_bytes > 0)
        memcpy(text, name.ptr, name.len_bytes);
    g->regions = r;
    return 0;
}

void tp_goroutine_pop_region(struct tp_summary_goroutine *g, struct tp_summary_memory *m)
{
    struct tp_summary_region *r = g->regions;
    g->regions = r->outer;
    tp_summary_uncharge(m, region_bytes((size_t)r->block_count + r->range_count, r->name_bytes));
    tp_free(r);
}
