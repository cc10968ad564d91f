#include <stdlib.h>

#include "base/alloc.h"
#include "base/compare.h"
#include "decode/event_v1.h"
#include "merge/tables_read.h"
#include "merge/trace_v1.h"

// Of a frame, besides its PC.
#define BARE_FRAME_BYTES (TP_FRAME_ARGS - 1)

void tp_v1_trace_fini(struct tp_v1_trace *t)
{
    tp_map_fini(&t->timer_gs);
    tp_free(t->turns.items);
    tp_free(t->exits.items);
    tp_free(t->blocked.items);
    tp_intern_fini(&t->messages);
    tp_map_fini(&t->stacks_of_starts);
    tp_free(t->futile.items);
    if (t->far_links != NULL)
        tp_sorter_fini(t->far_links);
    tp_free(t->far_links);
    *t = (struct tp_v1_trace){0};
}

static int add_string(struct tp_v1_trace *t, uint64_t id, struct tp_span text,
                      struct tp_error *err)
{
    if (tp_tables_string_idx(t->tables, id) != TP_STRING_UNKNOWN)
        return tp_fail(err, TP_E_EVENT, "string has duplicate id %llu", (unsigned long long)id);
    return tp_tables_put_string(t->tables, id, text, err);
}

// Up to Go 1.6 frames are PCs alone; they become whole ones, of functions without names.
static int complete_frames(struct tp_v1_trace *t, struct tp_stack_def *def, struct tp_error *err)
{
    size_t added_bytes = (size_t)BARE_FRAME_BYTES * def->frame_count + 1;
    unsigned char *to = tp_tables_own(t->tables, def->frames_bytes + added_bytes, err);
    if (to == NULL)
        return err->code;
    const unsigned char *p = def->frames;
    // What stands before frames ends a number.
    *to++ = 0;
    def->frames = to;
    for (uint32_t left = def->frame_count; left > 0; left--)
        to = tp_table_put_bare_frame(to, tp_table_take_known(&p));
    def->frames_bytes = (uint16_t)(to - def->frames);
    return 0;
}

// The last definition of an id counts. What has no frames is no stack.
static int add_stack(struct tp_v1_trace *t, const struct tp_v1_event *ev, struct tp_error *err)
{
    struct tp_tables *tables = t->tables;
    struct tp_stack_def def = {.id = (uint32_t)ev->args[0],
                               .frames = ev->tail.ptr,
                               .frames_bytes = (uint16_t)ev->tail.len_bytes,
                               .frame_count = (uint16_t)ev->frame_count};
    if (def.id == 0 || def.frame_count == 0)
        return 0;
    if (tp_v1_has_bare_pcs(t)) {
        int rc = complete_frames(t, &def, err);
        if (rc != 0)
            return rc;
    }
    uint32_t idx = tp_idmap_get(&tables->stack_ids, def.id, UINT32_MAX);
    return idx == UINT32_MAX ? tp_tables_put_stack(tables, def, err)
                             : tp_tables_replace_stack(tables, idx, def, err);
}

// `offset`: of the event that tells it.
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
        // The last one counts, and 0 is none.
        tp_map_fini(&t->timer_gs);
        if (g == 0)
            return 0;
    }
    if (tp_map_get(&t->timer_gs, g) != TP_MAP_NONE || tp_map_put(&t->timer_gs, g, 0))
        return 0;
    return tp_fail(err, TP_E_MEMORY, "no memory for the tables of a trace");
}

static int add_sample(struct tp_v1_trace *t, const struct tp_v1_event *ev, uint64_t offset,
                      struct tp_error *err)
{
    enum { TS = 1, P, G, STACK }; // behind dt
    struct tp_tables *tables = t->tables;
    void *samples = tables->samples;
    int rc = tp_tables_grow(tables, &samples, &tables->sample_capacity, tables->sample_count,
                            sizeof *tables->samples, err);
    tables->samples = samples;
    if (rc == 0)
        tables->samples[tables->sample_count++] =
            (struct tp_sample){.time_ns = (int64_t)ev->args[TS], // ticks
                               .m = -1,
                               .p = (int64_t)ev->args[P],
                               .g = (int64_t)ev->args[G],
                               .stack = ev->args[STACK],
                               .offset = offset};
    return rc;
}

static int add_event(struct tp_v1_trace *t, const struct tp_v1_event *ev, uint64_t offset,
                     struct tp_error *err)
{
    switch (ev->type) {
    case TP_V1_String: return add_string(t, ev->args[0], ev->tail, err);
    case TP_V1_Stack: return add_stack(t, ev, err);
    case TP_V1_Frequency: return add_frequency(t, ev->args[0], offset, err);
    case TP_V1_TimerGoroutine: return add_timer(t, ev->args[0], err);
    case TP_V1_Batch: return 0;
    default: return add_sample(t, ev, offset, err);
    }
}

int tp_v1_tables_add(struct tp_v1_trace *t, struct tp_span run, uint64_t offset,
                     struct tp_error *err)
{
    const unsigned char *p = run.ptr, *end = p + run.len_bytes;
    struct tp_v1_event ev;
    int rc = 0;
    while (p < end && rc == 0) {
        uint64_t at = offset + (uint64_t)(p - run.ptr);
        enum tp_v1_status st = tp_v1_event_read(&p, end, t->table, &ev);
        rc = st == TP_V1_OK ? add_event(t, &ev, at, err)
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

// The parser of that time keeps the order of the file among equal times.
static void sort_samples(struct tp_v1_trace *t)
{
    if (!t->is_original)
        tp_tables_sort_samples(t->tables);
    else if (t->tables->sample_count > 0)
        qsort(t->tables->samples, t->tables->sample_count, sizeof *t->tables->samples, by_time);
}

int tp_v1_tables_finish(struct tp_v1_trace *t, struct tp_error *err)
{
    sort_samples(t);
    if (t->ticks_per_second == 0 && !t->is_strict && t->given_frequency != 0)
        return add_frequency(t, t->given_frequency, 0, err);
    return t->ticks_per_second != 0 ? 0 : tp_fail(err, TP_E_EVENT, "no EvFrequency event");
}
