// Decides which names the totals keep. totals.h describes the rule.
#include <string.h>

#include "base/digest.h"
#include "stats/names/collector_name.h"
#include "stats/totals.h"

// Whether `a` has the greater hash, or for equal hashes the greater text.
static bool goes_first(const struct tp_totals *s, const struct tp_totals_kept_name *a,
                       const struct tp_totals_kept_name *b)
{
    if (a->hash != b->hash)
        return a->hash > b->hash;
    return tp_span_compare(tp_intern_text(&s->names, a->name),
                           tp_intern_text(&s->names, b->name)) > 0;
}

#define HEAP_ITEM struct tp_totals_kept_name
#define HEAP_CTX const struct tp_totals
#include "base/sort/limiter.def"

bool tp_totals_give_up(struct tp_totals *s, enum tp_durations_space space, uint32_t name)
{
    uint32_t group = tp_durations_group_of(&s->durations, space, name);
    return group != TP_DURATIONS_NONE &&
           tp_durations_move_group(&s->durations, space, TP_TOTALS_OTHERS, &s->durations, group);
}

bool tp_totals_set_kept(struct tp_totals *s, enum tp_durations_space space, uint32_t name,
                        bool is_kept)
{
    static_assert(TP_SPACES <= 16, "a bit for each");
    uint32_t count = s->kept_in.count;
    if (name >= count) {
        uint32_t more = name + 1 - count;
        if (!TP_LIST_ROOM_FOR(&s->kept_in, more))
            return false;
        memset(s->kept_in.items + count, 0, more * sizeof *s->kept_in.items);
        s->kept_in.count += more;
    }
    uint16_t bit = (uint16_t)(1u << space);
    uint16_t *in = &s->kept_in.items[name];
    *in = (uint16_t)(is_kept ? *in | bit : *in & ~bit);
    return true;
}

static bool keep(struct tp_totals *s, enum tp_durations_space space,
                 struct tp_totals_kept_name added)
{
    struct tp_totals_kept_name gone;
    if (!tp_totals_set_kept(s, space, added.name, true))
        return false;
    switch (limiter_offer(s, &s->kept[space].as_list, TP_TOTALS_NAMES_MAX, &added, &gone)) {
    case TP_LIMITED_KEPT: return true;
    case TP_LIMITED_REPLACED:
        return tp_totals_set_kept(s, space, gone.name, false) &&
               tp_totals_give_up(s, space, gone.name);
    default: return false;
    }
}

// Whether the name can never be kept: its space already keeps as many names as it may, and each of
// these has a smaller hash, or an equal hash and a smaller text.
static bool is_too_great(const struct tp_totals *s, const struct tp_totals_kept *k, uint64_t hash,
                         struct tp_span text)
{
    if (k->count < TP_TOTALS_NAMES_MAX || hash < k->items[0].hash)
        return false;
    return hash > k->items[0].hash ||
           tp_span_compare(text, tp_intern_text(&s->names, k->items[0].name)) > 0;
}

bool tp_totals_always_keeps(enum tp_durations_space space, struct tp_span text)
{
    return space == TP_SPACE_GOROUTINE && tp_collector_part_of(text) != TP_COLLECTOR_PART_COUNT;
}

bool tp_totals_name(struct tp_totals *s, enum tp_durations_space space, struct tp_span text,
                    uint32_t *ret_name)
{
    struct tp_totals_kept_name added = {.hash = tp_digest_short(text)};
    bool is_limited = tp_totals_is_limited(space) && !tp_totals_always_keeps(space, text);
    *ret_name = TP_TOTALS_OTHERS;
    if (is_limited && is_too_great(s, &s->kept[space], added.hash, text))
        return true;
    added.name = *ret_name = tp_intern_put(&s->names, text);
    if (added.name == TP_INTERN_NONE)
        return false;
    if (!is_limited || tp_totals_keeps(s, space, added.name))
        return true;
    return keep(s, space, added);
}

bool tp_totals_known_name(struct tp_totals *s, enum tp_durations_space space, uint32_t *name)
{
    if (!tp_totals_is_limited(space) || tp_likely(tp_totals_keeps(s, space, *name)))
        return true;
    return tp_totals_name(s, space, tp_intern_text(&s->names, *name), name);
}

struct tp_span tp_totals_group_name(const struct tp_totals *s, const struct tp_durations_group *g)
{
    return g->name == TP_TOTALS_OTHERS ? tp_span_of_text("(others)")
                                       : tp_intern_text(&s->names, g->name);
}
