// Histograms of 64-bit values, with exact counts and values exact to 1/128. Each value below 128
// has a bucket of its own. From there on each octave, 2^n to 2^(n+1) - 1, has 64 buckets of equal
// width. A reported value is the middle of its bucket, so it is off by at most half a width.
//
// Histograms add up exactly, in any order and grouping. One thread at a time uses a histogram. A
// zeroed histogram is empty. A histogram has one of three forms, all with exact counts:
//   items    8 bytes for each bucket that is not empty, in ascending order; if only one bucket is
//            not empty, its item lies in the struct
//   values   the bucket of each value, 2 bytes, in the order of adding; the first four lie in the
//            struct
//   pages    a page of counts for each octave with a value. A page holds only the low 16 bits of
//            each count, so that the pages of many histograms fit into the cache.
// A quick histogram begins as values: adding to these needs no search and, for most distributions,
// little memory. It gets pages when it has many values, or when pages are merged into it. Another
// histogram begins as items. It gets pages when it would have many items, or when a count does not
// fit into an item.
#ifndef TP_BASE_HISTOGRAM_H
#define TP_BASE_HISTOGRAM_H

#include "base/attr.h"

// A quick histogram gets pages when it would have more values than this.
#define TP_HIST_QUICK_VALUES 60
// Number of values that lie in the struct.
#define TP_HIST_FEW_VALUES 4

// Buckets of an octave, octaves with a page, and all buckets.
#define TP_HIST_PAGE_BUCKETS 64
#define TP_HIST_PAGES 59
#define TP_HIST_BUCKETS (TP_HIST_PAGES * TP_HIST_PAGE_BUCKETS)
_Static_assert(TP_HIST_PAGES <= 64, "a bit for each octave");

// The counts of one octave, modulo 2^16.
struct tp_hist_page {
    uint16_t counts[TP_HIST_PAGE_BUCKETS];
};

struct tp_hist_pages;

// A histogram in one of its forms. Owns its memory, which tp_hist_fini frees.
struct tp_hist {
    union {
        uint64_t item;               // items: the only one, if capacity is 0
        uint64_t *items;             // items: bucket << 52 | count, ascending by bucket
        uint16_t few[TP_HIST_FEW_VALUES]; // values: their buckets, if capacity is 0
        uint16_t *values;            // values: their buckets
        struct tp_hist_pages *pages; // if has_pages
    };
    // Items, values: `count` is their number; `capacity` is the number that the memory outside the
    // struct can hold. Pages: `count` is the number of pages with memory of their own; `capacity`
    // is the number of pages in `pages->first`.
    uint16_t count, capacity;
    bool is_quick;                   // the owner may set it before the first value
    bool has_pages;
};

// The pages of a histogram. Those of the octaves that have values when it is made are part of its
// memory, with a few to spare.
struct tp_hist_pages {
    struct tp_hist_page *of[TP_HIST_PAGES]; // NULL: no value in this octave
    struct tp_hist high;                    // counts >> 16; always items
    uint64_t later;                         // bit i: of[i] has memory of its own
    uint16_t first_count;                   // of `first`, in use
    _Alignas(16) struct tp_hist_page first[];
};

// Returns the number of the bucket of a value, below TP_HIST_BUCKETS. A larger value never has a
// lower number.
TP_INLINE unsigned tp_hist_bucket(uint64_t value)
{
    // A value of 128 or more is shifted right until it is from 64 to 127: each shift count stands
    // for an octave with 64 buckets. A value below 128 is not shifted and equals its bucket.
    unsigned top_bit = 63 ^ (unsigned)__builtin_clzll(value | TP_HIST_PAGE_BUCKETS);
    unsigned shift = top_bit - 6;
    return shift * TP_HIST_PAGE_BUCKETS + (unsigned)(value >> shift);
}

// Returns the least value of a bucket.
uint64_t tp_hist_bucket_low(unsigned bucket);
// Returns the number of different values that fall into a bucket.
uint64_t tp_hist_bucket_width(unsigned bucket);
// Returns the value that is reported for all values of a bucket.
uint64_t tp_hist_bucket_middle(unsigned bucket);

// Adds `count` values to a bucket. False: out of memory, and nothing has changed.
bool tp_hist_add_count(struct tp_hist *h, unsigned bucket, uint64_t count) TP_MUST_USE;

// Returns the place on a page of the low 16 bits of a bucket's count, valid until tp_hist_fini.
// NULL: there is no such page.
TP_INLINE uint16_t *tp_hist_low(struct tp_hist *h, unsigned bucket)
{
    struct tp_hist_page *page =
        tp_likely(h->has_pages) ? h->pages->of[bucket / TP_HIST_PAGE_BUCKETS] : NULL;
    return tp_likely(page != NULL) ? &page->counts[bucket % TP_HIST_PAGE_BUCKETS] : NULL;
}

// Counts a value in a quick histogram that has values and memory for one more. False: it has not,
// and nothing has changed.
TP_INLINE bool tp_hist_add_here(struct tp_hist *h, unsigned bucket)
{
    unsigned capacity = h->capacity == 0 ? TP_HIST_FEW_VALUES : h->capacity;
    if (!h->is_quick || h->has_pages || h->count == capacity)
        return false;
    (h->capacity == 0 ? h->few : h->values)[h->count++] = (uint16_t)bucket;
    return true;
}

// Carries into the high part of a count after its low part has wrapped to 0 by adding 1. False:
// out of memory, and the addition is undone.
bool tp_hist_carry(struct tp_hist *h, unsigned bucket) TP_MUST_USE;

// Counts one value. False: out of memory, and nothing has changed.
TP_INLINE TP_MUST_USE bool tp_hist_add(struct tp_hist *h, uint64_t value)
{
    unsigned bucket = tp_hist_bucket(value);
    uint16_t *low = tp_hist_low(h, bucket);
    if (tp_unlikely(low == NULL))
        return tp_hist_add_count(h, bucket, 1);
    return tp_likely(++*low != 0) || tp_hist_carry(h, bucket);
}

// Does the same as tp_hist_add_count, and adds to *bytes by how much the memory of the histogram
// has grown (tp_hist_bytes).
bool tp_hist_add_measured(struct tp_hist *h, unsigned bucket, uint64_t count,
                          size_t *bytes) TP_MUST_USE;

// Adds all counts of `from` to `into`. False: out of memory; `into` then holds only some of them.
bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from) TP_MUST_USE;

// A walk over the buckets that are not empty, in ascending order. Initialize it with {histogram};
// the histogram must not change during the walk. There is nothing to free.
struct tp_hist_walk {
    const struct tp_hist *hist;
    unsigned next;      // next bucket to look at, if the histogram has values or pages
    unsigned next_item; // next item of a list of items
    unsigned bucket;    // result of tp_hist_walk_next
    uint64_t count;     // result of tp_hist_walk_next
};
// Goes to the next bucket and sets `bucket` and `count`. False: there is no further bucket.
bool tp_hist_walk_next(struct tp_hist_walk *walk);

// Returns the bucket of the value that has this rank in ascending order; the least value has rank
// 1. TP_HIST_BUCKETS: there are fewer values.
unsigned tp_hist_bucket_of_rank(const struct tp_hist *h, uint64_t rank);

// Returns the memory that the histogram owns, in bytes, except that of the list `high`. Does not
// look at the pages, which are scattered in memory.
TP_INLINE size_t tp_hist_bytes(const struct tp_hist *h)
{
    if (!h->has_pages)
        return h->capacity * (h->is_quick ? sizeof *h->values : sizeof *h->items);
    return sizeof *h->pages + ((size_t)h->capacity + h->count) * sizeof *h->pages->first;
}
// Frees the memory; the histogram is empty again.
void tp_hist_fini(struct tp_hist *h);

#endif
