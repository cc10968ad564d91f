// Compresses bytes by zlib. One thread at a time uses an object.
#ifndef TP_SINK_PROTO_DEFLATE_H
#define TP_SINK_PROTO_DEFLATE_H

#include "base/writer.h"

struct tp_gzip;

// Levels of compression: as zlib's default is, and the fastest.
#define TP_GZIP_USUAL 6
#define TP_GZIP_FAST 1
// Begins a member of gzip, without a time or a name, so that equal bytes give an equal file. `out` must
// last until tp_gzip_end. NULL: out of memory.
struct tp_gzip *tp_gzip_begin(struct tp_out *out, int level) TP_MUST_USE;
// Adds bytes. After a failure of the output nothing more is written; tp_gzip_end tells the failure.
void tp_gzip_put(struct tp_gzip *g, const void *bytes, size_t len_bytes);
// Ends the member and frees the object. Fails as the output did.
int tp_gzip_end(struct tp_gzip *g, struct tp_error *err) TP_MUST_USE;

// Returns the most bytes that tp_deflate writes for `len_bytes`, which are less than 4 GiB.
size_t tp_deflate_max_bytes(size_t len_bytes);
// Writes the bytes, compressed in the format of zlib, to `to`, and returns their length. 0: out of memory.
size_t tp_deflate(unsigned char *to, struct tp_span bytes);

#endif
