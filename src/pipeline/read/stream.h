// The first stages of an input: stored bytes from the engine, decompressed if
// their first bytes say so, encoded if they are the text form. Runs in the ingest
// strand; never blocks.
#ifndef TP_PIPELINE_READ_STREAM_H
#define TP_PIPELINE_READ_STREAM_H

#include "pipeline/core/state.h"

int tp_stream_init(struct tp_stream *s, size_t inbox_capacity, bool wants_digest,
                   struct tp_error *err) TP_MUST_USE;
// Gives back chunks, decoders and credits; keeps the inbox for the next input.
void tp_stream_reset(struct tp_input_run *in);
void tp_stream_fini(struct tp_stream *s);

// The next wire bytes; the caller owns the chunk. TP_STAGE_END: there are none
// left, and stream.error says if that is too early.
enum tp_stage_status tp_stream_next(struct tp_input_run *in, struct tp_piece *ret_piece);

// The next chunk as the engine delivered it, past all decoding: for inputs that
// nobody wants decoded.
enum tp_stage_status tp_stream_next_stored(struct tp_input_run *in, struct tp_piece *ret_piece);

// Puts the bytes of `tail` in front of those of `piece` and releases its chunk.
void tp_piece_prepend(struct tp_piece *piece, struct tp_piece *tail);
void tp_piece_release(struct tp_piece *piece);

#endif
