// Equal pieces of memory for the batches of pending generations. Made one by one up to a fixed
// number, kept for reuse until the pool is trimmed or the run ends. The caller that takes one says
// how many must be left for others (see pending.c). Thread-safe, never blocks.
#ifndef TP_PIPELINE_CORE_PAGE_POOL_H
#define TP_PIPELINE_CORE_PAGE_POOL_H

#include <pthread.h>

#include "base/attr.h"

#define TP_PAGE_BYTES TP_KIB(256)

struct tp_page {
    struct tp_page *next;  // in whatever list it is on
    size_t used_bytes;
    unsigned char bytes[]; // TP_PAGE_ROOM
};
#define TP_PAGE_ROOM (TP_PAGE_BYTES - sizeof(struct tp_page))

struct tp_page_pool {
    size_t page_max;
    pthread_mutex_t mu;    // guards the rest
    struct tp_page *idle;
    size_t idle_count;
    size_t made_count;
};

void tp_page_pool_init(struct tp_page_pool *p, size_t page_max);
void tp_page_pool_fini(struct tp_page_pool *p); // zeroed is fine
// An empty page. NULL: no more than `keep_count` are left, or the machine has no memory.
struct tp_page *tp_page_pool_try_take(struct tp_page_pool *p, size_t keep_count);
// Whether all pages there may be are in use: the limit is at fault, not the machine.
bool tp_page_pool_is_spent(struct tp_page_pool *p);
// Gives back a list.
void tp_page_pool_give(struct tp_page_pool *p, struct tp_page *list);
// Returns all idle pages to the machine. As many may be taken afterwards as before.
void tp_page_pool_trim(struct tp_page_pool *p);

#endif
