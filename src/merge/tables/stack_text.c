#include "merge/tables/stack_text.h"

#include <string.h>

#include "base/alloc.h"

void tp_stack_texts_init(struct tp_stack_texts *s, size_t stack_count, size_t room_bytes)
{
    *s = (struct tp_stack_texts){0};
    size_t places_bytes = stack_count * sizeof *s->places;
    if (stack_count == 0 || places_bytes >= room_bytes)
        return;
    room_bytes -= places_bytes;
    s->max_bytes = room_bytes < TP_STACK_TEXTS_MAX_BYTES ? room_bytes : TP_STACK_TEXTS_MAX_BYTES;
    s->places = tp_alloc_zero(places_bytes);
    s->bytes = tp_alloc(s->max_bytes);
    if (s->places == NULL || s->bytes == NULL)
        tp_stack_texts_fini(s);
}

void tp_stack_texts_fini(struct tp_stack_texts *s)
{
    tp_free((void *)s->places);
    tp_free(s->bytes);
    *s = (struct tp_stack_texts){0};
}

void tp_stack_texts_put(struct tp_stack_texts *s, size_t stack_idx, struct tp_span text)
{
    // Checks before adding, so that used_bytes never grows far beyond the maximum.
    size_t used_bytes = atomic_load_explicit(&s->used_bytes, memory_order_relaxed);
    if (s->places == NULL || text.len_bytes == 0 || used_bytes >= s->max_bytes ||
        text.len_bytes > s->max_bytes - used_bytes)
        return;
    size_t at = atomic_fetch_add_explicit(&s->used_bytes, text.len_bytes, memory_order_relaxed);
    if (at > s->max_bytes || text.len_bytes > s->max_bytes - at)
        return;
    memcpy(s->bytes + at, text.ptr, text.len_bytes);
    // Two threads may keep the text of the same stack at the same time; either place is right.
    atomic_store_explicit(&s->places[stack_idx], (uint64_t)at << 32 | text.len_bytes,
                          memory_order_release);
}
