#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "decode/event_v1.h"
#include "merge/tables/read.h"
#include "merge/v1/trace.h"

// The sorter of syscall ends has at most this part of the memory limit: one in EXITS_SHARE.
#define EXITS_SHARE 8

void tp_v1_trace_fini(struct tp_v1_trace *t)
{
    tp_map_fini(&t->timer_gs);
    tp_free(t->turns.items);
    if (t->exits != NULL)
        tp_v1_exits_fini(t->exits);
    tp_free(t->exits);
    tp_free(t->blocked.items);
    TP_SLAB_FINI(&t->places);
    tp_map_fini(&t->stacks_of_starts);
    tp_free(t->named.torn_stacks);
    tp_free(t->futile.items);
    if (t->far_links != NULL)
        tp_sorter_fini(t->far_links);
    tp_free(t->far_links);
    tp_free(t->sorted);
    *t = (struct tp_v1_trace){0};
}

int tp_v1_trace_add_exit(struct tp_v1_trace *t, const struct tp_v1_exit *x, struct tp_error *err)
{
    if (t->exits == NULL)
        t->exits = tp_alloc_zero(sizeof *t->exits);
    if (t->exits == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for ends of syscalls");
    return tp_v1_exits_add(t->exits, x, t->max_bytes / EXITS_SHARE, err);
}

static int add_string(struct tp_v1_trace *t, uint64_t id, struct tp_span text,
                      struct tp_error *err)
{
    if (tp_tables_string_idx(t->tables, id) != TP_STRING_UNKNOWN)
        return tp_fail(err, TP_E_EVENT, "string has duplicate id %llu", (unsigned long long)id);
    return tp_tables_put_string(t->tables, id, text, err);
}

// Adds a stack. The last definition of an id counts; a stack without frames counts as no stack.
static int add_stack(struct tp_v1_trace *t, const struct tp_wire_event *ev, struct tp_error *err)
{
    struct tp_tables *tables = t->tables;
    struct tp_stack_def def = {.id = (uint32_t)tp_v1_arg(ev, Stack, id),
                               .frames = ev->tail.ptr,
                               .frames_bytes = (uint16_t)ev->tail.len_bytes,
                               .frame_count = (uint16_t)ev->frame_count};
    if (def.id == 0 || def.frame_count == 0)
        return 0;
    uint32_t idx = tp_idmap_get(&tables->stack_ids, def.id);
    return idx == UINT32_MAX ? tp_tables_put_stack(tables, &def, err)
                             : tp_tables_replace_stack(tables, idx, &def, err);
}

// Sets the frequency. `offset` is the place of the Frequency event in the stream.
static int add_frequency(struct tp_v1_trace *t, uint64_t frequency, uint64_t offset,
                         struct tp_error *err)
{
    t->ticks_per_second = (int64_t)frequency;
    if (t->ticks_per_second <= 0 && tp_v1_is_by_time(t))
        return tp_fail(err, TP_E_EVENT,
                       "EvFrequency contains invalid frequency %lld at offset 0x%llx",
                       (long long)frequency, (unsigned long long)offset);
    if (t->ticks_per_second <= 0)
        return tp_fail(err, TP_E_EVENT, "time stamps out of order");
    t->tables->has_frequency = true;
    t->tables->frequency = frequency;
    t->tables->ns_per_tick = 1e9 / (double)frequency;
    return 0;
}

static int add_timer(struct tp_v1_trace *t, uint64_t g, struct tp_error *err)
{
    if (tp_v1_is_by_time(t)) {
        // If there are several such events, the last one counts; goroutine 0: no goroutine.
        tp_map_fini(&t->timer_gs);
        if (g == 0)
            return 0;
    }
    if (tp_map_get(&t->timer_gs, g) != TP_MAP_NONE || tp_map_put(&t->timer_gs, g, 1))
        return 0;
    return tp_fail(err, TP_E_MEMORY, "out of memory for the tables of a trace");
}

static int add_sample(struct tp_v1_trace *t, const struct tp_wire_event *ev, uint64_t offset,
                      uint32_t wire_bytes, struct tp_error *err)
{
    const uint64_t *args = ev->args + t->table->prefix_count;
    struct tp_tables *tables = t->tables;
    int rc = TP_TABLES_ROOM(tables, &tables->samples, err);
    if (rc == 0)
        tables->samples.items[tables->samples.count++] =
            (struct tp_sample){.time_ns = (int64_t)args[TP_V1_ARG_CPUSample_ts], // ticks
                               .m = -1,
                               .p = (int64_t)args[TP_V1_ARG_CPUSample_p],
                               .g = (int64_t)args[TP_V1_ARG_CPUSample_g],
                               .stack = args[TP_V1_ARG_CPUSample_stack],
                               .offset = offset,
                               .wire_bytes = wire_bytes};
    return rc;
}

static int add_event(struct tp_v1_trace *t, const struct tp_wire_event *ev, uint64_t offset,
                     uint32_t wire_bytes, struct tp_error *err)
{
    switch (ev->type) {
    case TP_V1_String: return add_string(t, tp_v1_arg(ev, String, id), ev->tail, err);
    case TP_V1_Stack: return add_stack(t, ev, err);
    case TP_V1_Frequency: return add_frequency(t, tp_v1_arg(ev, Frequency, freq), offset, err);
    case TP_V1_TimerGoroutine: return add_timer(t, tp_v1_arg(ev, TimerGoroutine, g), err);
    case TP_V1_Batch: return 0;
    default: return add_sample(t, ev, offset, wire_bytes, err);
    }
}

int tp_v1_tables_add(struct tp_v1_trace *t, struct tp_span run, uint64_t offset,
                     struct tp_error *err)
{
    const unsigned char *p = run.ptr, *end = p + run.len_bytes;
    struct tp_wire_event ev;
    int rc = 0;
    while (p < end && rc == 0) {
        const unsigned char *begin = p;
        uint64_t at = offset + (uint64_t)(p - run.ptr);
        enum tp_v1_status st = tp_v1_event_read(&p, end, t->table, &ev);
        rc = st == TP_V1_OK ? add_event(t, &ev, at, (uint32_t)(p - begin), err)
                            : tp_fail(err, TP_E_EVENT, "%s cannot be read",
                                      tp_v1_type_names[ev.type]);
    }
    return rc;
}

static int by_time(const void *a, const void *b)
{
    const struct tp_sample *x = a, *y = b;
    int by_ns = tp_compare_i64(x->time_ns, y->time_ns);
    return by_ns != 0 ? by_ns : tp_compare_u64(x->offset, y->offset);
}

// The parser of that time keeps samples of equal times in the order of the file.
static void sort_samples(struct tp_v1_trace *t)
{
    if (!t->is_legacy)
        tp_tables_sort_samples(t->tables);
    else if (t->tables->samples.count > 0)
        qsort(t->tables->samples.items, t->tables->samples.count, sizeof *t->tables->samples.items,
              by_time);
}

// Completes the stacks of traces up to Go 1.6, whose frames are bare PCs.
static int complete_stacks(struct tp_v1_trace *t, struct tp_error *err)
{
    struct tp_tables *tables = t->tables;
    int rc = 0;
    for (size_t i = 0; tp_v1_has_bare_pcs(t) && i < tables->stacks.count && rc == 0; i++)
        rc = tp_v1_frames_complete(t, &tables->stacks.items[i], err);
    return rc;
}

int tp_v1_tables_finish(struct tp_v1_trace *t, struct tp_error *err)
{
    sort_samples(t);
    t->first_message_id = t->tables->max_string_id + 1;
    tp_tables_find_complete_ids(t->tables);
    int rc = complete_stacks(t, err);
    if (rc != 0)
        return rc;
    if (t->ticks_per_second == 0 && !t->is_strict && t->given_frequency != 0)
        return add_frequency(t, t->given_frequency, 0, err);
    return t->ticks_per_second != 0 ? 0 : tp_fail(err, TP_E_EVENT, "no EvFrequency event");
}
