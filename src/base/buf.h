// A growing output buffer with a hard maximum. One thread at a time uses a buffer.
//
// The memory is one mapping of `max_bytes`, whose pages are touched as the buffer fills:
// growing never copies, and a reset keeps the touched pages. The memory never moves; the buffer
// owns it until tp_buf_fini.
#ifndef TP_BASE_BUF_H
#define TP_BASE_BUF_H

#include "base/attr.h"
#include "base/span.h"

// All max_bytes bytes at `ptr` are writable: the owner may also write there and set len_bytes.
struct tp_buf {
    unsigned char *ptr;
    size_t len_bytes;
    size_t max_bytes;
};

// Maps an empty buffer. False: out of memory; tp_buf_fini may be called, but need not.
bool tp_buf_init(struct tp_buf *b, size_t max_bytes) TP_MUST_USE;
// Unmaps the memory; a zeroed or half-built buffer is fine.
void tp_buf_fini(struct tp_buf *b);
// Empties the buffer and keeps its memory.
TP_INLINE void tp_buf_reset(struct tp_buf *b) { b->len_bytes = 0; }
// Returns the number of bytes that may still be appended.
TP_INLINE size_t tp_buf_room(const struct tp_buf *b) { return b->max_bytes - b->len_bytes; }

// Appends bytes. False: they do not fit, and the buffer is as before.
bool tp_buf_put(struct tp_buf *b, const void *bytes, size_t len_bytes) TP_MUST_USE;
// Appends a formatted text, without a NUL. False: it does not fit, and len_bytes is as before.
bool tp_buf_printf(struct tp_buf *b, const char *fmt, ...) TP_MUST_USE TP_PRINTF(2, 3);

#endif
