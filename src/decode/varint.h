// Reads and writes unsigned LEB128 numbers as they are on the wire: 7 bits in each byte, the low
// group first, at most 10 bytes, the tenth 0 or 1. A number may be longer than necessary (the
// runtime pads the sizes of batches). Pure functions.
#ifndef TP_DECODE_VARINT_H
#define TP_DECODE_VARINT_H

#include "base/attr.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// The longest number on the wire.
#define TP_VARINT_MAX_BYTES 10
// The continuation bits of eight bytes in a word.
#define TP_VARINT_HIGH_BITS UINT64_C(0x8080808080808080)

// CUT: the bytes end inside the number. OVERFLOW: the number has more than 64 bits.
enum tp_varint_status { TP_VARINT_OK, TP_VARINT_CUT, TP_VARINT_OVERFLOW };

// Returns the high bits of the 16 bytes at `p`; the lowest bit is that of the first byte. A set bit
// means that the number continues in the next byte.
TP_INLINE unsigned tp_varint_high_bits(const unsigned char *p)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)p));
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < 16; i++)
        bits |= (unsigned)(p[i] >> 7) << i;
    return bits;
#endif
}

// Returns a mask with a set bit for each of the 16 bytes at `p` that is 0; the lowest bit is that
// of the first byte.
TP_INLINE unsigned tp_varint_zero_bytes(const unsigned char *p)
{
#ifdef __SSE2__
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < 16; i++)
        bits |= (unsigned)(p[i] == 0) << i;
    return bits;
#endif
}

// Adds byte `n`, a constant, of the number at *p to *value_io, which holds the bytes before it.
// True: byte `n` was the last one, and *p has moved past it.
TP_INLINE bool tp_varint_ends_with(const unsigned char **p, unsigned n, uint64_t *value_io)
{
    uint64_t byte = (*p)[n], before = (UINT64_C(1) << 7 * n) - 1;
    *value_io = (*value_io & before) | byte << 7 * n;
    if (tp_likely(byte < 0x80)) {
        *p += n + 1;
        return true;
    }
    return false;
}

// Reads the number at *p as tp_varint_get does, but needs TP_VARINT_MAX_BYTES readable bytes and
// does not compare with an end. False: the number overflows, and *p is unchanged.
TP_INLINE bool tp_varint_get_roomy_unchecked(const unsigned char **p, uint64_t *ret_value)
{
    const unsigned char *at = *p;
    uint64_t value = 0;
    // Sizes and times take up to five bytes: read these without a loop.
    if (tp_varint_ends_with(p, 0, &value) || tp_varint_ends_with(p, 1, &value) ||
        tp_varint_ends_with(p, 2, &value) || tp_varint_ends_with(p, 3, &value) ||
        tp_varint_ends_with(p, 4, &value)) {
        *ret_value = value;
        return true;
    }
    value &= 0x7ffffffff;
    for (unsigned i = 5; i < TP_VARINT_MAX_BYTES; i++) {
        uint64_t byte = at[i];
        if (byte < 0x80) {
            if (i == TP_VARINT_MAX_BYTES - 1 && byte > 1)
                return false;
            *ret_value = value | byte << (7 * i);
            *p = at + i + 1;
            return true;
        }
        value |= (byte & 0x7f) << (7 * i);
    }
    return false;
}

// Reads the number at *p, not past `end`. On success advances *p and sets *ret_value; on failure
// both are unchanged.
TP_INLINE enum tp_varint_status tp_varint_get(const unsigned char **p, const unsigned char *end,
                                              uint64_t *ret_value)
{
    const unsigned char *at = *p;
    if (tp_likely(at < end && *at < 0x80)) {
        *ret_value = *at;
        *p = at + 1;
        return TP_VARINT_OK;
    }
    if (tp_likely(end - at >= 2 && at[1] < 0x80)) {
        *ret_value = (uint64_t)(at[0] & 0x7f) | (uint64_t)at[1] << 7;
        *p = at + 2;
        return TP_VARINT_OK;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < TP_VARINT_MAX_BYTES; i++) {
        if (at + i == end)
            return TP_VARINT_CUT;
        uint64_t byte = at[i];
        if (byte < 0x80) {
            if (i == TP_VARINT_MAX_BYTES - 1 && byte > 1)
                return TP_VARINT_OVERFLOW;
            *ret_value = value | byte << (7 * i);
            *p = at + i + 1;
            return TP_VARINT_OK;
        }
        // The tenth group holds one bit, so no bit is shifted out here: a longer number was
        // refused above.
        value |= (byte & 0x7f) << (7 * i);
    }
    return TP_VARINT_OVERFLOW;
}

// Returns the number of bytes that the shortest form of `value` takes.
TP_INLINE unsigned tp_varint_len(uint64_t value)
{
    return (unsigned)(63 - __builtin_clzll(value | 1)) / 7 + 1;
}

// Writes the shortest form and returns one past its end. Needs room for TP_VARINT_MAX_BYTES.
TP_INLINE unsigned char *tp_varint_put(unsigned char *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

#endif
