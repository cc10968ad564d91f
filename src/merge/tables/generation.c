#include "merge/tables/generation.h"

#include <string.h>

#include "base/alloc.h"
#include "base/truncate.h"
#include "decode/event_v2.h"
#include "decode/spec.h"

#define FIRST_MS 8
#define FIRST_BATCHES 4
// In a generation with more Ms than this, most Ms have one batch.
#define MANY_MS 1024
// The marks may take up to list_max_bytes divided by this number.
#define MARKS_SHARE 4

uint32_t tp_m_run_largest_bytes(const struct tp_m_run *run)
{
    uint32_t most_bytes = 0;
    for (size_t i = 0; i < run->batches.count; i++) {
        if (run->batches.items[i].body_bytes > most_bytes)
            most_bytes = run->batches.items[i].body_bytes;
    }
    return most_bytes;
}

void tp_generation_init(struct tp_generation *g, size_t list_max_bytes)
{
    *g = (struct tp_generation){.list_max_bytes = list_max_bytes,
                                .list_room_bytes = list_max_bytes,
                                .unmarked_offset = UINT64_MAX};
}

static void free_lists(struct tp_generation *g)
{
    // Runs past the count keep their memory for the next generation.
    for (size_t i = 0; i < g->ms.capacity; i++)
        tp_free(g->ms.items[i].batches.items);
    tp_free(g->ms.items);
    tp_index_fini(&g->index);
    g->ms.items = NULL;
    g->ms.count = g->ms.capacity = 0;
    g->list_room_bytes = g->list_max_bytes;
}

void tp_generation_fini(struct tp_generation *g)
{
    free_lists(g);
    tp_free(g->marks.items);
    *g = (struct tp_generation){0};
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return ((const struct tp_generation *)list)->ms.items[number].m;
}

static bool is_m(const void *list, uint32_t number, const void *key)
{
    return ((const struct tp_generation *)list)->ms.items[number].m == *(const uint64_t *)key;
}

static void clear_index(struct tp_generation *g)
{
    if (g->ms.count > g->index.count / 16) {
        tp_index_clear(&g->index);
        return;
    }
    // Clears only the used slots, because a small generation may follow a large one.
    for (uint32_t i = 0; i < g->ms.count; i++)
        tp_index_remove(&g->index, i, hash_by_number, g);
}

void tp_generation_reset(struct tp_generation *g)
{
    clear_index(g);
    for (size_t i = 0; i < g->ms.count; i++) {
        g->ms.items[i].batches.count = 0;
        g->ms.items[i].last_ticks = 0;
    }
    // Lists kept from earlier generations must not take memory that the next generation needs.
    if (tp_generation_list_bytes(g) > g->list_max_bytes / 4)
        free_lists(g);
    *g = (struct tp_generation){.ms = g->ms,
                                .list_max_bytes = g->list_max_bytes,
                                .list_room_bytes = g->list_room_bytes,
                                .index = g->index,
                                .unmarked_offset = UINT64_MAX,
                                .marks = g->marks,
                                .after_loss = g->after_loss};
    g->ms.count = g->marks.count = 0;
}

bool tp_generation_is_closed_by(const struct tp_generation *g, const struct tp_extent *x)
{
    if (g->number == 0)
        return false;
    return g->has_end_mark || (x->kind == TP_EXTENT_BATCH && x->first_of_generation);
}

// Fills the error for lists that cannot grow, because of list_max_bytes if `code` is TP_E_LIMIT,
// else for lack of memory.
static int refuse(const struct tp_generation *g, int code, struct tp_error *err)
{
    if (code != TP_E_LIMIT)
        return tp_fail(err, code, "out of memory for the list of batches of a generation");
    return tp_generation_refuse_batches(g, err);
}

int tp_generation_refuse_batches(const struct tp_generation *g, struct tp_error *err)
{
    // Half of the memory is certainly of use: lists double.
    size_t limit = g->list_max_bytes / sizeof(struct tp_batch_ref) / 2;
    return tp_fail(err, TP_E_TOO_LARGE,
                   "generation %llu has too many batches; the limit is about %zu, at any "
                   "--max-memory", (unsigned long long)g->number, limit);
}

// Makes room for one more run. A run that was not used before has no list of batches.
static int make_room_for_run(struct tp_generation *g, struct tp_error *err)
{
    uint32_t before = g->ms.capacity;
    int code =
        tp_index_make_room_within(&g->index, g->ms.count, hash_by_number, g, &g->list_room_bytes);
    if (code == 0)
        code = TP_LIST_ROOM_WITHIN(&g->ms, FIRST_MS, &g->list_room_bytes);
    if (code != 0)
        return refuse(g, code, err);
    memset(&g->ms.items[before], 0, (g->ms.capacity - before) * sizeof *g->ms.items);
    return 0;
}

// Finds the run of thread `m`, or adds one.
static int need_run(struct tp_generation *g, uint64_t m, struct tp_m_run **ret_run,
                    struct tp_error *err)
{
    uint32_t known = tp_index_find(&g->index, m, g, is_m, &m);
    if (known == TP_INDEX_NONE) {
        int code = make_room_for_run(g, err);
        if (code != 0)
            return code;
        known = tp_index_put(&g->index, m, g->ms.count++);
        g->ms.items[known].m = m;
    }
    *ret_run = &g->ms.items[known];
    return 0;
}

static void update_back_ticks(struct tp_generation *g, struct tp_m_run *run, uint64_t ticks)
{
    if (ticks >= run->last_ticks)
        run->last_ticks = ticks;
    else if (ticks != 0 && run->last_ticks - ticks > g->times.back_ticks)
        g->times.back_ticks = run->last_ticks - ticks;
}

static int list_batch(struct tp_generation *g, const struct tp_extent *x, struct tp_error *err)
{
    struct tp_m_run *run;
    int code = need_run(g, x->m, &run, err);
    if (code != 0)
        return code;
    update_back_ticks(g, run, x->time_ticks);
    if (!g->has_lists)
        return 0;
    uint32_t first = g->ms.count > MANY_MS ? 1 : FIRST_BATCHES;
    code = TP_LIST_ROOM_WITHIN(&run->batches, first, &g->list_room_bytes);
    if (code == TP_E_LIMIT) {
        g->has_lists = false;
        return 0;
    }
    if (code != 0)
        return refuse(g, code, err);
    g->last_batch = &run->batches.items[run->batches.count++];
    *g->last_batch = (struct tp_batch_ref){
        .offset = x->offset,
        .header_bytes = x->header_bytes,
        .body_bytes = x->len_bytes - x->header_bytes,
        .time_ticks = x->time_ticks,
    };
    return 0;
}

// Reads the frequency and the clock from a sync batch, up to the first event that cannot be read.
static void read_sync(struct tp_generation *g, struct tp_span body, uint64_t batch_ticks,
                      uint32_t minor)
{
    const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_LENIENT);
    const unsigned char *p = body.ptr, *end = p + body.len_bytes;
    struct tp_wire_event ev;
    while (p < end && tp_event_read(&p, end, table, &ev) == TP_EVENT_OK) {
        if (ev.type == TP_EV_Frequency && !g->has_frequency) {
            g->has_frequency = true;
            g->frequency = tp_wire_arg(&ev, Frequency, freq);
        } else if (ev.type == TP_EV_ClockSnapshot && !g->has_clock) {
            g->has_clock = true;
            g->clock = (struct tp_clock_snapshot){
                .trace_ticks = batch_ticks + tp_wire_arg(&ev, ClockSnapshot, dt),
                .mono_ns = tp_wire_arg(&ev, ClockSnapshot, mono),
                .wall_sec = tp_wire_arg(&ev, ClockSnapshot, sec),
                .wall_nsec = tp_wire_arg(&ev, ClockSnapshot, nsec)};
        }
    }
}

// Estimates when the generation ended. The times of batches of strings do not show this, because
// the first one begins long before it is full. Before Go 1.25 the batch of the frequency does not
// show it either, because it is written before the threads hand over their batches.
static void update_end(struct tp_generation *g, const struct tp_extent *x)
{
    if (x->batch_kind == TP_BATCH_EVENTS || x->batch_kind == TP_BATCH_SAMPLES)
        g->end_ticks = 0;
    if (x->time_ticks > g->last_ticks)
        g->last_ticks = x->time_ticks;
    // The first batch of stacks counts, because writing all of them may take long.
    if (x->batch_kind == TP_BATCH_STACKS && g->end_ticks == 0 && x->time_ticks == g->last_ticks)
        g->end_ticks = x->time_ticks;
}

// Adds the batch to the batch times. Traces from before Go 1.22 have runs instead of batches
// (decode/scan_v1.h): a run that continues a batch has no header, and a run that is nothing but a
// header belongs to the tables.
static void update_times(struct tp_generation *g, const struct tp_extent *x)
{
    struct tp_batch_times *t = &g->times;
    bool is_events = x->batch_kind == TP_BATCH_EVENTS && x->len_bytes > x->header_bytes;
    uint64_t ticks = x->time_ticks;
    if (x->batch_kind == TP_BATCH_STACKS)
        t->closed_ticks = ticks;
    else if (is_events)
        t->closed_ticks = 0;
    if (x->header_bytes == 0 || ticks == 0)
        return;
    t->batch_count++;
    if (ticks > t->latest_ticks) {
        t->second_ticks = t->latest_ticks;
        t->latest_ticks = ticks;
        t->latest_is_events = is_events;
    } else if (ticks > t->second_ticks) {
        t->second_ticks = ticks;
    }
    if (!is_events)
        return;
    if (t->event_batch_count++ == 0 || ticks < t->first_events_ticks)
        t->first_events_ticks = ticks;
    if (ticks > t->last_events_ticks)
        t->last_events_ticks = ticks;
}

static int add_batch(struct tp_generation *g, const struct tp_extent *x, struct tp_span bytes,
                     uint32_t minor, struct tp_error *err)
{
    if (g->number == 0) {
        g->number = x->generation;
        g->begin_offset = x->offset;
        g->complete = !g->after_loss;
        g->has_lists = true;
    }
    g->after_loss = false;
    g->end_offset = x->offset + x->len_bytes;
    g->batch_count++;
    g->batch_bytes += x->len_bytes;
    if (g->begin_ticks == 0 || x->time_ticks < g->begin_ticks)
        g->begin_ticks = x->time_ticks;
    update_end(g, x);
    update_times(g, x);
    switch (x->batch_kind) {
    case TP_BATCH_EVENTS: return list_batch(g, x, err);
    case TP_BATCH_SYNC:
        read_sync(g, tp_span_skip(bytes, x->header_bytes), x->time_ticks, minor);
        return 0;
    default: return 0;
    }
}

int tp_generation_add(struct tp_generation *g, const struct tp_extent *x, struct tp_span bytes,
                      uint32_t minor, struct tp_error *err)
{
    g->last_batch = NULL;
    switch (x->kind) {
    case TP_EXTENT_BATCH: return add_batch(g, x, bytes, minor, err);
    case TP_EXTENT_STRUCTURAL:
        if (x->ends_generation && g->number != 0) {
            g->has_end_mark = true;
            g->end_offset = x->offset + x->len_bytes;
            g->after_loss = false;
        }
        return 0;
    case TP_EXTENT_LOST:
        // A loss after the last batch may contain the rest of this generation or the beginning of
        // the next one, so both count as incomplete.
        g->after_loss = true;
        if (!g->has_end_mark)
            g->complete = false;
        return 0;
    default: return 0;
    }
}

// Makes room for `count` more marks. False: too many marks, or no memory.
static bool has_room_for_marks(struct tp_generation *g, size_t count, struct tp_error *err)
{
    size_t most = g->list_max_bytes / MARKS_SHARE / sizeof *g->marks.items;
    size_t capacity = 2 * (size_t)g->marks.capacity + count;
    if (count <= g->marks.capacity - g->marks.count)
        return true;
    if (count > most - g->marks.count)
        return false;
    capacity = capacity < most ? capacity : most;
    if (tp_list_resize(&g->marks.as_list, capacity, sizeof *g->marks.items))
        return true;
    tp_fail(err, TP_E_MEMORY, "out of memory for the marks of a trace");
    return false;
}

int tp_generation_mark(struct tp_generation *g, uint64_t offset, const uint16_t *marks,
                       size_t count, struct tp_error *err)
{
    err->code = 0;
    if (offset >= g->unmarked_offset)
        return 0;
    if (offset > UINT32_MAX - UINT16_MAX || !has_room_for_marks(g, count, err)) {
        g->unmarked_offset = offset;
        return err->code;
    }
    for (size_t i = 0; i < count; i++)
        g->marks.items[g->marks.count++] = (uint32_t)offset + marks[i];
    return 0;
}

int64_t tp_ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    double factor = 1.0 / ((double)frequency / 1e9);
    return tp_truncate((double)ticks * factor);
}

// Snapshots of damaged traces may lie anywhere; this is the end of the year 9999.
#define WALL_MAX_SEC UINT64_C(253402300799)

bool tp_clock_wall_at(const struct tp_clock_snapshot *c, uint64_t frequency, int64_t ns,
                      struct tp_wall *ret_wall)
{
    int64_t past_ns, snapshot_ns = tp_ticks_to_ns(c->trace_ticks, frequency);
    if (c->wall_sec > WALL_MAX_SEC || c->wall_nsec > 999999999 || ns == INT64_MIN ||
        snapshot_ns == INT64_MIN || __builtin_sub_overflow(ns, snapshot_ns, &past_ns))
        return false;
    struct tp_wall snapshot = {(int64_t)c->wall_sec, (int64_t)c->wall_nsec};
    *ret_wall = tp_wall_after(snapshot, past_ns);
    return true;
}

struct tp_beginning tp_beginning_of(const struct tp_generation *first, uint64_t frequency)
{
    struct tp_beginning b = {0};
    if (first == NULL)
        return b;
    // The first event is the Sync of the first generation, at 1 ns or later.
    b.ns = tp_ticks_to_ns(first->begin_ticks, frequency);
    b.ns = b.ns > 1 ? b.ns : 1;
    b.has_wall = first->has_clock && tp_clock_wall_at(&first->clock, frequency, b.ns, &b.wall);
    return b;
}
