// The first stages of an input: takes stored bytes from the engine, decompresses them if their
// first bytes show a codec, and encodes them if they are the text form. Runs in the ingest strand;
// never blocks.
#ifndef TP_PIPELINE_READ_STREAM_H
#define TP_PIPELINE_READ_STREAM_H

#include "base/ring.h"
#include "decode/text/wiretext.h"
#include "io/chunk.h"
#include "pipeline/core/input.h"

// The answer of a stage. WAIT: the strand will be woken when chunks or memory come, and then calls
// again. END: nothing more comes.
enum tp_stage_status { TP_STAGE_OK, TP_STAGE_WAIT, TP_STAGE_END };

// Contiguous bytes in a chunk or its headroom. The owner of the piece has one hold on the chunk.
struct tp_piece {
    struct tp_chunk *chunk;    // NULL: none
    struct tp_span bytes;
};

// The type of a function that does one step of a stage that transforms bytes: of a decompressor or
// of the text encoder, which have the same arguments (inflate.h, text/wiretext.h).
typedef int (*tp_transform_fn)(void *ctx, struct tp_span *in, bool at_end, struct tp_buf *out,
                               bool *ret_done, struct tp_error *err);

// A stage that may transform bytes, and its two chunks.
struct tp_transform {
    bool is_known;        // whether bytes are transformed was detected by the first bytes
    tp_transform_fn step; // NULL: bytes pass through, or !is_known
    void *ctx;
    struct tp_piece input; // being consumed; the first bytes while !is_known
    bool input_ended;
    bool ended;
    struct tp_chunk *filling;  // the output chunk that is being filled
};

// Turns stored bytes into wire bytes. Used by the ingest strand only, except for the first four
// members, which the engine writes, too.
struct tp_stream {
    struct tp_ring *inbox;         // stored chunks from the engine; freed with the input's slot
    _Atomic unsigned stored_count; // chunks taken by the engine and not consumed yet
    _Atomic bool engine_ended;     // no chunk follows those in the inbox
    struct tp_error engine_error;  // written before engine_ended
    struct tp_transform inflate;
    struct tp_transform encode;
    uint64_t reserved_bytes;       // taken from the budget for all decoders
    uint64_t inflate_bytes;        // part of reserved_bytes that is for `inflate`
    uint64_t stored_bytes;
    struct tp_error error;         // first failure of any stage; ends the stream
};

// Makes the ingest strand of `in` wait after memory was refused: raises the flag by which a thread
// that gives memory back knows that it must wake the strand (the protocol is in core/wake.h).
TP_INLINE enum tp_stage_status tp_starve(struct tp_input_run *in)
{
    tp_starved_raise(&in->wake, TP_STARVED_OF_MEMORY);
    return TP_STAGE_WAIT;
}

// Prepares for the next input; reuses the inbox. TP_E_MEMORY.
int tp_stream_init(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Gives back chunks, decoders and credits; keeps the inbox for the next input.
void tp_stream_reset(struct tp_input_run *in);

// Takes the next wire bytes; the caller owns one hold of the chunk. TP_STAGE_END: none are left; if
// stream.error has a code, they ended too early.
enum tp_stage_status tp_stream_next(struct tp_input_run *in, struct tp_piece *ret_piece);

// Takes the next chunk as the engine delivered it, without any decoding, for inputs that no sink
// wants decoded. The caller owns one hold of the chunk.
enum tp_stage_status tp_stream_next_stored(struct tp_input_run *in, struct tp_piece *ret_piece);

// Copies the bytes of `tail` in front of those of `piece`, into its chunk's headroom, and releases
// `tail`.
void tp_piece_prepend(struct tp_piece *piece, struct tp_piece *tail);
// Releases the chunk and empties the piece. An empty piece is fine.
void tp_piece_release(struct tp_piece *piece);

#endif
