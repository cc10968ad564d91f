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

#define ITEM_COUNT_BITS 52
// What does not fit makes it a quick one.
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

// PAGES

static bool add_page(struct tp_hist *h, unsigned idx)
{
    h->pages[idx] = tp_alloc_zero(sizeof *h->pages[idx]);
    return h->pages[idx] != NULL;
}

static bool add_to_page(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    unsigned page = bucket / TP_HIST_PAGE_BUCKETS;
    if (h->pages[page] == NULL && !add_page(h, page))
        return false;
    h->pages[page]->counts[bucket % TP_HIST_PAGE_BUCKETS] += count;
    return true;
}

static void free_pages(struct tp_hist *h)
{
    for (unsigned i = 0; i < TP_HIST_PAGES && h->pages != NULL; i++)
        tp_free(h->pages[i]);
    tp_free(h->pages);
    h->pages = NULL;
}

// Its items go to pages. False: nothing has changed.
static bool make_quick(struct tp_hist *h)
{
    bool fits = true;
    h->pages = tp_alloc_zero(TP_HIST_PAGES * sizeof *h->pages);
    if (h->pages == NULL)
        return false;
    for (unsigned i = 0; i < h->item_count && fits; i++)
        fits = add_to_page(h, bucket_of(h->items[i]), count_of(h->items[i]));
    if (!fits) {
        free_pages(h);
        return false;
    }
    tp_free(h->items);
    h->items = NULL;
    h->item_count = h->item_capacity = 0;
    return true;
}

// Told apart, they are added several at a time.
static void add_counts(struct tp_hist_page *restrict into, const struct tp_hist_page *restrict from)
{
    for (unsigned k = 0; k < TP_HIST_PAGE_BUCKETS; k++)
        into->counts[k] += from->counts[k];
}

static bool merge_pages(struct tp_hist *into, const struct tp_hist *from)
{
    for (unsigned i = 0; i < TP_HIST_PAGES; i++) {
        if (from->pages[i] == NULL)
            continue;
        if (into->pages[i] == NULL && !add_page(into, i))
            return false;
        add_counts(into->pages[i], from->pages[i]);
    }
    return true;
}

// ADDING

// Of the first item that is not before the bucket.
static unsigned find(const struct tp_hist *h, unsigned bucket)
{
    unsigned first = 0, count = h->item_count;
    while (count > 0) {
        unsigned half = count / 2;
        bool is_behind = bucket_of(h->items[first + half]) < bucket;
        first += is_behind ? half + 1 : 0;
        count = is_behind ? count - half - 1 : half;
    }
    return first;
}

static bool is_at(const struct tp_hist *h, unsigned at, unsigned bucket)
{
    return at < h->item_count && bucket_of(h->items[at]) == bucket;
}

static bool make_room(struct tp_hist *h)
{
    if (h->item_count < h->item_capacity)
        return true;
    unsigned capacity = h->item_capacity == 0 ? 2 : 2 * h->item_capacity;
    uint64_t *items = tp_realloc(h->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    h->items = items;
    h->item_capacity = (uint16_t)capacity;
    return true;
}

static bool add_item(struct tp_hist *h, unsigned at, unsigned bucket, uint64_t count)
{
    if (!make_room(h))
        return false;
    memmove(h->items + at + 1, h->items + at, (h->item_count - at) * sizeof *h->items);
    h->items[at] = (uint64_t)bucket << ITEM_COUNT_BITS | count;
    h->item_count++;
    return true;
}

TP_NOINLINE bool tp_hist_add_slowly(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    if (count == 0)
        return true;
    if (h->pages != NULL || h->is_quick)
        return (h->pages != NULL || make_quick(h)) && add_to_page(h, bucket, count);
    unsigned at = find(h, bucket);
    bool is_there = is_at(h, at, bucket);
    uint64_t before = is_there ? count_of(h->items[at]) : 0;
    if (count > ITEM_COUNT_MAX - before)
        return make_quick(h) && add_to_page(h, bucket, count);
    if (!is_there)
        return add_item(h, at, bucket, count);
    h->items[at] += count;
    return true;
}

// ALL OF THEM

// With more items than this pages cost little more, and they are added without searching.
#define ITEMS_MAX 96

// They come by bucket, so it is looked for from *at on.
static bool add_behind(struct tp_hist *h, unsigned *at, unsigned bucket, uint64_t count)
{
    while (*at < h->item_count && bucket_of(h->items[*at]) < bucket)
        ++*at;
    if (!is_at(h, *at, bucket) || count > ITEM_COUNT_MAX - count_of(h->items[*at]))
        return tp_hist_add_count(h, bucket, count);
    h->items[*at] += count;
    return true;
}

// Most of a page is empty.
#define STEP 8

static bool is_empty(const uint64_t counts[static STEP])
{
    uint64_t any = 0;
    for (unsigned i = 0; i < STEP; i++)
        any |= counts[i];
    return any == 0;
}

static bool add_page_items(struct tp_hist *into, unsigned *at, const struct tp_hist_page *page,
                           unsigned first_bucket)
{
    for (unsigned k = 0; k < TP_HIST_PAGE_BUCKETS; k += STEP) {
        for (unsigned i = k; i < k + STEP && !is_empty(page->counts + k); i++) {
            if (page->counts[i] > 0 && !add_behind(into, at, first_bucket + i, page->counts[i]))
                return false;
        }
    }
    return true;
}

static bool merge_items(struct tp_hist *into, const struct tp_hist *from)
{
    unsigned at = 0;
    bool fits = true;
    for (unsigned i = 0; i < from->item_count && fits; i++)
        fits = add_behind(into, &at, bucket_of(from->items[i]), count_of(from->items[i]));
    return fits;
}

bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from)
{
    if (from->pages == NULL)
        return merge_items(into, from);
    if (into->pages == NULL && into->item_count > ITEMS_MAX && !make_quick(into))
        return false;
    if (into->pages != NULL)
        return merge_pages(into, from);
    unsigned at = 0;
    bool fits = true;
    for (unsigned i = 0; i < TP_HIST_PAGES && fits; i++)
        fits = from->pages[i] == NULL ||
               add_page_items(into, &at, from->pages[i], i * TP_HIST_PAGE_BUCKETS);
    return fits;
}

uint64_t tp_hist_count(const struct tp_hist *h, unsigned bucket)
{
    if (h->pages != NULL) {
        const struct tp_hist_page *page = h->pages[bucket / TP_HIST_PAGE_BUCKETS];
        return page != NULL ? page->counts[bucket % TP_HIST_PAGE_BUCKETS] : 0;
    }
    unsigned at = find(h, bucket);
    return is_at(h, at, bucket) ? count_of(h->items[at]) : 0;
}

static bool next_on_pages(struct tp_hist_walk *w)
{
    struct tp_hist_page *const *pages = w->hist->pages;
    while (w->next < TP_HIST_BUCKETS) {
        const struct tp_hist_page *page = pages[w->next / TP_HIST_PAGE_BUCKETS];
        if (page == NULL) {
            w->next += TP_HIST_PAGE_BUCKETS;
            continue;
        }
        w->bucket = w->next++;
        w->count = page->counts[w->bucket % TP_HIST_PAGE_BUCKETS];
        if (w->count > 0)
            return true;
    }
    return false;
}

bool tp_hist_walk_next(struct tp_hist_walk *walk)
{
    const struct tp_hist *h = walk->hist;
    if (h->pages != NULL)
        return next_on_pages(walk);
    if (walk->next == h->item_count)
        return false;
    walk->bucket = bucket_of(h->items[walk->next]);
    walk->count = count_of(h->items[walk->next++]);
    return true;
}

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
    free_pages(h);
    tp_free(h->items);
    *h = (struct tp_hist){.is_quick = h->is_quick};
}
