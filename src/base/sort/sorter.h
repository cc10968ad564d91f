// Sorts more items than fit into memory. Items gather in a buffer; when it is full, they are
// sorted and written to a file without a name as a run. In the end all runs are merged with
// the items still in the buffer. Items that fit into the buffer never touch the disk.
//
//   init ─▶ put* ─▶ sort ─▶ next* ─▶ fini
//
// An item is a key of four numbers, compared one after the other, and the owner's bytes. Items
// with equal keys come out in an unspecified order. The order of different keys depends on the
// items alone, not on how they are divided into runs.
//
// One thread at a time. Takes memory for the buffer and, during a merge, for the next bytes of each
// run. After a failure only tp_sorter_fini may follow.
#ifndef TP_BASE_SORT_SORTER_H
#define TP_BASE_SORT_SORTER_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/spill/spill.h"

// Words of a key; the first one counts most.
#define TP_SORTER_KEY_WORDS 4
// Limit of the bytes of an item, all its parts together.
#define TP_SORTER_ITEM_MAX_BYTES TP_KIB(256)
// Size of the smallest buffer: the longest item, its key and its place fit.
#define TP_SORTER_LEAST_BYTES TP_KIB(512)
// Number of runs of a level that are merged to one run of the next level.
#define TP_SORTER_RUNS 32
// The last level holds runs of 32^5 buffers, more than any disk.
#define TP_SORTER_LEVELS 6

// Keys are compared word by word, as unsigned numbers.
struct tp_sorter_key {
    uint64_t words[TP_SORTER_KEY_WORDS];
};

// Limits of the buffer. Several sorters may share a budget of memory: each takes from the budget
// the bytes that its buffer needs beyond TP_SORTER_LEAST_BYTES. A sorter that finds the budget used
// up writes a run earlier.
struct tp_sorter_memory {
    size_t most_bytes;               // at least TP_SORTER_LEAST_BYTES; a multiple of 16
    _Atomic size_t *room_used_bytes; // NULL: no shared budget; 0 before the first init
    size_t room_bytes;               // the whole budget
};

// A sorted run in a file.
struct tp_sorter_run {
    uint64_t offset;      // in the file of its level
    uint64_t len_bytes;
};

// The runs of one level, in a file of their own.
struct tp_sorter_level {
    struct tp_spill file;
    struct tp_sorter_run runs[TP_SORTER_RUNS];
    size_t run_count;
};

// Result of tp_sorter_next; the bytes are aligned to 8 and live until the next call.
struct tp_sorter_item {
    struct tp_sorter_key key;
    struct tp_span bytes;
};

struct tp_sorter_source;

// A sorter in one of its phases: gathering before tp_sorter_sort, merging after it.
struct tp_sorter {
    struct tp_buf buf;             // items from the front, their places from the back
    size_t place_count;            // number of items in the buffer
    size_t allowed_bytes;          // limit of the buffer at present
    size_t taken_bytes;            // share of the budget that this sorter holds
    struct tp_sorter_memory memory;
    struct tp_sorter_level levels[TP_SORTER_LEVELS];
    struct tp_sorter_source *sources; // during a merge: a heap, the source of the least item first
    size_t source_count;
    bool has_item;                 // tp_sorter_next has returned the first source's item
};

// Returns the limits of a buffer without a shared budget: `wanted_bytes`, but at most `most_bytes`
// and at least TP_SORTER_LEAST_BYTES.
TP_INLINE struct tp_sorter_memory tp_sorter_memory_of(uint64_t wanted_bytes, size_t most_bytes)
{
    size_t bytes = wanted_bytes < most_bytes ? (size_t)wanted_bytes : most_bytes;
    bytes = bytes > TP_SORTER_LEAST_BYTES ? bytes : TP_SORTER_LEAST_BYTES;
    return (struct tp_sorter_memory){.most_bytes = bytes & ~(size_t)15};
}

// Returns the word of a key for a signed number: words have the same order as their numbers.
TP_INLINE uint64_t tp_sorter_word_of(int64_t number)
{
    return (uint64_t)number ^ UINT64_C(1) << 63;
}
// Returns the signed number of a word.
TP_INLINE int64_t tp_sorter_number_of(uint64_t word)
{
    return (int64_t)(word ^ UINT64_C(1) << 63);
}

// Maps the buffer, whose pages are touched as it fills. Copies `memory`; its room_used_bytes
// must outlive the sorter. Fails with TP_E_MEMORY.
int tp_sorter_init(struct tp_sorter *s, const struct tp_sorter_memory *memory,
                   struct tp_error *err) TP_MUST_USE;
// Frees the memory, gives the sorter's share back to the budget of `memory`, and closes the files
// of the runs, which removes these files. A zeroed or half-built sorter is fine.
void tp_sorter_fini(struct tp_sorter *s);

// Adds a copy of an item, whose bytes are those of its parts one after the other. Fails with
// TP_E_WRITE if a run cannot be written, TP_E_TOO_LARGE if all levels are full, TP_E_INTERNAL if
// the item exceeds TP_SORTER_ITEM_MAX_BYTES, TP_E_KERNEL or TP_E_MEMORY. May block on a disk.
int tp_sorter_put(struct tp_sorter *s, const struct tp_sorter_key *key,
                  const struct tp_span *parts, size_t part_count,
                  struct tp_error *err) TP_MUST_USE;

// Prepares for tp_sorter_next. Call it once, after the last item. Fails as tp_sorter_put does.
int tp_sorter_sort(struct tp_sorter *s, struct tp_error *err) TP_MUST_USE;

// Returns the next item, the least first. *ret_has is false after the last one. Fails with
// TP_E_KERNEL if a run cannot be read back, or with TP_E_MEMORY.
int tp_sorter_next(struct tp_sorter *s, struct tp_sorter_item *ret_item, bool *ret_has,
                   struct tp_error *err) TP_MUST_USE;

#endif
