// Walks over the batches of a plain file of Go 1.22 or later by their headers, as far as it is
// sound, so that who does not want the bodies need not read them.
//
//   | header | batch | batch | ... | damage ...
//     ├───────── walks ────────────┤ who reads all goes on here
//
// Nothing of the file is judged here: where there is any doubt the walk ends, and whoever reads
// all of it from there on says what is wrong, or that it is at its end.
//
// Belongs to one strand. Waits for the disk.
#ifndef TP_PIPELINE_HEADER_WALK_H
#define TP_PIPELINE_HEADER_WALK_H

#include "decode/format.h"
#include "decode/scan_v2.h"

struct tp_header_walk {
    int fd;                // borrowed; its position does not matter
    uint64_t file_bytes;
    uint64_t looked_bytes; // read so far,
    uint64_t read_count;   // by so many reads
    struct tp_format format;
    struct tp_scan scan;   // its offset: where the next extent begins
    unsigned char bytes[TP_SCAN_TAIL_MAX_BYTES];
};

// Stands at the first batch then. False: it is no such file.
bool tp_header_walk_begin(struct tp_header_walk *h, int fd, uint64_t file_bytes);

#define TP_HEADER_WALK_KIND(kind) (UINT32_C(1) << (kind))

// The next extent; batches of `whole_kinds` (bits, TP_HEADER_WALK_KIND) come with all their
// bytes, others at least with those up to the first of the body. They are valid until the next
// call. False: no further, and it stands where it stood.
bool tp_header_walk_next(struct tp_header_walk *h, uint32_t whole_kinds,
                         struct tp_extent *ret_extent, struct tp_span *ret_bytes);

#endif
