// Growing output memory with a hard maximum. A buffer is used by one thread at a
// time.
//
// The memory is one mapping of `max_bytes`, touched as it fills: growing never
// copies, and a reset keeps the pages that are warm.
#ifndef TP_BASE_BUF_H
#define TP_BASE_BUF_H

#include "base/attr.h"
#include "base/span.h"

struct tp_buf {
    unsigned char *ptr;
    size_t len_bytes;
    size_t max_bytes;
};

// False: out of memory.
bool tp_buf_init(struct tp_buf *b, size_t max_bytes) TP_MUST_USE;
void tp_buf_fini(struct tp_buf *b); // zeroed or half-built is fine
TP_INLINE void tp_buf_reset(struct tp_buf *b) { b->len_bytes = 0; }
TP_INLINE size_t tp_buf_room(const struct tp_buf *b) { return b->max_bytes - b->len_bytes; }

// False, and nothing written, when it does not fit.
bool tp_buf_put(struct tp_buf *b, const void *bytes, size_t len_bytes) TP_MUST_USE;
bool tp_buf_printf(struct tp_buf *b, const char *fmt, ...) TP_MUST_USE TP_PRINTF(2, 3);

#endif
