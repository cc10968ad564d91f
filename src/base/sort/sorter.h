// Sorts more items than fit into memory: they gather in a buffer, and when it is full
// they go, in order, to a file without a name as a run; in the end all runs are merged
// with what is still in the buffer. What fits never touches the disk.
//
//   init ─▶ put* ─▶ sort ─▶ next* ─▶ fini
//
// An item is a key of four numbers, compared one after the other, and bytes of the
// owner's. Items with equal keys come out in any order. The order depends on the items
// alone, not on where runs were cut.
//
// Belongs to one thread at a time. Memory: the buffer, and while runs are merged one
// window for each.
#ifndef TP_BASE_SORT_SORTER_H
#define TP_BASE_SORT_SORTER_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/spill/spill.h"

#define TP_SORTER_KEY_WORDS 4
// The longest item, over all its parts.
#define TP_SORTER_ITEM_MAX_BYTES TP_KIB(256)
// The smallest buffer: an item, its key and its place fit.
#define TP_SORTER_LEAST_BYTES TP_KIB(512)
// So many runs of a level become one of the next.
#define TP_SORTER_RUNS 32
// More than any disk holds: 32^5 buffers.
#define TP_SORTER_LEVELS 6

struct tp_sorter_key {
    uint64_t words[TP_SORTER_KEY_WORDS];
};

// How large the buffer may become. What it takes beyond TP_SORTER_LEAST_BYTES may come
// out of a room that several sorters share: who finds it spent writes a run earlier.
struct tp_sorter_memory {
    size_t most_bytes;             // at least TP_SORTER_LEAST_BYTES
    _Atomic size_t *room_used_bytes; // NULL: no room is shared; zero before the first init
    size_t room_bytes;
};

struct tp_sorter_run {
    uint64_t offset;      // in the file of its level
    uint64_t len_bytes;
};

struct tp_sorter_level {
    struct tp_spill file;
    struct tp_sorter_run runs[TP_SORTER_RUNS];
    size_t run_count;
};

// What `next` hands out; the bytes are aligned to 8 and live until the next call.
struct tp_sorter_item {
    struct tp_sorter_key key;
    struct tp_span bytes;
};

struct tp_sorter_source;

struct tp_sorter {
    struct tp_buf buf;             // items from the front, their places from the back
    size_t place_count;
    size_t allowed_bytes;          // of the buffer, as far as the room has it
    size_t taken_bytes;            // of the room
    struct tp_sorter_memory memory;
    struct tp_sorter_level levels[TP_SORTER_LEVELS];
    struct tp_sorter_source *sources; // while merging: a heap, the least item first
    size_t source_count;
    bool has_item;                 // the first source's item was handed out
};

// The buffer is touched as it fills. TP_E_MEMORY.
int tp_sorter_init(struct tp_sorter *s, const struct tp_sorter_memory *memory,
                   struct tp_error *err) TP_MUST_USE;
void tp_sorter_fini(struct tp_sorter *s); // zeroed or half-built is fine

// Copies the item, whose bytes are those of its parts. TP_E_WRITE: a run cannot be
// written; TP_E_KERNEL, TP_E_MEMORY.
int tp_sorter_put(struct tp_sorter *s, const struct tp_sorter_key *key,
                  const struct tp_span *parts, size_t part_count,
                  struct tp_error *err) TP_MUST_USE;

// After the last item: `next` begins with the least.
int tp_sorter_sort(struct tp_sorter *s, struct tp_error *err) TP_MUST_USE;

// *ret_has: false after the last item.
int tp_sorter_next(struct tp_sorter *s, struct tp_sorter_item *ret_item, bool *ret_has,
                   struct tp_error *err) TP_MUST_USE;

#endif
