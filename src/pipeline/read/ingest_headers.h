// How the ingest strand reads a plain file if only the order of its events is wanted. Decoders of
// events and of stacks read their batches themselves (reread_file.h), so the ingest strand walks
// from header to header and reads only the bodies of other tables. Where the walk ends
// (header_walk.h), at the end of the file, which may have grown, or at damage, the engine reads
// the rest.
//
// Ingest strand.
#ifndef TP_PIPELINE_READ_INGEST_HEADERS_H
#define TP_PIPELINE_READ_INGEST_HEADERS_H

#include "pipeline/read/header_walk.h"

struct tp_input_run;

struct tp_ingest_headers {
    struct tp_header_walk walk;
    uint64_t advised_bytes; // file offset up to which the kernel was asked to read ahead
};

// Instead of giving the file to the engine: sets in->ingest->headers. False: the engine has to
// read the file.
bool tp_ingest_headers_begin(struct tp_input_run *in);
// As tp_header_walk_next; the file's header comes first. False: the engine reads from here on, and
// in->ingest->headers is NULL.
bool tp_ingest_headers_next(struct tp_input_run *in, struct tp_extent *ret_extent,
                            struct tp_span *ret_bytes);
// Ends the walk if the rest is not wanted. Fine if it has ended.
void tp_ingest_headers_drop(struct tp_input_run *in);

#endif
