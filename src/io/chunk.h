// A counted read buffer. The engine fills it, the scan cuts it into extents,
// workers read it, and whoever drops the last hold gives it back to the owner
// named in it (a pool, or whatever a test likes).
//
//   base                data = base + TP_CHUNK_HEADROOM   end of buffer
//   |---- headroom ------|------------ capacity ------------|
//
// Headroom takes the unfinished tail of the chunk before, so that a batch is
// always contiguous.
#ifndef TP_IO_CHUNK_H
#define TP_IO_CHUNK_H

#include <stdatomic.h>

#include "base/attr.h"

// The longest tail that may wait for more bytes: a batch header, a body of
// 65,536 and the header after it (see decode/scan_v2.h).
#define TP_CHUNK_HEADROOM TP_KIB(68)

struct tp_chunk {
    unsigned char *base;
    size_t capacity_bytes; // of the data part
    size_t len_bytes;      // of the data part; valid once delivered
    uint64_t offset;       // in the stream, of the first data byte
    _Atomic uint32_t holds;
    void (*free)(struct tp_chunk *c, void *owner); // called by the last holder
    void *owner;
    struct tp_chunk *next; // for the owner's lists, and the engine's while it reads
};

// Lays a chunk into `buf`, which must hold tp_chunk_buf_bytes(capacity_bytes).
void tp_chunk_init(struct tp_chunk *c, unsigned char *buf, size_t capacity_bytes);
size_t tp_chunk_buf_bytes(size_t capacity_bytes);

// Makes a chunk fresh for use: one hold, no bytes.
void tp_chunk_reset(struct tp_chunk *c);

TP_INLINE unsigned char *tp_chunk_data(const struct tp_chunk *c)
{
    return c->base + TP_CHUNK_HEADROOM;
}

// Any thread that holds the chunk already.
void tp_chunk_hold(struct tp_chunk *c);
void tp_chunk_release(struct tp_chunk *c);

#endif
