#include "sink/counts/unit.h"

#include <string.h>

#include "base/alloc.h"

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

static void put_p(struct tp_stats_unit *u, uint64_t p)
{
    const struct tp_stats_ids *large = &u->large_ps;
    if (tp_likely(p < TP_STATS_SMALL_PS))
        u->small_ps[p / 64] |= UINT64_C(1) << p % 64;
    else if (large->count > 0 && large->items[large->count - 1] == p)
        return;
    else if (!put_id(&u->large_ps, TP_STATS_LARGE_PS_MAX, p))
        u->out_of_memory = true;
}

static void put_goroutine(struct tp_stats_unit *u, uint64_t g)
{
    if (!put_id(&u->goroutines, TP_STATS_GOROUTINES_MAX, g))
        u->out_of_memory = true;
}

static void put_thread(struct tp_stats_unit *u, uint64_t thread)
{
    uint64_t *recent = &u->recent_threads[thread % TP_STATS_RECENT_THREADS];
    if (*recent == thread && thread != 0)
        return;
    *recent = thread;
    if (!put_id(&u->threads, TP_STATS_THREADS_MAX, thread))
        u->out_of_memory = true;
}

static void on_ident(void *ctx, enum tp_ident ident, uint64_t number)
{
    struct tp_stats_unit *u = ctx;
    switch (ident) {
    case TP_IDENT_NONE: break;
    case TP_IDENT_GOROUTINE: put_goroutine(u, number); break;
    case TP_IDENT_PROC: put_p(u, number); break;
    case TP_IDENT_THREAD: put_thread(u, number); break;
    case TP_IDENT_FREQUENCY: u->frequency = number; break;
    }
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

static void add_to_part(struct tp_stats_unit *u, const struct tp_extent *x,
                        const struct tp_tally_result *r)
{
    struct tp_stats_part *part = need_part(u, x);
    uint64_t last_ticks;
    if (part == NULL)
        u->out_of_memory = true;
    else if (r->has_times && !__builtin_add_overflow(x->time_ticks, r->dt_ticks, &last_ticks) &&
             last_ticks > part->last_ticks)
        part->last_ticks = last_ticks;
}

static void add_to_batches(struct tp_stats_unit *u, const struct tp_extent *x,
                           const struct tp_tally_result *r)
{
    if (x->header_bytes > 0)
        tp_stats_batches_begin(&u->batches, x->time_ticks);
    tp_stats_batches_add(&u->batches, r);
}

static void count_extent(struct tp_stats_unit *u, const struct tp_format *f,
                         const struct tp_extent *x, const unsigned char *bytes)
{
    struct tp_tally_result r = f->decoder->tally(&u->tally, x, bytes, f->minor, on_ident, u);
    if (x->kind != TP_EXTENT_BATCH)
        return;
    u->batch_count += x->header_bytes > 0; // else the last one goes on
    if (r.used_bytes < x->len_bytes)
        tp_sink_note_undecoded(&u->notes, x, r.used_bytes);
    if (f->decoder->has_generations)
        add_to_part(u, x, &r);
    else
        add_to_batches(u, x, &r);
}

static void reset(struct tp_stats_unit *u)
{
    memset(&u->tally, 0, sizeof u->tally);
    memset(u->small_ps, 0, sizeof u->small_ps);
    memset(u->recent_threads, 0, sizeof u->recent_threads);
    u->batch_count = u->frequency = 0;
    u->notes = (struct tp_sink_notes){0};
    u->batches = (struct tp_stats_batches){0};
    u->large_ps.count = u->goroutines.count = u->threads.count = u->parts.count = 0;
    u->continues = u->out_of_memory = false;
}

int tp_stats_unit_count(struct tp_stats_unit *u, const struct tp_unit *unit, struct tp_error *err)
{
    const unsigned char *bytes = unit->bytes.ptr;
    reset(u);
    for (size_t i = 0; i < unit->extent_count; bytes += unit->extents[i++].len_bytes)
        count_extent(u, &unit->input->format, &unit->extents[i], bytes);
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
