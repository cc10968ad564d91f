#include "stats/figures/peaks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"

#define SHIFT_MOST 62

static uint64_t hash_of(const struct tp_peak_step *step)
{
    return (uint64_t)step->bucket + ((uint64_t)step->who << 40);
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return hash_of(&((const struct tp_peak_steps *)list)->items[number]);
}

static bool is_step(const void *list, uint32_t number, const void *key)
{
    const struct tp_peak_step *step = &((const struct tp_peak_steps *)list)->items[number];
    const struct tp_peak_step *wanted = key;
    return step->bucket == wanted->bucket && step->who == wanted->who;
}

void tp_peaks_fini(struct tp_peaks *p)
{
    tp_free(p->functions.items);
    tp_free(p->lives.items);
    tp_index_fini(&p->functions.index);
    tp_index_fini(&p->lives.index);
    *p = (struct tp_peaks){0};
}

static size_t bytes_of(const struct tp_peak_steps *s)
{
    return s->capacity * sizeof *s->items + tp_index_bytes(&s->index);
}

size_t tp_peaks_bytes(const struct tp_peaks *p)
{
    return bytes_of(&p->functions) + bytes_of(&p->lives);
}

// STEPS

static bool put(struct tp_peak_steps *s, const struct tp_peak_step *step)
{
    uint64_t hash = hash_of(step);
    uint32_t known = tp_index_find(&s->index, hash, s, is_step, step);
    if (known != TP_INDEX_NONE) {
        s->items[known].by += step->by;
        s->items[known].part += step->part;
        return true;
    }
    if (!TP_LIST_ROOM(s) || !tp_index_make_room(&s->index, s->count, hash_by_number, s))
        return false;
    s->items[s->count] = *step;
    (void)tp_index_put(&s->index, hash, s->count++);
    return true;
}

// Returns the end of a bucket.
static __int128 end_of(int64_t bucket, unsigned shift)
{
    return ((__int128)bucket + 1) << shift;
}

// Returns a step of a bucket as one of the wider bucket that has it.
static struct tp_peak_step widened(const struct tp_peak_step *step, unsigned from, unsigned to)
{
    struct tp_peak_step wide = *step;
    wide.bucket = step->bucket >> (to - from);
    wide.part += step->by * (end_of(wide.bucket, to) - end_of(step->bucket, from));
    return wide;
}

// Joins buckets. Those that become one take the place of the first of them.
static bool widen(struct tp_peak_steps *s, unsigned shift)
{
    uint32_t count = s->count;
    unsigned from = s->shift;
    bool fits = true;
    s->shift = shift;
    if (from == 0)
        return true;
    tp_index_clear(&s->index);
    s->count = 0;
    for (uint32_t i = 0; i < count && fits; i++) {
        const struct tp_peak_step step = widened(&s->items[i], from, shift);
        fits = put(s, &step);
    }
    return fits;
}

static bool keep_few(struct tp_peak_steps *functions)
{
    bool fits = true;
    while (fits && functions->count > TP_PEAK_STEPS_MAX && functions->shift < SHIFT_MOST)
        fits = widen(functions, functions->shift + 1);
    return fits;
}

// Lets all buckets cover the time from the first wait to the last.
static bool cover(struct tp_peaks *p, const struct tp_peak_wait *wait)
{
    unsigned shift = p->lives.shift > 0 ? p->lives.shift : TP_PEAK_SHIFT_MIN;
    if (!p->has_waits || wait->begin_ns < p->first_ns)
        p->first_ns = wait->begin_ns;
    if (!p->has_waits || wait->end_ns > p->last_ns)
        p->last_ns = wait->end_ns;
    p->has_waits = true;
    while ((uint64_t)(p->last_ns >> shift) - (uint64_t)(p->first_ns >> shift) >= TP_PEAK_BUCKETS)
        shift++;
    return (p->lives.shift == shift || widen(&p->lives, shift)) &&
           (p->functions.shift >= shift || widen(&p->functions, shift));
}

bool tp_peaks_add(struct tp_peaks *p, const struct tp_peak_wait *wait)
{
    struct tp_peak_steps *s = wait->is_unnamed ? &p->lives : &p->functions;
    if (!cover(p, wait))
        return false;
    struct tp_peak_step up = {.bucket = wait->begin_ns >> s->shift, .by = 1, .who = wait->who};
    struct tp_peak_step down = {.bucket = wait->end_ns >> s->shift, .by = -1, .who = wait->who};
    up.part = end_of(up.bucket, s->shift) - wait->begin_ns;
    down.part = wait->end_ns - end_of(down.bucket, s->shift);
    return put(s, &up) && put(s, &down) && keep_few(&p->functions);
}

// NAMES

// Gives the steps of lives to functions: to `rest`, if `functions` is NULL.
static bool name(struct tp_peaks *p, const struct tp_map *functions, uint32_t rest)
{
    struct tp_peak_steps *lives = &p->lives;
    uint32_t left = 0;
    bool fits = true;
    for (uint32_t i = 0; i < lives->count && fits; i++) {
        uint32_t known =
            functions != NULL ? tp_map_get(functions, lives->items[i].who) : rest + 1;
        if (known == TP_MAP_NONE) {
            lives->items[left++] = lives->items[i];
            continue;
        }
        struct tp_peak_step step = widened(&lives->items[i], lives->shift, p->functions.shift);
        step.who = known - 1;
        fits = put(&p->functions, &step);
    }
    if (left < lives->count) {
        lives->count = left;
        tp_index_clear(&lives->index);
        tp_index_refill(&lives->index, left, hash_by_number, lives);
    }
    return fits && keep_few(&p->functions);
}

bool tp_peaks_name(struct tp_peaks *p, const struct tp_map *functions)
{
    return name(p, functions, 0);
}

bool tp_peaks_name_rest(struct tp_peaks *p, uint32_t function)
{
    return name(p, NULL, function);
}

// PEAKS

static int compare_by_function(const void *left, const void *right)
{
    const struct tp_peak_step *a = left, *b = right;
    return a->who != b->who ? tp_compare_u64(a->who, b->who) : tp_compare_i64(a->bucket, b->bucket);
}

static int compare_by_bucket(const void *left, const void *right)
{
    const struct tp_peak_step *a = left, *b = right;
    return a->bucket != b->bucket ? tp_compare_i64(a->bucket, b->bucket)
                                  : tp_compare_u64(a->who, b->who);
}

// A walk over the buckets of steps that are sorted by bucket.
struct sweep {
    __int128 level;    // at the beginning of the next bucket
    __int128 most;     // the greatest integral over a bucket
    int64_t bucket;    // that has it
};

static void offer(struct sweep *w, int64_t bucket, __int128 integral)
{
    if (integral > w->most) {
        w->most = integral;
        w->bucket = bucket;
    }
}

// Takes all steps of one bucket, and the bucket behind it if it has none.
static uint32_t take_bucket(struct sweep *w, const struct tp_peak_step *steps, uint32_t count,
                            unsigned shift)
{
    int64_t bucket = steps[0].bucket;
    __int128 part = 0, by = 0;
    uint32_t end = 0;
    for (; end < count && steps[end].bucket == bucket; end++) {
        part += steps[end].part;
        by += steps[end].by;
    }
    offer(w, bucket, (w->level << shift) + part);
    w->level += by;
    if (end < count && steps[end].bucket > bucket + 1)
        offer(w, bucket + 1, w->level << shift);
    return end;
}

static struct tp_peak peak_of(const struct tp_peaks *p, const struct tp_peak_step *steps,
                              uint32_t count, int64_t *ret_bucket)
{
    unsigned shift = p->functions.shift;
    struct sweep w = {.most = 0};
    for (uint32_t i = 0; i < count;)
        i += take_bucket(&w, steps + i, count - i, shift);
    *ret_bucket = w.bucket;
    int64_t begin_ns = (int64_t)((uint64_t)w.bucket << shift);
    return (struct tp_peak){.thousandths = (uint64_t)(w.most * 1000 >> shift),
                            .begin_ns = begin_ns > p->first_ns ? begin_ns : p->first_ns,
                            .width_ns = UINT64_C(1) << shift,
                            .who = count > 0 ? steps[0].who : 0};
}

// Returns the number of steps of the first function.
static uint32_t count_of_first(const struct tp_peak_step *steps, uint32_t count)
{
    uint32_t end = 0;
    while (end < count && steps[end].who == steps[0].who)
        end++;
    return end;
}

bool tp_peaks_by_function(struct tp_peaks *p, bool (*found)(void *ctx, const struct tp_peak *peak),
                          void *ctx)
{
    struct tp_peak_steps *s = &p->functions;
    bool goes_on = true;
    int64_t bucket;
    TP_LIST_SORT(s, compare_by_function);
    for (uint32_t i = 0; i < s->count && goes_on;) {
        uint32_t count = count_of_first(s->items + i, s->count - i);
        const struct tp_peak peak = peak_of(p, s->items + i, count, &bucket);
        goes_on = found(ctx, &peak);
        i += count;
    }
    return goes_on;
}

// Returns the integral of the level of one function over a bucket.
static __int128 integral_at(const struct tp_peak_step *steps, uint32_t count, int64_t bucket,
                            unsigned shift)
{
    __int128 level = 0, part = 0;
    for (uint32_t i = 0; i < count && steps[i].bucket <= bucket; i++) {
        if (steps[i].bucket < bucket)
            level += steps[i].by;
        else
            part = steps[i].part;
    }
    return (level << shift) + part;
}

struct tp_peak tp_peaks_of_all(struct tp_peaks *p,
                               bool (*is_before)(void *ctx, uint32_t a, uint32_t b), void *ctx)
{
    struct tp_peak_steps *s = &p->functions;
    if (s->count == 0)
        return (struct tp_peak){0};
    qsort(s->items, s->count, sizeof *s->items, compare_by_bucket);
    int64_t bucket;
    struct tp_peak all = peak_of(p, s->items, s->count, &bucket);
    qsort(s->items, s->count, sizeof *s->items, compare_by_function);
    __int128 most = -1;
    for (uint32_t i = 0; i < s->count;) {
        uint32_t count = count_of_first(s->items + i, s->count - i), who = s->items[i].who;
        __int128 integral = integral_at(s->items + i, count, bucket, s->shift);
        if (integral > most || (integral == most && is_before(ctx, who, all.who))) {
            most = integral;
            all.who = who;
        }
        i += count;
    }
    return all;
}
