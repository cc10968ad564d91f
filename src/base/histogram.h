// A histogram of 64-bit values: exact counts, values within 1/128. Each value below 128 has a
// bucket of its own; above, each octave has 64 buckets of equal width. A bucket reads as its
// middle, so a value is off by at most half a width.
//
// Histograms add up exactly, in any order and grouping. One thread at a time uses one. Zeroed
// is empty. There are two forms with the same counts. A list of items takes 8 bytes for each
// bucket that is not empty (none beyond the struct for the first). A quick histogram takes a
// page for each octave that has a value, and adds without searching. A page holds the low 16
// bits of each count, so that the pages of many histograms fit into the cache.
#ifndef TP_BASE_HISTOGRAM_H
#define TP_BASE_HISTOGRAM_H

#include "base/attr.h"

// Buckets of an octave, octaves with a page, and all buckets.
#define TP_HIST_PAGE_BUCKETS 64
#define TP_HIST_PAGES 59
#define TP_HIST_BUCKETS (TP_HIST_PAGES * TP_HIST_PAGE_BUCKETS)

// The counts of one octave, modulo 2^16.
struct tp_hist_page {
    uint16_t counts[TP_HIST_PAGE_BUCKETS];
};

struct tp_hist_pages;

// A histogram in one of its two forms. Owns its memory, which tp_hist_fini frees.
struct tp_hist {
    union {
        uint64_t item;               // the only item, if item_capacity is 0
        uint64_t *items;             // bucket << 52 | count, ascending
        struct tp_hist_pages *pages; // if has_pages
    };
    uint16_t item_count;
    uint16_t item_capacity;
    bool is_quick;                   // set by the owner before the first value
    bool has_pages;
};

// The pages of a quick histogram.
struct tp_hist_pages {
    struct tp_hist_page *of[TP_HIST_PAGES]; // NULL: no value in this octave
    struct tp_hist high;                    // counts >> 16; always a list of items
};

// Number of the bucket of a value, below TP_HIST_BUCKETS; rises with the value.
TP_INLINE unsigned tp_hist_bucket(uint64_t value)
{
    // Shift the value into 64 to 127; each shift is an octave with 64 buckets. A value below
    // 128 is not shifted and equals its bucket.
    unsigned shift = 57 - (unsigned)__builtin_clzll(value | TP_HIST_PAGE_BUCKETS);
    return shift * TP_HIST_PAGE_BUCKETS + (unsigned)(value >> shift);
}

// The least value of a bucket.
uint64_t tp_hist_bucket_low(unsigned bucket);
// The number of different values that fall into a bucket.
uint64_t tp_hist_bucket_width(unsigned bucket);
// The value that stands for all values of a bucket.
uint64_t tp_hist_bucket_middle(unsigned bucket);

// Adds `count` values to a bucket. False: out of memory, and nothing has changed.
bool tp_hist_add_count(struct tp_hist *h, unsigned bucket, uint64_t count) TP_MUST_USE;

// The low 16 bits of a count on its page; NULL: the page does not exist yet.
TP_INLINE uint16_t *tp_hist_low(struct tp_hist *h, unsigned bucket)
{
    struct tp_hist_page *page =
        tp_likely(h->has_pages) ? h->pages->of[bucket / TP_HIST_PAGE_BUCKETS] : NULL;
    return tp_likely(page != NULL) ? &page->counts[bucket % TP_HIST_PAGE_BUCKETS] : NULL;
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

// Adds all counts of `from` to `into`. False: out of memory; `into` then holds some of them.
bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from) TP_MUST_USE;

// A walk over the buckets that are not empty, in ascending order. Initialise it as
// {histogram}; the histogram must not change meanwhile.
struct tp_hist_walk {
    const struct tp_hist *hist;
    unsigned next;      // next bucket to look at, in a quick histogram
    unsigned next_item; // next item, in a list of items
    unsigned bucket;    // result
    uint64_t count;     // result
};
// Sets `bucket` and `count`. False: there is no further bucket.
bool tp_hist_walk_next(struct tp_hist_walk *walk);

// The bucket of the value with this rank; the least value has rank 1. TP_HIST_BUCKETS if there
// are fewer values.
unsigned tp_hist_bucket_of_rank(const struct tp_hist *h, uint64_t rank);

// Frees the memory; the histogram is empty again.
void tp_hist_fini(struct tp_hist *h);

#endif
