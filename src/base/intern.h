// Texts as small numbers in the order of their first coming: 0, 1, 2, ... Equal texts
// have equal numbers. The texts are copied and stay until fini.
//
// Plain memory of one thread. Zeroed is empty.
#ifndef TP_BASE_INTERN_H
#define TP_BASE_INTERN_H

#include "base/digest.h"
#include "base/slots.h"

#define TP_INTERN_NONE UINT32_MAX

struct tp_intern_block;

struct tp_intern {
    struct tp_slots slots;
    struct tp_intern_text {
        const unsigned char *bytes;
        uint32_t len_bytes;
        uint32_t hash;              // the upper half of it
    } *texts;
    uint32_t count;
    uint32_t capacity;
    struct tp_intern_block *blocks; // of the texts' bytes
    size_t text_bytes;              // of all texts
    size_t memory_bytes;
};

// TP_INTERN_NONE: out of memory, and nothing has changed.
uint32_t tp_intern_put(struct tp_intern *in, struct tp_span text) TP_MUST_USE;
// The same where the hash is known.
TP_INLINE uint64_t tp_intern_hash(struct tp_span text) { return tp_digest_short(text); }
uint32_t tp_intern_put_hashed(struct tp_intern *in, struct tp_span text,
                              uint64_t hash) TP_MUST_USE;
// Gives all texts of which `numbers` says TP_INTERN_NONE up, and the others numbers without gaps in
// the order they had, which it leaves there. Texts move. Takes no more than a block beside what is
// there. False: out of memory; then it is good for nothing but fini.
bool tp_intern_pack(struct tp_intern *in, uint32_t *numbers) TP_MUST_USE;
size_t tp_intern_bytes(const struct tp_intern *in);
// TP_INTERN_NONE: there is none like it.
uint32_t tp_intern_find(const struct tp_intern *in, struct tp_span text);
void tp_intern_fini(struct tp_intern *in);

TP_INLINE struct tp_span tp_intern_text(const struct tp_intern *in, uint32_t number)
{
    return tp_span_of(in->texts[number].bytes, in->texts[number].len_bytes);
}

// Whether two texts of the same intern are one. An empty one takes no bytes, so what comes
// behind it begins where it does.
TP_INLINE bool tp_intern_is_same(struct tp_span a, struct tp_span b)
{
    return a.ptr == b.ptr && a.len_bytes == b.len_bytes;
}

#endif
