// Decompresses one file in bounded memory. The first bytes of the file determine the codec; the
// file's name never does. A file may hold several gzip members, or several zstd frames (skippable
// ones too). The decoder of a file belongs to the file's ingest strand; it has no lock.
#ifndef TP_IO_INFLATE_H
#define TP_IO_INFLATE_H

#include "base/buf.h"
#include "base/err.h"

// Compression of a file; PLAIN: none.
enum tp_codec { TP_CODEC_PLAIN, TP_CODEC_GZIP, TP_CODEC_ZSTD };

// Bytes that tp_codec_detect needs; fewer only at the end of the file.
#define TP_CODEC_MAGIC_BYTES 4

// Returns the codec that the first bytes of a file show; TP_CODEC_PLAIN if they show none. Pure.
enum tp_codec tp_codec_detect(struct tp_span head);
// Returns "none", "gzip" or "zstd", a constant.
const char *tp_codec_name(enum tp_codec codec);

// The decoder of one file.
struct tp_inflate;

// Creates a decoder for a compressed file, which the caller destroys. `max_bytes` bounds all its
// memory. The window, the decoder's copy of recent output, counts with its filled part, not with
// the size that the frame declares; a frame that fills more than the bound fails with TP_E_LIMIT.
// Fails with TP_E_MEMORY or TP_E_LIMIT.
int tp_inflate_create(enum tp_codec codec, size_t max_bytes, struct tp_inflate **ret_inf,
                      struct tp_error *err) TP_MUST_USE;
// Frees the decoder and its memory, at any time. NULL is fine.
void tp_inflate_destroy(struct tp_inflate *inf);

// Returns an upper bound on the memory that the decoder will hold after a next step that produces
// `out_bytes`, for reserving it in advance. Never above max_bytes.
size_t tp_inflate_ahead_bytes(const struct tp_inflate *inf, size_t out_bytes);

// Decodes from *in, adds to `out` and moves *in past the used bytes. Makes progress unless
// *in is empty or `out` is full. `at_end`: no input follows *in. Sets *ret_done to whether the
// stream has ended cleanly at the end of the input. Fails with TP_E_CODEC at damage, at an
// end inside a member or frame, and at bytes after the last member or frame that begin no other
// one; err->offset then counts stored bytes, and earlier steps have handed out all bytes before
// the damage. Else fails with TP_E_TOO_LARGE (a window that no zstd decoder accepts), TP_E_LIMIT or
// TP_E_MEMORY. After a failure each later step fails with the same error.
int tp_inflate_step(struct tp_inflate *inf, struct tp_span *in, bool at_end, struct tp_buf *out,
                    bool *ret_done, struct tp_error *err) TP_MUST_USE;

#endif
