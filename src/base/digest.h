// Computes the XXH3-128 hash of a stream of bytes and prints it as 32 hex digits, in the same
// order as `xxhsum -H2`. One object per stream; one thread at a time uses it.
#ifndef TP_BASE_DIGEST_H
#define TP_BASE_DIGEST_H

#include "base/span.h"

// The state of one stream's hash.
struct tp_digest;
// Room for 32 hex digits and NUL.
#define TP_DIGEST_TEXT_BYTES 33

// Creates a digest of no bytes, which the caller destroys. NULL: out of memory.
struct tp_digest *tp_digest_create(void);
// Frees the digest. NULL is fine.
void tp_digest_destroy(struct tp_digest *d);
// Adds the next bytes of the stream. Keeps no pointer to them. Cannot fail.
void tp_digest_add(struct tp_digest *d, struct tp_span bytes);
// Returns the XXH3-64 hash of `bytes`, the same on every machine.
uint64_t tp_digest_short(struct tp_span bytes);
// Returns the XXH3-64 hash of `bytes` with a seed.
uint64_t tp_digest_seeded(struct tp_span bytes, uint64_t seed);
// Returns the hash of at most TP_DIGEST_WORDS words as little-endian bytes: the same on any machine.
#define TP_DIGEST_WORDS 16
uint64_t tp_digest_words(const uint64_t *words, size_t count);
// Returns the XXH3-64 hash of all bytes added so far: what tp_digest_short returns of them.
uint64_t tp_digest_short_of(const struct tp_digest *d);
// Writes the digest of all bytes added so far, as text that ends with NUL. More bytes may be added
// afterwards. Cannot fail.
void tp_digest_text(const struct tp_digest *d, char ret_text[TP_DIGEST_TEXT_BYTES]);

#endif
