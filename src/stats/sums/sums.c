#include "stats/sums/sums.h"

#include <string.h>

#include "base/alloc.h"

static void clear_pairs(struct tp_sums *s)
{
    for (uint32_t i = 0; i < s->pairs.sums.count; i++)
        tp_dist_fini(&s->pairs.sums.items[i].dist);
    s->pairs.of.count = s->pairs.sums.count = 0;
    s->pairs.hist_bytes = 0;
}

static void clear_times(struct tp_sums *s)
{
    for (uint32_t i = 0; i < s->waits.times.count; i++)
        tp_dist_fini(&s->waits.times.items[i]);
    s->waits.times.count = 0;
    s->waits.hist_bytes = 0;
}

static void clear_caches(struct tp_sums *s)
{
    memset(s->dist_cache, 0, sizeof s->dist_cache);
    memset(s->pairs.cache, 0, sizeof s->pairs.cache);
    memset(s->legs.cache, 0, sizeof s->legs.cache);
    memset(s->recent_rows, 0, sizeof s->recent_rows);
    for (unsigned i = 0; i < TP_SUMS_REASON_SLOTS; i++)
        s->reasons.cache[i].measure = TP_MEASURE_NONE;
}

void tp_sums_clear(struct tp_sums *s)
{
    tp_tables_release(s->tables);
    s->tables = NULL;
    s->life_base = s->lives.first = 0;
    s->event_count = 0;
    memset(s->event_counts, 0, sizeof s->event_counts);
    s->first_ns = s->last_ns = 0;
    tp_durations_clear(&s->durations);
    s->lives.of.count = s->lives.older.count = s->lives.older_spans.count = 0;
    TP_SLOTS_CLEAR(&s->lives.unnamed);
    tp_totals_part_clear(&s->longest);
    s->reasons.of.count = 0;
    tp_map_clear(&s->reasons.measures);
    for (uint32_t i = 0; i < s->waits.stacks.count; i++)
        s->waits.first[s->waits.stacks.items[i]] = (struct tp_sums_first_wait){0};
    s->waits.stacks.count = s->waits.limit = 0;
    tp_stack_counts_clear(&s->waits.others);
    s->samples.count = 0;
    clear_times(s);
    clear_pairs(s);
    s->notes.count = 0;
    s->long_waits.count = 0;
    s->idle_runs.count = 0;
    s->idle_runs.ns = 0;
    s->labelled.of.count = 0;
    s->legs.of.count = 0;
    tp_index_clear(&s->legs.by_key);
    s->rows.count = 0;
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++)
        tp_slow_part_clear(&s->slow[i]);
    tp_levels_clear(&s->levels);
    memset(s->gauges, 0, sizeof s->gauges);
    s->gc_notes.count = 0;
    clear_caches(s);
}

void tp_sums_set_limit(struct tp_sums *s, uint32_t limit, const struct tp_sums_floor *floor)
{
    s->longest.limit.most = limit;
    s->longest.limit.least = floor->longest_ns;
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++) {
        s->slow[i].limit.most = limit;
        s->slow[i].limit.least = floor->slow_ns[i];
    }
}

// All lists in struct tp_sums, including those of slots (base/slots.h). X(member)
#define LISTS(X)                                                                        \
    X(lives.of) X(lives.older) X(lives.older_spans) X(lives.unnamed) X(longest.items) X(reasons.of)          \
    X(waits.stacks) X(waits.times) X(pairs.of) X(pairs.sums) X(notes) X(long_waits) X(labelled.of) X(legs.of) X(rows) \
    X(slow[TP_SLOW_TASK].items) X(slow[TP_SLOW_REGION].items) X(levels.buckets)         \
    X(gc_notes)
_Static_assert(TP_SLOW_KIND_COUNT == 2, "LISTS has those of all kinds");

// About the most memory, in bytes, that a group of durations takes in the totals if it is new to them;
// lists of the totals double when they grow. It counts as memory of the sums, because the run's account
// learns of the totals' memory only after the sums were added. Full sums have at most 1,500 groups.
#define GROUP_BYTES 2048

static size_t stack_array_bytes(const struct tp_sums *s)
{
    return s->waits.capacity * sizeof *s->waits.first;
}

size_t tp_sums_bytes(const struct tp_sums *s)
{
    const size_t group_bytes = sizeof *s->durations.groups.items + GROUP_BYTES;
    size_t bytes = s->durations.groups.count * group_bytes +
                   s->durations.dist_count * sizeof(struct tp_dist) + s->durations.hist_bytes +
                   s->pairs.hist_bytes + s->waits.hist_bytes + s->waits.others.times_bytes;
    if (s->tables != NULL)
        bytes += stack_array_bytes(s);
#define TP_X(list) bytes += s->list.count * sizeof *s->list.items;
    LISTS(TP_X)
#undef TP_X
    // Counts that `waits.first` does not hold, and for each of them two slots of the index.
    bytes += s->waits.others.count *
             (sizeof *s->waits.others.items + 2 * sizeof *s->waits.others.by_key.numbers);
    // Each group has an array of pointers to its distributions, with up to one for each reason.
    return bytes + s->reasons.of.count * (s->durations.groups.count + 1) * sizeof(struct tp_dist *);
}

size_t tp_sums_kept_bytes(const struct tp_sums *s)
{
    size_t bytes = stack_array_bytes(s) +
                   s->durations.groups.capacity * sizeof *s->durations.groups.items +
                   s->durations.made_dist_count * sizeof(struct tp_dist) +
                   tp_index_bytes(&s->durations.by_key) +
                   s->waits.others.capacity * sizeof *s->waits.others.items +
                   tp_index_bytes(&s->waits.others.by_key) + tp_index_bytes(&s->legs.by_key) +
                   tp_map_bytes(&s->reasons.measures);
#define TP_X(list) bytes += s->list.capacity * sizeof *s->list.items;
    LISTS(TP_X)
#undef TP_X
    return bytes;
}

void tp_sums_fini(struct tp_sums *s)
{
    tp_sums_clear(s);
    tp_durations_fini(&s->durations);
    tp_stack_counts_fini(&s->waits.others);
#define TP_X(list) tp_free(s->list.items);
    LISTS(TP_X)
#undef TP_X
    tp_index_fini(&s->legs.by_key);
    tp_map_fini(&s->reasons.measures);
    tp_free(s->waits.first);
    *s = (struct tp_sums){0};
}

static bool make_stack_array(struct tp_sums *s)
{
    size_t count = s->tables->stacks.count + 1;
    if (count > TP_SUMS_STACKS_MAX)
        return true;
    if (count > s->waits.capacity) {
        tp_free(s->waits.first);
        s->waits.capacity = 0;
        s->waits.first = tp_alloc_zero(count * sizeof *s->waits.first);
        if (s->waits.first == NULL)
            return false;
        s->waits.capacity = count;
    }
    s->waits.limit = (uint32_t)count;
    return true;
}

static bool take_tables(struct tp_sums *s, struct tp_tables *tables)
{
    if (tables == NULL || tp_likely(tables == s->tables))
        return true;
    assert(s->tables == NULL); // sums have one generation
    tp_tables_hold(tables);
    s->tables = tables;
    s->durations.is_quick = true;
    return make_stack_array(s);
}

static void add_times(struct tp_sums *s, const struct tp_block *block)
{
    if (block->event_count == 0)
        return;
    if (s->event_count == 0)
        s->first_ns = block->events[0].time_ns;
    s->last_ns = block->events[block->event_count - 1].time_ns;
    s->event_count += block->event_count;
    for (unsigned type = 0; type < TP_EVENT_TYPES; type++)
        s->event_counts[type] += block->facts->event_counts[type];
}

static bool add_gc_notes(struct tp_sums *s, const struct tp_facts *f)
{
    uint32_t count = f->gc_notes.count;
    if (count == 0 || !tp_sums_wants(s, TP_PART_UTILISATION))
        return true;
    if (!TP_LIST_ROOM_FOR(&s->gc_notes, count))
        return false;
    memcpy(s->gc_notes.items + s->gc_notes.count, f->gc_notes.items,
           count * sizeof *f->gc_notes.items);
    s->gc_notes.count += count;
    return true;
}

int tp_sums_add(struct tp_sums *s, const struct tp_block *block, struct tp_error *err)
{
    const struct tp_facts *f = block->facts;
    if (s->lives.first == 0)
        s->lives.first = f->first_life;
    if (f->life_base != 0)
        s->life_base = f->life_base;
    if (!take_tables(s, block->tables) || !tp_sums_add_spans(s, f) || !tp_sums_add_lives(s, f) ||
        !tp_sums_add_wakes(s, f) || !tp_sums_add_labelled(s, f) || !tp_sums_add_waits(s, f) ||
        !tp_sums_add_notes(s, f) || !tp_sums_add_ranges(s, f) || !tp_sums_add_intervals(s, f) ||
        !tp_sums_add_moves(s, f) || !tp_sums_add_others(s, block) || !add_gc_notes(s, f))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    tp_levels_flush(&s->levels);
    add_times(s, block);
    return 0;
}
