// Exposes the size of the state, so that our own allocator can provide its memory.
#define XXH_STATIC_LINKING_ONLY
#include <assert.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/little.h"

// The state needs the alignment of a cache line, which the heap does not ensure. So it lies
// after the struct in the same block of memory, at the first aligned address.
struct tp_digest {
    XXH3_state_t *state;
};

struct tp_digest *tp_digest_create(void)
{
    struct tp_digest *d = tp_alloc_zero(sizeof *d + TP_CACHE_LINE - 1 + sizeof *d->state);
    if (d == NULL)
        return NULL;
    uintptr_t first = (uintptr_t)(d + 1);
    size_t pad_bytes = (size_t)(-first % TP_CACHE_LINE);
    d->state = (XXH3_state_t *)(void *)((unsigned char *)(d + 1) + pad_bytes);
    XXH3_128bits_reset(d->state);
    return d;
}

void tp_digest_destroy(struct tp_digest *d)
{
    tp_free(d);
}

void tp_digest_add(struct tp_digest *d, struct tp_span bytes)
{
    // The pointer of an empty span may be NULL, which xxhash may treat as an error.
    if (bytes.len_bytes != 0)
        XXH3_128bits_update(d->state, bytes.ptr, bytes.len_bytes);
}

uint64_t tp_digest_short(struct tp_span bytes)
{
    return tp_digest_seeded(bytes, 0);
}

uint64_t tp_digest_seeded(struct tp_span bytes, uint64_t seed)
{
    const void *start = bytes.len_bytes > 0 ? (const void *)bytes.ptr : "";
    return XXH3_64bits_withSeed(start, bytes.len_bytes, seed);
}

uint64_t tp_digest_words(const uint64_t *words, size_t count)
{
    unsigned char bytes[TP_DIGEST_WORDS * sizeof *words];
    assert(count <= TP_DIGEST_WORDS);
    for (size_t i = 0; i < count; i++)
        tp_store_le64(bytes + i * sizeof *words, words[i]);
    return tp_digest_short(tp_span_of(bytes, count * sizeof *words));
}

// Both lengths of hash share the state and the way in which bytes are added to it.
uint64_t tp_digest_short_of(const struct tp_digest *d)
{
    return XXH3_64bits_digest(d->state);
}

void tp_digest_text(const struct tp_digest *d, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    static const char hex[] = "0123456789abcdef";
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(d->state));
    char *to = ret_text;
    for (size_t i = 0; i < sizeof canonical.digest; i++) {
        *to++ = hex[canonical.digest[i] >> 4];
        *to++ = hex[canonical.digest[i] & 15];
    }
    *to = '\0';
}
