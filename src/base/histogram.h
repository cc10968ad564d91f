// Counts of values by size, exact in number and within 1/128 in value: below 128 each
// value has a bucket of its own, above that each octave has 64 of equal width. What is
// read out is the middle of a bucket, so it is off by at most half a width.
//
// Histograms add up exactly, in any order and grouping. Plain memory of one thread. Zeroed is
// empty, and takes 8 bytes for a bucket that is not; a quick one takes a page for an octave when
// its first value comes, and is added to without searching. What is in them is the same.
#ifndef TP_BASE_HISTOGRAM_H
#define TP_BASE_HISTOGRAM_H

#include "base/attr.h"

#define TP_HIST_PAGE_BUCKETS 64
#define TP_HIST_PAGES 59
#define TP_HIST_BUCKETS (TP_HIST_PAGES * TP_HIST_PAGE_BUCKETS)

struct tp_hist_page {
    uint64_t counts[TP_HIST_PAGE_BUCKETS];
};

struct tp_hist {
    struct tp_hist_page **pages; // TP_HIST_PAGES, NULL where nothing was counted; or NULL
    uint64_t *items;             // where `pages` is NULL: bucket << 52 | count, rising
    uint16_t item_count;
    uint16_t item_capacity;
    bool is_quick;               // said before the first value comes
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

// Where it is not on a page yet. False: out of memory, and nothing has changed.
bool tp_hist_add_slowly(struct tp_hist *h, unsigned bucket, uint64_t count) TP_MUST_USE;

TP_INLINE bool tp_hist_add_count(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    unsigned page = bucket / TP_HIST_PAGE_BUCKETS;
    if (tp_unlikely(h->pages == NULL || h->pages[page] == NULL))
        return tp_hist_add_slowly(h, bucket, count);
    h->pages[page]->counts[bucket % TP_HIST_PAGE_BUCKETS] += count;
    return true;
}

TP_INLINE bool tp_hist_add(struct tp_hist *h, uint64_t value)
{
    return tp_hist_add_count(h, tp_hist_bucket(value), 1);
}

// Of another one. False: out of memory; then `into` holds a part.
bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from) TP_MUST_USE;

uint64_t tp_hist_count(const struct tp_hist *h, unsigned bucket);

// Buckets in which something is, by number: `walk` begins with {histogram}. False: no more.
struct tp_hist_walk {
    const struct tp_hist *hist;
    unsigned next;   // bucket, or index of items
    unsigned bucket;
    uint64_t count;
};
bool tp_hist_walk_next(struct tp_hist_walk *walk);

// The bucket in which the value of a rank is, counted from 1; TP_HIST_BUCKETS if there
// are not so many.
unsigned tp_hist_bucket_of_rank(const struct tp_hist *h, uint64_t rank);

void tp_hist_fini(struct tp_hist *h); // empty again

#endif
