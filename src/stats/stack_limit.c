#include "stats/stack_limit.h"

#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/sort/compare.h"
#include "stats/figures/stack_sums.h"
#include "stats/names/stack_places.h"
#include "stats/totals.h"

void tp_totals_stacks_fini(struct tp_totals_stacks *stacks)
{
    tp_free(stacks->of.items);
    tp_free(stacks->frames.items);
    tp_index_fini(&stacks->index);
    tp_free(stacks->heap.items);
    *stacks = (struct tp_totals_stacks){0};
}

size_t tp_totals_stacks_bytes(const struct tp_totals_stacks *stacks)
{
    return stacks->of.count * sizeof *stacks->of.items +
           stacks->frames.count * sizeof *stacks->frames.items + tp_index_bytes(&stacks->index) +
           stacks->heap.count * sizeof *stacks->heap.items;
}

// HASHES

uint64_t tp_totals_frame_hash(struct tp_span function, struct tp_span file, uint64_t line,
                              uint64_t pc)
{
    const uint64_t parts[] = {tp_digest_short(function), tp_digest_short(file), line, pc};
    return tp_digest_words(parts, TP_ARRAY_LEN(parts));
}

// Distributes the hashes evenly, so that the kept stacks are a fair sample of all stacks. The empty
// stack keeps hash 0, the smallest, so it is always kept.
uint64_t tp_totals_stack_hash_end(uint64_t hash)
{
    return hash == 0 ? 0 : tp_digest_words(&hash, 1);
}

// NUMBERS

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    const struct tp_totals_stacks *stacks = list;
    return stacks->of.items[number].hash;
}

// The key of a stack that is looked up in the index.
struct wanted {
    uint64_t hash;
    const uint32_t *frames;
    size_t count;
};

static bool is_stack(const void *list, uint32_t number, const void *key)
{
    const struct tp_totals_stacks *stacks = list;
    const struct wanted *w = key;
    const uint32_t *known;
    return stacks->of.items[number].hash == w->hash &&
           tp_totals_stack_frames(stacks, number, &known) == w->count &&
           (w->count == 0 || memcmp(known, w->frames, w->count * sizeof *known) == 0);
}

uint32_t tp_totals_put_stack(struct tp_totals *s, const uint32_t *frames, size_t count,
                             uint64_t hash)
{
    struct tp_totals_stacks *stacks = &s->stacks;
    const struct wanted wanted = {hash, frames, count};
    uint32_t known = tp_index_find(&stacks->index, hash, stacks, is_stack, &wanted);
    if (tp_likely(known != TP_INTERN_NONE))
        return known;
    uint32_t first = stacks->frames.count;
    if (!TP_LIST_ROOM(&stacks->of) || !TP_LIST_ROOM_FOR(&stacks->frames, count) ||
        !tp_index_make_room(&stacks->index, stacks->of.count, hash_by_number, stacks))
        return TP_INTERN_NONE;
    if (count > 0)
        memcpy(stacks->frames.items + first, frames, count * sizeof *frames);
    stacks->frames.count += (uint32_t)count;
    stacks->of.items[stacks->of.count] = (struct tp_totals_stack){
        .hash = hash, .first_frame = first, .depth = (uint16_t)count};
    return tp_index_put(&stacks->index, hash, stacks->of.count++);
}

uint32_t tp_totals_add_stack(struct tp_totals *s, const uint32_t *frames, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        const struct tp_totals_frame f = tp_totals_frames_get(&s->frames, frames[i]);
        hash = tp_totals_stack_hash(
            hash, tp_totals_frame_hash(tp_intern_text(&s->names, f.function),
                                       tp_intern_text(&s->names, f.file), f.line, f.pc));
    }
    return tp_totals_put_stack(s, frames, count, tp_totals_stack_hash_end(hash));
}

void tp_totals_stacks_pack(struct tp_totals_stacks *stacks, uint32_t *numbers,
                           const uint32_t *frames)
{
    uint32_t count = 0, frame_count = 0;
    for (uint32_t i = 0; i < stacks->of.count; i++) {
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        struct tp_totals_stack of = stacks->of.items[i];
        for (uint32_t k = 0; k < of.depth; k++)
            stacks->frames.items[frame_count + k] = frames[stacks->frames.items[of.first_frame + k]];
        of.first_frame = frame_count;
        frame_count += of.depth;
        numbers[i] = count;
        stacks->of.items[count++] = of;
    }
    stacks->of.count = count;
    stacks->frames.count = frame_count;
    tp_index_refill(&stacks->index, count, hash_by_number, stacks);
    for (uint32_t i = 0; i < stacks->heap.count; i++)
        stacks->heap.items[i] = numbers[stacks->heap.items[i]];
}

// STACKS THAT ARE NOT KEPT

struct stack_frames {
    const struct tp_totals *totals;
    const uint32_t *frames;
};

static uint32_t name_of(const struct stack_frames *of, size_t frame)
{
    return tp_totals_frames_get(&of->totals->frames, of->frames[frame]).function;
}

static struct tp_span function_of(const void *ctx, size_t frame)
{
    const struct stack_frames *of = ctx;
    return tp_intern_text(&of->totals->names, name_of(of, frame));
}

uint32_t tp_totals_place_of(const struct tp_totals *s, uint32_t stack, unsigned type,
                            bool *ret_is_lock)
{
    struct stack_frames of = {.totals = s};
    size_t count = tp_totals_stack_frames(&s->stacks, stack, &of.frames) - s->stacks.label_count;
    struct tp_stack_place place = tp_stack_place_of(type, count, function_of, &of);
    *ret_is_lock = place.is_lock;
    return count > 0 ? name_of(&of, place.frame) : TP_INTERN_NONE;
}

bool tp_totals_record_place(struct tp_totals *s, unsigned type, bool is_lock,
                            struct tp_span function, uint64_t count, tp_wide total_ns)
{
    uint32_t name;
    return tp_totals_name(s, TP_SPACE_COARSE, function, &name) &&
           tp_durations_record_sum(&s->durations, TP_SPACE_COARSE, name,
                                   tp_coarse_measure(type, is_lock), count, total_ns);
}

bool tp_totals_record_place_of(struct tp_totals *s, const struct tp_totals *of, uint32_t stack,
                               unsigned type, uint64_t count, tp_wide total_ns)
{
    bool is_lock;
    uint32_t name = tp_totals_place_of(of, stack, type, &is_lock);
    return tp_totals_record_place(s, type, is_lock, tp_totals_text(of, name), count, total_ns);
}

static bool give_up(struct tp_totals *s, uint32_t stack)
{
    bool fits = true;
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        struct tp_stack_count c;
        if (tp_stack_counts_take(&s->by_stack, stack, type, &c))
            fits = fits && tp_totals_record_place_of(s, s, stack, type, c.count, c.total_ns);
    }
    s->stacks.of.items[stack].is_kept = false;
    return fits;
}

// KEPT STACKS

int tp_totals_compare_frames(const struct tp_totals *s, uint32_t left, uint32_t right)
{
    if (left == right)
        return 0;
    const struct tp_totals_frame a = tp_totals_frames_get(&s->frames, left),
                                 b = tp_totals_frames_get(&s->frames, right);
    return tp_totals_compare_texts(s, a.function, b.function)
        ?: tp_totals_compare_texts(s, a.file, b.file)
        ?: tp_compare_u64(a.line, b.line)
        ?: tp_compare_u64(a.pc, b.pc);
}

int tp_totals_compare_stacks(const struct tp_totals *s, uint32_t left, uint32_t right)
{
    const uint32_t *a, *b;
    size_t a_count = tp_totals_stack_frames(&s->stacks, left, &a);
    size_t b_count = tp_totals_stack_frames(&s->stacks, right, &b);
    int order = 0;
    for (size_t i = 0; i < a_count && i < b_count && order == 0; i++)
        order = tp_totals_compare_frames(s, a[i], b[i]);
    return order ?: tp_compare_u64(a_count, b_count);
}

// Whether stack *a has a greater hash than stack *b or, if the hashes are equal, greater frames.
static bool goes_first(const struct tp_totals *s, const uint32_t *a, const uint32_t *b)
{
    uint64_t a_hash = s->stacks.of.items[*a].hash, b_hash = s->stacks.of.items[*b].hash;
    return a_hash != b_hash ? a_hash > b_hash : tp_totals_compare_stacks(s, *a, *b) > 0;
}

#define HEAP_ITEM uint32_t
#define HEAP_CTX const struct tp_totals
#include "base/sort/limiter.def"

// Decides whether to keep a stack that is not kept yet, and sets its is_kept. If the limit is
// reached, drops the kept stack with the greatest hash. False: no memory.
static bool decide(struct tp_totals *s, uint32_t stack)
{
    uint32_t gone;
    enum tp_limited done =
        limiter_offer(s, &s->stacks.heap.as_list, TP_TOTALS_STACKS_MAX, &stack, &gone);
    s->stacks.of.items[stack].is_kept = done <= TP_LIMITED_REPLACED;
    return done == TP_LIMITED_REPLACED ? give_up(s, gone) : done != TP_LIMITED_NO_MEMORY;
}

bool tp_totals_record_stack(struct tp_totals *s, uint32_t stack, unsigned type, uint64_t count,
                            tp_wide total_ns)
{
    struct tp_totals_stacks *kept = &s->stacks;
    struct tp_stack_count *known = tp_stack_counts_find(&s->by_stack, stack, type);
    if (tp_likely(known != NULL)) {
        known->count += count;
        known->total_ns = tp_wide_add(known->total_ns, total_ns);
        return true;
    }
    if (!kept->of.items[stack].is_kept && !decide(s, stack))
        return false;
    return kept->of.items[stack].is_kept
               ? tp_stack_counts_add(&s->by_stack, stack, type, count, total_ns)
               : tp_totals_record_place_of(s, s, stack, type, count, total_ns);
}

uint64_t tp_totals_stacks_left_out(const struct tp_totals_stacks *stacks)
{
    uint32_t kept = stacks->heap.count;
    if (kept < TP_TOTALS_STACKS_MAX)
        return 0;
    unsigned __int128 all = (unsigned __int128)(kept - 1) << 64;
    all /= (unsigned __int128)tp_totals_stacks_greatest_hash(stacks) + 1;
    if (all > UINT64_MAX)
        all = UINT64_MAX;
    return (uint64_t)all > kept ? (uint64_t)all - kept : 1;
}
