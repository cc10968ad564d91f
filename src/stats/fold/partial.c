#include "stats/fold/partial_breakdown.h"

#include <string.h>

#include "base/alloc.h"
#include "merge/tables/event_shape.h"

void tp_partial_clear(struct tp_partial *s)
{
    tp_tables_release(s->tables);
    s->tables = NULL;
    tp_durations_clear(&s->durations);
    tp_stack_counts_clear(&s->stacks);
    for (uint32_t i = 0; i < s->first_stacks.count; i++)
        *tp_partial_first_wait_of(s, s->first_stacks.items[i]) = (struct tp_partial_first_wait){0};
    if (s->first_waits != NULL)
        *tp_partial_first_wait_of(s, TP_NO_STACK) = (struct tp_partial_first_wait){0};
    s->first_stacks.count = 0;
    s->own_group_count = 0;
    s->event_count = 0;
    s->first_ns = s->last_ns = 0;
    s->sync_ns = -1;
    TP_SLAB_CLEAR(&s->gs);
    memset(s->recent_gs, 0, sizeof s->recent_gs);
    s->recent_gs[0].id = 1;
    s->logs.words.count = s->logs.free_first = s->logs.free_other = 0;
    s->ended.count = s->short_lived.count = 0;
    tp_nests_clear(&s->regions.as_nests);
    TP_SLOTS_CLEAR(&s->marks.marks);
    TP_SLOTS_CLEAR(&s->marks.clocks);
    s->marks.straddles.count = 0;
    tp_partial_clear_rows(s);
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++)
        tp_slow_part_clear(&s->marks.slow[i]);
    TP_SLOTS_CLEAR(&s->deferred_waits);
    tp_totals_part_clear(&s->longest);
    s->spans_end = s->spans;
    s->paired_waits_end = s->paired_waits;
    s->waits_end = s->waits;
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        TP_SLAB_CLEAR(&s->open_intervals[i]);
    s->open_ends.count = s->over_tasks.count = s->gc_notes.count = 0;
    tp_idset_fini(&s->over_task_ids);
    tp_idset_init(&s->over_task_ids, SIZE_MAX); // tp_partial_bytes bounds it
    TP_SLOTS_CLEAR(&s->logs_of_tasks.chains);
    s->logs_of_tasks.early.count = 0;
    tp_map_clear(&s->logs_of_tasks.early_of_task);
    s->task_ends.count = s->task_sums.count = s->first_legs.count = 0;
    tp_index_clear(&s->task_sums_by_key);
    tp_partial_clear_pairs(s);
    s->open_wakes.count = s->unseen.count = s->evidence.count = s->preemptions.count = 0;
    tp_map_clear(&s->preemption_of);
    s->idle_runs.count = 0;
    s->idle_runs.ns = 0;
    tp_levels_clear(&s->levels);
    TP_SLAB_CLEAR(&s->procs);
    memset(s->gauges, 0, sizeof s->gauges);
    tp_map_clear(&s->measures_by_string);
    s->reasons.count = 0;
}

void tp_partial_set_limit(struct tp_partial *s, uint32_t limit,
                          const struct tp_partial_floor *floor)
{
    s->longest.limit = limit;
    s->longest.least_ns = floor->longest_ns;
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++) {
        s->marks.slow[i].limit = limit;
        s->marks.slow[i].least_ns = floor->slow_ns[i];
    }
}

// The lists of a partial, also those with slots. X(member)
#define LISTS(X)                                                                        \
    X(ended) X(short_lived) X(longest.items) X(logs.words) X(deferred_waits) X(regions) \
    X(marks.clocks) X(marks.marks) X(marks.straddles) X(marks.rows)                     \
    X(marks.slow[TP_SLOW_TASK].items) X(marks.slow[TP_SLOW_REGION].items) X(open_ends)  \
    X(logs_of_tasks.chains) X(logs_of_tasks.early) X(over_tasks) X(task_ends)           \
    X(task_sums) X(first_legs) X(gc_notes) X(levels.buckets) X(reasons) X(first_stacks) \
    X(pairs) X(pair_sums) X(open_wakes) X(unseen) X(evidence) X(preemptions)
_Static_assert(TP_SLOW_KIND_COUNT == 2, "LISTS has those of all kinds");

// The indexes of these lists, and the maps of a partial. X(member)
#define INDEXES(X) X(task_sums_by_key)
#define MAPS(X)                                                                \
    X(logs_of_tasks.early_of_task) X(measures_by_string) X(preemption_of) X(regions.by_hash)

// The most that the totals take for a group of the partial, approximately, if they do not have it
// yet and their lists double for it: the run's account of memory learns of it only after the
// partial was added. A full partial has at most 1,500 groups.
#define GROUP_BYTES 2048

static size_t stack_array_bytes(const struct tp_partial *s)
{
    return s->stack_capacity * (sizeof *s->first_waits + sizeof *s->roots);
}

size_t tp_partial_bytes(const struct tp_partial *s)
{
    const size_t group_bytes = sizeof *s->durations.groups.items + GROUP_BYTES;
    size_t bytes = s->durations.groups.count * group_bytes +
                   s->durations.dist_count * sizeof(struct tp_dist) + s->durations.hist_bytes +
                   s->pair_hist_bytes;
    if (s->tables != NULL)
        bytes += stack_array_bytes(s);
#define TP_X(list) bytes += s->list.count * sizeof *s->list.items;
    LISTS(TP_X)
#undef TP_X
    bytes += s->logs_of_tasks.early.count * 2 * sizeof(struct tp_map_entry);
    bytes += tp_idset_bytes(&s->over_task_ids);
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        bytes += TP_SLAB_BYTES(&s->open_intervals[i]);
    // Counts of stacks that `first_waits` does not hold, with two slots of their index for each.
    bytes += s->stacks.count * (sizeof *s->stacks.items + 2 * sizeof *s->stacks.by_key.numbers);
    // The arrays of pointers: any group may have a distribution for each reason.
    bytes += s->reasons.count * (s->durations.groups.count + 1) * sizeof(struct tp_dist *);
    return bytes + TP_SLAB_BYTES(&s->gs) + TP_SLAB_BYTES(&s->procs);
}

// Returns the memory of a slab that tp_slab_clear keeps.
static size_t kept_of_slab(const struct tp_slab *s, size_t item_bytes)
{
    return s->slots.list.capacity * item_bytes + tp_map_bytes(&s->by_id);
}

size_t tp_partial_kept_bytes(const struct tp_partial *s)
{
    size_t bytes = stack_array_bytes(s) +
                   s->durations.groups.capacity * sizeof *s->durations.groups.items +
                   s->durations.made_dist_count * sizeof(struct tp_dist) +
                   tp_index_bytes(&s->durations.by_key) +
                   s->stacks.capacity * sizeof *s->stacks.items +
                   tp_index_bytes(&s->stacks.by_key) +
                   kept_of_slab(&s->gs.as_slab, sizeof *s->gs.items) +
                   kept_of_slab(&s->procs.as_slab, sizeof *s->procs.items);
#define TP_X(list) bytes += s->list.capacity * sizeof *s->list.items;
    LISTS(TP_X)
#undef TP_X
#define TP_X(index) bytes += tp_index_bytes(&s->index);
    INDEXES(TP_X)
#undef TP_X
#define TP_X(map) bytes += tp_map_bytes(&s->map);
    MAPS(TP_X)
#undef TP_X
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        bytes += kept_of_slab(&s->open_intervals[i].as_slab, sizeof *s->open_intervals[i].items);
    return bytes;
}

void tp_partial_fini(struct tp_partial *s)
{
    tp_partial_clear(s);
    tp_durations_fini(&s->durations);
    tp_stack_counts_fini(&s->stacks);
    TP_SLAB_FINI(&s->gs);
    TP_SLAB_FINI(&s->procs);
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        TP_SLAB_FINI(&s->open_intervals[i]);
#define TP_X(list) tp_free(s->list.items);
    LISTS(TP_X)
#undef TP_X
#define TP_X(map) tp_map_fini(&s->map);
    MAPS(TP_X)
#undef TP_X
#define TP_X(index) tp_index_fini(&s->index);
    INDEXES(TP_X)
#undef TP_X
    tp_free(s->first_waits);
    tp_free(s->roots);
    *s = (struct tp_partial){0};
}

static bool take_tables(struct tp_partial *s, struct tp_tables *tables)
{
    if (tables == NULL || tp_likely(tables == s->tables))
        return true;
    // A partial has one generation.
    assert(s->tables == NULL);
    tp_tables_hold(tables);
    s->tables = tables;
    s->durations.is_quick = true;
    return tp_partial_make_tables(s);
}

static TP_NOINLINE bool add_sample(struct tp_partial *s, const struct tp_event *e)
{
    uint32_t stack = tp_partial_stack(s, tp_arg(e, CPUSample, stack));
    return !tp_partial_wants(s, TP_PART_STACKS) || tp_partial_add_wait(s, stack, TP_STACK_CPU, 0);
}

// Dispatches events of the less frequent kinds. Makes tail calls only, so it needs no stack frame
// of its own.
static TP_NOINLINE bool add_other(struct tp_partial *s, const struct tp_event *e)
{
    switch ((enum tp_kind)tp_event_shapes[e->type].kind) {
    case TP_KIND_STACK_SAMPLE: return add_sample(s, e);
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: return tp_partial_range(s, e);
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END: return tp_partial_task(s, e);
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END: return tp_partial_region(s, e);
    case TP_KIND_LOG: return tp_partial_log(s, e);
    case TP_KIND_LABEL: return tp_partial_label(s, e) && tp_partial_gc(s, e);
    case TP_KIND_SYNC: s->sync_ns = e->time_ns; return tp_partial_gc(s, e);
    default: return tp_partial_gc(s, e);
    }
}

TP_NOINLINE bool tp_partial_event_by_shape(struct tp_partial *s, const struct tp_event *e)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    if (shape->kind == TP_KIND_TRANSITION)
        return shape->resource == TP_RESOURCE_GOROUTINE
                   ? tp_partial_change(s, e)
                   : !tp_partial_wants(s, TP_PART_TIMELINE) || tp_partial_proc(s, e);
    if (shape->kind != TP_KIND_METRIC)
        return add_other(s, e);
    if (tp_partial_wants(s, TP_PART_TIMELINE))
        tp_partial_gauge(s, e);
    return e->type != TP_EV_ProcsChange || tp_partial_gc(s, e);
}

// Returns the index after the last event that lies in the same window of `l` (stats/figures/levels.h) as
// event `first`. Times only rise, except beyond 2^63 ns in damaged traces.
static size_t window_end(const struct tp_levels *l, const struct tp_block *block, size_t first)
{
    int64_t first_ns = block->events[first].time_ns;
    int64_t last_ns = block->events[block->event_count - 1].time_ns;
    if (tp_likely(last_ns >= first_ns && tp_levels_is_in_window(l, last_ns)))
        return block->event_count;
    size_t end = first + 1;
    while (end < block->event_count && tp_levels_is_in_window(l, block->events[end].time_ns))
        end++;
    return end;
}

// Adds the events from `e` up to `end`. Not inlined, so that the loop gets all registers. False:
// out of memory.
static TP_NOINLINE bool add_run(struct tp_partial *s, const struct tp_event *e,
                                const struct tp_event *end)
{
    if (s->parts == TP_PARTS_ALL) {
        while (e < end && tp_partial_event_of_all(s, e))
            e++;
    } else {
        while (e < end && tp_partial_event(s, e))
            e++;
    }
    return e == end;
}

static bool add_events(struct tp_partial *s, const struct tp_block *block)
{
    bool fits = true;
    if (!tp_partial_wants(s, TP_PART_TIMELINE))
        return add_run(s, block->events, block->events + block->event_count);
    for (size_t i = 0; i < block->event_count && fits;) {
        int64_t time_ns = block->events[i].time_ns;
        fits = tp_levels_is_in_window(&s->levels, time_ns) || tp_levels_turn(&s->levels, time_ns);
        size_t end = window_end(&s->levels, block, i);
        fits = fits && add_run(s, &block->events[i], &block->events[end]);
        i = end;
    }
    tp_levels_flush(&s->levels);
    return fits;
}

int tp_partial_fold(struct tp_partial *s, const struct tp_block *block, struct tp_error *err)
{
    if (block->event_count == 0)
        return 0;
    if (!take_tables(s, block->tables) || !add_events(s, block) || !tp_partial_record(s))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    if (s->event_count == 0)
        s->first_ns = block->events[0].time_ns;
    s->last_ns = block->events[block->event_count - 1].time_ns;
    s->event_count += block->event_count;
    return 0;
}
