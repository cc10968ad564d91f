// Compressed input to plain bytes, one file at a time, in bounded memory. The
// codec is recognised by the first bytes of the file, never by its name.
// Members of .gz and frames of .zst (skippable ones too) may follow each other.
// Not thread-safe; one object belongs to the strand of one file.
#ifndef TP_IO_INFLATE_H
#define TP_IO_INFLATE_H

#include "base/err.h"
#include "base/span.h"

enum tp_codec { TP_CODEC_PLAIN, TP_CODEC_GZIP, TP_CODEC_ZSTD };

// How many bytes tp_codec_detect wants to see (fewer only at end of file).
#define TP_CODEC_MAGIC_BYTES 4

enum tp_codec tp_codec_detect(struct tp_span head);
const char *tp_codec_name(enum tp_codec codec); // "none", "gzip", "zstd"

struct tp_inflate;

// `max_bytes` bounds all memory of the decoder. Windows count as they are filled, not as a
// frame declares them; a frame that fills more fails with TP_E_LIMIT.
int tp_inflate_create(enum tp_codec codec, size_t max_bytes, struct tp_inflate **ret_inf,
                      struct tp_error *err) TP_MUST_USE;
void tp_inflate_destroy(struct tp_inflate *inf); // NULL is fine

// What it will have taken at most when the next step has made `out_bytes`, to reserve memory by;
// never more than max_bytes.
size_t tp_inflate_ahead_bytes(const struct tp_inflate *inf, size_t out_bytes);

// Decodes from *in (advanced by what was used) into out. Makes progress unless
// *in is empty or out is full. `at_end` says that no input follows *in.
// ret_done is set once the stream has ended cleanly at the end of the input.
// Fails with TP_E_CODEC (damage, or an end inside a frame; `offset` is the
// stored-file offset reached; everything decoded before was handed out),
// TP_E_LIMIT or TP_E_MEMORY. Bytes that follow the last gzip member or zstd
// frame and are neither are damage too.
int tp_inflate_step(struct tp_inflate *inf, struct tp_span *in, bool at_end,
                    unsigned char *out, size_t out_bytes, size_t *ret_made, bool *ret_done,
                    struct tp_error *err) TP_MUST_USE;

#endif
