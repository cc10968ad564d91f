#include "stats/pair_limit.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "stats/totals.h"

void tp_totals_pairs_fini(struct tp_totals_pairs *pairs)
{
    tp_free(pairs->of.items);
    tp_index_fini(&pairs->index);
    for (unsigned i = 0; i < TP_PAIR_SPACE_COUNT; i++)
        tp_free(pairs->heaps[i].items);
    *pairs = (struct tp_totals_pairs){0};
}

size_t tp_totals_pairs_bytes(const struct tp_totals_pairs *pairs)
{
    size_t bytes = pairs->of.count * sizeof *pairs->of.items + tp_index_bytes(&pairs->index);
    for (unsigned i = 0; i < TP_PAIR_SPACE_COUNT; i++)
        bytes += pairs->heaps[i].count * sizeof *pairs->heaps[i].items;
    return bytes;
}

// NUMBERS

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return ((const struct tp_totals_pairs *)list)->of.items[number].hash;
}

static bool is_pair(const void *list, uint32_t number, const void *key)
{
    const struct tp_totals_pair *p = &((const struct tp_totals_pairs *)list)->of.items[number];
    const struct tp_totals_pair *wanted = key;
    return p->left == wanted->left && p->right == wanted->right;
}

static uint64_t stack_hash(const struct tp_totals *s, uint32_t stack)
{
    return stack != TP_INTERN_NONE ? s->stacks.of.items[stack].hash : 1;
}

static struct tp_totals_pair pair_of(const struct tp_totals *s, uint32_t left, uint32_t right)
{
    const uint64_t parts[] = {stack_hash(s, left), stack_hash(s, right)};
    return (struct tp_totals_pair){.hash = tp_digest_words(parts, TP_ARRAY_LEN(parts)),
                                   .left = left,
                                   .right = right};
}

static uint32_t put(struct tp_totals_pairs *pairs, const struct tp_totals_pair *pair)
{
    uint32_t known = tp_index_find(&pairs->index, pair->hash, pairs, is_pair, pair);
    if (tp_likely(known != TP_INTERN_NONE))
        return known;
    if (!TP_LIST_ROOM(&pairs->of) ||
        !tp_index_make_room(&pairs->index, pairs->of.count, hash_by_number, pairs))
        return TP_INTERN_NONE;
    pairs->of.items[pairs->of.count] = *pair;
    return tp_index_put(&pairs->index, pair->hash, pairs->of.count++);
}

uint32_t tp_totals_put_pair(struct tp_totals *s, uint32_t left, uint32_t right)
{
    const struct tp_totals_pair pair = pair_of(s, left, right);
    return put(&s->pairs, &pair);
}

void tp_totals_pairs_pack(struct tp_totals_pairs *pairs, uint32_t *numbers, const uint32_t *stacks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->of.count; i++) {
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        struct tp_totals_pair p = pairs->of.items[i];
        p.left = p.left != TP_INTERN_NONE ? stacks[p.left] : TP_INTERN_NONE;
        p.right = p.right != TP_INTERN_NONE ? stacks[p.right] : TP_INTERN_NONE;
        numbers[i] = count;
        pairs->of.items[count++] = p;
    }
    pairs->of.count = count;
    tp_index_refill(&pairs->index, count, hash_by_number, pairs);
    for (unsigned space = 0; space < TP_PAIR_SPACE_COUNT; space++) {
        struct tp_totals_pair_heap *heap = &pairs->heaps[space];
        for (uint32_t i = 0; i < heap->count; i++)
            heap->items[i] = numbers[heap->items[i]];
    }
}

// KEPT PAIRS

// Orders no stack before all stacks.
static int compare_stacks(const struct tp_totals *s, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    if (a == TP_INTERN_NONE || b == TP_INTERN_NONE)
        return a == TP_INTERN_NONE ? -1 : 1;
    return tp_totals_compare_stacks(s, a, b);
}

int tp_totals_compare_pairs(const struct tp_totals *s, uint32_t a, uint32_t b)
{
    const struct tp_totals_pair *left = &s->pairs.of.items[a], *right = &s->pairs.of.items[b];
    return compare_stacks(s, left->left, right->left)
        ?: compare_stacks(s, left->right, right->right);
}

// Whether pair *a has a greater hash than pair *b or, if the hashes are equal, greater stacks.
static bool goes_first(const struct tp_totals *s, const uint32_t *a, const uint32_t *b)
{
    uint64_t a_hash = s->pairs.of.items[*a].hash, b_hash = s->pairs.of.items[*b].hash;
    return a_hash != b_hash ? a_hash > b_hash : tp_totals_compare_pairs(s, *a, *b) > 0;
}

#define HEAP_ITEM uint32_t
#define HEAP_CTX const struct tp_totals
#include "base/sort/limiter.def"

static enum tp_pair_space pair_space_of(enum tp_durations_space space)
{
    return space == TP_SPACE_WAKE ? TP_PAIR_WAKE : TP_PAIR_EVIDENCE;
}

uint32_t tp_totals_seek_pair(struct tp_totals *s, enum tp_durations_space space, uint32_t left,
                             uint32_t right)
{
    const struct tp_totals_pair pair = pair_of(s, left, right);
    const struct tp_totals_pair_heap *heap = &s->pairs.heaps[pair_space_of(space)];
    bool is_left_out = heap->count >= TP_TOTALS_PAIRS_MAX &&
                       pair.hash > s->pairs.of.items[heap->items[0]].hash;
    return is_left_out ? TP_TOTALS_OTHERS : put(&s->pairs, &pair);
}

bool tp_totals_pair_name(struct tp_totals *s, enum tp_durations_space space, uint32_t *pair)
{
    enum tp_pair_space in = pair_space_of(space);
    struct tp_totals_pair_heap *heap = &s->pairs.heaps[in];
    if (*pair == TP_TOTALS_OTHERS)
        return true;
    struct tp_totals_pair *of = &s->pairs.of.items[*pair];
    const uint8_t bit = (uint8_t)(1u << in);
    if (tp_likely((of->kept_in & bit) != 0))
        return true;
    uint32_t gone;
    switch (limiter_offer(s, &heap->as_list, TP_TOTALS_PAIRS_MAX, pair, &gone)) {
    case TP_LIMITED_KEPT: of->kept_in |= bit; return true;
    case TP_LIMITED_REPLACED:
        of->kept_in |= bit;
        s->pairs.of.items[gone].kept_in &= (uint8_t)~bit;
        return tp_totals_give_up(s, space, gone);
    case TP_LIMITED_REFUSED: *pair = TP_TOTALS_OTHERS; return true;
    default: return false;
    }
}

// Returns the group under whose name the space records durations of the pair. TP_DURATIONS_NONE:
// out of memory.
static uint32_t group_of(struct tp_totals *s, enum tp_durations_space space, uint32_t pair)
{
    if (!tp_totals_pair_name(s, space, &pair))
        return TP_DURATIONS_NONE;
    uint32_t *likely = pair == TP_TOTALS_OTHERS ? &s->pairs.others[pair_space_of(space)]
                                                : &s->pairs.of.items[pair].group;
    return tp_durations_group_likely(&s->durations, space, pair, likely);
}

// Returns the distribution in which the space records durations of the pair. NULL: out of memory.
static struct tp_dist *dist_of(struct tp_totals *s, enum tp_durations_space space, uint32_t pair,
                               uint32_t measure)
{
    uint32_t group = group_of(s, space, pair);
    return group != TP_DURATIONS_NONE ? tp_durations_dist(&s->durations, group, measure) : NULL;
}

bool tp_totals_record_pair(struct tp_totals *s, enum tp_durations_space space, uint32_t pair,
                           uint32_t measure, uint64_t ns, uint64_t at)
{
    struct tp_dist *into = dist_of(s, space, pair, measure);
    return into != NULL && tp_durations_add(&s->durations, into, ns, at, false);
}

bool tp_totals_add_waits(struct tp_totals *s, uint32_t pair, uint32_t measure,
                         const struct tp_totals_waits *waits)
{
    uint32_t group = group_of(s, TP_SPACE_WAKE, pair);
    if (group == TP_DURATIONS_NONE)
        return false;
    struct tp_dist *of = tp_durations_dist(&s->durations, group, measure);
    struct tp_dist *blamed = tp_durations_dist(&s->durations, group, TP_WAKE_BLAMED);
    if (of == NULL || blamed == NULL)
        return false;
    tp_dist_add_sum(blamed, waits->dist != NULL ? waits->dist->count : 1, waits->blamed_ns);
    return waits->dist != NULL ? tp_durations_add_dist(&s->durations, of, waits->dist)
                               : tp_durations_add(&s->durations, of, waits->one_ns, waits->one_at, false);
}

bool tp_totals_record_pair_sum(struct tp_totals *s, enum tp_durations_space space, uint32_t pair,
                               uint32_t measure, uint64_t count, tp_wide total_ns)
{
    struct tp_dist *into = dist_of(s, space, pair, measure);
    if (into != NULL)
        tp_dist_add_sum(into, count, total_ns);
    return into != NULL;
}

void tp_totals_drop_evidence(struct tp_totals *s)
{
    struct tp_totals_pair_heap *heap = &s->pairs.heaps[TP_PAIR_EVIDENCE];
    for (uint32_t i = 0; i < heap->count; i++)
        s->pairs.of.items[heap->items[i]].kept_in &= (uint8_t)~(1u << TP_PAIR_EVIDENCE);
    heap->count = 0;
    tp_durations_empty_space(&s->durations, TP_SPACE_EVIDENCE);
}
