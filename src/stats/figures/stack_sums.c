#include "stats/figures/stack_sums.h"

#include "base/alloc.h"

static uint64_t hash_of(const void *list, uint32_t number)
{
    const struct tp_stack_counts *c = list;
    return tp_stack_count_hash(c->items[number].key);
}

static void free_times(struct tp_stack_counts *c, struct tp_dist *times)
{
    if (times == NULL)
        return;
    c->times_bytes -= sizeof *times + tp_hist_bytes(&times->hist);
    tp_dist_fini(times);
    tp_free(times);
}

void tp_stack_counts_clear(struct tp_stack_counts *c)
{
    if (c->count > 0)
        tp_index_clear(&c->by_key);
    for (uint32_t i = 0; i < c->count; i++)
        free_times(c, c->items[i].times);
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
        *known = (struct tp_stack_count){.key = tp_stack_count_key(stack, type)};
        tp_index_put(&c->by_key, tp_stack_count_hash(known->key), c->count++);
    }
    known->count += count;
    known->total_ns = tp_wide_add(known->total_ns, total_ns);
    return true;
}

// Returns the distribution of an item, which is made if it is missing. NULL: out of memory.
static struct tp_dist *times_of(struct tp_stack_counts *c, struct tp_stack_count *of)
{
    if (of->times == NULL) {
        of->times = tp_alloc_zero(sizeof *of->times);
        c->times_bytes += of->times != NULL ? sizeof *of->times : 0;
    }
    return of->times;
}

bool tp_stack_counts_add_times(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                               const struct tp_dist *times)
{
    struct tp_stack_count *of = tp_stack_counts_find(c, stack, type);
    if (of == NULL || times == NULL)
        return true;
    struct tp_dist *into = times_of(c, of);
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
    struct tp_dist *into = of != NULL ? times_of(c, of) : NULL;
    return of == NULL || (into != NULL && tp_dist_add_measured(into, ns, at, &c->times_bytes));
}

bool tp_stack_counts_take(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                          struct tp_stack_count *ret_count)
{
    const struct tp_stack_count *known = tp_stack_counts_find(c, stack, type);
    if (known == NULL)
        return false;
    uint32_t number = (uint32_t)(known - c->items), last = c->count - 1;
    *ret_count = *known;
    ret_count->times = NULL;
    free_times(c, known->times);
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
    for (uint32_t i = 0; i < c->count; i++) {
        struct tp_stack_count *of = &c->items[i];
        of->key = tp_stack_count_key(numbers[tp_stack_count_stack(of)], tp_stack_count_type(of));
    }
    tp_index_refill(&c->by_key, c->count, hash_of, c);
}
