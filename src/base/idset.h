// A set of 64-bit ids that are mostly dense, as those of goroutines are: 4096
// neighbours share a page of 512 bytes, found through an open-addressed table.
// A million goroutines numbered in a row take 140 KB; a lonely id takes a page.
//
// Belongs to one thread at a time. Memory never exceeds `max_bytes`.
#ifndef TP_BASE_IDSET_H
#define TP_BASE_IDSET_H

#include "base/err.h"

#define TP_IDSET_PAGE_IDS 4096
#define TP_IDSET_PAGE_WORDS (TP_IDSET_PAGE_IDS / 64)

struct tp_idset_page {
    uint64_t number; // id / TP_IDSET_PAGE_IDS
    uint64_t words[TP_IDSET_PAGE_WORDS];
};

struct tp_idset {
    uint64_t id_count;
    struct tp_idset_page *pages; // in the order of their first id
    uint32_t page_count;
    uint32_t page_capacity;
    uint32_t last_page;          // index of the page used last
    uint32_t *slots;             // index of a page + 1; 0: free
    size_t slot_count;           // a power of two, or 0
    size_t max_bytes;
};

void tp_idset_init(struct tp_idset *s, size_t max_bytes);
void tp_idset_fini(struct tp_idset *s); // zeroed is fine

// An id that is there already is fine. TP_E_TOO_LARGE, TP_E_MEMORY: not added.
int tp_idset_add(struct tp_idset *s, uint64_t id, struct tp_error *err) TP_MUST_USE;

TP_INLINE size_t tp_idset_bytes(const struct tp_idset *s)
{
    return s->page_count * sizeof *s->pages + s->slot_count * sizeof *s->slots;
}

TP_INLINE uint64_t tp_idset_count(const struct tp_idset *s) { return s->id_count; }

#endif
