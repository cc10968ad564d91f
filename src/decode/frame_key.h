// Frames of stacks known again by their wire bytes, without reading their numbers: the
// frames of a trace are few, those of its stacks many. A table has a slot for a key's
// first bytes, which are the program counter's, and what is found there is compared in
// full, so that what is found never depends on what was put. Plain memory, empty when
// zeroed.
#ifndef TP_DECODE_FRAME_KEY_H
#define TP_DECODE_FRAME_KEY_H

#include <string.h>

#include "base/attr.h"

#define TP_FRAME_WIRE_MAX_BYTES 16
// Slots of a table, as a power of two.
#define TP_FRAME_SLOT_BITS 9

struct tp_frame_key {
    uint64_t wire[2], mask[2]; // little-endian; the mask covers wire_bytes
    uint32_t wire_bytes;       // 0: an empty slot
};

// Five bytes tell program counters apart; what comes behind short ones does no harm
// but to put a frame into more than one slot.
TP_INLINE size_t tp_frame_slot(uint64_t first_eight_bytes)
{
    return (first_eight_bytes << 24) * 0x9e3779b97f4a7c15 >> (64 - TP_FRAME_SLOT_BITS);
}

// Whether `w`, the TP_FRAME_WIRE_MAX_BYTES from a frame's begin, begin with this one.
TP_INLINE bool tp_frame_key_fits(const struct tp_frame_key *k, const uint64_t w[2])
{
    uint64_t difference = ((w[0] ^ k->wire[0]) & k->mask[0]) | ((w[1] ^ k->wire[1]) & k->mask[1]);
    return difference == 0 && k->wire_bytes != 0;
}

// The key of the frame of `wire_bytes`, at most TP_FRAME_WIRE_MAX_BYTES, in front of `w`.
TP_INLINE void tp_frame_key_set(struct tp_frame_key *k, const uint64_t w[2], size_t wire_bytes)
{
    memset(k->mask, 0, sizeof k->mask);
    memset(k->mask, 0xff, wire_bytes);
    memcpy(k->wire, w, sizeof k->wire);
    k->wire_bytes = (uint32_t)wire_bytes;
}

#endif
