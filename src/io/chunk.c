#include "io/chunk.h"

#include <assert.h>

size_t tp_chunk_buf_bytes(size_t capacity_bytes)
{
    return TP_CHUNK_HEADROOM + capacity_bytes;
}

void tp_chunk_init(struct tp_chunk *c, unsigned char *buf, size_t capacity_bytes)
{
    *c = (struct tp_chunk){.base = buf, .capacity_bytes = capacity_bytes};
}

void tp_chunk_reset(struct tp_chunk *c)
{
    c->len_bytes = 0;
    c->offset = 0;
    c->next = NULL;
    atomic_store_explicit(&c->holds, 1, memory_order_relaxed);
}

void tp_chunk_hold(struct tp_chunk *c)
{
    uint32_t before = atomic_fetch_add_explicit(&c->holds, 1, memory_order_relaxed);
    assert(before > 0);
    (void)before;
}

void tp_chunk_release(struct tp_chunk *c)
{
    // Release: our reads of the bytes happen before the chunk is filled again. Acquire: whatever
    // the last holder does now happens after the reads of all other holders.
    uint32_t before = atomic_fetch_sub_explicit(&c->holds, 1, memory_order_acq_rel);
    assert(before > 0);
    if (before == 1)
        c->free(c, c->owner);
}
