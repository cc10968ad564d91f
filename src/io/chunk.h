// A read buffer, the chunk, with a count of its holders. The engine fills it, the scan cuts it into
// extents, workers read it. The release of the last hold returns the chunk to its owner (a pool, or
// a test's own object) through `free`. The functions cannot fail and do not block.
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
    unsigned char *base;   // buffer of tp_chunk_buf_bytes(capacity_bytes) bytes, borrowed
    size_t capacity_bytes; // most bytes of data
    size_t len_bytes;      // bytes of data; valid once the chunk is delivered
    uint64_t offset;       // in the stream, of the first byte of data
    _Atomic uint32_t holds; // number of holders
    // Called on the thread that releases the last hold.
    void (*free)(struct tp_chunk *c, void *owner);
    void *owner;           // argument of `free`
    struct tp_chunk *next; // link of lists: of the owner, or of the engine while it fills the chunk
};

// Makes a chunk whose bytes lie in `buf`, which has tp_chunk_buf_bytes(capacity_bytes) bytes. The
// chunk borrows `buf`; the owner frees both. The owner then sets `free` and `owner`.
void tp_chunk_init(struct tp_chunk *c, unsigned char *buf, size_t capacity_bytes);
// Returns the size of a buffer for a chunk of this capacity, headroom included.
size_t tp_chunk_buf_bytes(size_t capacity_bytes);

// Prepares a chunk for the next read: the caller gets the only hold, and the chunk has no bytes.
// Nobody may hold it before.
void tp_chunk_reset(struct tp_chunk *c);

// Returns the address of the first byte after the headroom.
TP_INLINE unsigned char *tp_chunk_data(const struct tp_chunk *c)
{
    return c->base + TP_CHUNK_HEADROOM;
}

// Adds a hold. Any thread that holds the chunk may call this function and the next one.
void tp_chunk_hold(struct tp_chunk *c);
// Gives up one hold, after which the caller must not use the bytes. The last release calls c->free.
void tp_chunk_release(struct tp_chunk *c);

#endif
