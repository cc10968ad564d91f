// A read buffer with a count of its holders. The engine fills it, the scan cuts it into
// extents, workers read it. The release of the last hold returns it to its owner (a pool, or
// a test's own object) through `free`.
//
//   base                data = base + TP_CHUNK_HEADROOM   end of buffer
//   |---- headroom ------|------------ capacity ------------|
//
// The scan copies the unfinished tail of the previous chunk into the headroom, so that a
// batch is always contiguous.
#ifndef TP_IO_CHUNK_H
#define TP_IO_CHUNK_H

#include <stdatomic.h>

#include "base/attr.h"

// The longest tail that may wait for more bytes: a batch header, a body of
// 65,536 and the header after it (see decode/scan_v2.h).
#define TP_CHUNK_HEADROOM TP_KIB(68)

// A buffer and its holders.
struct tp_chunk {
    unsigned char *base;   // of tp_chunk_buf_bytes(capacity_bytes)
    size_t capacity_bytes; // of the data part
    size_t len_bytes;      // of the data part; valid once delivered
    uint64_t offset;       // in the stream, of the first data byte
    _Atomic uint32_t holds; // number of holders
    // Called on the thread that releases the last hold.
    void (*free)(struct tp_chunk *c, void *owner);
    void *owner;           // argument of `free`
    struct tp_chunk *next; // link for lists of the owner, and of the engine while it reads
};

// Makes a chunk whose bytes lie in `buf`, of tp_chunk_buf_bytes(capacity_bytes). The chunk
// borrows `buf`; the owner frees both.
void tp_chunk_init(struct tp_chunk *c, unsigned char *buf, size_t capacity_bytes);
// Bytes of a buffer for a chunk of this capacity, headroom included.
size_t tp_chunk_buf_bytes(size_t capacity_bytes);

// Prepares a chunk for the next read: one hold, no bytes. Nobody else may hold it.
void tp_chunk_reset(struct tp_chunk *c);

// The first byte after the headroom.
TP_INLINE unsigned char *tp_chunk_data(const struct tp_chunk *c)
{
    return c->base + TP_CHUNK_HEADROOM;
}

// Any thread that holds the chunk may call these. After its release it may not use the bytes.
void tp_chunk_hold(struct tp_chunk *c);
// Gives up one hold; the last release calls c->free.
void tp_chunk_release(struct tp_chunk *c);

#endif
