#include "sink/ledger.h"

#include <string.h>

#include "base/alloc.h"

bool tp_dist_merge(struct tp_dist *into, const struct tp_dist *from)
{
    into->count += from->count;
    into->total_ns = tp_wide_add(into->total_ns, from->total_ns);
    into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
    into->cut_count += from->cut_count;
    into->cut_ns = tp_wide_add(into->cut_ns, from->cut_ns);
    return tp_hist_merge(&into->hist, &from->hist);
}

static bool grow(struct tp_ledger *l)
{
    uint32_t capacity = l->group_capacity == 0 ? 32 : 2 * l->group_capacity;
    struct tp_ledger_group *groups = tp_realloc(l->groups, capacity * sizeof *groups);
    if (groups == NULL)
        return false;
    l->groups = groups;
    l->group_capacity = capacity;
    return true;
}

static uint64_t key_of(enum tp_ledger_space space, uint32_t name)
{
    return (uint64_t)space << 32 | name;
}

uint32_t tp_ledger_group_of(struct tp_ledger *l, enum tp_ledger_space space, uint32_t name)
{
    uint64_t key = key_of(space, name);
    uint32_t idx = tp_map_get(&l->by_key, key);
    if (tp_unlikely(idx == TP_MAP_NONE)) {
        if ((l->group_count == l->group_capacity && !grow(l)) ||
            !tp_map_put(&l->by_key, key, l->group_count))
            return TP_LEDGER_NONE;
        idx = l->group_count++;
        l->groups[idx] = (struct tp_ledger_group){.space = space, .name = name};
    }
    l->found[space] = (struct tp_ledger_found){name, idx + 1};
    return idx;
}

struct tp_dist *tp_ledger_make_dist(struct tp_ledger *l, uint32_t group, uint32_t measure)
{
    struct tp_ledger_group *g = &l->groups[group];
    if (measure >= g->dist_count) {
        uint32_t count = measure + 4;
        struct tp_dist **dists = tp_realloc(g->dists, count * sizeof *dists);
        if (dists == NULL)
            return NULL;
        memset(dists + g->dist_count, 0, (count - g->dist_count) * sizeof *dists);
        g->dists = dists;
        g->dist_count = count;
    }
    if (g->dists[measure] == NULL) {
        g->dists[measure] = tp_alloc_zero(sizeof **g->dists);
        if (g->dists[measure] != NULL)
            g->dists[measure]->hist.is_quick = l->is_quick;
    }
    return g->dists[measure];
}

bool tp_ledger_book(struct tp_ledger *l, enum tp_ledger_space space, uint32_t name,
                    uint32_t measure, uint64_t ns, bool is_cut)
{
    uint32_t group = tp_ledger_group_of(l, space, name);
    struct tp_dist *d = group != TP_LEDGER_NONE ? tp_ledger_dist(l, group, measure) : NULL;
    return d != NULL && tp_dist_add_either(d, ns, is_cut);
}

bool tp_ledger_merge_group(struct tp_ledger *into, enum tp_ledger_space space, uint32_t name,
                           const struct tp_ledger_group *from,
                           const struct tp_ledger_words *words)
{
    uint32_t to = tp_ledger_group_of(into, space, name);
    for (uint32_t k = 0; k < from->dist_count && to != TP_LEDGER_NONE; k++) {
        if (from->dists[k] == NULL)
            continue;
        bool is_goroutine = space == TP_SPACE_GOROUTINE || space == TP_SPACE_UNNAMED;
        uint32_t measure = is_goroutine ? words->measure(words->ctx, k) : k;
        struct tp_dist *d =
            measure != TP_LEDGER_NONE ? tp_ledger_dist(into, to, measure) : NULL;
        if (d == NULL || !tp_dist_merge(d, from->dists[k]))
            return false;
    }
    return to != TP_LEDGER_NONE;
}

bool tp_ledger_merge(struct tp_ledger *into, const struct tp_ledger *from,
                     const struct tp_ledger_words *words)
{
    for (uint32_t i = 0; i < from->group_count; i++) {
        const struct tp_ledger_group *g = &from->groups[i];
        // Whether there is an empty one depends on how the trace was cut.
        if (g->dist_count == 0 || g->space == TP_SPACE_UNNAMED)
            continue;
        enum tp_ledger_space space = (enum tp_ledger_space)g->space;
        uint32_t name = words->name(words->ctx, space, g->name);
        if (name == TP_LEDGER_NONE || !tp_ledger_merge_group(into, space, name, g, words))
            return false;
    }
    return true;
}

static void empty_group(struct tp_ledger_group *g)
{
    for (uint32_t k = 0; k < g->dist_count; k++) {
        if (g->dists[k] != NULL)
            tp_hist_fini(&g->dists[k]->hist);
        tp_free(g->dists[k]);
    }
    tp_free(g->dists);
    g->dists = NULL;
    g->dist_count = 0;
}

static uint32_t same_measure(void *ctx, uint32_t measure)
{
    (void)ctx;
    return measure;
}

bool tp_ledger_move_group(struct tp_ledger *l, uint32_t group, enum tp_ledger_space space,
                          uint32_t name)
{
    const struct tp_ledger_words words = {NULL, same_measure, NULL};
    // The list may move while it grows.
    struct tp_ledger_group taken = l->groups[group];
    l->groups[group].dists = NULL;
    l->groups[group].dist_count = 0;
    bool fits = taken.dist_count == 0 || tp_ledger_merge_group(l, space, name, &taken, &words);
    empty_group(&taken);
    return fits;
}

bool tp_ledger_renumber(struct tp_ledger *l, void (*number)(void *ctx, uint32_t *name), void *ctx)
{
    uint32_t count = 0;
    bool fits = true;
    tp_map_clear(&l->by_key);
    memset(l->found, 0, sizeof l->found);
    for (uint32_t i = 0; i < l->group_count; i++) {
        struct tp_ledger_group g = l->groups[i];
        if (g.dist_count == 0)
            continue;
        if (g.space != TP_SPACE_UNNAMED)
            number(ctx, &g.name);
        fits = fits && tp_map_put(&l->by_key, key_of((enum tp_ledger_space)g.space, g.name), count);
        l->groups[count++] = g;
    }
    l->group_count = count;
    return fits;
}

void tp_ledger_clear(struct tp_ledger *l)
{
    for (uint32_t i = 0; i < l->group_count; i++)
        empty_group(&l->groups[i]);
    l->group_count = 0;
    memset(l->found, 0, sizeof l->found);
    tp_map_clear(&l->by_key);
}

void tp_ledger_fini(struct tp_ledger *l)
{
    tp_ledger_clear(l);
    tp_map_fini(&l->by_key);
    tp_free(l->groups);
    *l = (struct tp_ledger){0};
}
