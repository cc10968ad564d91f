#include "sink/proto/deflate.h"

#include <assert.h>
#include <zlib.h>

#include "base/alloc.h"

// deflateInit2: the largest window; GZIP_WINDOW_BITS: with a header and trailer of gzip.
#define WINDOW_BITS 15
#define GZIP_WINDOW_BITS (WINDOW_BITS + 16)
#define MEMORY_LEVEL 8

struct tp_gzip {
    z_stream stream;
    struct tp_out *out;
    int rc; // of the first failure, with the error
    struct tp_error error;
    unsigned char bytes[1 << 16];
};

static void *allocate(void *ctx, unsigned count, unsigned size)
{
    (void)ctx;
    return tp_alloc_array(count, size);
}

static void release(void *ctx, void *memory)
{
    (void)ctx;
    tp_free(memory);
}

static bool begin(z_stream *z, int level, int window_bits)
{
    z->zalloc = allocate;
    z->zfree = release;
    return deflateInit2(z, level, Z_DEFLATED, window_bits, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) ==
           Z_OK;
}

struct tp_gzip *tp_gzip_begin(struct tp_out *out, int level)
{
    struct tp_gzip *g = tp_alloc_zero(sizeof *g);
    if (g == NULL)
        return NULL;
    g->out = out;
    if (begin(&g->stream, level, GZIP_WINDOW_BITS))
        return g;
    tp_free(g);
    return NULL;
}

// Compresses what the stream has as input and, with Z_FINISH, what it keeps.
static void compress_all(struct tp_gzip *g, int flush)
{
    do {
        g->stream.next_out = g->bytes;
        g->stream.avail_out = sizeof g->bytes;
        int rc = deflate(&g->stream, flush);
        assert(rc != Z_STREAM_ERROR);
        (void)rc;
        size_t len_bytes = sizeof g->bytes - g->stream.avail_out;
        if (g->rc == 0 && len_bytes > 0)
            g->rc = tp_out_put(g->out, tp_span_of(g->bytes, len_bytes), &g->error);
    } while (g->stream.avail_out == 0);
}

void tp_gzip_put(struct tp_gzip *g, const void *bytes, size_t len_bytes)
{
    const unsigned char *next = bytes;
    while (len_bytes > 0 && g->rc == 0) {
        unsigned some = len_bytes < UINT32_MAX ? (unsigned)len_bytes : UINT32_MAX;
        g->stream.next_in = (unsigned char *)(uintptr_t)next;
        g->stream.avail_in = some;
        compress_all(g, Z_NO_FLUSH);
        next += some;
        len_bytes -= some;
    }
}

int tp_gzip_end(struct tp_gzip *g, struct tp_error *err)
{
    g->stream.avail_in = 0;
    compress_all(g, Z_FINISH);
    deflateEnd(&g->stream);
    int rc = g->rc;
    if (rc != 0)
        *err = g->error;
    tp_free(g);
    return rc;
}

size_t tp_deflate_max_bytes(size_t len_bytes) { return compressBound(len_bytes); }

size_t tp_deflate(unsigned char *to, struct tp_span bytes)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes.ptr,
                  .avail_in = (unsigned)bytes.len_bytes,
                  .next_out = to,
                  .avail_out = (unsigned)tp_deflate_max_bytes(bytes.len_bytes)};
    if (!begin(&z, Z_DEFAULT_COMPRESSION, WINDOW_BITS))
        return 0;
    int rc = deflate(&z, Z_FINISH);
    assert(rc == Z_STREAM_END);
    (void)rc;
    deflateEnd(&z);
    return z.total_out;
}
