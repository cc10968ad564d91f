// The text of whole stacks that were printed before: the next time they are one copy.
// Only those that came first are kept, as many as fit; the few that nearly all events
// have are among them.
//
// Any thread puts and finds at any time, without a lock. What is found never depends
// on what was put: the text of a stack is always the same.
#ifndef TP_MERGE_TABLES_STACK_TEXT_H
#define TP_MERGE_TABLES_STACK_TEXT_H

#include <stdatomic.h>

#include "base/span.h"

// Half of the cache next to a core.
#define TP_STACK_TEXTS_MAX_BYTES TP_KIB(512)

struct tp_stack_texts {
    _Atomic uint64_t *places; // by index of the stack: offset << 32 | bytes; 0: not kept
    unsigned char *bytes;
    size_t max_bytes;
    _Atomic size_t used_bytes; // may be more than max_bytes by what did not fit
};

// For `stack_count` stacks within `room_bytes`. Keeps nothing where these or the
// memory do not suffice, which is no error.
void tp_stack_texts_init(struct tp_stack_texts *s, size_t stack_count, size_t room_bytes);
void tp_stack_texts_fini(struct tp_stack_texts *s); // zeroed is fine
size_t tp_stack_texts_memory_bytes(const struct tp_stack_texts *s, size_t stack_count);

// Keeps the text of a stack if there is room; no text is not kept.
void tp_stack_texts_put(struct tp_stack_texts *s, size_t stack_idx, struct tp_span text);

// Empty if the text is not there; borrowed until fini.
TP_INLINE struct tp_span tp_stack_texts_find(const struct tp_stack_texts *s, size_t stack_idx)
{
    if (tp_unlikely(s->places == NULL))
        return tp_span_of(NULL, 0);
    // What was stored before the place was is seen with it.
    uint64_t place = atomic_load_explicit(&s->places[stack_idx], memory_order_acquire);
    return tp_span_of(s->bytes + (place >> 32), place & UINT32_MAX);
}

#endif
