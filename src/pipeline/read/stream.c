#include "pipeline/read/stream.h"

#include <assert.h>

#include "pipeline/core/run.h"
#include "pipeline/read/ingest.h"

void tp_piece_release(struct tp_piece *piece)
{
    if (piece->chunk != NULL)
        tp_chunk_release(piece->chunk);
    *piece = (struct tp_piece){0};
}

void tp_piece_prepend(struct tp_piece *piece, struct tp_piece *tail)
{
    size_t n = tail->bytes.len_bytes;
    if (n > 0) {
        unsigned char *to = piece->chunk->base + (piece->bytes.ptr - piece->chunk->base) - n;
        assert(to >= piece->chunk->base);
        memcpy(to, tail->bytes.ptr, n);
        piece->bytes = tp_span_of(to, piece->bytes.len_bytes + n);
    }
    tp_piece_release(tail);
}

int tp_stream_init(struct tp_input_run *in, struct tp_error *err)
{
    struct tp_stream *s = &in->ingest->stream;
    const struct tp_run *run = in->run;
    size_t inbox_capacity = run->memory.plan.stored_per_input + 1;
    struct tp_ring *inbox = s->inbox != NULL ? s->inbox : tp_ring_create(inbox_capacity);
    *s = (struct tp_stream){.inbox = inbox};
    if (inbox == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for an input");
    if (run->needs.digests && (in->stored.digest = tp_digest_create()) == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a digest");
    return 0;
}

static void drop_transform(struct tp_transform *t)
{
    tp_piece_release(&t->input);
    if (t->filling != NULL)
        tp_chunk_release(t->filling);
    t->filling = NULL;
}

void tp_stream_reset(struct tp_input_run *in)
{
    struct tp_stream *s = &in->ingest->stream;
    drop_transform(&s->inflate);
    drop_transform(&s->encode);
    tp_inflate_destroy(s->inflate.ctx);
    tp_wiretext_destroy(s->encode.ctx);
    s->inflate.ctx = NULL;
    s->encode.ctx = NULL;
    if (s->reserved_bytes > 0) {
        tp_budget_give(&in->run->memory.budget, s->reserved_bytes);
        s->reserved_bytes = s->inflate_bytes = 0;
        tp_wake_for_memory(in->run);
    }
}

// STORED BYTES, as the engine delivered them.

enum tp_stage_status tp_stream_next_stored(struct tp_input_run *in, struct tp_piece *ret_piece)
{
    struct tp_stream *s = &in->ingest->stream;
    if (s->inbox == NULL)
        return TP_STAGE_END;
    // Read the flag before the inbox: no chunk comes once the flag is set.
    bool ended = atomic_load_explicit(&s->engine_ended, memory_order_acquire);
    void *item;
    if (!tp_ring_try_take(s->inbox, &item)) {
        if (!ended)
            return TP_STAGE_WAIT;
        if (s->error.code == 0 && s->engine_error.code != 0)
            s->error = s->engine_error;
        return TP_STAGE_END;
    }
    struct tp_chunk *c = item;
    *ret_piece = (struct tp_piece){c, tp_span_of(tp_chunk_data(c), c->len_bytes)};
    s->stored_bytes += c->len_bytes;
    tp_meter_count(&in->run->meter.stored_bytes, c->len_bytes);
    if (in->stored.digest != NULL)
        tp_digest_add(in->stored.digest, ret_piece->bytes);
    atomic_fetch_sub_explicit(&s->stored_count, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&in->run->engine.is_starved, memory_order_seq_cst))
        tp_wake_for_memory(in->run);
    return TP_STAGE_OK;
}

// TRANSFORMS

// Takes the next piece of the previous stage.
typedef enum tp_stage_status (*pull_fn)(struct tp_input_run *in, struct tp_piece *ret_piece);

static enum tp_stage_status emit(struct tp_transform *t, struct tp_piece *ret_piece)
{
    struct tp_chunk *c = t->filling;
    if (c == NULL || c->len_bytes == 0)
        return TP_STAGE_END;
    *ret_piece = (struct tp_piece){c, tp_span_of(tp_chunk_data(c), c->len_bytes)};
    t->filling = NULL;
    return TP_STAGE_OK;
}

static enum tp_stage_status refill(struct tp_input_run *in, struct tp_transform *t, pull_fn pull)
{
    if (t->input.bytes.len_bytes > 0 || t->input_ended)
        return TP_STAGE_OK;
    tp_piece_release(&t->input);
    enum tp_stage_status st = pull(in, &t->input);
    if (st != TP_STAGE_END)
        return st;
    t->input_ended = true;
    return TP_STAGE_OK;
}

// Takes from the budget, before the decompressor's next step, the bytes of its window that the step
// may fill. A decompressor refuses windows above its limit (inflate_limit), which the reserve for
// the oldest input (budget.h) can hold.
static enum tp_stage_status take_room(struct tp_input_run *in, const struct tp_transform *t)
{
    struct tp_stream *s = &in->ingest->stream;
    struct tp_budget *b = &in->run->memory.budget;
    if (t != &s->inflate)
        return TP_STAGE_OK;
    size_t out_bytes = t->filling->capacity_bytes - t->filling->len_bytes;
    uint64_t wanted = tp_inflate_ahead_bytes(t->ctx, out_bytes);
    if (wanted <= s->inflate_bytes)
        return TP_STAGE_OK;
    uint64_t more = wanted - s->inflate_bytes;
    if (!tp_budget_try_take(b, more, tp_rank_of(in)))
        return tp_starve(in);
    s->reserved_bytes += more;
    s->inflate_bytes = wanted;
    return TP_STAGE_OK;
}

// Runs a stage until its output chunk is full: smaller chunks would mean more work for later
// stages.
static enum tp_stage_status transform(struct tp_input_run *in, struct tp_transform *t, pull_fn pull,
                                      struct tp_piece *ret_piece)
{
    struct tp_stream *s = &in->ingest->stream;
    while (!t->ended) {
        if (t->filling == NULL) {
            t->filling = tp_chunk_pool_try_take(&in->run->memory.chunks, tp_rank_of(in));
            if (t->filling == NULL)
                return tp_starve(in);
        }
        enum tp_stage_status st = refill(in, t, pull);
        if (st == TP_STAGE_OK)
            st = take_room(in, t);
        if (st == TP_STAGE_WAIT)
            return st;
        t->ended = st == TP_STAGE_END;
        if (t->ended)
            break;
        struct tp_chunk *c = t->filling;
        struct tp_buf out = {
            .ptr = tp_chunk_data(c), .len_bytes = c->len_bytes, .max_bytes = c->capacity_bytes};
        bool done = false;
        struct tp_error err = {0};
        int rc = t->step(t->ctx, &t->input.bytes, t->input_ended, &out, &done, &err);
        c->len_bytes = out.len_bytes;
        // An earlier error (the input could not be read to its end) is the cause; the decoder's
        // error is only its consequence.
        if (rc != 0 && s->error.code == 0)
            s->error = err;
        t->ended = done || rc != 0;
        if (c->len_bytes == c->capacity_bytes)
            return emit(t, ret_piece);
    }
    return emit(t, ret_piece);
}

static int inflate_step(void *ctx, struct tp_span *in, bool at_end, struct tp_buf *out,
                        bool *ret_done, struct tp_error *err)
{
    return tp_inflate_step(ctx, in, at_end, out, ret_done, err);
}

static int encode_step(void *ctx, struct tp_span *in, bool at_end, struct tp_buf *out,
                       bool *ret_done, struct tp_error *err)
{
    return tp_wiretext_step(ctx, in, at_end, out, ret_done, err);
}

// Takes the memory of the text encoder from the budget. WAIT: try again; END: the encoder can never
// fit, and the error is set. The encoder must fit into the part of the budget that is reserved for
// the oldest input. The memory that other inputs use now does not matter, so the same input fails
// in every run or in none.
static enum tp_stage_status reserve_encoder(struct tp_input_run *in)
{
    struct tp_budget *b = &in->run->memory.budget;
    uint64_t need_bytes = tp_wiretext_need_bytes();
    if (in->ingest->stream.reserved_bytes + need_bytes > b->reserve_bytes) {
        tp_fail(&in->ingest->stream.error, TP_E_LIMIT,
                "decoding the text form takes %llu KiB, %llu KiB are for decoders",
                (unsigned long long)(need_bytes >> 10),
                (unsigned long long)(b->reserve_bytes >> 10));
        return TP_STAGE_END;
    }
    if (!tp_budget_try_take(b, need_bytes, tp_rank_of(in)))
        return tp_starve(in);
    in->ingest->stream.reserved_bytes += need_bytes;
    return TP_STAGE_OK;
}

// Appends the next piece of `pull` to the first bytes of a stage whose transformation is not known
// yet. Sets input_ended if there is no further piece. False: wait.
static bool grow_head(struct tp_input_run *in, struct tp_transform *t, pull_fn pull)
{
    struct tp_piece more = {0};
    enum tp_stage_status st = pull(in, &more);
    if (st == TP_STAGE_OK) {
        tp_piece_prepend(&more, &t->input);
        t->input = more;
    }
    t->input_ended = st == TP_STAGE_END;
    return st != TP_STAGE_WAIT;
}

// Returns the next piece of a stage. `detect` finds out once, by the first bytes, whether the stage
// transforms its bytes, and sets `step` if so.
static enum tp_stage_status next_of(struct tp_input_run *in, struct tp_transform *t,
                                    enum tp_stage_status (*detect)(struct tp_input_run *in),
                                    pull_fn pull, struct tp_piece *ret_piece)
{
    enum tp_stage_status st = t->is_known ? TP_STAGE_OK : detect(in);
    if (st != TP_STAGE_OK)
        return st;
    t->is_known = true;
    if (t->step != NULL)
        return transform(in, t, pull, ret_piece);
    if (t->input.bytes.len_bytes > 0) {
        *ret_piece = t->input;
        t->input = (struct tp_piece){0};
        return TP_STAGE_OK;
    }
    return t->input_ended ? TP_STAGE_END : pull(in, ret_piece);
}

// PLAIN BYTES, decompressed if need be.

// Returns the limit of a decompressor's memory. It is below tp_inflate_limit only if the reserve
// cannot hold both that much and the text encoder, which happens when --max-memory is hardly enough
// for one unit.
static size_t inflate_limit(const struct tp_run *run)
{
    uint64_t most = tp_inflate_limit(&run->settings), text = tp_wiretext_need_bytes();
    uint64_t reserve = run->memory.budget.reserve_bytes;
    uint64_t left = reserve > 2 * text ? reserve - text : reserve;
    return (size_t)(most < left ? most : left);
}

static enum tp_stage_status begin_inflate(struct tp_input_run *in)
{
    struct tp_stream *s = &in->ingest->stream;
    struct tp_inflate *inflate;
    if (tp_inflate_create(in->stored.codec, inflate_limit(in->run), &inflate, &s->error) != 0)
        return TP_STAGE_END;
    s->inflate.ctx = inflate;
    s->inflate.step = inflate_step;
    return TP_STAGE_OK;
}

static enum tp_stage_status detect_codec(struct tp_input_run *in)
{
    struct tp_stream *s = &in->ingest->stream;
    while (!s->inflate.input_ended && s->inflate.input.bytes.len_bytes < TP_CODEC_MAGIC_BYTES) {
        if (!grow_head(in, &s->inflate, tp_stream_next_stored))
            return TP_STAGE_WAIT;
    }
    in->stored.codec = tp_codec_detect(s->inflate.input.bytes);
    return in->stored.codec != TP_CODEC_PLAIN ? begin_inflate(in) : TP_STAGE_OK;
}

static enum tp_stage_status next_plain(struct tp_input_run *in, struct tp_piece *ret_piece)
{
    return next_of(in, &in->ingest->stream.inflate, detect_codec, tp_stream_next_stored, ret_piece);
}

// WIRE BYTES, encoded from the text form if need be.

static enum tp_stage_status begin_encode(struct tp_input_run *in)
{
    struct tp_stream *s = &in->ingest->stream;
    enum tp_stage_status st = reserve_encoder(in);
    if (st != TP_STAGE_OK)
        return st;
    struct tp_wiretext *text;
    bool strict = in->run->settings.strict;
    if (tp_wiretext_create(&text, strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT, &s->error) != 0)
        return TP_STAGE_END;
    s->encode.ctx = text;
    s->encode.step = encode_step;
    return TP_STAGE_OK;
}

static enum tp_stage_status detect_text_form(struct tp_input_run *in)
{
    struct tp_stream *s = &in->ingest->stream;
    enum tp_wiretext_verdict v;
    while ((v = tp_wiretext_detect(s->encode.input.bytes, s->encode.input_ended)) ==
               TP_WIRETEXT_MORE &&
           !s->encode.input_ended) {
        if (!grow_head(in, &s->encode, next_plain))
            return TP_STAGE_WAIT;
    }
    return v == TP_WIRETEXT_YES ? begin_encode(in) : TP_STAGE_OK;
}

enum tp_stage_status tp_stream_next(struct tp_input_run *in, struct tp_piece *ret_piece)
{
    return next_of(in, &in->ingest->stream.encode, detect_text_form, next_plain, ret_piece);
}
