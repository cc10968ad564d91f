// Walks over the batches of a plain file from header to header, as far as the file is sound, for
// callers that do not need the bodies.
//
//   | header | batch | batch | ... | damage ...
//     ├───────── walks ────────────┤ ingest goes on here
//
// The walk does not judge the file: in any doubt it ends, and ingest, which reads whole batches
// from there on, reports the damage or the end of the file.
//
// One strand uses a walk. Its functions wait for the disk. A walk owns no memory.
#ifndef TP_PIPELINE_READ_HEADER_WALK_H
#define TP_PIPELINE_READ_HEADER_WALK_H

#include "decode/decoder.h"
#include "io/reread_file.h"

// The position of a walk.
struct tp_header_walk {
    const struct tp_reread_file *file; // borrowed
    uint64_t looked_bytes; // bytes read so far
    uint64_t read_count;   // reads so far
    struct tp_format format;
    struct tp_scan scan;   // its offset: where the next extent begins
    unsigned char bytes[TP_SCAN_TAIL_MAX_BYTES];
};

// Starts the walk at the first batch. Borrows `file`. False: the headers of the file's format do
// not give the lengths of their batches (tp_decoder.scan_hop), or the file cannot be read.
bool tp_header_walk_begin(struct tp_header_walk *h, const struct tp_reread_file *file);

// The bit for one kind of batches in the set `whole_kinds` of tp_header_walk_next.
#define TP_HEADER_WALK_KIND(kind) (UINT32_C(1) << (kind))

// Steps over the next extent. *ret_bytes are all bytes of a batch whose kind is in `whole_kinds`
// (TP_HEADER_WALK_KIND), and at least the header and the first byte of the body of any other; valid
// until the next call. False: the walk ends here, and its position has not changed.
bool tp_header_walk_next(struct tp_header_walk *h, uint32_t whole_kinds,
                         struct tp_extent *ret_extent, struct tp_span *ret_bytes);

#endif
