// Decodes both codecs by the same steps: `advance` of the codec runs until the output is full, the
// input is used up, the stream has ended, or it is damaged.
//
//   between ──first bytes of a member or frame──▶ inside ──its end──▶ between
//      └─ end of input: done                         └─ end of input: damage
//
// The decoder keeps a failure. If the step that fails has produced bytes, this step hands them out
// and the next step reports the failure, so that no decoded byte is lost. Offsets in errors
// depend on the stored bytes only, not on their division into steps.
#include "io/inflate.h"

#include <limits.h>
#include <zlib.h>

// Declares ZSTD_createDCtx_advanced, which takes an allocator.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/little.h"

// Memory of the gzip decoder: zlib documents about 7 KiB of state and a window of 32 KiB.
#define GZIP_NEED_BYTES TP_KIB(64)

#define ZSTD_BLOCK_HEADER_BYTES 3

// A memory block of at least this size is assumed to be the decompression window, and is allocated
// by mmap. The library fills it from its beginning as it produces output; the part not yet filled
// takes address space but no memory.
#define LAZY_LEAST_BYTES TP_MIB(1)
// The memory charged for a window is its filled part, in steps of LAZY_STEP_BYTES, and
// LAZY_EXTRA_BYTES: zstd's buffer for one block, and one block that is decoded before any byte of
// it is handed out.
#define LAZY_STEP_BYTES TP_MIB(1)
#define LAZY_EXTRA_BYTES (2 * (size_t)ZSTD_BLOCKSIZE_MAX)

// Header of each memory block given to a library: records the block's size for the time when the
// library frees it.
union block_head {
    struct {
        size_t len_bytes;
        bool is_lazy;
    };
    max_align_t align;
};

struct gzip_state {
    z_stream z;
    bool padding; // a zero byte followed a member: only zeros may follow it
};

struct zstd_state {
    ZSTD_DCtx *dctx;
    unsigned char head[TP_CODEC_MAGIC_BYTES]; // first bytes of the next frame
    size_t head_bytes;
    // A unit is a piece of a frame that the library decodes in one call (see zstd_start_unit).
    size_t unit_left_bytes;
    uint64_t unit_offset;
    bool flushing; // the decoder may still hold output
    uint64_t frame_offset;
    uint64_t frame_made_bytes; // output of the open frame
};

struct tp_inflate {
    const struct codec_ops *ops;
    size_t max_bytes;
    size_t used_bytes;    // memory of this struct and of the library, without a mapped window
    size_t lazy_bytes;    // size of the mapped window; 0: there is none
    size_t lazy_touched_bytes; // filled part of the mapped window
    size_t refused_bytes; // size of the request that went beyond max_bytes; 0: none
    uint64_t offset;      // stored bytes used so far
    uint64_t part_count;  // members or frames that have ended
    bool between;         // no member or frame is open
    bool failed;
    struct tp_error error; // the failure; valid with `failed`
    union {
        struct gzip_state gzip;
        struct zstd_state zstd;
    };
};

// The arguments of one tp_inflate_step while it runs.
struct step {
    struct tp_span in;
    bool at_end;
    bool done;
    unsigned char *out;
    size_t room_bytes;
    size_t made_bytes;
};

struct codec_ops {
    const char *name;
    const char *part; // "member" or "frame", for messages
    // Creates the codec's state. False: out of memory; `destroy` accepts the half-built object.
    bool (*create)(struct tp_inflate *inf);
    int (*advance)(struct tp_inflate *inf, struct step *s, struct tp_error *err);
    void (*destroy)(struct tp_inflate *inf);
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void use(struct tp_inflate *inf, struct step *s, size_t len_bytes)
{
    s->in = tp_span_skip(s->in, len_bytes);
    inf->offset += len_bytes;
}

static void *bounded_alloc(void *opaque, size_t len_bytes)
{
    struct tp_inflate *inf = opaque;
    size_t total, held_bytes = inf->used_bytes + inf->lazy_touched_bytes;
    bool is_lazy = len_bytes >= LAZY_LEAST_BYTES && inf->lazy_bytes == 0;
    if (__builtin_add_overflow(len_bytes, sizeof(union block_head), &total) ||
        (!is_lazy && (held_bytes > inf->max_bytes || total > inf->max_bytes - held_bytes))) {
        inf->refused_bytes = len_bytes;
        return NULL;
    }
    union block_head *head = is_lazy ? tp_map(total) : tp_alloc(total);
    if (head == NULL)
        return NULL;
    head->len_bytes = total;
    head->is_lazy = is_lazy;
    if (is_lazy) {
        inf->lazy_bytes = total;
        inf->lazy_touched_bytes = 0;
    } else {
        inf->used_bytes += total;
    }
    return head + 1;
}

static void bounded_free(void *opaque, void *ptr)
{
    struct tp_inflate *inf = opaque;
    if (ptr == NULL)
        return;
    union block_head *head = (union block_head *)ptr - 1;
    if (head->is_lazy) {
        inf->lazy_bytes = inf->lazy_touched_bytes = 0;
        tp_unmap(head, head->len_bytes);
        return;
    }
    inf->used_bytes -= head->len_bytes;
    tp_free(head);
}

// Returns the bytes of a window that are filled once the frame has produced `made_bytes`.
static size_t touched_by(uint64_t made_bytes, size_t lazy_bytes)
{
    uint64_t steps = made_bytes / LAZY_STEP_BYTES + 2;
    _Static_assert(LAZY_EXTRA_BYTES <= LAZY_STEP_BYTES, "the second of the two is for these");
    return steps < lazy_bytes / LAZY_STEP_BYTES ? (size_t)steps * LAZY_STEP_BYTES : lazy_bytes;
}

static size_t kib_above(size_t len_bytes)
{
    return len_bytes / 1024 + (len_bytes % 1024 != 0);
}

static int fail_memory(const struct tp_inflate *inf, struct tp_error *err)
{
    if (inf->refused_bytes == 0)
        return tp_fail_at(err, TP_E_MEMORY, inf->offset, "out of memory for the %s decoder",
                          inf->ops->name);
    size_t held_bytes = inf->used_bytes + inf->lazy_touched_bytes;
    return tp_fail(err, TP_E_LIMIT, "the %s decoder needs %zu KiB and more, it may take %zu KiB",
                   inf->ops->name, kib_above(held_bytes) + kib_above(inf->refused_bytes),
                   inf->max_bytes >> 10);
}

static int fail_truncated(const struct tp_inflate *inf, struct tp_error *err)
{
    return tp_fail_at(err, TP_E_CODEC, inf->offset, "input ends inside a %s %s", inf->ops->name,
                      inf->ops->part);
}

static int fail_garbage(const struct tp_inflate *inf, uint64_t offset, struct tp_error *err)
{
    if (inf->part_count == 0)
        return tp_fail_at(err, TP_E_CODEC, offset, "no %s %s", inf->ops->name, inf->ops->part);
    return tp_fail_at(err, TP_E_CODEC, offset, "bytes after the last %s %s are not one",
                      inf->ops->name, inf->ops->part);
}

// Handles the end of the input where no part (member or frame) is open. A file without any part is
// truncated.
static int end_between(const struct tp_inflate *inf, struct step *s, struct tp_error *err)
{
    if (!s->at_end)
        return 0;
    if (inf->part_count == 0)
        return fail_truncated(inf, err);
    s->done = true;
    return 0;
}

static voidpf gzip_alloc(voidpf opaque, uInt count, uInt each_bytes)
{
    // Two 32-bit factors cannot overflow 64 bits.
    return bounded_alloc(opaque, (size_t)count * each_bytes);
}

static bool gzip_create(struct tp_inflate *inf)
{
    z_stream *z = &inf->gzip.z;
    z->zalloc = gzip_alloc;
    z->zfree = bounded_free;
    z->opaque = inf;
    // 15: the largest window; 16: accept the gzip wrapper only.
    return inflateInit2(z, 15 + 16) == Z_OK;
}

static void gzip_destroy(struct tp_inflate *inf)
{
    inflateEnd(&inf->gzip.z);
}

// Decides by the next byte, as gzip does, whether another member, zeros up to the end
// (padding of tapes), or garbage follows a member.
static int gzip_open_member(struct tp_inflate *inf, struct step *s, struct tp_error *err)
{
    struct gzip_state *gz = &inf->gzip;
    if (inf->part_count > 0 && s->in.ptr[0] == 0)
        gz->padding = true;
    if (gz->padding) {
        size_t zeros = 0;
        while (zeros < s->in.len_bytes && s->in.ptr[zeros] == 0)
            zeros++;
        use(inf, s, zeros);
        return s->in.len_bytes == 0 ? 0 : fail_garbage(inf, inf->offset, err);
    }
    if (s->in.ptr[0] != 0x1f)
        return fail_garbage(inf, inf->offset, err);
    inflateReset(&gz->z);
    inf->between = false;
    return 0;
}

static int gzip_advance(struct tp_inflate *inf, struct step *s, struct tp_error *err)
{
    z_stream *z = &inf->gzip.z;
    while (s->made_bytes < s->room_bytes) {
        if (inf->between) {
            if (s->in.len_bytes == 0)
                return end_between(inf, s, err);
            int rc = gzip_open_member(inf, s, err);
            if (rc != 0)
                return rc;
            continue;
        }
        uInt in_bytes = (uInt)smaller(s->in.len_bytes, UINT_MAX);
        uInt out_bytes = (uInt)smaller(s->room_bytes - s->made_bytes, UINT_MAX);
        z->next_in = (z_const Bytef *)(uintptr_t)s->in.ptr;
        z->avail_in = in_bytes;
        z->next_out = s->out + s->made_bytes;
        z->avail_out = out_bytes;
        int zrc = inflate(z, Z_NO_FLUSH);
        use(inf, s, in_bytes - z->avail_in);
        s->made_bytes += out_bytes - z->avail_out;
        switch (zrc) {
        case Z_OK: break;
        case Z_STREAM_END:
            inf->between = true;
            inf->part_count++;
            break;
        case Z_BUF_ERROR: // zlib needs more input
            return s->at_end ? fail_truncated(inf, err) : 0;
        case Z_MEM_ERROR: return fail_memory(inf, err);
        default:
            // zlib may have consumed bytes that it has not decoded; their number depends on
            // the pieces in which the input came. The bit at which zlib stopped does not.
            return tp_fail_at(err, TP_E_CODEC, inf->offset - (unsigned)(z->data_type & 63) / 8,
                              "gzip: %s", z->msg != NULL ? z->msg : "damaged data");
        }
    }
    return 0;
}

static bool zstd_create(struct tp_inflate *inf)
{
    ZSTD_customMem mem = {bounded_alloc, bounded_free, inf};
    struct zstd_state *zs = &inf->zstd;
    zs->dctx = ZSTD_createDCtx_advanced(mem);
    // Raise the library's limit of 128 MiB for a window: only max_bytes shall limit memory.
    return zs->dctx != NULL && !ZSTD_isError(ZSTD_DCtx_setParameter(
                                   zs->dctx, ZSTD_d_windowLogMax, ZSTD_WINDOWLOG_MAX));
}

static void zstd_destroy(struct tp_inflate *inf)
{
    ZSTD_freeDCtx(inf->zstd.dctx);
}

// Begins a unit: the bytes to feed to ZSTD_decompressStream at once, given the hint that its last
// call returned. A call that fails does not report the output that it produced before, so a call
// must end with a block and never reach into the next one. The hint covers the rest of a header or
// block and, if another block follows, that block's header of 3 bytes. If none follows, stopping
// 3 bytes short only costs a second call.
static void zstd_start_unit(struct tp_inflate *inf, size_t hint_bytes)
{
    bool has_next = hint_bytes > ZSTD_BLOCK_HEADER_BYTES;
    inf->zstd.unit_left_bytes = has_next ? hint_bytes - ZSTD_BLOCK_HEADER_BYTES : hint_bytes;
    inf->zstd.unit_offset = inf->offset;
}

// Counts the part of the window that the open frame has filled.
static int touch_window(struct tp_inflate *inf, struct tp_error *err)
{
    size_t touched = touched_by(inf->zstd.frame_made_bytes, inf->lazy_bytes);
    if (touched > inf->lazy_touched_bytes)
        inf->lazy_touched_bytes = touched;
    if (inf->lazy_touched_bytes <= inf->max_bytes - inf->used_bytes)
        return 0;
    return tp_fail(err, TP_E_LIMIT,
                   "zstd frame with a window that needs %zu KiB, the decoder may take %zu KiB",
                   kib_above(inf->used_bytes) + kib_above(inf->lazy_bytes), inf->max_bytes >> 10);
}

static int fail_zstd(const struct tp_inflate *inf, size_t rc, struct tp_error *err)
{
    switch (ZSTD_getErrorCode(rc)) {
    case ZSTD_error_frameParameter_windowTooLarge: // beyond the maximum of every zstd reader
        return tp_fail_at(err, TP_E_TOO_LARGE, inf->zstd.frame_offset,
                          "zstd frame with a window of more than %llu MiB",
                          (1ULL << ZSTD_WINDOWLOG_MAX) >> 20);
    case ZSTD_error_memory_allocation: return fail_memory(inf, err);
    default:
        return tp_fail_at(err, TP_E_CODEC, inf->zstd.unit_offset, "zstd: %s",
                          ZSTD_getErrorName(rc));
    }
}

// Checks the magic number itself, because the library would also accept formats from before
// zstd 1.0, whose decoders do not use our allocator.
static int zstd_open_frame(struct tp_inflate *inf, struct step *s, bool *ret_starved,
                           struct tp_error *err)
{
    struct zstd_state *zs = &inf->zstd;
    size_t n = smaller(TP_CODEC_MAGIC_BYTES - zs->head_bytes, s->in.len_bytes);
    if (n > 0)
        memcpy(zs->head + zs->head_bytes, s->in.ptr, n);
    zs->head_bytes += n;
    use(inf, s, n);
    *ret_starved = zs->head_bytes < TP_CODEC_MAGIC_BYTES;
    if (*ret_starved)
        return 0;
    zs->unit_offset = zs->frame_offset = inf->offset - TP_CODEC_MAGIC_BYTES;
    zs->frame_made_bytes = 0;
    if (tp_codec_detect(tp_span_of(zs->head, zs->head_bytes)) != TP_CODEC_ZSTD)
        return fail_garbage(inf, zs->unit_offset, err);
    ZSTD_inBuffer magic = {zs->head, TP_CODEC_MAGIC_BYTES, 0};
    ZSTD_outBuffer none = {NULL, 0, 0};
    size_t hint_bytes = ZSTD_decompressStream(zs->dctx, &none, &magic);
    if (ZSTD_isError(hint_bytes))
        return fail_zstd(inf, hint_bytes, err);
    zstd_start_unit(inf, hint_bytes);
    zs->flushing = false;
    inf->between = false;
    return 0;
}

static int zstd_feed(struct tp_inflate *inf, struct step *s, bool *ret_starved,
                     struct tp_error *err)
{
    struct zstd_state *zs = &inf->zstd;
    // Take the output that the decoder holds, before new input can make it fail.
    size_t n = zs->flushing ? 0 : smaller(zs->unit_left_bytes, s->in.len_bytes);
    *ret_starved = n == 0 && !zs->flushing;
    if (*ret_starved)
        return 0;
    ZSTD_inBuffer in = {s->in.ptr, n, 0};
    ZSTD_outBuffer out = {s->out, s->room_bytes, s->made_bytes};
    size_t hint_bytes = ZSTD_decompressStream(zs->dctx, &out, &in);
    if (ZSTD_isError(hint_bytes))
        return fail_zstd(inf, hint_bytes, err);
    use(inf, s, in.pos);
    zs->frame_made_bytes += out.pos - s->made_bytes;
    s->made_bytes = out.pos;
    if (inf->lazy_bytes > 0 && touch_window(inf, err) != 0)
        return err->code;
    zs->flushing = out.pos == out.size;
    if (hint_bytes == 0) {
        inf->between = true;
        inf->part_count++;
        zs->head_bytes = 0;
        return 0;
    }
    // While the library holds output, it does not consume the last byte of a frame, so `in.pos`
    // may be less than `n`.
    zs->unit_left_bytes -= in.pos;
    if (zs->unit_left_bytes == 0)
        zstd_start_unit(inf, hint_bytes);
    return 0;
}

static int zstd_advance(struct tp_inflate *inf, struct step *s, struct tp_error *err)
{
    while (s->made_bytes < s->room_bytes) {
        if (inf->between && inf->zstd.head_bytes == 0 && s->in.len_bytes == 0)
            return end_between(inf, s, err);
        bool starved = false;
        int rc = inf->between ? zstd_open_frame(inf, s, &starved, err)
                              : zstd_feed(inf, s, &starved, err);
        if (rc != 0)
            return rc;
        if (starved)
            return s->at_end ? fail_truncated(inf, err) : 0;
    }
    return 0;
}

static const struct codec_ops codecs[] = {
    [TP_CODEC_PLAIN] = {.name = "none"},
    [TP_CODEC_GZIP] = {"gzip", "member", gzip_create, gzip_advance, gzip_destroy},
    [TP_CODEC_ZSTD] = {"zstd", "frame", zstd_create, zstd_advance, zstd_destroy},
};

static bool is_skippable(uint32_t magic)
{
    return (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

enum tp_codec tp_codec_detect(struct tp_span head)
{
    if (head.len_bytes >= 2 && head.ptr[0] == 0x1f && head.ptr[1] == 0x8b)
        return TP_CODEC_GZIP;
    if (head.len_bytes < TP_CODEC_MAGIC_BYTES)
        return TP_CODEC_PLAIN;
    uint32_t magic = tp_load_le32(head.ptr);
    return magic == ZSTD_MAGICNUMBER || is_skippable(magic) ? TP_CODEC_ZSTD : TP_CODEC_PLAIN;
}

const char *tp_codec_name(enum tp_codec codec)
{
    return codecs[codec].name;
}

int tp_inflate_create(enum tp_codec codec, size_t max_bytes, struct tp_inflate **ret_inf,
                      struct tp_error *err)
{
    const struct codec_ops *ops = &codecs[codec];
    if (max_bytes < sizeof(struct tp_inflate))
        return tp_fail(err, TP_E_LIMIT, "the %s decoder is limited to %zu bytes", ops->name,
                       max_bytes);
    struct tp_inflate *inf = tp_alloc_zero(sizeof *inf);
    if (inf == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the %s decoder", ops->name);
    inf->ops = ops;
    inf->max_bytes = max_bytes;
    inf->used_bytes = sizeof *inf;
    inf->between = true;
    if (!ops->create(inf)) {
        int rc = fail_memory(inf, err);
        tp_inflate_destroy(inf);
        return rc;
    }
    *ret_inf = inf;
    return 0;
}

void tp_inflate_destroy(struct tp_inflate *inf)
{
    if (inf == NULL)
        return;
    inf->ops->destroy(inf);
    tp_free(inf);
}

size_t tp_inflate_ahead_bytes(const struct tp_inflate *inf, size_t out_bytes)
{
    if (inf->ops != &codecs[TP_CODEC_ZSTD])
        return inf->max_bytes < GZIP_NEED_BYTES ? inf->max_bytes
                                                : sizeof *inf + GZIP_NEED_BYTES;
    // Memory for the open frame, and for a next frame with a window of any size.
    size_t this_bytes = inf->lazy_bytes == 0 ? 0
                                             : touched_by(inf->zstd.frame_made_bytes + out_bytes,
                                                          inf->lazy_bytes);
    size_t next_bytes = touched_by(out_bytes, SIZE_MAX);
    size_t window = this_bytes > next_bytes ? this_bytes : next_bytes;
    window = window > inf->lazy_touched_bytes ? window : inf->lazy_touched_bytes;
    return window < inf->max_bytes - inf->used_bytes ? inf->used_bytes + window : inf->max_bytes;
}

int tp_inflate_step(struct tp_inflate *inf, struct tp_span *in, bool at_end, struct tp_buf *out,
                    bool *ret_done, struct tp_error *err)
{
    struct step s = {.in = *in, .at_end = at_end, .out = out->ptr + out->len_bytes,
                     .room_bytes = out->max_bytes - out->len_bytes};
    if (!inf->failed) {
        inf->failed = inf->ops->advance(inf, &s, &inf->error) != 0;
        *in = s.in;
    }
    if (inf->failed && s.made_bytes == 0) {
        if (err != NULL)
            *err = inf->error;
        return inf->error.code;
    }
    out->len_bytes += s.made_bytes;
    *ret_done = s.done;
    return 0;
}
