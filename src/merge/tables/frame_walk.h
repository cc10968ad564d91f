// Skips the frames of a stack, testing 64 bytes at a time: where the numbers end, and whether a
// string id among them is above a limit.
#ifndef TP_MERGE_TABLES_FRAME_WALK_H
#define TP_MERGE_TABLES_FRAME_WALK_H

#include "base/attr.h"

// Skips `frame_count` frames at *p, more than 0, if all their numbers have at most eight bytes
// and no function or file id is above `max_id`. False, with *p as before: the caller has to read
// the frames one by one (they may still be sound), or too few bytes lie in front of `end`.
// The byte in front of *p must be readable.
bool tp_frames_walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id) TP_MUST_USE;

// Implementations, of which tp_frames_walk takes the fastest that the processor can run. All give
// the same results.
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
