// Byte strings by small numbers: equal strings have the same number, counted from 0 in
// the order in which they came. For words that come again and again, as names of
// functions and reasons of waits do.
//
// Belongs to one thread at a time. Bounded: a set that would take more than
// TP_NAMES_MAX or TP_NAMES_MAX_BYTES refuses the string.
#ifndef TP_BASE_NAMES_H
#define TP_BASE_NAMES_H

#include "base/err.h"
#include "base/span.h"

#define TP_NAMES_MAX (1u << 18)
#define TP_NAMES_MAX_BYTES TP_MIB(16)

struct tp_name_place {
    uint32_t offset;
    uint32_t len_bytes;
};

struct tp_names {
    unsigned char *bytes; // of all strings
    size_t bytes_count;
    size_t bytes_capacity;
    struct tp_name_place *places;
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots;      // number + 1; 0: free
    size_t slot_count;    // a power of two, or 0
};

void tp_names_fini(struct tp_names *n); // zeroed is an empty set

// TP_E_TOO_LARGE, TP_E_MEMORY: not added.
int tp_names_add(struct tp_names *n, struct tp_span text, uint32_t *ret_name,
                 struct tp_error *err) TP_MUST_USE;

// Borrowed until the next string is added.
TP_INLINE struct tp_span tp_names_text(const struct tp_names *n, uint32_t name)
{
    assert(name < n->count);
    return tp_span_of(n->bytes + n->places[name].offset, n->places[name].len_bytes);
}

#endif
