#include "stats/summary/times.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_ITEMS 4

bool tp_summary_charge(struct tp_summary_status *st, size_t len_bytes)
{
    if (st->code == 0 && len_bytes > st->max_bytes - st->used_bytes)
        st->code =
            tp_fail(st->err, TP_E_TOO_LARGE, "live goroutines and regions do not fit into %zu MiB",
                    st->max_bytes >> 20);
    if (st->code == 0)
        st->used_bytes += len_bytes;
    return st->code == 0;
}

static bool grow(struct tp_time_list *l, uint32_t capacity, struct tp_summary_status *st)
{
    if (st->code == 0 && capacity > TP_TIME_LIST_MAX)
        st->code = tp_fail(st->err, TP_E_TOO_LARGE, "a goroutine has more than %d different reasons of blocking or ranges",
                           TP_TIME_LIST_MAX);
    if (!tp_summary_charge(st, (capacity - l->capacity) * sizeof *l->items))
        return false;
    if (!tp_list_resize(&l->as_list, capacity, sizeof *l->items))
        st->code = tp_fail(st->err, TP_E_MEMORY, "out of memory for times of a goroutine");
    return st->code == 0;
}

// Returns the item of a name, which is appended with 0 ns if it is missing. NULL: a failure.
static struct tp_named_ns *item_of(struct tp_time_list *l, uint64_t name,
                                   struct tp_summary_status *st)
{
    struct tp_named_ns *known = tp_time_list_find(l, name);
    if (known != NULL)
        return known;
    if (l->count == l->capacity && !grow(l, l->capacity == 0 ? FIRST_ITEMS : 2 * l->capacity, st))
        return NULL;
    l->items[l->count] = (struct tp_named_ns){name, 0};
    return &l->items[l->count++];
}

void tp_time_list_add(struct tp_time_list *l, uint64_t name, int64_t ns,
                      struct tp_summary_status *st)
{
    struct tp_named_ns *item = item_of(l, name, st);
    if (item != NULL)
        item->ns = tp_ns_plus(item->ns, ns, st);
}

void tp_time_list_set(struct tp_time_list *l, uint64_t name, int64_t ns,
                      struct tp_summary_status *st)
{
    struct tp_named_ns *item = item_of(l, name, st);
    if (item != NULL)
        item->ns = ns;
}

static void copy_list(struct tp_time_list *to, const struct tp_time_list *from,
                      struct tp_summary_status *st)
{
    to->count = 0;
    if (from->count == 0 || (from->count > to->capacity && !grow(to, from->capacity, st)))
        return;
    memcpy(to->items, from->items, from->count * sizeof *from->items);
    to->count = from->count;
}

void tp_times_copy(struct tp_times *to, const struct tp_times *from, struct tp_summary_status *st)
{
    to->sums = from->sums;
    copy_list(&to->blocks, &from->blocks, st);
    copy_list(&to->ranges, &from->ranges, st);
}

static void subtract_list(struct tp_time_list *l, const struct tp_time_list *base)
{
    for (uint32_t i = 0; i < base->count; i++) {
        struct tp_named_ns *item = tp_time_list_find(l, base->items[i].name);
        if (item != NULL)
            item->ns = tp_ns_minus(item->ns, base->items[i].ns);
    }
}

void tp_times_subtract(struct tp_times *t, const struct tp_times *base)
{
    struct tp_time_sums *s = &t->sums;
    s->exec_ns = tp_ns_minus(s->exec_ns, base->sums.exec_ns);
    s->sched_ns = tp_ns_minus(s->sched_ns, base->sums.sched_ns);
    s->syscall_ns = tp_ns_minus(s->syscall_ns, base->sums.syscall_ns);
    s->syscall_block_ns = tp_ns_minus(s->syscall_block_ns, base->sums.syscall_block_ns);
    s->total_ns = tp_ns_minus(s->total_ns, base->sums.total_ns);
    subtract_list(&t->blocks, &base->blocks);
    subtract_list(&t->ranges, &base->ranges);
}

void tp_times_fini(struct tp_times *t)
{
    tp_free(t->blocks.items);
    tp_free(t->ranges.items);
}
