#include "merge/tables/frame_walk_block.h"

bool tp_frames_walk_any(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                        uint64_t max_id)
{
    return walk(p, end, frame_count, max_id);
}

bool tp_frames_walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id)
{
#ifdef TP_WITH_AVX2_WALK
    if (tp_likely(tp_frames_have_avx2()))
        return tp_frames_walk_avx2(p, end, frame_count, max_id);
#endif
    return tp_frames_walk_any(p, end, frame_count, max_id);
}
