#include "stats/summary/times.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_ITEMS 4

int tp_summary_record(struct tp_summary_memory *m, size_t len_bytes)
{
    if (len_bytes > m->max_bytes - m->used_bytes)
        return tp_fail(m->err, TP_E_TOO_LARGE,
                       "live goroutines and regions do not fit into %zu MiB", m->max_bytes >> 20);
    m->used_bytes += len_bytes;
    return 0;
}

static int grow(struct tp_time_list *l, uint32_t capacity, struct tp_summary_memory *m)
{
    if (capacity > TP_TIME_LIST_MAX)
        return tp_fail(m->err, TP_E_TOO_LARGE, "a goroutine has more than %d reasons to wait",
                       TP_TIME_LIST_MAX);
    size_t more_bytes = (capacity - l->capacity) * sizeof *l->items;
    int rc = tp_summary_record(m, more_bytes);
    if (rc != 0)
        return rc;
    if (tp_list_resize(&l->as_list, capacity, sizeof *l->items))
        return 0;
    tp_summary_uncharge(m, more_bytes);
    return tp_fail(m->err, TP_E_MEMORY, "no memory for times of a goroutine");
}

int tp_time_list_append(struct tp_time_list *l, uint64_t name, struct tp_summary_memory *m)
{
    if (l->count == l->capacity) {
        int rc = grow(l, l->capacity == 0 ? FIRST_ITEMS : 2 * l->capacity, m);
        if (rc != 0)
            return rc;
    }
    l->items[l->count++] = (struct tp_named_ns){name, 0};
    return 0;
}

int tp_time_list_add(struct tp_time_list *l, uint64_t name, int64_t ns, struct tp_summary_memory *m)
{
    struct tp_named_ns *item = tp_time_list_find(l, name);
    if (item == NULL) {
        int rc = tp_time_list_append(l, name, m);
        if (rc != 0)
            return rc;
        item = &l->items[l->count - 1];
    }
    item->ns = tp_ns_plus(item->ns, ns, m);
    return 0;
}

int tp_time_list_set(struct tp_time_list *l, uint64_t name, int64_t ns, struct tp_summary_memory *m)
{
    int rc = tp_time_list_add(l, name, 0, m);
    if (rc == 0)
        tp_time_list_find(l, name)->ns = ns;
    return rc;
}

void tp_time_list_remove(struct tp_time_list *l, struct tp_named_ns *item)
{
    *item = l->items[--l->count];
}

int tp_time_list_copy(struct tp_time_list *to, const struct tp_time_list *from,
                      struct tp_summary_memory *m)
{
    if (from->count > to->capacity) {
        int rc = grow(to, from->capacity, m);
        if (rc != 0)
            return rc;
    }
    if (from->count > 0)
        memcpy(to->items, from->items, from->count * sizeof *from->items);
    to->count = from->count;
    return 0;
}

void tp_time_list_fini(struct tp_time_list *l)
{
    tp_free(l->items);
    *l = (struct tp_time_list){0};
}

int tp_times_copy(struct tp_times *to, const struct tp_times *from, struct tp_summary_memory *m)
{
    to->sums = from->sums;
    int rc = tp_time_list_copy(&to->blocks, &from->blocks, m);
    return rc == 0 ? tp_time_list_copy(&to->ranges, &from->ranges, m) : rc;
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
    tp_time_list_fini(&t->blocks);
    tp_time_list_fini(&t->ranges);
}
