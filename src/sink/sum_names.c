// Which names the sums keep.
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "sink/sums.h"

// By hash, and equal ones by text.
static bool goes_first(const struct tp_sums *s, const struct tp_sum_kept_name *a,
                       const struct tp_sum_kept_name *b)
{
    if (a->hash != b->hash)
        return a->hash > b->hash;
    return tp_span_compare(tp_intern_text(&s->names, a->name),
                         tp_intern_text(&s->names, b->name)) > 0;
}

#define HEAP_ITEM struct tp_sum_kept_name
#define HEAP_CTX const struct tp_sums
#include "base/heap.def"

// What was booked under the name goes to the others.
static bool give_up(struct tp_sums *s, enum tp_ledger_space space, uint32_t name)
{
    uint32_t group = tp_ledger_group_of(&s->ledger, space, name);
    return group != TP_LEDGER_NONE &&
           tp_ledger_move_group(&s->ledger, group, space, TP_SUM_OTHERS);
}

static bool keep(struct tp_sums *s, enum tp_ledger_space space, struct tp_sum_kept_name added)
{
    struct tp_sum_kept *k = &s->kept[space];
    if (k->heap == NULL)
        k->heap = tp_alloc_array(TP_SUM_NAMES_MAX, sizeof *k->heap);
    if (k->heap == NULL || !tp_map_put(&k->by_name, added.name, 0))
        return false;
    if (k->count < TP_SUM_NAMES_MAX) {
        heap_push(s, k->heap, k->count++, &added);
        return true;
    }
    uint32_t greatest = k->heap[0].name;
    tp_map_remove(&k->by_name, greatest);
    heap_replace_first(s, k->heap, k->count, &added);
    return give_up(s, space, greatest);
}

// Whether it comes behind all that are kept, which are as many as there may be.
static bool is_too_great(const struct tp_sums *s, const struct tp_sum_kept *k, uint64_t hash,
                         struct tp_span text)
{
    if (k->count < TP_SUM_NAMES_MAX || hash < k->heap[0].hash)
        return false;
    return hash > k->heap[0].hash ||
           tp_span_compare(text, tp_intern_text(&s->names, k->heap[0].name)) > 0;
}

bool tp_sums_name(struct tp_sums *s, enum tp_ledger_space space, struct tp_span text,
                  uint32_t *ret_name)
{
    struct tp_sum_kept_name added = {.hash = tp_digest_short(text)};
    *ret_name = TP_SUM_OTHERS;
    if (tp_sums_is_limited(space) && is_too_great(s, &s->kept[space], added.hash, text))
        return true;
    added.name = *ret_name = tp_intern_put(&s->names, text);
    if (added.name == TP_INTERN_NONE)
        return false;
    if (!tp_sums_is_limited(space) || tp_map_get(&s->kept[space].by_name, added.name) != TP_MAP_NONE)
        return true;
    return keep(s, space, added);
}

struct tp_span tp_sums_group_name(const struct tp_sums *s, const struct tp_ledger_group *g)
{
    static const char others[] = "(others)";
    return g->name == TP_SUM_OTHERS ? tp_span_of(others, sizeof others - 1)
                                    : tp_intern_text(&s->names, g->name);
}
