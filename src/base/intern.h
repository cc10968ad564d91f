// Texts as small numbers in the order of their first coming: 0, 1, 2, ... Equal texts
// have equal numbers. The texts are copied and stay until fini.
//
// Plain memory of one thread. Zeroed is empty.
#ifndef TP_BASE_INTERN_H
#define TP_BASE_INTERN_H

#include "base/digest.h"
#include "base/map.h"

#define TP_INTERN_NONE UINT32_MAX

struct tp_intern_block;

struct tp_intern {
    struct tp_map by_hash;          // the first text of each hash
    struct tp_intern_text {
        struct tp_span text;
        uint32_t next_plus_1;       // of the same hash
    } *texts;
    uint32_t count;
    uint32_t capacity;
    struct tp_intern_block *blocks; // of the texts' bytes
    size_t text_bytes;              // of all texts
    size_t memory_bytes;
};

// TP_INTERN_NONE: out of memory, and nothing has changed.
uint32_t tp_intern_put(struct tp_intern *in, struct tp_span text) TP_MUST_USE;
// The same in steps, for texts that are many: the hash, and then what has to be looked at is
// asked of memory some time before it is.
TP_INLINE uint64_t tp_intern_hash(struct tp_span text) { return tp_digest_short(text); }
uint32_t tp_intern_put_hashed(struct tp_intern *in, struct tp_span text,
                              uint64_t hash) TP_MUST_USE;
// Gives all texts of which `numbers` says TP_INTERN_NONE up, and the others numbers without gaps in
// the order they had, which it leaves there. Texts move. Takes no more than a block beside what is
// there. False: out of memory; then it is good for nothing but fini. Only where all hashes are
// those of tp_intern_hash.
bool tp_intern_pack(struct tp_intern *in, uint32_t *numbers) TP_MUST_USE;
size_t tp_intern_bytes(const struct tp_intern *in);
// TP_INTERN_NONE: there is none like it.
uint32_t tp_intern_find(const struct tp_intern *in, struct tp_span text);
void tp_intern_fini(struct tp_intern *in);

TP_INLINE struct tp_span tp_intern_text(const struct tp_intern *in, uint32_t number)
{
    return in->texts[number].text;
}

TP_INLINE void tp_intern_ask_for_hash(const struct tp_intern *in, uint64_t hash)
{
    tp_map_ask_for(&in->by_hash, hash);
}

// The text that has this hash, which will most likely be the one; TP_INTERN_NONE.
TP_INLINE uint32_t tp_intern_ask_for_text(const struct tp_intern *in, uint64_t hash)
{
    uint32_t number = tp_map_get(&in->by_hash, hash);
    if (number != TP_MAP_NONE)
        __builtin_prefetch(&in->texts[number]);
    return number;
}

// Whether two texts of the same intern are one. An empty one takes no bytes, so what comes
// behind it begins where it does.
TP_INLINE bool tp_intern_is_same(struct tp_span a, struct tp_span b)
{
    return a.ptr == b.ptr && a.len_bytes == b.len_bytes;
}

#endif
