// Writes the input's bytes as a standard .zst of several frames, each of which can be
// decompressed alone, with the seek table of zstd's seekable format at the end:
//
//   | frame | frame | ... | skippable frame: (compressed, decompressed size)* footer |
//
// Frames carry their content size and checksum. The table repeats no checksums.
//
// The library chooses the parameters by level and size of the frame. On traces, larger windows
// and tables for frames of 8 MiB at level 3 saved 0.1 to 0.6 % of size and cost up to 45 % of
// speed; frames of 2 MiB are less than 0.5 % larger than one frame for all. So neither is
// worth an option.
#include <assert.h>
#include <stddef.h>

// Makes zstd.h declare contexts with an allocator of the caller (here base/alloc), and functions
// that estimate the size of a context.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/check.h"
#include "base/list.h"
#include "sink/sink.h"

#define LEVEL_MIN 1
#define LEVEL_MAX 19
#define LEVEL_DEFAULT 3

#define SEEK_SKIPPABLE_MAGIC 0x184D2A5EU
#define SEEK_FOOTER_MAGIC 0x8F92EAB1U
#define SEEK_DESCRIPTOR 0 // bit 7: entries have checksums
#define SEEK_ENTRY_BYTES 8
#define SEEK_FOOTER_BYTES 9
// Limit of the seekable format. With frames of 2 MiB it is reached at 256 TiB.
#define SEEK_MAX_FRAMES 0x8000000U

struct config {
    int64_t level;
};

static const struct tp_opt_spec options[] = {
    TP_OPTION_INT(struct config, level, LEVEL_MIN, LEVEL_MAX, "compression level (default 3)"),
    {.key = NULL},
};

struct unit_state {
    ZSTD_CCtx *cctx;
};

struct frame_entry {
    uint32_t compressed_bytes;
    uint32_t decompressed_bytes;
};

// The table has 8 bytes for each frame of 2 MiB or more: 4 MiB for a trace of 1 TiB.
struct input_state {
    TP_LIST(struct frame_entry) frames;
};

static const struct config defaults = {.level = LEVEL_DEFAULT};

// Returns the largest memory that a context needs, whatever the size of its frames. The library
// chooses the sizes of a context's tables by the level and by the class of the frame's size, of
// which there are four; the class of the largest frames does not always need the most memory.
static size_t context_bytes(const struct config *c)
{
    static const unsigned long long frame_bytes[] = {16 << 10, 128 << 10, 256 << 10,
                                                     TP_FRAME_MAX_BYTES};
    size_t most_bytes = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(frame_bytes); i++) {
        ZSTD_compressionParameters p = ZSTD_getCParams((int)c->level, frame_bytes[i], 0);
        size_t need_bytes = ZSTD_estimateCCtxSize_usingCParams(p);
        assert(!ZSTD_isError(need_bytes));
        if (need_bytes > most_bytes)
            most_bytes = need_bytes;
    }
    return most_bytes;
}

static int fail_encode(size_t code, struct tp_error *err)
{
    int class = ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation ? TP_E_MEMORY : TP_E_ENCODE;
    return tp_fail(err, class, "zstd: %s", ZSTD_getErrorName(code));
}

static void *codec_alloc(void *opaque, size_t len_bytes)
{
    (void)opaque;
    return tp_alloc(len_bytes);
}

static void codec_free(void *opaque, void *ptr)
{
    (void)opaque;
    tp_free(ptr);
}

// Creates the context of a unit. It allocates its tables for the first frame and keeps them for
// later frames.
static int unit_init(const struct tp_sink_call *call, struct tp_error *err)
{
    const struct config *c = call->config;
    struct unit_state *u = call->unit_state;
    ZSTD_customMem memory = {codec_alloc, codec_free, NULL};
    u->cctx = ZSTD_createCCtx_advanced(memory);
    if (u->cctx == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a zstd context");
    size_t code = ZSTD_CCtx_setParameter(u->cctx, ZSTD_c_compressionLevel, (int)c->level);
    if (!ZSTD_isError(code))
        code = ZSTD_CCtx_setParameter(u->cctx, ZSTD_c_checksumFlag, 1);
    return ZSTD_isError(code) ? fail_encode(code, err) : 0;
}

static void unit_fini(void *unit_state)
{
    struct unit_state *u = unit_state;
    ZSTD_freeCCtx(u->cctx);
    u->cctx = NULL;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    int rc = TP_CHECK(unit->bytes.len_bytes <= TP_FRAME_MAX_BYTES, err);
    if (rc != 0)
        return rc;
    struct tp_buf *buf = call->buf;
    size_t code = ZSTD_compress2(u->cctx, buf->ptr + buf->len_bytes, tp_buf_room(buf),
                                 unit->bytes.ptr, unit->bytes.len_bytes);
    if (ZSTD_isError(code))
        return fail_encode(code, err);
    buf->len_bytes += code;
    return 0;
}

static int note_frame(struct input_state *in, size_t compressed_bytes, size_t decompressed_bytes,
                      struct tp_error *err)
{
    if (in->frames.count == SEEK_MAX_FRAMES)
        return tp_fail(err, TP_E_TOO_LARGE, "more frames than a seek table can hold");
    return TP_LIST_ADD(&in->frames, (struct frame_entry){(uint32_t)compressed_bytes,
                                                         (uint32_t)decompressed_bytes})
               ? 0
               : tp_fail(err, TP_E_MEMORY, "out of memory for a seek table");
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    int rc = note_frame(call->input_state, call->buf->len_bytes, unit->bytes.len_bytes, err);
    return rc != 0 ? rc : tp_sink_put_buf(call, err);
}

static unsigned char *put_le32(unsigned char *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

// Writes one empty frame for an empty input: some readers take a file with only a skippable frame
// for damaged.
static int put_empty_frame(struct input_state *in, struct tp_out *out, struct tp_error *err)
{
    static const unsigned char frame[] = {
        0x28, 0xb5, 0x2f, 0xfd, // magic
        0x24, 0,                // with a checksum; content of 0 bytes
        1, 0, 0,                // last block, empty
        0x99, 0xe9, 0xd8, 0x51, // XXH64 of nothing
    };
    int rc = note_frame(in, sizeof frame, 0, err);
    return rc != 0 ? rc : tp_out_put(out, tp_span_of(frame, sizeof frame), err);
}

static int put_seek_table(const struct input_state *in, struct tp_out *out, struct tp_error *err)
{
    unsigned char bytes[TP_KIB(4)];
    unsigned char *to = put_le32(bytes, SEEK_SKIPPABLE_MAGIC);
    size_t content_bytes = in->frames.count * SEEK_ENTRY_BYTES + SEEK_FOOTER_BYTES;
    to = put_le32(to, (uint32_t)content_bytes);
    for (size_t i = 0; i < in->frames.count; i++) {
        if ((size_t)(bytes + sizeof(bytes) - to) < SEEK_ENTRY_BYTES + SEEK_FOOTER_BYTES) {
            int rc = tp_out_put(out, tp_span_of(bytes, (size_t)(to - bytes)), err);
            if (rc != 0)
                return rc;
            to = bytes;
        }
        to = put_le32(to, in->frames.items[i].compressed_bytes);
        to = put_le32(to, in->frames.items[i].decompressed_bytes);
    }
    to = put_le32(to, in->frames.count);
    *to++ = SEEK_DESCRIPTOR;
    to = put_le32(to, SEEK_FOOTER_MAGIC);
    return tp_out_put(out, tp_span_of(bytes, (size_t)(to - bytes)), err);
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input, (void)report;
    struct input_state *in = call->input_state;
    int rc = 0;
    if (in->frames.count == 0)
        rc = put_empty_frame(in, call->out, err);
    return rc != 0 ? rc : put_seek_table(in, call->out, err);
}

static void input_fini(void *state)
{
    struct input_state *in = state;
    tp_free(in->frames.items);
    *in = (struct input_state){0};
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    *plan = (struct tp_sink_plan){
        .suffix = ".zst",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_FRAME,
        .accepts = TP_KIND_ALL,
        .is_binary = true,
        .replaces_traces = true,
        .unit_state_bytes = sizeof(struct unit_state),
        .input_state_bytes = sizeof(struct input_state),
        .unit_output_bytes = ZSTD_compressBound(TP_FRAME_MAX_BYTES),
        .unit_extra_bytes = context_bytes(config),
        .unit = {unit_init, unit_fini, work},
        .input = {.commit = commit, .finish = finish, .fini = input_fini},
    };
}

const struct tp_sink_def tp_sink_zstd = {
    .name = "zstd",
    .summary = "the trace as a seekable .zst file",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = &defaults,
    .plan = make_plan,
};
