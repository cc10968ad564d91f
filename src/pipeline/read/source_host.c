#include "pipeline/read/source_host.h"

#include <assert.h>
#include <unistd.h>

#include "pipeline/read/ingest.h"

static struct tp_input_run *input_of(struct tp_source_file *f)
{
    return ((struct tp_ingest *)((char *)f - offsetof(struct tp_ingest, file)))->in;
}

static struct tp_chunk *try_take(struct tp_input_run *in)
{
    struct tp_run *run = in->run;
    unsigned before =
        atomic_fetch_add_explicit(&in->ingest->stream.stored_count, 1, memory_order_seq_cst);
    struct tp_chunk *c = before < run->memory.plan.stored_per_input
                             ? tp_chunk_pool_try_take(&run->memory.chunks, tp_rank_of(in))
                             : NULL;
    if (c == NULL)
        atomic_fetch_sub_explicit(&in->ingest->stream.stored_count, 1, memory_order_seq_cst);
    return c;
}

static struct tp_chunk *take_chunk(void *ctx, struct tp_source_file *f)
{
    struct tp_run *run = ctx;
    struct tp_input_run *in = input_of(f);
    struct tp_chunk *c = try_take(in);
    if (c != NULL)
        return c;
    // The second try finds a chunk that came back before the flag was raised; a thread that gives a
    // chunk back later sees the flag.
    atomic_store_explicit(&run->engine.is_starved, true, memory_order_seq_cst);
    return try_take(in);
}

static void deliver(void *ctx, struct tp_source_file *f, struct tp_chunk *c)
{
    (void)ctx;
    struct tp_input_run *in = input_of(f);
    bool taken = tp_ring_try_put(in->ingest->stream.inbox, c);
    assert(taken && "an inbox holds as many chunks as an input may have");
    (void)taken;
    tp_wake_ingest(in);
}

static void ended(void *ctx, struct tp_source_file *f, const struct tp_error *err)
{
    (void)ctx;
    struct tp_input_run *in = input_of(f);
    struct tp_ingest *g = in->ingest;
    if (err != NULL)
        g->stream.engine_error = *err;
    if (err != NULL && err->offset != TP_NO_OFFSET)
        g->stream.engine_error.offset += g->engine_begin;
    atomic_store_explicit(&g->stream.engine_ended, true, memory_order_release);
    tp_wake_ingest(in);
}

struct tp_source_host tp_source_host_of(struct tp_run *run)
{
    return (struct tp_source_host){
        .ctx = run, .take = take_chunk, .deliver = deliver, .ended = ended};
}

bool tp_source_host_begin_at(struct tp_input_run *in, uint64_t offset)
{
    in->ingest->engine_begin = offset;
    return lseek(in->reread.fd, (off_t)offset, SEEK_SET) >= 0;
}
