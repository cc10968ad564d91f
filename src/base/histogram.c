#include "base/histogram.h"

#include <string.h>

#include "base/alloc.h"

#define OCTAVE_OF_PAGE(page) ((page) + 5)

uint64_t tp_hist_bucket_width(unsigned bucket)
{
    unsigned page = bucket / TP_HIST_PAGE_BUCKETS;
    return page < 2 ? 1 : UINT64_C(1) << (OCTAVE_OF_PAGE(page) - 6);
}

uint64_t tp_hist_bucket_low(unsigned bucket)
{
    unsigned page = bucket / TP_HIST_PAGE_BUCKETS;
    uint64_t within = bucket % TP_HIST_PAGE_BUCKETS;
    if (page == 0)
        return within;
    return (TP_HIST_PAGE_BUCKETS + within) << (OCTAVE_OF_PAGE(page) - 6);
}

uint64_t tp_hist_bucket_middle(unsigned bucket)
{
    return tp_hist_bucket_low(bucket) + tp_hist_bucket_width(bucket) / 2;
}

// ITEMS

// The most items of a list. Pages take more memory than so few items, mostly two to eight times as
// much, but do not grow with each further bucket, and adding to them needs no search.
#define ITEMS_MAX 96

#define ITEM_COUNT_BITS 52
// A count above this limit does not fit into an item: the histogram gets pages.
#define ITEM_COUNT_MAX ((UINT64_C(1) << ITEM_COUNT_BITS) - 1)
_Static_assert(TP_HIST_BUCKETS <= 1 << (64 - ITEM_COUNT_BITS), "a bucket fits into an item");

static unsigned bucket_of(uint64_t item)
{
    return (unsigned)(item >> ITEM_COUNT_BITS);
}

static uint64_t count_of(uint64_t item)
{
    return item & ITEM_COUNT_MAX;
}

static uint64_t item_of(unsigned bucket, uint64_t count)
{
    return (uint64_t)bucket << ITEM_COUNT_BITS | (count & ITEM_COUNT_MAX);
}

static const uint64_t *items_of(const struct tp_hist *h)
{
    return h->capacity == 0 ? &h->item : h->items;
}

// Returns the same as items_of, for callers that change the items.
static uint64_t *own_items(struct tp_hist *h)
{
    return h->capacity == 0 ? &h->item : h->items;
}

// Returns the index of the first item whose bucket is `bucket` or above.
static unsigned find(const struct tp_hist *h, unsigned bucket)
{
    const uint64_t *items = items_of(h);
    unsigned first = 0, count = h->count;
    while (count > 0) {
        unsigned half = count / 2;
        bool is_behind = bucket_of(items[first + half]) < bucket;
        first += is_behind ? half + 1 : 0;
        count = is_behind ? count - half - 1 : half;
    }
    return first;
}

static bool is_at(const struct tp_hist *h, unsigned at, unsigned bucket)
{
    return at < h->count && bucket_of(items_of(h)[at]) == bucket;
}

// Returns odd capacities, because these use all of a heap block, which has 16 n + 8 bytes.
static unsigned next_capacity(unsigned capacity)
{
    return capacity == 0 ? 3 : (capacity + capacity / 2 + 1) | 1;
}

// Makes room for `more` items.
static bool make_room(struct tp_hist *h, unsigned more)
{
    bool has_one = h->capacity == 0;
    unsigned capacity = h->capacity;
    if (h->count + more <= (has_one ? 1 : capacity))
        return true;
    while (capacity < h->count + more)
        capacity = next_capacity(capacity);
    uint64_t *items = tp_realloc(has_one ? NULL : h->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    if (has_one)
        items[0] = h->item;
    h->items = items;
    h->capacity = (uint16_t)capacity;
    return true;
}

static bool add_item(struct tp_hist *h, unsigned at, unsigned bucket, uint64_t count)
{
    if (!make_room(h, 1))
        return false;
    uint64_t *items = own_items(h);
    // Nearly all lists are short, so a loop takes less time than memmove.
    for (unsigned i = h->count; i > at; i--)
        items[i] = items[i - 1];
    items[at] = item_of(bucket, count);
    h->count++;
    return true;
}

// VALUES

static bool has_values(const struct tp_hist *h)
{
    return h->is_quick && !h->has_pages;
}

static const uint16_t *values_of(const struct tp_hist *h)
{
    return h->capacity == 0 ? h->few : h->values;
}

// Makes room for `more` values, of TP_HIST_QUICK_VALUES at most.
static bool make_room_for_values(struct tp_hist *h, unsigned more)
{
    bool has_few = h->capacity == 0;
    unsigned capacity = has_few ? TP_HIST_FEW_VALUES : h->capacity;
    if (h->count + more <= capacity)
        return true;
    // Lists of 28 and 60 values use all of a heap block, which has 16 n + 8 bytes. Most lists that
    // outgrow the struct have more than a few values, so none has room for 12.
    while (capacity < h->count + more)
        capacity = capacity == TP_HIST_FEW_VALUES ? 28 : 2 * capacity + 4;
    uint16_t *values = tp_realloc(has_few ? NULL : h->values, capacity * sizeof *values);
    if (values == NULL)
        return false;
    if (has_few)
        memcpy(values, h->few, sizeof h->few);
    h->values = values;
    h->capacity = (uint16_t)capacity;
    return true;
}

// Adds a value `count` times. The histogram then has at most TP_HIST_QUICK_VALUES values.
static bool add_values(struct tp_hist *h, unsigned bucket, unsigned count)
{
    if (!make_room_for_values(h, count))
        return false;
    uint16_t *values = h->capacity == 0 ? h->few : h->values;
    for (unsigned i = 0; i < count; i++)
        values[h->count++] = (uint16_t)bucket;
    return true;
}

// Frees items or values.
static void free_list(struct tp_hist *h)
{
    if (h->capacity > 0)
        tp_free(h->items);
    h->count = h->capacity = 0;
}

// PAGES

#define LOW_BITS 16
#define LOW_MAX UINT16_MAX

// Pages to spare for octaves in which the first value comes later.
#define SPARE_PAGES 2

static bool add_page(struct tp_hist *h, unsigned idx)
{
    struct tp_hist_pages *pages = h->pages;
    bool is_first = pages->first_count < h->capacity;
    pages->of[idx] = is_first ? &pages->first[pages->first_count++]
                              : tp_alloc_zero(sizeof *pages->of[idx]);
    if (!is_first && pages->of[idx] != NULL) {
        pages->later |= UINT64_C(1) << idx;
        h->count++;
    }
    return pages->of[idx] != NULL;
}

// Adds to the high part of a count, the bits above those on its page. A count wraps at 2^64.
static bool add_high(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    struct tp_hist *high = &h->pages->high;
    unsigned at = find(high, bucket);
    if (!is_at(high, at, bucket))
        return add_item(high, at, bucket, count);
    uint64_t *item = &own_items(high)[at];
    *item = item_of(bucket, count_of(*item) + count);
    return true;
}

TP_NOINLINE bool tp_hist_carry(struct tp_hist *h, unsigned bucket)
{
    bool fits = add_high(h, bucket, 1);
    if (!fits)
        *tp_hist_low(h, bucket) = LOW_MAX;
    return fits;
}

static bool add_to_page(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    if (tp_hist_low(h, bucket) == NULL && !add_page(h, bucket / TP_HIST_PAGE_BUCKETS))
        return false;
    uint16_t *low = tp_hist_low(h, bucket);
    uint64_t low_sum = *low + (count & LOW_MAX);
    uint64_t high = (count >> LOW_BITS) + (low_sum >> LOW_BITS);
    if (high > 0 && !add_high(h, bucket, high))
        return false;
    *low = (uint16_t)low_sum;
    return true;
}

static void free_pages(struct tp_hist_pages *pages)
{
    for (uint64_t left = pages->later; left != 0; left &= left - 1)
        tp_free(pages->of[__builtin_ctzll(left)]);
    free_list(&pages->high);
    tp_free(pages);
}

// Returns the bucket of item or value number `i` of a list, and its count.
static unsigned listed(const struct tp_hist *h, unsigned i, uint64_t *ret_count)
{
    *ret_count = has_values(h) ? 1 : count_of(items_of(h)[i]);
    return has_values(h) ? values_of(h)[i] : bucket_of(items_of(h)[i]);
}

// Returns the number of pages that the octaves of a list need, with those to spare.
static uint16_t first_pages_of(const struct tp_hist *h)
{
    uint64_t octaves = 0, count;
    for (unsigned i = 0; i < h->count; i++)
        octaves |= UINT64_C(1) << (listed(h, i, &count) / TP_HIST_PAGE_BUCKETS);
    return (uint16_t)((unsigned)__builtin_popcountll(octaves) + SPARE_PAGES);
}

// Adds the items or values of a list. False: out of memory; some may have been added.
static bool add_list(struct tp_hist *into, const struct tp_hist *from)
{
    bool fits = true;
    for (unsigned i = 0; i < from->count && fits; i++) {
        uint64_t count;
        unsigned bucket = listed(from, i, &count);
        uint16_t *low = count == 1 ? tp_hist_low(into, bucket) : NULL;
        if (tp_likely(low != NULL && *low < LOW_MAX))
            ++*low;
        else
            fits = tp_hist_add_count(into, bucket, count);
    }
    return fits;
}

// Moves the items or values to pages. False: out of memory, and nothing has changed.
static bool make_pages(struct tp_hist *h)
{
    struct tp_hist paged = {
        .capacity = first_pages_of(h), .is_quick = h->is_quick, .has_pages = true};
    paged.pages = tp_alloc_zero(sizeof *paged.pages + paged.capacity * sizeof *paged.pages->first);
    bool fits = paged.pages != NULL && add_list(&paged, h);
    if (fits) {
        free_list(h);
        *h = paged;
    } else if (paged.pages != NULL) {
        free_pages(paged.pages);
    }
    return fits;
}

// ADDING

TP_NOINLINE bool tp_hist_add_count(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    if (count == 0)
        return true;
    if (h->has_pages)
        return add_to_page(h, bucket, count);
    if (h->is_quick)
        return tp_likely(count <= TP_HIST_QUICK_VALUES - (unsigned)h->count)
                   ? add_values(h, bucket, (unsigned)count)
                   : make_pages(h) && add_to_page(h, bucket, count);
    unsigned at = find(h, bucket);
    bool is_new = !is_at(h, at, bucket);
    if (is_new && h->count < ITEMS_MAX && count <= ITEM_COUNT_MAX)
        return add_item(h, at, bucket, count);
    if (is_new || count > ITEM_COUNT_MAX - count_of(items_of(h)[at]))
        return make_pages(h) && add_to_page(h, bucket, count);
    own_items(h)[at] += count;
    return true;
}

TP_NOINLINE bool tp_hist_add_measured(struct tp_hist *h, unsigned bucket, uint64_t count,
                                      size_t *bytes)
{
    size_t before_bytes = tp_hist_bytes(h);
    bool fits = tp_hist_add_count(h, bucket, count);
    *bytes += tp_hist_bytes(h) - before_bytes;
    return fits;
}

// MERGING PAGES

// Adds the counts of one page to another. False: a sum has more than 16 bits, and nothing has
// changed.
static bool add_low(struct tp_hist_page *restrict into, const struct tp_hist_page *restrict from)
{
    struct tp_hist_page sum;
    uint16_t is_over = 0;
    for (unsigned k = 0; k < TP_HIST_PAGE_BUCKETS; k++) {
        sum.counts[k] = (uint16_t)(into->counts[k] + from->counts[k]);
        is_over |= (uint16_t)(sum.counts[k] < from->counts[k]);
    }
    if (is_over == 0)
        *into = sum;
    return is_over == 0;
}

static bool add_one_by_one(struct tp_hist *into, unsigned first_bucket,
                           const struct tp_hist_page *from)
{
    bool fits = true;
    for (unsigned k = 0; k < TP_HIST_PAGE_BUCKETS && fits; k++)
        fits = from->counts[k] == 0 || add_to_page(into, first_bucket + k, from->counts[k]);
    return fits;
}

static bool merge_pages(struct tp_hist *into, const struct tp_hist *from)
{
    struct tp_hist_page **to = into->pages->of, *const *of = from->pages->of;
    const struct tp_hist *high = &from->pages->high;
    bool fits = true;
    for (unsigned i = 0; i < TP_HIST_PAGES && fits; i++) {
        if (of[i] == NULL)
            continue;
        fits = (to[i] != NULL || add_page(into, i)) &&
               (add_low(to[i], of[i]) || add_one_by_one(into, i * TP_HIST_PAGE_BUCKETS, of[i]));
    }
    for (unsigned i = 0; i < high->count && fits; i++)
        fits = add_high(into, bucket_of(items_of(high)[i]), count_of(items_of(high)[i]));
    return fits;
}

// WALKING

// Most of a page is empty, so the walk passes over this many empty buckets at once.
#define STEP 4

static bool is_empty(const uint16_t counts[static STEP])
{
    uint64_t all;
    memcpy(&all, counts, sizeof all);
    return all == 0;
}

// Finds the next bucket whose low or high part is not 0. False: there is none.
static bool next_on_pages(struct tp_hist_walk *w)
{
    const struct tp_hist *high = &w->hist->pages->high;
    const uint64_t *items = items_of(high);
    unsigned high_bucket =
        w->next_item < high->count ? bucket_of(items[w->next_item]) : TP_HIST_BUCKETS;
    while (w->next < TP_HIST_BUCKETS) {
        const struct tp_hist_page *page = w->hist->pages->of[w->next / TP_HIST_PAGE_BUCKETS];
        if (page == NULL) {
            w->next += TP_HIST_PAGE_BUCKETS;
            continue;
        }
        unsigned within = w->next % TP_HIST_PAGE_BUCKETS;
        if (within % STEP == 0 && high_bucket >= w->next + STEP &&
            is_empty(page->counts + within)) {
            w->next += STEP;
            continue;
        }
        w->bucket = w->next++;
        w->count = page->counts[within];
        if (w->bucket == high_bucket)
            w->count |= count_of(items[w->next_item++]) << LOW_BITS;
        if (w->count > 0)
            return true;
    }
    return false;
}

// Finds the least bucket of a value from `next` on, and counts the values.
static bool next_value(struct tp_hist_walk *w)
{
    const uint16_t *values = values_of(w->hist);
    w->bucket = TP_HIST_BUCKETS;
    for (unsigned i = 0; i < w->hist->count; i++) {
        if (values[i] >= w->next && values[i] < w->bucket) {
            w->bucket = values[i];
            w->count = 0;
        }
        w->count += values[i] == w->bucket;
    }
    w->next = w->bucket + 1;
    return w->bucket < TP_HIST_BUCKETS;
}

bool tp_hist_walk_next(struct tp_hist_walk *walk)
{
    const struct tp_hist *h = walk->hist;
    if (h->has_pages)
        return next_on_pages(walk);
    if (h->is_quick)
        return next_value(walk);
    if (walk->next_item == h->count)
        return false;
    uint64_t item = items_of(h)[walk->next_item++];
    walk->bucket = bucket_of(item);
    walk->count = count_of(item);
    return true;
}

// MERGING

// The items of a list.
struct items {
    const uint64_t *of;
    unsigned count;
};

// Copies values to `room` as items. There are at most ITEMS_MAX of them.
static struct items sort_values(const struct tp_hist *h, uint64_t room[static ITEMS_MAX])
{
    uint16_t sorted[TP_HIST_QUICK_VALUES];
    struct items ret = {.of = room};
    for (unsigned i = 0; i < h->count; i++) {
        uint16_t value = values_of(h)[i];
        unsigned at = i;
        for (; at > 0 && sorted[at - 1] > value; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = value;
    }
    for (unsigned i = 0; i < h->count; i++) {
        if (i > 0 && sorted[i] == sorted[i - 1])
            room[ret.count - 1]++;
        else
            room[ret.count++] = item_of(sorted[i], 1);
    }
    return ret;
}
_Static_assert(TP_HIST_QUICK_VALUES <= ITEMS_MAX, "each value may have an item of its own");

// Copies what is on the pages to `room` as items. False: there are more than ITEMS_MAX, or a count
// does not fit into an item.
static bool copy_items(const struct tp_hist *h, uint64_t room[static ITEMS_MAX],
                       struct items *ret)
{
    struct tp_hist_walk walk = {.hist = h};
    *ret = (struct items){.of = room};
    while (tp_hist_walk_next(&walk)) {
        if (ret->count == ITEMS_MAX || walk.count > ITEM_COUNT_MAX)
            return false;
        room[ret->count++] = item_of(walk.bucket, walk.count);
    }
    return true;
}

// Counts the items whose buckets have no item in the list `into`. False: the count of a bucket that
// both have does not fit into an item.
static bool count_new(const struct tp_hist *into, struct items from, unsigned *ret)
{
    const uint64_t *items = items_of(into);
    unsigned i = from.count > 0 ? find(into, bucket_of(from.of[0])) : 0;
    *ret = 0;
    for (unsigned k = 0; k < from.count; k++) {
        unsigned bucket = bucket_of(from.of[k]);
        while (i < into->count && bucket_of(items[i]) < bucket)
            i++;
        bool is_new = !is_at(into, i, bucket);
        if (!is_new && count_of(from.of[k]) > ITEM_COUNT_MAX - count_of(items[i]))
            return false;
        *ret += is_new;
    }
    return true;
}

// Adds items, of which `added` have no item in the list `into`. Joins the lists from their ends, so
// that no item moves twice.
static bool join_items(struct tp_hist *into, struct items from, unsigned added)
{
    if (!make_room(into, added))
        return false;
    uint64_t *items = own_items(into);
    unsigned i = into->count, k = from.count, to = i + added;
    into->count = (uint16_t)to;
    while (k > 0) {
        uint64_t item = from.of[k - 1];
        bool is_behind = i > 0 && bucket_of(items[i - 1]) > bucket_of(item);
        bool is_in_both = i > 0 && bucket_of(items[i - 1]) == bucket_of(item);
        if (is_behind)
            item = items[i - 1];
        else if (is_in_both)
            item += count_of(items[i - 1]);
        items[--to] = item;
        i -= is_behind || is_in_both;
        k -= !is_behind;
    }
    return true;
}

// Adds to items that remain items. False: there would be too many, or too large a count.
static bool merge_into_items(struct tp_hist *into, const struct tp_hist *from, bool *ret_fits)
{
    uint64_t room[ITEMS_MAX];
    struct items items = {items_of(from), from->count};
    unsigned added;
    if (from->has_pages && !copy_items(from, room, &items))
        return false;
    if (has_values(from))
        items = sort_values(from, room);
    if (into->count + items.count > ITEMS_MAX || !count_new(into, items, &added))
        return false;
    *ret_fits = join_items(into, items, added);
    return true;
}

bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from)
{
    bool fits;
    if (!from->has_pages && (from->count == 1 || has_values(into)))
        return add_list(into, from);
    if (!into->has_pages && !has_values(into) && merge_into_items(into, from, &fits))
        return fits;
    if (!into->has_pages && !make_pages(into))
        return false;
    return from->has_pages ? merge_pages(into, from) : add_list(into, from);
}

// RANKS

unsigned tp_hist_bucket_of_rank(const struct tp_hist *h, uint64_t rank)
{
    struct tp_hist_walk walk = {.hist = h};
    uint64_t seen = 0;
    while (tp_hist_walk_next(&walk)) {
        seen += walk.count;
        if (seen >= rank)
            return walk.bucket;
    }
    return TP_HIST_BUCKETS;
}

void tp_hist_fini(struct tp_hist *h)
{
    if (h->has_pages)
        free_pages(h->pages);
    else
        free_list(h);
    *h = (struct tp_hist){.is_quick = h->is_quick};
}
