// A set of 64-bit ids that are mostly dense, such as those of goroutines. 4096 neighbouring
// ids share a page of 512 bytes; a hash table finds the page. A million consecutive ids take
// 140 KB; an id without neighbours takes a page of its own.
//
// One thread at a time. Memory never exceeds `max_bytes`.
#ifndef TP_BASE_IDSET_H
#define TP_BASE_IDSET_H

#include "base/err.h"
#include "base/index.h"
#include "base/list.h"

// Neighbouring ids of one page, and the words of their bits.
#define TP_IDSET_PAGE_IDS 4096
#define TP_IDSET_PAGE_WORDS (TP_IDSET_PAGE_IDS / 64)

// A bit for each of TP_IDSET_PAGE_IDS neighbouring ids.
struct tp_idset_page {
    uint64_t number; // id / TP_IDSET_PAGE_IDS
    uint64_t words[TP_IDSET_PAGE_WORDS];
};

// Owns its memory. Callers use the functions only.
struct tp_idset {
    uint64_t id_count;
    TP_LIST(struct tp_idset_page) pages; // in the order in which they were added
    uint32_t last_page;                  // index in `pages` of the page used last
    struct tp_index index;               // finds pages by their number
    size_t max_bytes;
};

// Makes an empty set, without memory, that will use at most `max_bytes`.
void tp_idset_init(struct tp_idset *s, size_t max_bytes);
// Frees the memory; a zeroed set is fine.
void tp_idset_fini(struct tp_idset *s);

// Adds an id, which may be in the set already. Fails with TP_E_TOO_LARGE if the set would exceed
// max_bytes, or with TP_E_MEMORY; the id is then not added, and the others remain.
int tp_idset_add(struct tp_idset *s, uint64_t id, struct tp_error *err) TP_MUST_USE;

// Returns whether the set has the id.
bool tp_idset_has(const struct tp_idset *s, uint64_t id);
// A place in a set. Zeroed it is before the first id.
struct tp_idset_at {
    uint32_t page;
    uint32_t bit; // the next one to look at
};
// Goes to the next id, in an order that depends only on the order in which ids were added. False: there is none.
bool tp_idset_next(const struct tp_idset *s, struct tp_idset_at *at, uint64_t *ret_id);

// Returns the memory of the set in bytes, as max_bytes counts it.
TP_INLINE size_t tp_idset_bytes(const struct tp_idset *s)
{
    return s->pages.count * sizeof *s->pages.items + tp_index_bytes(&s->index);
}

// Returns the number of different ids in the set.
TP_INLINE uint64_t tp_idset_count(const struct tp_idset *s) { return s->id_count; }

#endif
