#include "pipeline/core/chunk_pool.h"

#include <assert.h>

#include "base/alloc.h"

static void take_back(struct tp_chunk *c, void *owner)
{
    struct tp_chunk_pool *p = owner;
    pthread_mutex_lock(&p->mu);
    c->next = p->free_list;
    p->free_list = c;
    p->free_count++;
    pthread_mutex_unlock(&p->mu);
    p->on_free(p->ctx);
}

int tp_chunk_pool_init(struct tp_chunk_pool *p, size_t chunk_count, size_t reserved_count,
                       size_t chunk_bytes, void (*on_free)(void *ctx), void *ctx,
                       struct tp_error *err)
{
    assert(reserved_count < chunk_count);
    *p = (struct tp_chunk_pool){.chunk_count = chunk_count,
                                .reserved_count = reserved_count,
                                .on_free = on_free,
                                .ctx = ctx};
    pthread_mutex_init(&p->mu, NULL);
    p->each_bytes = (tp_chunk_buf_bytes(chunk_bytes) + 4095) & ~(size_t)4095;
    p->arena_bytes = p->each_bytes * chunk_count;
    p->arena = tp_map(p->arena_bytes);
    p->chunks = tp_alloc_array(chunk_count, sizeof p->chunks[0]);
    if (p->arena == NULL || p->chunks == NULL) {
        tp_chunk_pool_fini(p);
        return tp_fail(err, TP_E_MEMORY, "out of memory for %zu read buffers", chunk_count);
    }
    for (size_t i = chunk_count; i-- > 0;) {
        struct tp_chunk *c = &p->chunks[i];
        tp_chunk_init(c, p->arena + i * p->each_bytes, chunk_bytes);
        c->free = take_back;
        c->owner = p;
        c->next = p->free_list;
        p->free_list = c;
    }
    p->free_count = chunk_count;
    return 0;
}

void tp_chunk_pool_fini(struct tp_chunk_pool *p)
{
    if (p->chunk_count == 0)
        return;
    // A chunk that has not come back is one that the kernel may still write to
    // (io/uring_file.h): its addresses must not go to anybody else.
    if (p->chunks == NULL || p->free_count == p->chunk_count)
        tp_unmap(p->arena, p->arena_bytes);
    tp_free(p->chunks);
    pthread_mutex_destroy(&p->mu);
    *p = (struct tp_chunk_pool){0};
}

struct tp_chunk *tp_chunk_pool_try_take(struct tp_chunk_pool *p, enum tp_rank rank)
{
    struct tp_chunk *c = NULL;
    pthread_mutex_lock(&p->mu);
    if (p->free_count > (rank == TP_RANK_OLDEST ? 0 : p->reserved_count)) {
        c = p->free_list;
        p->free_list = c->next;
        p->free_count--;
    }
    pthread_mutex_unlock(&p->mu);
    if (c != NULL)
        tp_chunk_reset(c);
    return c;
}
