// Hands out the chunks of a run, whose number is fixed, from one memory mapping. The last
// `reserved_count` free chunks are for the oldest input only (see budget.h). The functions are
// thread-safe and never block, except that init and fini need a pool that no other thread uses.
#ifndef TP_PIPELINE_CORE_CHUNK_POOL_H
#define TP_PIPELINE_CORE_CHUNK_POOL_H

#include <pthread.h>

#include "base/err.h"
#include "io/chunk.h"
#include "pipeline/core/budget.h"

// The pool owns all chunks and their bytes; a taken chunk belongs to its holders (io/chunk.h).
struct tp_chunk_pool {
    unsigned char *arena;
    size_t arena_bytes;
    size_t each_bytes; // size of a chunk's buffer, headroom included
    struct tp_chunk *chunks;
    size_t chunk_count;
    size_t reserved_count;
    void (*on_free)(void *ctx); // called after a chunk came back; any thread
    void *ctx;
    pthread_mutex_t mu;         // guards the members below
    struct tp_chunk *free_list;
    size_t free_count;
};

// Maps all chunks at once, each with a capacity of `chunk_bytes`. `chunk_count` exceeds
// `reserved_count`. `on_free` gets `ctx` and is called, without a lock, after each chunk that comes
// back, on the thread that released it. TP_E_MEMORY: nothing is left to free.
int tp_chunk_pool_init(struct tp_chunk_pool *p, size_t chunk_count, size_t reserved_count,
                       size_t chunk_bytes, void (*on_free)(void *ctx), void *ctx,
                       struct tp_error *err) TP_MUST_USE;
// Unmaps the chunks once no thread uses the pool. A pool with a chunk that never came back stays
// mapped, because the kernel may still write to that chunk.
void tp_chunk_pool_fini(struct tp_chunk_pool *p); // a zeroed pool is fine
// Takes an empty chunk, of which the caller has the only hold (io/chunk.h); the release of the last
// hold gives the chunk back to the pool. NULL: none is free for this rank.
struct tp_chunk *tp_chunk_pool_try_take(struct tp_chunk_pool *p, enum tp_rank rank);

#endif
