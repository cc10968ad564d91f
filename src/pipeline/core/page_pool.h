// Hands out pages: pieces of memory of one size, for the batches of pending generations. Pages are
// allocated one by one up to a fixed number, and kept for reuse until the pool is trimmed or the
// run ends. The caller that takes a page passes the number that must be left for others
// (tp_hold_limits in order/pending.h). The functions are thread-safe and never block, except that
// init and fini need a pool that no other thread uses.
#ifndef TP_PIPELINE_CORE_PAGE_POOL_H
#define TP_PIPELINE_CORE_PAGE_POOL_H

#include <pthread.h>

#include "base/attr.h"

// Size of a page, its header included.
#define TP_PAGE_BYTES TP_KIB(256)

// A page. It belongs to the caller that took it, until it is given back.
struct tp_page {
    struct tp_page *next;  // in its owner's list
    size_t used_bytes;
    unsigned char bytes[]; // TP_PAGE_ROOM bytes
};
#define TP_PAGE_ROOM (TP_PAGE_BYTES - sizeof(struct tp_page))

// Owns the idle pages.
struct tp_page_pool {
    size_t page_max;
    pthread_mutex_t mu;    // guards the rest
    struct tp_page *idle;
    size_t idle_count;
    size_t made_count;
};

// Initialises the pool without pages; it will have at most `page_max`.
void tp_page_pool_init(struct tp_page_pool *p, size_t page_max);
// Frees the pages, all of which must have been given back.
void tp_page_pool_fini(struct tp_page_pool *p); // a zeroed pool is fine
// Takes an empty page, which tp_page_pool_give gives back. NULL: no more than `keep_count` pages
// are left, or the machine has no memory.
struct tp_page *tp_page_pool_try_take(struct tp_page_pool *p, size_t keep_count);
// Whether all `page_max` pages are in use. If so, tp_page_pool_try_take refused a page because of
// the limit, and not because the machine has no memory.
bool tp_page_pool_is_spent(struct tp_page_pool *p);
// Gives back all pages of a list; NULL: none. Wakes no strand: see tp_wake_for_pages.
void tp_page_pool_give(struct tp_page_pool *p, struct tp_page *list);
// Returns all idle pages to the machine. The limit on pages stays the same.
void tp_page_pool_trim(struct tp_page_pool *p);

#endif
