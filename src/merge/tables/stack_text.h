// Keeps the printed text of whole stacks, so that printing such a stack again is a single copy.
// Keeps as many texts as fit, of the stacks that are printed first. The few stacks that most events
// have are among them.
//
// Any thread may put and find at any time, without a lock. The text of a stack is always the same,
// so the output does not depend on which thread put the text.
#ifndef TP_MERGE_TABLES_STACK_TEXT_H
#define TP_MERGE_TABLES_STACK_TEXT_H

#include <stdatomic.h>

#include "base/span.h"

// Maximum size of all texts: half of a core's L2 cache.
#define TP_STACK_TEXTS_MAX_BYTES TP_KIB(512)

// Owns its arrays.
struct tp_stack_texts {
    _Atomic uint64_t *places; // by index of the stack: offset << 32 | bytes; 0: not kept
    unsigned char *bytes;
    size_t max_bytes;
    _Atomic size_t used_bytes; // may exceed max_bytes by the sizes of texts that did not fit
};

// Allocates memory for the texts of `stack_count` stacks, at most `room_bytes`. If `room_bytes` do
// not suffice, or memory is short, no text is kept, which is no error.
void tp_stack_texts_init(struct tp_stack_texts *s, size_t stack_count, size_t room_bytes);
// Frees the memory. No thread may use the texts afterwards. A zeroed struct is fine.
void tp_stack_texts_fini(struct tp_stack_texts *s);

// Keeps a copy of the text of a stack if there is room; ignores an empty text.
void tp_stack_texts_put(struct tp_stack_texts *s, size_t stack_idx, struct tp_span text);

// Returns the text of a stack, borrowed until fini; empty if it was not kept.
TP_INLINE struct tp_span tp_stack_texts_find(const struct tp_stack_texts *s, size_t stack_idx)
{
    if (tp_unlikely(s->places == NULL))
        return tp_span_of(NULL, 0);
    // Pairs with the release in put: a thread that reads the place can read the text, too.
    uint64_t place = atomic_load_explicit(&s->places[stack_idx], memory_order_acquire);
    return tp_span_of(s->bytes + (place >> 32), place & UINT32_MAX);
}

#endif
