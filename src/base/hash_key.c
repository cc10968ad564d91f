#include "base/hash_key.h"

#include <sys/random.h>
#include <sys/types.h>

uint64_t tp_hash_key;

// The multiplier is 2^64 times a fraction below 1. Multiples of a fraction are spread evenly if the
// terms of its continued fraction are small: of the golden ratio all are 1. Here each is 1 or 2, as
// the next random bit says, up to a denominator greater than any table.
uint64_t tp_hash_key_of(uint64_t random_bits)
{
    uint64_t before_p = 1, before_q = 0, p = 0, q = 1;
    while (q < UINT64_C(1) << 32) {
        uint64_t term = 1 + (random_bits & 1);
        uint64_t next_p = term * p + before_p, next_q = term * q + before_q;
        before_p = p, before_q = q;
        p = next_p, q = next_q;
        random_bits >>= 1;
    }
    return (uint64_t)(((unsigned __int128)p << 64) / q) | 1;
}

__attribute__((constructor)) static void draw(void)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits)
        bits = 0;
    tp_hash_key = tp_hash_key_of(bits);
}
