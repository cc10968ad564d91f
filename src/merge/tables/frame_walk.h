// Walks over frames of a stack by what can be told of 64 bytes at a time: where numbers
// end, and whether a string id among them is larger than those before.
#ifndef TP_MERGE_TABLES_FRAME_WALK_H
#define TP_MERGE_TABLES_FRAME_WALK_H

#include "base/attr.h"

// Passes over `frame_count` frames at *p, more than 0, if all their numbers have at most
// eight bytes and no function or file is above `max_id`. False: something has to be looked
// at more closely (no more than that: the frames may be sound), or the bytes in front of
// `end` are too few to tell, and *p is as before. The byte in front of *p can be read.
bool tp_frames_walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id) TP_MUST_USE;

// Ways to do so, of which that takes the fastest one the processor has. All do the same.
bool tp_frames_walk_any(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                        uint64_t max_id) TP_MUST_USE;
#ifdef TP_WITH_AVX2_WALK
// Only where tp_frames_have_avx2.
bool tp_frames_walk_avx2(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                         uint64_t max_id) TP_MUST_USE;

TP_INLINE bool tp_frames_have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("pclmul");
}
#endif

#endif
