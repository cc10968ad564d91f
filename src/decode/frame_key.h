// Recognizes frames of stacks by their wire bytes, without decoding their numbers: a trace has few
// distinct frames, but its stacks repeat them many times. The first bytes of a key, which belong to
// the program counter, select the slot in a table; a lookup compares the whole key, so a slot that
// another frame has overwritten causes a miss, never a wrong match.
// Keys are plain memory, and a zeroed table is empty. The owner of the table decides which thread
// uses it.
#ifndef TP_DECODE_FRAME_KEY_H
#define TP_DECODE_FRAME_KEY_H

#include <endian.h>
#include <string.h>

#include "base/attr.h"

// Maximum length of a frame on the wire that a key can hold.
#define TP_FRAME_WIRE_MAX_BYTES 16
// Binary logarithm of the number of slots of a table.
#define TP_FRAME_SLOT_BITS 9

// The wire bytes of one frame, as two words that can be compared at once.
struct tp_frame_key {
    uint64_t wire[2], mask[2]; // as in memory; the mask covers wire_bytes
    uint32_t wire_bytes;       // 0: an empty slot
};

// Returns the slot of a frame. Five bytes distinguish program counters. The bytes after a shorter
// program counter also enter the hash, so a frame may occupy more than one slot.
TP_INLINE size_t tp_frame_slot(uint64_t first_eight_bytes)
{
    return (le64toh(first_eight_bytes) << 24) * 0x9e3779b97f4a7c15 >> (64 - TP_FRAME_SLOT_BITS);
}

// Returns whether the bytes in `w` begin with the key's frame. `w` holds the next
// TP_FRAME_WIRE_MAX_BYTES bytes of the wire, from the beginning of a frame on.
TP_INLINE bool tp_frame_key_fits(const struct tp_frame_key *k, const uint64_t w[2])
{
    uint64_t difference = ((w[0] ^ k->wire[0]) & k->mask[0]) | ((w[1] ^ k->wire[1]) & k->mask[1]);
    return difference == 0 && k->wire_bytes != 0;
}

// Sets the key to the first `wire_bytes` of `w`, a frame of at most TP_FRAME_WIRE_MAX_BYTES.
TP_INLINE void tp_frame_key_set(struct tp_frame_key *k, const uint64_t w[2], size_t wire_bytes)
{
    memset(k->mask, 0, sizeof k->mask);
    memset(k->mask, 0xff, wire_bytes);
    memcpy(k->wire, w, sizeof k->wire);
    k->wire_bytes = (uint32_t)wire_bytes;
}

#endif
