// Keeps the text of whole stacks that were printed, so that the next print of one is a single
// copy. Keeps the stacks that come first, as many as fit; the few stacks that nearly all events
// have are among them.
//
// Any thread may put and find at any time, without a lock. The text of a stack is always the
// same, so the output does not depend on which thread put it.
#ifndef TP_MERGE_TABLES_STACK_TEXT_H
#define TP_MERGE_TABLES_STACK_TEXT_H

#include <stdatomic.h>

#include "base/span.h"

// Half of a core's L2 cache.
#define TP_STACK_TEXTS_MAX_BYTES TP_KIB(512)

struct tp_stack_texts {
    _Atomic uint64_t *places; // by index of the stack: offset << 32 | bytes; 0: not kept
    unsigned char *bytes;
    size_t max_bytes;
    _Atomic size_t used_bytes; // may exceed max_bytes by the texts that did not fit
};

// Makes room for the texts of `stack_count` stacks within `room_bytes`. If these or the memory do
// not suffice, it keeps no text, which is no error.
void tp_stack_texts_init(struct tp_stack_texts *s, size_t stack_count, size_t room_bytes);
void tp_stack_texts_fini(struct tp_stack_texts *s); // zeroed is fine
size_t tp_stack_texts_memory_bytes(const struct tp_stack_texts *s, size_t stack_count);

// Copies the text of a stack if there is room; ignores an empty text.
void tp_stack_texts_put(struct tp_stack_texts *s, size_t stack_idx, struct tp_span text);

// Empty if the text was not kept; borrowed until fini.
TP_INLINE struct tp_span tp_stack_texts_find(const struct tp_stack_texts *s, size_t stack_idx)
{
    if (tp_unlikely(s->places == NULL))
        return tp_span_of(NULL, 0);
    // Pairs with the release in put: whoever sees the place sees the text, too.
    uint64_t place = atomic_load_explicit(&s->places[stack_idx], memory_order_acquire);
    return tp_span_of(s->bytes + (place >> 32), place & UINT32_MAX);
}

#endif
