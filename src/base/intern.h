// Numbers texts 0, 1, 2, ... in the order of their first appearance. Equal texts have equal
// numbers. An intern, which is the table of the texts, keeps copies of them until fini.
//
// One thread at a time. A zeroed intern is empty.
#ifndef TP_BASE_INTERN_H
#define TP_BASE_INTERN_H

#include "base/index.h"
#include "base/list.h"
#include "base/span.h"

// No text has this number.
#define TP_INTERN_NONE TP_INDEX_NONE

struct tp_intern_block;

// Owns its memory and the copies of the texts.
struct tp_intern {
    struct tp_index index;
    TP_LIST(struct tp_intern_text {
        const unsigned char *bytes;
        uint32_t len_bytes;
        uint32_t hash;              // keyed, as the index is
    });
    struct tp_intern_block *blocks; // memory of the texts' bytes, the newest block first
    size_t text_bytes;              // length of all texts together
    size_t block_bytes;             // of `blocks`
};

// Returns the number of the text, and adds the text if it is new. TP_INTERN_NONE: out of memory,
// and nothing has changed.
uint32_t tp_intern_put(struct tp_intern *in, struct tp_span text) TP_MUST_USE;
// Drops every text whose entry of `numbers` is TP_INTERN_NONE. The other texts get numbers
// without gaps, in the old order, and the new number replaces the text's entry. Texts move in
// memory.
// Needs at most one block of additional memory. False: out of memory; only fini may follow.
bool tp_intern_pack(struct tp_intern *in, uint32_t *numbers) TP_MUST_USE;
// Returns all memory of the intern, in bytes.
size_t tp_intern_bytes(const struct tp_intern *in);
// Returns the number of the text. TP_INTERN_NONE: the intern does not have it.
uint32_t tp_intern_find(const struct tp_intern *in, struct tp_span text);
// Frees everything; the intern is then empty.
void tp_intern_fini(struct tp_intern *in);

// Returns the text of a number, valid until fini or the next tp_intern_pack.
TP_INLINE struct tp_span tp_intern_text(const struct tp_intern *in, uint32_t number)
{
    return tp_span_of(in->items[number].bytes, in->items[number].len_bytes);
}

// Returns whether two spans are the same text of an intern, without reading it. Compares lengths,
// too: the empty text takes no bytes, so the next text has the same pointer.
TP_INLINE bool tp_intern_is_same(struct tp_span a, struct tp_span b)
{
    return a.ptr == b.ptr && a.len_bytes == b.len_bytes;
}

#endif
