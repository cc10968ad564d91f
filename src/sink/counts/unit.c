#include "sink/counts/unit.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

static bool grow(struct tp_stats_ids *list, size_t most)
{
    size_t wanted = list->capacity == 0 ? TP_LIST_FIRST : 2 * (size_t)list->capacity;
    return list->count < most &&
           tp_list_resize(&list->as_list, wanted < most ? wanted : most, sizeof *list->items);
}

static void put_id(struct tp_stats_unit *u, struct tp_stats_ids *list, size_t most, uint64_t id)
{
    if (tp_unlikely(list->count == list->capacity) && !grow(list, most))
        u->out_of_memory = true;
    else
        list->items[list->count++] = id;
}

static void put_p(struct tp_stats_unit *u, uint64_t p)
{
    const struct tp_stats_ids *large = &u->large_ps;
    if (tp_likely(p < TP_STATS_SMALL_PS))
        u->small_ps[p / 64] |= UINT64_C(1) << p % 64;
    else if (large->count == 0 || large->items[large->count - 1] != p)
        put_id(u, &u->large_ps, TP_STATS_LARGE_PS_MAX, p);
}

static void put_thread(struct tp_stats_unit *u, uint64_t thread)
{
    uint64_t *recent = &u->recent_threads[thread % TP_STATS_RECENT_THREADS];
    if (*recent == thread && thread != 0)
        return;
    *recent = thread;
    put_id(u, &u->threads, TP_STATS_THREADS_MAX, thread);
}

static void on_ident(void *ctx, enum tp_ident ident, uint64_t number)
{
    struct tp_stats_unit *u = ctx;
    switch (ident) {
    case TP_IDENT_NONE: break;
    case TP_IDENT_GOROUTINE: put_id(u, &u->goroutines, TP_STATS_GOROUTINES_MAX, number); break;
    case TP_IDENT_PROC: put_p(u, number); break;
    case TP_IDENT_THREAD: put_thread(u, number); break;
    case TP_IDENT_FREQUENCY: u->frequency = number; break;
    }
}

static void count_extent(struct tp_stats_unit *u, const struct tp_format *f,
                         const struct tp_extent *x, const unsigned char *bytes,
                         struct tp_tally_result *ret_found)
{
    *ret_found = f->decoder->tally(&u->tally, x, bytes, f->minor, on_ident, u);
    if (x->kind == TP_EXTENT_BATCH && ret_found->used_bytes < x->len_bytes)
        tp_sink_note_undecoded(&u->notes, x, ret_found->used_bytes);
}

static void reset(struct tp_stats_unit *u)
{
    memset(&u->tally, 0, sizeof u->tally);
    memset(u->small_ps, 0, sizeof u->small_ps);
    memset(u->recent_threads, 0, sizeof u->recent_threads);
    u->frequency = 0;
    u->notes = (struct tp_sink_notes){0};
    u->large_ps.count = u->goroutines.count = u->threads.count = 0;
    u->out_of_memory = false;
}

int tp_stats_unit_count(struct tp_stats_unit *u, const struct tp_unit *unit, struct tp_error *err)
{
    const unsigned char *bytes = unit->bytes.ptr;
    reset(u);
    assert(unit->extent_count <= TP_UNIT_EXTENTS);
    for (size_t i = 0; i < unit->extent_count; bytes += unit->extents[i++].len_bytes)
        count_extent(u, &unit->input->format, &unit->extents[i], bytes, &u->found[i]);
    return u->out_of_memory ? tp_fail(err, TP_E_MEMORY, "out of memory for counting a segment") : 0;
}

void tp_stats_unit_fini(struct tp_stats_unit *u)
{
    tp_free(u->large_ps.items);
    tp_free(u->goroutines.items);
    tp_free(u->threads.items);
    *u = (struct tp_stats_unit){0};
}
