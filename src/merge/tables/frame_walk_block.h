// Walks over frames with vector instructions. A frame is four numbers, and a number ends with the
// first byte without the high bit. Vector comparisons turn 64 bytes into masks with one bit for
// each byte; a few operations on these masks then test all frames in the block at once:
//
//   bytes      pc pc pc  func  file file  line  pc pc pc ...
//   ends              1     1          1     1         1      no high bit
//   is_odd      .  .  .     1     .    .     1   .  .  .      numbers that ended before: odd
//   is_id       .  .  .     1     1    1     .   .  .  .      between the end of a PC and
//                                                             the end of the file after it
//
// No operation depends on where the previous frame ended. Most frames name strings that previous
// frames have named, so an id above the largest previous id is rare. If there may be such an id,
// the walk skips nothing and the caller reads the frames.
//
// This file is compiled once for each instruction set (frame_walk.c, frame_walk_avx2.c), with the
// same results. Without SSE2 it skips no frames.
#ifndef TP_MERGE_TABLES_FRAME_WALK_BLOCK_H
#define TP_MERGE_TABLES_FRAME_WALK_BLOCK_H

#include "merge/tables/frame_walk.h"

#ifdef __SSE2__

#include <string.h>

// The including file, not the compiler's flags, chooses the instruction set, so that tests always
// have both implementations.
#ifdef BLOCKS_BY_AVX2
#include <immintrin.h>
#define VECTOR_BYTES 32
#define HIGH_BITS_OF(v) _mm256_movemask_epi8((__m256i)(v))
#else
#include <emmintrin.h>
#define VECTOR_BYTES 16
#define HIGH_BITS_OF(v) _mm_movemask_epi8((__m128i)(v))
#endif

#include "decode/spec.h"
#include "decode/varint.h"

// Number of bytes that are tested at once: one for each bit of a mask.
#define BLOCK_BYTES 64

// Masks over the bytes of a block; the first byte is the lowest bit.
struct block {
    uint64_t goes_on; // the byte does not end its number
    uint64_t is_above; // if the byte ends a number: the number's last two bytes exceed the limit
};

// The bytes are signed: the last byte of a number is not negative, and the other bytes of the
// number are.
typedef signed char vector __attribute__((vector_size(VECTOR_BYTES)));

// Returns the vector at `p`, which need not be aligned.
TP_INLINE vector load(const unsigned char *p)
{
    vector v;
    memcpy(&v, p, sizeof v);
    return v;
}

// Returns a vector with `byte` in all its bytes.
TP_INLINE vector every(uint64_t byte) { return (vector){0} + (signed char)byte; }
// Returns a mask of the high bits of all bytes; the lowest bit is that of the first byte.
TP_INLINE uint64_t high_bits(vector v) { return (unsigned)HIGH_BITS_OF(v); }

// The last two bytes of the largest allowed string id, each in all bytes of a vector.
struct limit {
    vector last;
    vector before_last;
};

// Returns the limit for ids up to `max_id`, which has `id_bytes` on the wire, at most three.
TP_INLINE struct limit limit_of(uint64_t max_id, unsigned id_bytes)
{
    // For ids of three bytes the lowest seven bits are ignored: an id that may equal the limit
    // counts as above it.
    uint64_t limit = id_bytes == 3 ? (max_id >> 7) - 1 : max_id;
    uint64_t last = id_bytes == 1 ? limit : limit >> 7;
    return (struct limit){every(last), every(limit | 0x80)};
}

// Returns the masks of the block at `p`. The byte before `p` must be readable.
TP_INLINE struct block block_at(const unsigned char *p, struct limit limit, unsigned id_bytes)
{
    struct block b = {0};
    for (unsigned i = 0; i < BLOCK_BYTES; i += VECTOR_BYTES) {
        vector here = load(p + i), above = here > limit.last;
        if (id_bytes > 1)
            above |= (here == limit.last) & (load(p + i - 1) > limit.before_last);
        b.goes_on |= high_bits(here) << i;
        b.is_above |= high_bits(above) << i;
    }
    return b;
}

#ifdef BLOCKS_BY_AVX2

// Returns a mask with a set bit wherever an odd number of the bits below it are set in `bits`.
TP_INLINE uint64_t is_odd_below(uint64_t bits)
{
    __m128i sums = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits),
                                        _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(sums) << 1;
}

// Returns the number of bits that are set.
TP_INLINE unsigned count_of(uint64_t bits) { return (unsigned)_mm_popcnt_u64(bits); }

// Returns the place of the `nth` bit that is set; `nth` counts from 1, the place from 0.
TP_INLINE unsigned place_of_bit(uint64_t bits, uint64_t nth)
{
    return (unsigned)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (nth - 1), bits));
}

#else

// Words of eight equal bytes, used as factors and masks for arithmetic on each byte of a word
// separately.
#define ONES UINT64_C(0x0101010101010101)
#define LOW_SEVENS (0x7f * ONES)
#define HIGH_BITS (0x80 * ONES)

// Returns a mask with a set bit wherever an odd number of the bits below it are set in `bits`.
TP_INLINE uint64_t is_odd_below(uint64_t bits)
{
    for (unsigned width = 1; width < 64; width *= 2)
        bits ^= bits << width;
    return bits << 1;
}

// Returns for each byte the number of bits set in that byte and the bytes below it.
TP_INLINE uint64_t running_counts(uint64_t bits)
{
    bits -= bits >> 1 & 0x55 * ONES;
    bits = (bits & 0x33 * ONES) + (bits >> 2 & 0x33 * ONES);
    return ((bits + (bits >> 4)) & 0x0f * ONES) * ONES;
}

// Returns the number of bits that are set.
TP_INLINE unsigned count_of(uint64_t bits) { return (unsigned)(running_counts(bits) >> 56); }

// Returns eight times the index of the first byte of `bytes` that is not below `value`. No byte of
// `bytes` is above 64.
TP_INLINE unsigned first_byte_from(uint64_t bytes, uint64_t value)
{
    uint64_t is_from = ((bytes | HIGH_BITS) - value * ONES) & HIGH_BITS;
    return (unsigned)__builtin_ctzll(is_from) & ~7u;
}

// Returns the place of the `nth` bit that is set; `nth` counts from 1, the place from 0. Finds the
// byte of the bit first, and then the bit in that byte.
TP_INLINE unsigned place_of_bit(uint64_t bits, uint64_t nth)
{
    uint64_t counts = running_counts(bits);
    unsigned byte = first_byte_from(counts, nth);
    nth -= counts << 8 >> byte & 0xff;
    // One byte for each bit: 0 or 1.
    uint64_t spread = (bits >> byte & 0xff) * ONES & 0x8040201008040201;
    spread = (spread + LOW_SEVENS) >> 7 & ONES;
    return byte + first_byte_from(spread * ONES, nth) / 8;
}

#endif

// Walks as tp_frames_walk does. `id_bytes`, the length of max_id on the wire, is a constant in each
// caller, so that the compiler makes one version for each length.
TP_INLINE bool walk_by(const unsigned char **p_io, const unsigned char *end,
                       uint64_t frame_count, uint64_t max_id, unsigned id_bytes)
{
    const struct limit limit = limit_of(max_id, id_bytes);
    const unsigned char *p = *p_io;
    uint64_t left = TP_FRAME_ARGS * frame_count; // numbers
    // Each block begins with the first byte of a number.
    while (end - p >= BLOCK_BYTES) {
        const struct block b = block_at(p, limit, id_bytes);
        uint64_t ends = ~b.goes_on, count = count_of(ends);
        // The mask `second` has the bytes that are the second or a later byte of their number, but
        // not the last one. The other masks have the same for the third, fourth and eighth byte.
        uint64_t second = b.goes_on & b.goes_on << 1, third = second & b.goes_on << 2;
        uint64_t fourth = second & second << 2, eighth = fourth & fourth << 4;
        uint64_t too_long = id_bytes == 1 ? b.goes_on : id_bytes == 2 ? second : third;
        uint64_t may_be_above = id_bytes == 1 ? UINT64_MAX
                                : id_bytes == 2 ? b.goes_on << 1 : second << 1;
        // left % 4 determines which number of a frame comes first: 0 PC, 3 function, 2 file, 1
        // line.
        uint64_t is_odd = is_odd_below(ends) ^ -(left & 1);
        uint64_t is_id = is_odd_below(ends & ~is_odd) ^ -(left >> 1 & 1);
        uint64_t bad = (((ends & may_be_above & b.is_above) | too_long) & is_id) | eighth;
        if (left <= count) {
            unsigned last = place_of_bit(ends, left);
            if (bad << (63 - last) != 0)
                return false;
            *p_io = p + last + 1;
            return true;
        }
        if (bad != 0)
            return false;
        left -= count;
        p += BLOCK_BYTES - __builtin_clzll(ends);
    }
    return false;
}

// Walks as tp_frames_walk does.
TP_INLINE bool walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id)
{
    switch (tp_varint_len(max_id)) {
    case 1: return walk_by(p, end, frame_count, max_id, 1);
    case 2: return walk_by(p, end, frame_count, max_id, 2);
    case 3: return walk_by(p, end, frame_count, max_id, 3);
    default: return false;
    }
}

#else

// Skips no frames, so that the caller reads them one by one.
TP_INLINE bool walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id)
{
    (void)p, (void)end, (void)frame_count, (void)max_id;
    return false;
}

#endif

#endif
