#include "sink/counts/unit.h"

#include <string.h>

#include "base/alloc.h"
#include "decode/varint.h"

static bool grow(struct tp_list *list, size_t most, size_t each_bytes)
{
    size_t wanted = list->capacity == 0 ? 16 : 2 * (size_t)list->capacity;
    return list->count < most && tp_list_resize(list, wanted < most ? wanted : most, each_bytes);
}

static bool put_id(struct tp_stats_ids *list, size_t most, uint64_t id)
{
    if (tp_unlikely(list->count == list->capacity) &&
        !grow(&list->as_list, most, sizeof *list->items))
        return false;
    list->items[list->count++] = id;
    return true;
}

void tp_stats_unit_put_p(struct tp_stats_unit *u, uint64_t p)
{
    const struct tp_stats_ids *large = &u->large_ps;
    if (tp_likely(p < TP_STATS_SMALL_PS))
        u->small_ps[p / 64] |= UINT64_C(1) << p % 64;
    else if (large->count > 0 && large->items[large->count - 1] == p)
        return;
    else if (!put_id(&u->large_ps, TP_STATS_LARGE_PS_MAX, p))
        u->out_of_memory = true;
}

void tp_stats_unit_put_goroutine(struct tp_stats_unit *u, uint64_t g)
{
    if (!put_id(&u->goroutines, TP_STATS_GOROUTINES_MAX, g))
        u->out_of_memory = true;
}

void tp_stats_unit_put_thread(struct tp_stats_unit *u, uint64_t thread)
{
    uint64_t *recent = &u->recent_threads[thread % TP_STATS_RECENT_THREADS];
    if (*recent == thread && thread != 0)
        return;
    *recent = thread;
    if (!put_id(&u->threads, TP_STATS_THREADS_MAX, thread))
        u->out_of_memory = true;
}

static void on_ident(void *ctx, uint8_t type, uint64_t id)
{
    if (type == TP_EV_ProcStart || type == TP_EV_ProcStatus)
        tp_stats_unit_put_p(ctx, id);
    else
        tp_stats_unit_put_goroutine(ctx, id);
}

static struct tp_stats_part *need_part(struct tp_stats_unit *u, const struct tp_extent *x)
{
    struct tp_stats_parts *parts = &u->parts;
    if (parts->count > 0 && !x->first_of_generation)
        return &parts->items[parts->count - 1];
    if (parts->count == parts->capacity &&
        !grow(&parts->as_list, TP_STATS_PARTS_MAX, sizeof *parts->items))
        return NULL;
    if (parts->count == 0)
        u->continues = !x->first_of_generation;
    parts->items[parts->count] = (struct tp_stats_part){.offset = x->offset};
    return &parts->items[parts->count++];
}

static void count_event(struct tp_tally *t, uint8_t type, uint64_t len_bytes)
{
    t->count[type]++;
    t->bytes[type] += len_bytes;
}

// Length of the header's fields in shortest form: runtimes always pad the size field.
static uint64_t header_fields_bytes(const struct tp_extent *x, uint32_t body_bytes)
{
    return tp_varint_len(x->generation) + tp_varint_len(x->m) + tp_varint_len(x->time_ticks) +
           tp_varint_len(body_bytes);
}

static void count_batch(struct tp_stats_unit *u, const struct tp_extent *x,
                        const unsigned char *bytes, const struct tp_arg_table *table)
{
    uint32_t body_bytes = x->len_bytes - x->header_bytes;
    uint64_t fields_bytes = header_fields_bytes(x, body_bytes);
    struct tp_stats_part *part = need_part(u, x);
    u->batch_count++;
    if (part == NULL) {
        u->out_of_memory = true;
        return;
    }
    if (x->batch_kind == TP_BATCH_EXPERIMENTAL) {
        // Header and body are one event; the number of the experiment is one byte of it.
        count_event(&u->tally, TP_EV_ExperimentalBatch,
                    1 + tp_varint_len(bytes[1]) + fields_bytes + body_bytes);
        return;
    }
    count_event(&u->tally, TP_EV_EventBatch, 1 + fields_bytes);
    struct tp_tally_result r =
        tp_tally_events(&u->tally, tp_span_of(bytes + x->header_bytes, body_bytes), table,
                        on_ident, u);
    if (r.used_bytes < body_bytes) {
        tp_sink_notes_add(&u->notes,
                          &(struct tp_sink_notes){
                              .undecoded_bytes = body_bytes - r.used_bytes,
                              .undecoded_batches = 1,
                              .first_offset = x->offset + x->header_bytes + r.used_bytes});
    }
    uint64_t last_ticks;
    if (x->batch_kind == TP_BATCH_EVENTS &&
        !__builtin_add_overflow(x->time_ticks, r.dt_ticks, &last_ticks) &&
        last_ticks > part->last_ticks)
        part->last_ticks = last_ticks;
}

static void reset(struct tp_stats_unit *u)
{
    memset(&u->tally, 0, sizeof u->tally);
    memset(&u->old_tally, 0, sizeof u->old_tally);
    memset(u->small_ps, 0, sizeof u->small_ps);
    memset(u->recent_threads, 0, sizeof u->recent_threads);
    u->batch_count = u->frequency = 0;
    u->notes = (struct tp_sink_notes){0};
    u->batches = (struct tp_stats_batches){0};
    u->large_ps.count = u->goroutines.count = u->threads.count = u->parts.count = 0;
    u->continues = u->out_of_memory = false;
}

static void count_batches(struct tp_stats_unit *u, const struct tp_unit *unit)
{
    const struct tp_arg_table *table =
        tp_arg_table(unit->input->format.minor, TP_DIALECT_LENIENT);
    size_t at_bytes = 0;
    for (size_t i = 0; i < unit->extent_count; i++) {
        const struct tp_extent *x = &unit->extents[i];
        if (x->kind == TP_EXTENT_BATCH)
            count_batch(u, x, unit->bytes.ptr + at_bytes, table);
        else if (x->kind == TP_EXTENT_STRUCTURAL && x->ends_generation)
            count_event(&u->tally, TP_EV_EndOfGeneration, 1);
        at_bytes += x->len_bytes;
    }
}

int tp_stats_unit_count(struct tp_stats_unit *u, const struct tp_unit *unit, struct tp_error *err)
{
    reset(u);
    if (tp_format_is_old(&unit->input->format))
        tp_stats_unit_count_runs(u, unit);
    else
        count_batches(u, unit);
    return u->out_of_memory ? tp_fail(err, TP_E_MEMORY, "no memory to count a segment") : 0;
}

void tp_stats_unit_fini(struct tp_stats_unit *u)
{
    tp_free(u->large_ps.items);
    tp_free(u->goroutines.items);
    tp_free(u->threads.items);
    tp_free(u->parts.items);
    *u = (struct tp_stats_unit){0};
}
