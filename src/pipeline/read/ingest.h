// The ingest strand of an input: detects its format, scans its wire bytes into extents and
// packs these into units. Every step goes as far as memory and input allow; a kick (memory)
// or a chunk (input) makes it go on.
#ifndef TP_PIPELINE_READ_INGEST_H
#define TP_PIPELINE_READ_INGEST_H

#include "decode/decoder.h"
#include "io/source.h"
#include "pipeline/read/stream.h"

// The extent that was cut off the wire last and is not yet handed on whole.
struct tp_ingest_current {
    bool is_there;
    struct tp_extent extent;
    struct tp_span bytes;          // of a batch that stays in its file, only the first
    uint32_t done_bytes[TP_LANES]; // handed on, per lane
};

// The ingest strand's part of an input.
struct tp_ingest {
    struct tp_input_run *in;       // constant
    struct tp_source_file file;    // the engine's until stream.engine_ended, but for `cancelled`
    uint64_t engine_begin;         // file offset at which the engine began to read
    struct tp_ingest_headers *headers; // owned; NULL: the engine reads the file
    struct tp_stream stream;
    struct tp_piece wire;          // not yet cut into extents
    bool wire_ended;
    bool is_cut;                   // no extent follows; the engine may still read
    struct tp_scan scan;
    struct tp_scan_marks marks;    // of the extent that `scan` gave last
    struct tp_ingest_current current;
};

// For each input, before it is read. TP_E_MEMORY.
int tp_ingest_init(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// One step of the strand, while the input is live.
void tp_ingest_step(struct tp_input_run *in);

#endif
