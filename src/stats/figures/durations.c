#include "stats/figures/durations.h"

#include <string.h>

#include "base/alloc.h"

bool tp_dist_add_cut(struct tp_dist *d, uint64_t count, tp_wide ns)
{
    if (d->cut == NULL)
        d->cut = tp_alloc_zero(sizeof *d->cut);
    if (d->cut == NULL)
        return false;
    d->cut->count += count;
    d->cut->ns = tp_wide_add(d->cut->ns, ns);
    return true;
}

bool tp_dist_merge(struct tp_dist *into, const struct tp_dist *from)
{
    into->count += from->count;
    into->total_ns = tp_wide_add(into->total_ns, from->total_ns);
    tp_dist_raise(into, from->max_ns, from->max_at);
    return (from->cut == NULL || tp_dist_add_cut(into, from->cut->count, from->cut->ns)) &&
           tp_hist_merge(&into->hist, &from->hist);
}

uint64_t tp_dist_quantile_ns(const struct tp_dist *d, unsigned thousandths)
{
    if (d->count == 0)
        return 0;
    uint64_t rank = (d->count / 1000) * thousandths + (d->count % 1000 * thousandths + 999) / 1000;
    unsigned bucket = tp_hist_bucket_of_rank(&d->hist, rank > 0 ? rank : 1);
    if (bucket == TP_HIST_BUCKETS)
        return 0;
    uint64_t middle = tp_hist_bucket_middle(bucket);
    return middle < d->max_ns ? middle : d->max_ns;
}

void tp_dist_fini(struct tp_dist *d)
{
    tp_free(d->cut);
    tp_hist_fini(&d->hist);
    *d = (struct tp_dist){.hist = d->hist};
}

static uint64_t hash_of(uint32_t space, uint32_t name)
{
    return (uint64_t)space << 32 | name;
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    const struct tp_durations_group *g = &((const struct tp_durations *)list)->groups.items[number];
    return hash_of(g->space, g->name);
}

static bool is_of(const void *list, uint32_t number, const void *key)
{
    const struct tp_durations_group *g = &((const struct tp_durations *)list)->groups.items[number];
    const struct tp_durations_group *wanted = key;
    return g->name == wanted->name && g->space == wanted->space;
}

uint32_t tp_durations_group_of(struct tp_durations *l, enum tp_durations_space space, uint32_t name)
{
    const struct tp_durations_group wanted = {.space = space, .name = name};
    uint64_t hash = hash_of(space, name);
    uint32_t idx = tp_index_find(&l->by_key, hash, l, is_of, &wanted);
    if (tp_unlikely(idx == TP_DURATIONS_NONE)) {
        if (!TP_LIST_ROOM(&l->groups) ||
            !tp_index_make_room(&l->by_key, l->groups.count, hash_by_number, l))
            return TP_DURATIONS_NONE;
        idx = tp_index_put(&l->by_key, hash, l->groups.count++);
        l->groups.items[idx] = wanted;
    }
    l->found[space] = idx;
    return idx;
}

uint32_t tp_durations_find_group(const struct tp_durations *l, enum tp_durations_space space,
                                 uint32_t name)
{
    const struct tp_durations_group wanted = {.space = space, .name = name};
    return tp_index_find(&l->by_key, hash_of(space, name), l, is_of, &wanted);
}

const struct tp_dist *tp_durations_find(const struct tp_durations *l, enum tp_durations_space space,
                                        uint32_t name, uint32_t measure)
{
    uint32_t idx = tp_durations_find_group(l, space, name);
    const struct tp_durations_group *g = idx != TP_DURATIONS_NONE ? &l->groups.items[idx] : NULL;
    return g != NULL && measure < g->dist_count ? g->dists[measure] : NULL;
}

static bool make_room(struct tp_durations_group *g, uint32_t measure)
{
    if (measure < g->dist_count)
        return true;
    uint32_t count = measure + 4;
    struct tp_dist **dists = tp_realloc(g->dists, count * sizeof *dists);
    if (dists == NULL)
        return false;
    memset(dists + g->dist_count, 0, (count - g->dist_count) * sizeof *dists);
    g->dists = dists;
    g->dist_count = count;
    return true;
}

// DISTRIBUTIONS

#define FIRST_DISTS 8
#define MOST_DISTS 256

struct tp_durations_dists {
    struct tp_durations_dists *next;
    _Alignas(16) struct tp_dist items[];
};

static void set_free(struct tp_durations *l, struct tp_dist *d)
{
    memcpy(d, &l->free_dists, sizeof(void *));
    l->free_dists = d;
}

// Allocates as many unused distributions as were allocated before, within limits.
static bool make_dists(struct tp_durations *l)
{
    uint32_t count = l->made_dist_count < FIRST_DISTS ? FIRST_DISTS : l->made_dist_count;
    count = count < MOST_DISTS ? count : MOST_DISTS;
    struct tp_durations_dists *made = tp_alloc(sizeof *made + count * sizeof made->items[0]);
    if (made == NULL)
        return false;
    made->next = l->dists;
    l->dists = made;
    l->made_dist_count += count;
    for (uint32_t i = count; i-- > 0;)
        set_free(l, &made->items[i]);
    return true;
}

static struct tp_dist *make_dist(struct tp_durations *l)
{
    if (l->free_dists == NULL && !make_dists(l))
        return NULL;
    struct tp_dist *d = l->free_dists;
    memcpy(&l->free_dists, d, sizeof(void *));
    *d = (struct tp_dist){.hist = {.is_quick = l->is_quick}};
    l->dist_count++;
    return d;
}

static void free_dist(struct tp_durations *l, struct tp_dist *d)
{
    l->hist_bytes -= tp_hist_bytes(&d->hist);
    tp_dist_fini(d);
    set_free(l, d);
    l->dist_count--;
}

// GROUPS

static struct tp_dist *far_dist(struct tp_durations *l, struct tp_durations_group *g,
                                uint32_t measure)
{
    if (g->far == NULL)
        g->far = tp_alloc_zero(sizeof *g->far);
    if (g->far == NULL || !make_room(g, 0))
        return NULL;
    struct tp_durations_far_dist *known = TP_SLAB_GET(g->far, measure);
    if (known != NULL)
        return known->dist;
    struct tp_dist *d = make_dist(l);
    uint32_t slot = d != NULL ? TP_SLAB_ADD(g->far, measure) : 0;
    if (slot != 0)
        g->far->items[slot] = (struct tp_durations_far_dist){measure, d};
    else if (d != NULL)
        free_dist(l, d);
    return slot != 0 ? d : NULL;
}

struct tp_dist *tp_durations_make_dist(struct tp_durations *l, uint32_t group, uint32_t measure)
{
    struct tp_durations_group *g = &l->groups.items[group];
    if (measure >= TP_DURATIONS_NEAR_MEASURES)
        return far_dist(l, g, measure);
    if (!make_room(g, measure))
        return NULL;
    if (g->dists[measure] == NULL)
        g->dists[measure] = make_dist(l);
    return g->dists[measure];
}

bool tp_durations_add_dist(struct tp_durations *l, struct tp_dist *into, const struct tp_dist *from)
{
    size_t before_bytes = tp_hist_bytes(&into->hist);
    bool fits = tp_dist_merge(into, from);
    l->hist_bytes += tp_hist_bytes(&into->hist) - before_bytes;
    return fits;
}

bool tp_durations_walk_next(struct tp_durations_walk *walk)
{
    const struct tp_durations_group *g = walk->group;
    while (walk->next < g->dist_count) {
        walk->measure = walk->next++;
        walk->dist = g->dists[walk->measure];
        if (walk->dist != NULL)
            return true;
    }
    uint32_t at = walk->next - g->dist_count + 1;
    if (g->far == NULL || at > g->far->count)
        return false;
    walk->measure = g->far->items[at].measure;
    walk->dist = g->far->items[at].dist;
    walk->next++;
    return true;
}

// Returns the distribution of this space, name and measure, creating it if needed. NULL: no memory.
static struct tp_dist *dist_of(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                               uint32_t measure)
{
    uint32_t group = tp_durations_group_of(l, space, name);
    return group != TP_DURATIONS_NONE ? tp_durations_dist(l, group, measure) : NULL;
}

bool tp_durations_record(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                         uint32_t measure, uint64_t ns, uint64_t at, bool is_cut)
{
    struct tp_dist *d = dist_of(l, space, name, measure);
    return d != NULL && tp_durations_add(l, d, ns, at, is_cut);
}

bool tp_durations_record_sum(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                             uint32_t measure, uint64_t count, tp_wide total_ns)
{
    struct tp_dist *d = dist_of(l, space, name, measure);
    if (d != NULL)
        tp_dist_add_sum(d, count, total_ns);
    return d != NULL;
}

// BREAKDOWNS

struct tp_breakdown *tp_durations_make_breakdown(struct tp_durations *l, uint32_t group)
{
    struct tp_durations_group *g = &l->groups.items[group];
    if (g->breakdown == NULL) {
        g->breakdown = tp_alloc_zero(sizeof *g->breakdown);
        l->breakdown_count += g->breakdown != NULL;
    }
    return g->breakdown;
}

bool tp_durations_find_row(struct tp_durations *l, enum tp_durations_space space, uint32_t name,
                           unsigned bucket, struct tp_durations_row *ret)
{
    uint32_t group = tp_durations_group_again(l, space, name);
    ret->of = group != TP_DURATIONS_NONE ? tp_durations_make_breakdown(l, group) : NULL;
    if (ret->of == NULL)
        return false;
    uint32_t before = ret->of->rows.count;
    const struct tp_breakdown_sum *row = tp_breakdown_make_row(ret->of, bucket);
    tp_durations_count_rows(l, ret->of, before);
    if (row == NULL)
        return false;
    ret->number = (uint32_t)(row - ret->of->rows.items);
    return true;
}

static bool merge_breakdown(struct tp_durations *into, uint32_t group,
                            const struct tp_breakdown *from)
{
    if (from == NULL)
        return true;
    struct tp_breakdown *b = tp_durations_make_breakdown(into, group);
    if (b == NULL)
        return false;
    uint32_t before = b->rows.count;
    bool fits = tp_breakdown_merge(b, from);
    tp_durations_count_rows(into, b, before);
    return fits;
}

static void free_breakdown(struct tp_durations *l, struct tp_durations_group *g)
{
    if (g->breakdown == NULL)
        return;
    l->breakdown_count--;
    l->breakdown_row_count -= g->breakdown->rows.count;
    tp_breakdown_fini(g->breakdown);
    tp_free(g->breakdown);
    g->breakdown = NULL;
}

// MERGING

bool tp_durations_merge_group(struct tp_durations *into, enum tp_durations_space space,
                              uint32_t name, const struct tp_durations_group *from,
                              const struct tp_durations_words *words)
{
    uint32_t to = tp_durations_group_of(into, space, name);
    struct tp_durations_walk walk = {.group = from};
    while (to != TP_DURATIONS_NONE && tp_durations_walk_next(&walk)) {
        bool has_words = tp_has_reasons(space) && words->measure != NULL;
        uint32_t measure = has_words ? words->measure(words->ctx, walk.measure) : walk.measure;
        struct tp_dist *d =
            measure != TP_DURATIONS_NONE ? tp_durations_dist(into, to, measure) : NULL;
        if (d == NULL || !tp_durations_add_dist(into, d, walk.dist))
            return false;
    }
    return to != TP_DURATIONS_NONE && merge_breakdown(into, to, from->breakdown);
}

bool tp_durations_merge(struct tp_durations *into, const struct tp_durations *from,
                        const struct tp_durations_words *words)
{
    for (uint32_t i = 0; i < from->groups.count; i++) {
        const struct tp_durations_group *g = &from->groups.items[i];
        // Skip empty groups: whether one exists depends on where the trace was cut into units.
        if (g->dist_count == 0 || g->space == TP_SPACE_UNNAMED)
            continue;
        enum tp_durations_space space = (enum tp_durations_space)g->space;
        uint32_t name = words->name(words->ctx, space, g->name);
        if (name == TP_DURATIONS_NONE || !tp_durations_merge_group(into, space, name, g, words))
            return false;
    }
    return true;
}

static void empty_group(struct tp_durations *l, struct tp_durations_group *g)
{
    struct tp_durations_walk walk = {.group = g};
    while (tp_durations_walk_next(&walk))
        free_dist(l, walk.dist);
    if (g->far != NULL)
        TP_SLAB_FINI(g->far);
    tp_free(g->far);
    tp_free(g->dists);
    free_breakdown(l, g);
    g->far = NULL;
    g->dists = NULL;
    g->dist_count = 0;
}

bool tp_durations_move_group(struct tp_durations *into, enum tp_durations_space space,
                             uint32_t name, struct tp_durations *from, uint32_t group)
{
    const struct tp_durations_words words = {NULL, NULL, NULL};
    // Copy the group out of the list first: `into` may be `from`, whose groups move when it grows.
    struct tp_durations_group taken = from->groups.items[group];
    from->groups.items[group].far = NULL;
    from->groups.items[group].dists = NULL;
    from->groups.items[group].dist_count = 0;
    from->groups.items[group].breakdown = NULL;
    bool fits =
        taken.dist_count == 0 || tp_durations_merge_group(into, space, name, &taken, &words);
    empty_group(from, &taken);
    return fits;
}

void tp_durations_empty_space(struct tp_durations *l, enum tp_durations_space space)
{
    for (uint32_t i = 0; i < l->groups.count; i++) {
        if (l->groups.items[i].space == space)
            empty_group(l, &l->groups.items[i]);
    }
}

void tp_durations_place(struct tp_durations *l, const struct tp_trace_zero *zero)
{
    for (uint32_t i = 0; i < l->groups.count; i++) {
        struct tp_durations_walk walk = {.group = &l->groups.items[i]};
        while (tp_durations_walk_next(&walk))
            tp_dist_place(walk.dist, zero);
    }
}

void tp_durations_renumber(struct tp_durations *l,
                           void (*number)(void *ctx, enum tp_durations_space space, uint32_t *name),
                           void *ctx)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        struct tp_durations_group g = l->groups.items[i];
        if (g.dist_count == 0)
            continue;
        if (g.space != TP_SPACE_UNNAMED)
            number(ctx, (enum tp_durations_space)g.space, &g.name);
        l->groups.items[count++] = g;
    }
    l->groups.count = count;
    tp_index_refill(&l->by_key, count, hash_by_number, l);
}

void tp_durations_clear(struct tp_durations *l)
{
    for (uint32_t i = 0; i < l->groups.count; i++)
        empty_group(l, &l->groups.items[i]);
    l->groups.count = 0;
    tp_index_clear(&l->by_key);
}

void tp_durations_fini(struct tp_durations *l)
{
    tp_durations_clear(l);
    tp_index_fini(&l->by_key);
    tp_free(l->groups.items);
    while (l->dists != NULL) {
        struct tp_durations_dists *next = l->dists->next;
        tp_free(l->dists);
        l->dists = next;
    }
    *l = (struct tp_durations){0};
}

// Approximate memory of a distribution in addition to its struct and the memory of its histogram:
// the pointers to it, and the allocator's overhead.
#define BESIDE_DIST_BYTES (2 * sizeof(struct tp_dist *) + 16)

// The same of a breakdown: the allocator's overhead of three blocks, and room in its lists.
#define BESIDE_BREAKDOWN_BYTES (64 + sizeof(struct tp_breakdown_sum) / 2)

size_t tp_durations_bytes(const struct tp_durations *l)
{
    return tp_index_bytes(&l->by_key) + l->groups.count * sizeof *l->groups.items +
           l->made_dist_count * sizeof(struct tp_dist) + l->dist_count * BESIDE_DIST_BYTES +
           l->hist_bytes +
           l->breakdown_count * (sizeof(struct tp_breakdown) + BESIDE_BREAKDOWN_BYTES) +
           l->breakdown_row_count * (sizeof(struct tp_breakdown_sum) + sizeof(uint32_t));
}
