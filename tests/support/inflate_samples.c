#include "inflate_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"

void bytes_append(struct bytes *to, const void *ptr, size_t len_bytes)
{
    to->ptr = tp_realloc(to->ptr, to->len_bytes + len_bytes);
    assert_non_null(to->ptr);
    if (len_bytes != 0)
        memcpy(to->ptr + to->len_bytes, ptr, len_bytes);
    to->len_bytes += len_bytes;
}

void bytes_drop(struct bytes *b)
{
    tp_free(b->ptr);
    *b = (struct bytes){0};
}

struct bytes make_content(size_t len_bytes)
{
    struct bytes b = {tp_alloc(len_bytes), len_bytes};
    assert_non_null(b.ptr);
    uint32_t x = 1;
    // Half of it noise, so that compressed blocks, literals and raw blocks occur.
    for (size_t i = 0; i < len_bytes; i++) {
        x = x * 1664525 + 1013904223;
        b.ptr[i] = (i / 512) % 2 ? (unsigned char)(x >> 24) : (unsigned char)(i % 14);
    }
    return b;
}

void append_gzip(struct bytes *to, const void *ptr, size_t len_bytes)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t most = deflateBound(&z, len_bytes);
    unsigned char *out = tp_alloc(most);
    assert_non_null(out);
    z.next_in = (z_const Bytef *)(uintptr_t)ptr;
    z.avail_in = (uInt)len_bytes;
    z.next_out = out;
    z.avail_out = (uInt)most;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    bytes_append(to, out, most - z.avail_out);
    tp_free(out);
    deflateEnd(&z);
}

void append_zstd(struct bytes *to, const void *ptr, size_t len_bytes,
                 const struct zstd_choice *choice)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, choice->level);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, choice->checksum);
    if (choice->window_log != 0)
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, choice->window_log);
    if (choice->content_size)
        ZSTD_CCtx_setPledgedSrcSize(c, len_bytes);
    size_t each = choice->flush_every_bytes ? choice->flush_every_bytes : len_bytes;
    ZSTD_inBuffer in = {ptr, 0, 0};
    ZSTD_EndDirective how = choice->flush_every_bytes ? ZSTD_e_flush : ZSTD_e_continue;
    // Tell the library of the end after the last content: else it would know the size of the
    // content in time to write it into the header.
    for (;;) {
        size_t left;
        if (in.pos == len_bytes)
            how = ZSTD_e_end;
        in.size = len_bytes - in.pos < each ? len_bytes : in.pos + each;
        do {
            unsigned char piece[4096];
            ZSTD_outBuffer out = {piece, sizeof piece, 0};
            left = ZSTD_compressStream2(c, &out, &in, how);
            assert_false(ZSTD_isError(left));
            bytes_append(to, piece, out.pos);
        } while (how == ZSTD_e_continue ? in.pos < in.size : left != 0);
        if (how == ZSTD_e_end)
            break;
    }
    ZSTD_freeCCtx(c);
}

void append_skippable(struct bytes *to, const char *text)
{
    size_t n = strlen(text);
    const unsigned char head[8] = {0x53, 0x2a, 0x4d, 0x18, (unsigned char)n, 0, 0, 0};
    bytes_append(to, head, sizeof head);
    bytes_append(to, text, n);
}

struct inflate_result inflate_all(enum tp_codec codec, struct tp_span stored, size_t in_piece,
                                  size_t out_piece, size_t max_bytes)
{
    struct inflate_result r = {0};
    struct tp_inflate *inf = NULL;
    unsigned char *out = tp_alloc(out_piece);
    assert_non_null(out);
    r.rc = tp_inflate_create(codec, max_bytes, &inf, &r.err);
    size_t given = 0;
    struct tp_span in = {stored.ptr, 0};
    bool done = false;
    while (r.rc == 0 && !done) {
        if (in.len_bytes == 0) {
            size_t left = stored.len_bytes - given;
            in = tp_span_of(stored.ptr + given, left < in_piece ? left : in_piece);
            given += in.len_bytes;
        }
        bool at_end = given == stored.len_bytes;
        size_t had = in.len_bytes;
        struct tp_buf made = {.ptr = out, .max_bytes = out_piece};
        r.rc = tp_inflate_step(inf, &in, at_end, &made, &done, &r.err);
        if (r.rc != 0)
            break;
        assert_true(made.len_bytes <= out_piece);
        assert_true(made.len_bytes > 0 || done || in.len_bytes < had || (in.len_bytes == 0 && !at_end));
        bytes_append(&r.made, out, made.len_bytes);
    }
    r.left_bytes = in.len_bytes + (stored.len_bytes - given);
    if (r.rc == 0) {
        // A decoder that is done must stay done.
        struct tp_buf made = {.ptr = out, .max_bytes = out_piece};
        done = false;
        assert_int_equal(tp_inflate_step(inf, &in, true, &made, &done, NULL), 0);
        assert_true(done);
        assert_int_equal(made.len_bytes, 0);
    } else if (inf != NULL) {
        struct tp_buf made = {.ptr = out, .max_bytes = out_piece};
        int again = tp_inflate_step(inf, &in, true, &made, &done, NULL);
        assert_int_equal(again, r.rc);
    }
    tp_inflate_destroy(inf);
    tp_free(out);
    return r;
}

void expect_content(struct inflate_result *r, struct tp_span want)
{
    if (r->rc != 0)
        print_error("%s at %llu\n", r->err.text, (unsigned long long)r->err.offset);
    assert_int_equal(r->rc, 0);
    assert_int_equal(r->made.len_bytes, want.len_bytes);
    assert_memory_equal(r->made.ptr, want.ptr, want.len_bytes);
    assert_int_equal(r->left_bytes, 0);
    bytes_drop(&r->made);
}

enum tp_codec codec_of(enum sample_shape shape)
{
    return shape <= GZIP_PADDED ? TP_CODEC_GZIP : TP_CODEC_ZSTD;
}

struct bytes make_sample(enum sample_shape shape, struct bytes content)
{
    static const struct zstd_choice choices[SHAPE_COUNT] = {
        [ZSTD_PLAIN] = {.level = 3, .content_size = 1, .checksum = 1},
        [ZSTD_NO_SIZE_NO_SUM] = {.level = 1},
        [ZSTD_SUM_SMALL_BLOCKS] = {.level = 19, .checksum = 1, .flush_every_bytes = 700},
        [ZSTD_SKIPPABLE] = {.level = 5, .content_size = 1, .flush_every_bytes = 3000},
    };
    struct bytes to = {0};
    size_t half = content.len_bytes / 2;
    if (shape == ZSTD_SKIPPABLE)
        append_skippable(&to, "");
    for (int part = 0; part < 2; part++) {
        const unsigned char *ptr = content.ptr + (part ? half : 0);
        size_t n = part ? content.len_bytes - half : half;
        if (codec_of(shape) == TP_CODEC_GZIP)
            append_gzip(&to, ptr, n);
        else
            append_zstd(&to, ptr, n, &choices[shape]);
        if (shape == ZSTD_SKIPPABLE)
            append_skippable(&to, "an index, for instance");
    }
    if (shape == GZIP_PADDED)
        bytes_append(&to, (const unsigned char[300]){0}, 300);
    return to;
}
