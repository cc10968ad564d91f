#include "stats/figures/stack_sums.h"

#include "base/alloc.h"

static uint64_t hash_of(const void *list, uint32_t number)
{
    const struct tp_stack_counts *c = list;
    return tp_stack_count_hash(tp_stack_count_key(c->items[number].stack, c->items[number].type));
}

static void free_times(struct tp_stack_counts *c, struct tp_stack_count *of)
{
    if (of->timed == TP_STACK_TIMED_MANY) {
        c->times_bytes -= sizeof *of->times + tp_hist_bytes(&of->times->hist);
        tp_dist_fini(of->times);
        tp_free(of->times);
    }
    of->timed = TP_STACK_TIMED_NONE;
}

void tp_stack_counts_clear(struct tp_stack_counts *c)
{
    if (c->count > 0)
        tp_index_clear(&c->by_key);
    for (uint32_t i = 0; i < c->count; i++)
        free_times(c, &c->items[i]);
    c->count = 0;
}

void tp_stack_counts_fini(struct tp_stack_counts *c)
{
    tp_stack_counts_clear(c);
    tp_index_fini(&c->by_key);
    tp_free(c->items);
    *c = (struct tp_stack_counts){0};
}

size_t tp_stack_counts_bytes(const struct tp_stack_counts *c)
{
    return c->count * sizeof *c->items + tp_index_bytes(&c->by_key) + c->times_bytes;
}

bool tp_stack_counts_add(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                         uint64_t count, tp_wide total_ns)
{
    struct tp_stack_count *known = tp_stack_counts_find(c, stack, type);
    if (tp_unlikely(known == NULL)) {
        if (!TP_LIST_ROOM(c) || !tp_index_make_room(&c->by_key, c->count, hash_of, c))
            return false;
        known = &c->items[c->count];
        *known = (struct tp_stack_count){.stack = stack, .type = (uint8_t)type};
        tp_index_put(&c->by_key, hash_of(c, c->count), c->count);
        c->count++;
    }
    known->count += count;
    known->total_ns = tp_wide_add(known->total_ns, total_ns);
    return true;
}

// Gives an item a distribution of its own, with the wait that lies in it. Returns the distribution. NULL:
// out of memory, and nothing has changed.
static struct tp_dist *spread(struct tp_stack_counts *c, struct tp_stack_count *of)
{
    if (of->timed == TP_STACK_TIMED_MANY)
        return of->times;
    struct tp_dist *times = tp_alloc_zero(sizeof *times);
    if (times == NULL)
        return NULL;
    times->hist.is_quick = true; // the first values lie in the struct
    bool fits = of->timed != TP_STACK_TIMED_ONE || tp_dist_add(times, of->one_ns, of->one_at);
    assert(fits);
    c->times_bytes += sizeof *times;
    of->times = times;
    of->timed = TP_STACK_TIMED_MANY;
    return times;
}

// Returns the distribution of an item, to which the caller adds `more` waits. Up to as many values as lie in
// the struct its histogram is quick; for more, items take less memory. NULL: out of memory.
static struct tp_dist *times_of(struct tp_stack_counts *c, struct tp_stack_count *of, uint64_t more)
{
    struct tp_dist *times = spread(c, of);
    if (times == NULL || !times->hist.is_quick || times->count + more <= TP_HIST_FEW_VALUES)
        return times;
    struct tp_hist items = {.count = 0};
    bool fits = tp_hist_merge(&items, &times->hist);
    tp_hist_fini(fits ? &times->hist : &items);
    if (!fits)
        return NULL;
    times->hist = items;
    c->times_bytes += tp_hist_bytes(&items);
    return times;
}

static bool add_time(struct tp_stack_counts *c, struct tp_stack_count *of, uint64_t ns, uint64_t at)
{
    if (of->timed == TP_STACK_TIMED_NONE) {
        of->one_ns = ns;
        of->one_at = at;
        of->timed = TP_STACK_TIMED_ONE;
        return true;
    }
    struct tp_dist *into = times_of(c, of, 1);
    return into != NULL && tp_dist_add_measured(into, ns, at, &c->times_bytes);
}

// Whether a distribution is one duration and nothing more; a state may have one with another sum.
static bool is_one(const struct tp_dist *d)
{
    return d->count == 1 && d->total_ns == d->max_ns && d->cut == NULL;
}

bool tp_stack_counts_add_times(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                               const struct tp_dist *times)
{
    struct tp_stack_count *of = tp_stack_counts_find(c, stack, type);
    if (of == NULL || times == NULL)
        return true;
    if (is_one(times))
        return add_time(c, of, times->max_ns, times->max_at);
    struct tp_dist *into = times_of(c, of, times->count);
    if (into == NULL)
        return false;
    size_t before_bytes = tp_hist_bytes(&into->hist);
    bool fits = tp_dist_merge(into, times);
    c->times_bytes += tp_hist_bytes(&into->hist) - before_bytes;
    return fits;
}

bool tp_stack_counts_add_time(struct tp_stack_counts *c, uint32_t stack, unsigned type, uint64_t ns,
                              uint64_t at)
{
    struct tp_stack_count *of = tp_stack_counts_find(c, stack, type);
    return of == NULL || add_time(c, of, ns, at);
}

void tp_stack_counts_place(struct tp_stack_counts *c, const struct tp_trace_zero *zero)
{
    for (uint32_t i = 0; i < c->count; i++) {
        struct tp_stack_count *of = &c->items[i];
        if (of->timed == TP_STACK_TIMED_MANY)
            tp_dist_place(of->times, zero);
        else if (of->timed == TP_STACK_TIMED_ONE && of->one_at != TP_NO_MOMENT)
            of->one_at = tp_as_moment((int64_t)of->one_at, zero);
    }
}

bool tp_stack_counts_take(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                          struct tp_stack_count *ret_count)
{
    struct tp_stack_count *known = tp_stack_counts_find(c, stack, type);
    if (known == NULL)
        return false;
    uint32_t number = (uint32_t)(known - c->items), last = c->count - 1;
    free_times(c, known);
    *ret_count = *known;
    tp_index_remove(&c->by_key, number, hash_of, c);
    if (number != last) {
        tp_index_set(&c->by_key, hash_of(c, last), last, number);
        c->items[number] = c->items[last];
    }
    c->count--;
    return true;
}

void tp_stack_counts_renumber(struct tp_stack_counts *c, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < c->count; i++)
        c->items[i].stack = numbers[c->items[i].stack];
    tp_index_refill(&c->by_key, c->count, hash_of, c);
}
