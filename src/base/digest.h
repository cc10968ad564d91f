// XXH3-128 of a stream of bytes, printed as 32 hex digits in the order of
// `xxhsum -H2`. One object per stream, one thread at a time.
#ifndef TP_BASE_DIGEST_H
#define TP_BASE_DIGEST_H

#include "base/span.h"

struct tp_digest;
#define TP_DIGEST_TEXT_BYTES 33

// Starts a digest of no bytes, which the caller destroys. NULL: out of memory.
struct tp_digest *tp_digest_create(void);
// Frees the digest. NULL is fine.
void tp_digest_destroy(struct tp_digest *d);
// Adds the next bytes of the stream. Cannot fail.
void tp_digest_add(struct tp_digest *d, struct tp_span bytes);
// XXH3-64 of some bytes, for hash tables. Pure.
uint64_t tp_digest_short(struct tp_span bytes);
// The digest of all bytes added so far, with NUL; more bytes may follow.
void tp_digest_text(const struct tp_digest *d, char ret_text[TP_DIGEST_TEXT_BYTES]);

#endif
