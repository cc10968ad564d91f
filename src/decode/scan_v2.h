// Cuts the stream of a v2 trace into extents without decoding the bodies of batches: every byte
// belongs to exactly one extent, in stream order.
//
//   | header | batch | batch | end mark | lost ...... | batch | ...
//   structural                structural
//
// The scan alone decides whether a trace is damaged. After a bad header it resumes at the first
// offset at which two consecutive batch headers (or one, and an end mark or the end of the input)
// can be read, have sizes in the runtime's 10-byte form, and neither has a generation below the
// previous one. The cost is linear in the input for any input. The rules are those of Go's readers
// (internal/trace/batch.go, generation.go), which stop at damage, whereas this scan resumes.
//
// A scan is plain memory, used by one thread at a time; it allocates nothing and uses no files.
#ifndef TP_DECODE_SCAN_V2_H
#define TP_DECODE_SCAN_V2_H

#include "decode/extent.h"

// Enough for any header and the byte after it.
#define TP_SCAN_HEAD_BYTES 48

// The state of a scan between two extents.
struct tp_scan_v2 {
    uint64_t offset;     // of the next byte
    uint32_t minor;
    uint64_t generation; // of the last batch; 0 before the first
    bool in_generation;  // a batch of `generation` was seen, but not its end
    bool resuming;       // the scan looks for a place to resume
    bool resumed;        // the next header may name `generation` or any later one
};

// Initializes a scan. `offset` is the offset in the stream at which the body begins.
void tp_scan_v2_init(struct tp_scan_v2 *s, uint32_t minor, uint64_t offset);

// Returns the kind of a batch that is not experimental, by the first byte of its body.
enum tp_batch_kind tp_batch_kind_of(uint32_t minor, struct tp_span body);

// Returns the next extent, with the parameters and promises of tp_scan_next (decode/decoder.h).
bool tp_scan_v2_next(struct tp_scan_v2 *s, struct tp_span bytes, bool at_end,
                     struct tp_extent *ret_extent);

// Returns the next extent from its header alone, for the header walk, which skips the body. `head`
// holds the first TP_SCAN_HEAD_BYTES (or all, if there are fewer) of the `left_bytes` bytes from
// s->offset to the end of the stream. At the end of the stream, and if tp_scan_v2_next would find
// damage at s->offset, returns false and changes nothing.
bool tp_scan_v2_hop(struct tp_scan_v2 *s, struct tp_span head, uint64_t left_bytes,
                    struct tp_extent *ret_extent);

#endif
