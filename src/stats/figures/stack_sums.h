// Sums counts and times by stack. There are two forms, which differ in the meaning of `stack`: in
// sums it is a reference (merge/track/facts.h); in the totals, the lasting form, it is a number of
// tp_totals.stacks. One thread at a time uses an object.
#ifndef TP_STATS_FIGURES_STACK_SUMS_H
#define TP_STATS_FIGURES_STACK_SUMS_H

#include "stats/figures/durations.h"

// Types of what is recorded under a stack. NET to SCHED: waits as `go tool trace -pprof=TYPE`
// counts them, under the stack at which they began. CPU: CPU samples. The types in _OPEN: waits
// that -pprof leaves out because they last until the end of the trace. BEFORE: waits that began before
// the trace and have a stack, with their time in the trace; findings do not count them. X(TYPE, name)
#define TP_STACK_TYPES(X)                                                               \
    X(NET, "net")                                                                       \
    X(SYNC, "sync")                                                                     \
    X(SYSCALL, "syscall")                                                               \
    X(SCHED, "sched")                                                                   \
    X(CPU, "cpu")                                                                       \
    X(NET_OPEN, "net_open")                                                             \
    X(SYNC_OPEN, "sync_open")                                                           \
    X(SYSCALL_OPEN, "syscall_open")                                                     \
    X(BEFORE, "before")

enum tp_stack_type {
#define TP_X(type, name) TP_STACK_##type,
    TP_STACK_TYPES(TP_X)
#undef TP_X
    TP_STACK_TYPE_COUNT,
    TP_STACK_TYPE_NONE = TP_STACK_TYPE_COUNT,
    // Counts of what begins at a stack, which sums keep beside the waits for findings
    // (stats/evidence.h); totals have none of these.
    TP_STACK_ASSISTS,
    TP_STACK_CYCLES,
    // Runs, under a frame of the start function, in totals with labels, which have no type in _OPEN.
    TP_STACK_RUN = TP_STACK_NET_OPEN
};

// Whether waits of a type have a distribution: not those of which the trace cuts all, samples, and
// waits for a P, of which there are very many; start functions have theirs.
TP_INLINE bool tp_stack_type_is_timed(unsigned type)
{
    return type <= TP_STACK_SYSCALL;
}

// Where an item has the distribution of its waits. In some traces most stacks have one wait, for which
// memory of its own would be ten times what the wait needs.
enum tp_stack_timed {
    TP_STACK_TIMED_NONE,
    TP_STACK_TIMED_ONE,  // one wait, in the item
    TP_STACK_TIMED_MANY, // in memory of its own; also one wait of a state, if its sum is not its maximum
};
// The count and total time of one stack and type, an item of struct tp_stack_counts. Moves when
// items are added or taken. tp_stack_count_times returns its distribution.
struct tp_stack_count {
    uint32_t stack;
    uint8_t type;          // enum tp_stack_type
    uint8_t timed;         // enum tp_stack_timed, of those waits that the trace does not cut
    uint64_t count;
    tp_wide total_ns;
    union {
        uint64_t one_ns;       // ONE
        struct tp_dist *times; // MANY; owned by the list
    };
    uint64_t one_at;       // ONE: when it began
};
_Static_assert(sizeof(struct tp_stack_count) == 48, "one wait fits where the struct would have a hole");

// All counts of one owner, which defines what `stack` means. Owns its memory, which
// tp_stack_counts_fini frees. A zeroed struct is empty.
struct tp_stack_counts {
    struct tp_index by_key;
    TP_LIST(struct tp_stack_count);
    size_t times_bytes; // memory of all distributions that do not lie in items
};

// Removes all items and keeps the memory.
void tp_stack_counts_clear(struct tp_stack_counts *c);
// Frees the memory; the object is then empty. Accepts a zeroed one.
void tp_stack_counts_fini(struct tp_stack_counts *c);
// Adds a count and time to the item of this stack and type, creating the item if needed. False: out
// of memory, and nothing has changed.
bool tp_stack_counts_add(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                         uint64_t count, tp_wide total_ns) TP_MUST_USE;

// Add waits that are in the count of the item of this stack and type to its distribution: all of
// another one, or one wait that began at `at`. Nothing happens if there is no such item. False: out of
// memory; the item may have a part of them.
bool tp_stack_counts_add_times(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                               const struct tp_dist *times) TP_MUST_USE;
bool tp_stack_counts_add_time(struct tp_stack_counts *c, uint32_t stack, unsigned type, uint64_t ns,
                              uint64_t at) TP_MUST_USE;

// Turns the times at which the longest waits began, which are on the clock of the trace, into moments.
void tp_stack_counts_place(struct tp_stack_counts *c, const struct tp_trace_zero *zero);

// Moves the item of this stack and type to *ret_count, without its distribution, and removes it from
// the list, where another item may take its place. False: there is no such item.
bool tp_stack_counts_take(struct tp_stack_counts *c, uint32_t stack, unsigned type,
                          struct tp_stack_count *ret_count);

// Replaces the stack i of each item by numbers[i]; different stacks must get different numbers.
// Cannot fail.
void tp_stack_counts_renumber(struct tp_stack_counts *c, const uint32_t *numbers);
// Returns the bytes of memory in use.
size_t tp_stack_counts_bytes(const struct tp_stack_counts *c);

// Returns the key of the item of a stack and type.
TP_INLINE uint64_t tp_stack_count_key(uint32_t stack, unsigned type)
{
    return (uint64_t)stack << 8 | type;
}

// Returns the hash of a key for the index: stacks are consecutive, so they go in the lowest bits.
TP_INLINE uint64_t tp_stack_count_hash(uint64_t key)
{
    return key >> 8 | key << 56;
}

// Whether item `number` of a struct tp_stack_counts has the key that `key` points to; a
// tp_index_is_fn.
TP_INLINE bool tp_stack_counts_is(const void *list, uint32_t number, const void *key)
{
    const struct tp_stack_count *c = &((const struct tp_stack_counts *)list)->items[number];
    return tp_stack_count_key(c->stack, c->type) == *(const uint64_t *)key;
}

// Returns the item of a stack and type, borrowed until an item is next added or taken; NULL if
// there is none.
TP_INLINE struct tp_stack_count *tp_stack_counts_find(const struct tp_stack_counts *c,
                                                      uint32_t stack, unsigned type)
{
    uint64_t key = tp_stack_count_key(stack, type);
    uint32_t at = tp_index_find(&c->by_key, tp_stack_count_hash(key), c, tp_stack_counts_is, &key);
    return at != TP_INDEX_NONE ? &c->items[at] : NULL;
}

// Prefetches the index entry of an item that will be looked up soon.
TP_INLINE void tp_stack_counts_prefetch(const struct tp_stack_counts *c, uint32_t stack,
                                        unsigned type)
{
    tp_index_prefetch(&c->by_key, tp_stack_count_hash(tp_stack_count_key(stack, type)));
}

// Returns the distribution of the waits of an item that the trace does not cut, borrowed as the item,
// or *spare, which it sets if there is one wait. NULL: there is none.
TP_INLINE const struct tp_dist *tp_stack_count_times(const struct tp_stack_count *c,
                                                     struct tp_dist *spare)
{
    if (c->timed == TP_STACK_TIMED_ONE)
        *spare = tp_dist_of_one(c->one_ns, c->one_at);
    return c->timed == TP_STACK_TIMED_NONE ? NULL : c->timed == TP_STACK_TIMED_ONE ? spare : c->times;
}

// Returns the stack of an item.
TP_INLINE uint32_t tp_stack_count_stack(const struct tp_stack_count *c)
{
    return c->stack;
}
// Returns the type of an item.
TP_INLINE unsigned tp_stack_count_type(const struct tp_stack_count *c)
{
    return c->type;
}

#endif
