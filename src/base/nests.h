// Things that are open within each other, such as the regions of a goroutine: chains of slots
// (slots.h), one for each owner, with the innermost item on top. Mostly the top item ends next. But
// any item may, and then the innermost item with its key is found and removed.
//
// A search looks at the TP_NEST_LOOKS innermost items. If it has to go deeper, the chain is indexed
// from then on, until its last item is removed. So n items cost O(n), in whatever order they end.
//
// One thread at a time. A zeroed struct is empty; the owner frees it with TP_NESTS_FINI.
#ifndef TP_BASE_NESTS_H
#define TP_BASE_NESTS_H

#include "base/map.h"
#include "base/slots.h"

#define TP_NEST_LOOKS 32

// A search finds items by this key. Each owner has a number, which no owner of another chain has at the
// same time.
struct tp_nest_key {
    uint64_t task;
    uint64_t name;
};

// The first member of each item. The caller may change `key` of all items of a nest, if it then
// calls tp_nests_drop_index.
struct tp_nest_item {
    uint32_t next;     // the item around this one; 0: none
    uint32_t inner;    // the item inside this one; 0: it is the innermost
    uint32_t same;     // if it is indexed: the next item outwards with the same hash; 0: none
    uint32_t index_no; // of the index that has the item; 0: none
    struct tp_nest_key key;
};

// Nests for code that knows only the size of an item. TP_NESTS(type) is the same with a type.
struct tp_nests {
    struct tp_slots slots;
    struct tp_map by_hash; // slot of the innermost item of each hash
    uint32_t drop_count;   // indexes dropped so far; the present one has the next number
};
#define TP_NESTS(type)               \
    union {                          \
        struct {                     \
            TP_SLOTS(type);          \
            struct tp_map by_hash;   \
            uint32_t drop_count;     \
        };                           \
        struct tp_nests as_nests;    \
    }

// Pushes an item onto the chain of `owner`, whose top is *top. The caller fills in all of the item
// but its first member. False: out of memory, and nothing has changed.
#define TP_NESTS_PUSH(n, top, owner, key) \
    tp_nests_push(&(n)->as_nests, (top), (owner), (key), sizeof *(n)->items)
// Returns the slot of the innermost item with the key; 0: there is none.
#define TP_NESTS_FIND(n, top, owner, key) \
    tp_nests_find(&(n)->as_nests, (top), (owner), (key), sizeof *(n)->items)
// Removes an item of the chain and gives its slot back.
#define TP_NESTS_REMOVE(n, top, owner, slot) \
    tp_nests_remove(&(n)->as_nests, (top), (owner), (slot), sizeof *(n)->items)
#define TP_NESTS_FINI(n) tp_nests_fini(&(n)->as_nests)

// The same operations for items whose size only the owner knows: the same in all calls.
bool tp_nests_push(struct tp_nests *n, uint32_t *top, uint64_t owner, struct tp_nest_key key,
                   size_t item_bytes) TP_MUST_USE;
uint32_t tp_nests_find(struct tp_nests *n, uint32_t top, uint64_t owner, struct tp_nest_key key,
                       size_t item_bytes);
void tp_nests_remove(struct tp_nests *n, uint32_t *top, uint64_t owner, uint32_t slot,
                     size_t item_bytes);

// Puts the chain whose innermost item is `inner` inside the chain whose top is *top, and sets *top to
// the joint one. 0: an empty chain. Drops the index.
void tp_nests_join(struct tp_nests *n, uint32_t *top, uint32_t inner, size_t item_bytes);

// Forgets the index; searches make a new one if they need it.
void tp_nests_drop_index(struct tp_nests *n);
// Frees the memory.
void tp_nests_fini(struct tp_nests *n);

TP_INLINE bool tp_nest_key_equals(struct tp_nest_key a, struct tp_nest_key b)
{
    return a.task == b.task && a.name == b.name;
}

#endif
