// Walks over frames of a stack by what can be told of 64 bytes at a time: where numbers
// end, and whether a string id among them is larger than those before.
#ifndef TP_MERGE_FRAME_WALK_H
#define TP_MERGE_FRAME_WALK_H

#include "base/attr.h"

// Passes over `frame_count` frames at *p, more than 0, if all their numbers have at most
// eight bytes and no function or file is above `max_id`. False: something has to be looked
// at more closely (no more than that: the frames may be sound), or the bytes in front of
// `end` are too few to tell, and *p is as before. The byte in front of *p can be read.
bool tp_frames_walk(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id) TP_MUST_USE;

#endif
