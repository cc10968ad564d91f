// Generates random numbers that are the same on every machine, by splitmix64. Callers draw at most
// one number per expression, because C leaves the order of evaluation open. One thread at a time.
#ifndef TP_SUPPORT_SYNTH_RAND_H
#define TP_SUPPORT_SYNTH_RAND_H

#include "base/attr.h"

struct synth_rand {
    uint64_t state;
};

static inline uint64_t synth_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t synth_next(struct synth_rand *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return synth_mix(r->state);
}

// Returns a uniform number in [0, n), n from 1 to 2^32 - 1.
static inline uint32_t synth_below(struct synth_rand *r, uint64_t n)
{
    return (uint32_t)(((synth_next(r) >> 32) * n) >> 32);
}

static inline bool synth_percent(struct synth_rand *r, uint64_t percent)
{
    return synth_below(r, 100) < percent;
}

static inline bool synth_permille(struct synth_rand *r, uint64_t permille)
{
    return synth_below(r, 1000) < permille;
}

#endif
