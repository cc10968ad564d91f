// Counts of values by size, exact in number and within 1/128 in value: below 128 each
// value has a bucket of its own, above that each octave has 64 of equal width. What is
// read out is the middle of a bucket, so it is off by at most half a width.
//
// Histograms add up exactly, in any order and grouping. Plain memory of one thread. Zeroed is
// empty. A bucket that is not empty takes 8 bytes, the first one none beside the struct; a quick
// histogram takes a page for an octave when its first value comes, and is added to without
// searching. Both forms hold the same counts. A page holds the low 16 bits of each count, so that
// the pages of many histograms fit into the cache.
#ifndef TP_BASE_HISTOGRAM_H
#define TP_BASE_HISTOGRAM_H

#include "base/attr.h"

#define TP_HIST_PAGE_BUCKETS 64
#define TP_HIST_PAGES 59
#define TP_HIST_BUCKETS (TP_HIST_PAGES * TP_HIST_PAGE_BUCKETS)

struct tp_hist_page {
    uint16_t counts[TP_HIST_PAGE_BUCKETS];
};

struct tp_hist_pages;

struct tp_hist {
    union {
        uint64_t item;               // the only one, where item_capacity is 0
        uint64_t *items;             // bucket << 52 | count, rising
        struct tp_hist_pages *pages; // if has_pages
    };
    uint16_t item_count;
    uint16_t item_capacity;
    bool is_quick;                   // said before the first value comes
    bool has_pages;
};

struct tp_hist_pages {
    struct tp_hist_page *of[TP_HIST_PAGES]; // NULL where nothing was counted
    struct tp_hist high;                    // counts >> 16; it has items only
};

TP_INLINE unsigned tp_hist_bucket(uint64_t value)
{
    // 64 to 127 are what is left of any value: the highest bit is an octave of its own. Small
    // ones are not shifted, and so are their bucket.
    unsigned shift = 57 - (unsigned)__builtin_clzll(value | TP_HIST_PAGE_BUCKETS);
    return shift * TP_HIST_PAGE_BUCKETS + (unsigned)(value >> shift);
}

// The least value of a bucket, and how many values it has.
uint64_t tp_hist_bucket_low(unsigned bucket);
uint64_t tp_hist_bucket_width(unsigned bucket);
// What stands for all of them.
uint64_t tp_hist_bucket_middle(unsigned bucket);

// False: out of memory, and nothing has changed.
bool tp_hist_add_count(struct tp_hist *h, unsigned bucket, uint64_t count) TP_MUST_USE;

// The low part of a count; NULL: it is not on a page yet.
TP_INLINE uint16_t *tp_hist_low(struct tp_hist *h, unsigned bucket)
{
    struct tp_hist_page *page =
        tp_likely(h->has_pages) ? h->pages->of[bucket / TP_HIST_PAGE_BUCKETS] : NULL;
    return tp_likely(page != NULL) ? &page->counts[bucket % TP_HIST_PAGE_BUCKETS] : NULL;
}

// The low part has become 0 by adding 1. False: out of memory, and that is undone.
bool tp_hist_carry(struct tp_hist *h, unsigned bucket) TP_MUST_USE;

TP_INLINE TP_MUST_USE bool tp_hist_add(struct tp_hist *h, uint64_t value)
{
    unsigned bucket = tp_hist_bucket(value);
    uint16_t *low = tp_hist_low(h, bucket);
    if (tp_unlikely(low == NULL))
        return tp_hist_add_count(h, bucket, 1);
    return tp_likely(++*low != 0) || tp_hist_carry(h, bucket);
}

// Of another one. False: out of memory; then `into` holds a part.
bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from) TP_MUST_USE;

uint64_t tp_hist_count(const struct tp_hist *h, unsigned bucket);

// Buckets in which something is, by number: `walk` begins with {histogram}. False: no more.
struct tp_hist_walk {
    const struct tp_hist *hist;
    unsigned next;      // bucket, where there are pages
    unsigned next_item;
    unsigned bucket;
    uint64_t count;
};
bool tp_hist_walk_next(struct tp_hist_walk *walk);

// The bucket in which the value of a rank is, counted from 1; TP_HIST_BUCKETS if there
// are not so many.
unsigned tp_hist_bucket_of_rank(const struct tp_hist *h, uint64_t rank);

void tp_hist_fini(struct tp_hist *h); // empty again

#endif
