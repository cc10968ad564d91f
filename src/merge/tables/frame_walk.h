// Skips the frames of a stack. Tests 64 bytes at a time: finds the ends of the numbers, and checks
// that no string id among the numbers is above a limit. Pure functions; any thread.
#ifndef TP_MERGE_TABLES_FRAME_WALK_H
#define TP_MERGE_TABLES_FRAME_WALK_H

#include "base/attr.h"

// Skips the next `frame_count` frames, which begin at *p, if all their numbers have at most eight
// bytes and none of their functions and files has an id above `max_id`. `frame_count` is at least
// 1. False, with *p as before: the caller has to read the frames one by one. False does not mean
// that the frames are malformed: there may be too few bytes before `end` for a whole block. The
// byte before *p must be readable.
bool tp_frames_walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id) TP_MUST_USE;

// Implementations, with the same results; tp_frames_walk uses the fastest that the processor can
// run.
bool tp_frames_walk_any(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                        uint64_t max_id) TP_MUST_USE;
#ifdef TP_WITH_AVX2_WALK
// Call only if tp_frames_have_avx2 returns true.
bool tp_frames_walk_avx2(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                         uint64_t max_id) TP_MUST_USE;

// Returns whether the processor has the instructions of tp_frames_walk_avx2.
TP_INLINE bool tp_frames_have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("pclmul");
}
#endif

#endif
