// Walks over the batches of a plain file from header to header, as far as the file is sound, for
// callers that do not need the bodies.
//
//   | header | batch | batch | ... | damage ...
//     ├───────── walks ────────────┤ the full reader goes on here
//
// The walk does not judge the file: in any doubt it ends, and the reader that reads everything
// from there on reports the damage or the end of the file.
//
// Belongs to one strand. Waits for the disk.
#ifndef TP_PIPELINE_READ_HEADER_WALK_H
#define TP_PIPELINE_READ_HEADER_WALK_H

#include "decode/decoder.h"
#include "io/reread_file.h"

struct tp_header_walk {
    const struct tp_reread_file *file; // borrowed
    uint64_t looked_bytes; // bytes read so far
    uint64_t read_count;   // reads so far
    struct tp_format format;
    struct tp_scan scan;   // its offset: where the next extent begins
    unsigned char bytes[TP_SCAN_TAIL_MAX_BYTES];
};

// Starts the walk at the first batch. False: the file's format has no headers that say where
// their batches end (tp_decoder.scan_hop).
bool tp_header_walk_begin(struct tp_header_walk *h, const struct tp_reread_file *file);

#define TP_HEADER_WALK_KIND(kind) (UINT32_C(1) << (kind))

// The next extent. *ret_bytes is all of a batch of `whole_kinds` (bits, TP_HEADER_WALK_KIND), of
// others at least the bytes up to the first of the body; valid until the next call. False: the
// walk ends here, and its position has not changed.
bool tp_header_walk_next(struct tp_header_walk *h, uint32_t whole_kinds,
                         struct tp_extent *ret_extent, struct tp_span *ret_bytes);

#endif
