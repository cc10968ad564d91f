#include "base/histogram.h"

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

static bool add_page(struct tp_hist *h, unsigned idx)
{
    h->pages[idx] = tp_alloc_zero(sizeof *h->pages[idx]);
    return h->pages[idx] != NULL;
}

TP_NOINLINE bool tp_hist_add_first(struct tp_hist *h, unsigned bucket, uint64_t count)
{
    unsigned page = bucket / TP_HIST_PAGE_BUCKETS;
    if (!add_page(h, page))
        return false;
    h->pages[page]->counts[bucket % TP_HIST_PAGE_BUCKETS] = count;
    return true;
}

// Told apart, they are added several at a time.
static void add_counts(struct tp_hist_page *restrict into, const struct tp_hist_page *restrict from)
{
    for (unsigned k = 0; k < TP_HIST_PAGE_BUCKETS; k++)
        into->counts[k] += from->counts[k];
}

bool tp_hist_merge(struct tp_hist *into, const struct tp_hist *from)
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

unsigned tp_hist_bucket_of_rank(const struct tp_hist *h, uint64_t rank)
{
    uint64_t seen = 0;
    for (unsigned bucket = 0; bucket < TP_HIST_BUCKETS; bucket++) {
        if (h->pages[bucket / TP_HIST_PAGE_BUCKETS] == NULL) {
            bucket += TP_HIST_PAGE_BUCKETS - 1;
            continue;
        }
        seen += tp_hist_count(h, bucket);
        if (seen >= rank)
            return bucket;
    }
    return TP_HIST_BUCKETS;
}

void tp_hist_fini(struct tp_hist *h)
{
    for (unsigned i = 0; i < TP_HIST_PAGES; i++) {
        tp_free(h->pages[i]);
        h->pages[i] = NULL;
    }
}
