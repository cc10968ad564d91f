// The ingest strand of an input: detects the input's format, scans its wire bytes into extents and
// packs these into units. Every step goes as far as memory and stored bytes allow; the strand goes
// on when it is woken for memory (core/wake.h) or for a chunk.
#ifndef TP_PIPELINE_READ_INGEST_H
#define TP_PIPELINE_READ_INGEST_H

#include "decode/decoder.h"
#include "io/source.h"
#include "pipeline/read/stream.h"

// The extent that was cut off the wire bytes last, until all lanes have it.
struct tp_ingest_current {
    bool is_there;
    struct tp_extent extent;
    struct tp_span bytes;          // only the first ones of a batch that stays in its file
    uint32_t done_bytes[TP_LANES]; // bytes handed on to each lane
};

// The ingest strand's part of an input. It lives as long as the input's slot. The
// strand gives back all that the members own when it ends the input, except the inbox of `stream`.
struct tp_ingest {
    struct tp_input_run *in;       // constant
    struct tp_source_file file;    // the engine's until stream.engine_ended, except `cancelled`
    uint64_t engine_begin;         // file offset at which the engine began to read
    struct tp_ingest_headers *headers; // owned; NULL: the engine reads the file
    struct tp_stream stream;
    struct tp_piece wire;          // wire bytes not yet cut into extents
    bool wire_ended;
    bool is_cut;                   // no extent follows; the engine may still read
    bool ends_early;               // a pipe that the user ended, which may have had more bytes
    struct tp_scan scan;
    struct tp_scan_marks marks;    // of the extent that `scan` gave last
    struct tp_ingest_current current;
};

// Prepares for the next input, before the input is read. Ingest strand. TP_E_MEMORY: the caller
// fails the run, which ends the input.
int tp_ingest_init(struct tp_input_run *in, struct tp_error *err) TP_MUST_USE;
// Takes one step of the strand, while the input is live. A failure ends the input and goes to
// in->report.error; a failure of the machine also fails the run. May wait for reads of a reread
// file, and for output if it runs the commit strand (tp_wake_commit).
void tp_ingest_step(struct tp_input_run *in);

#endif
