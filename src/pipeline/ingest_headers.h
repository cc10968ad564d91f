// How the ingest strand reads a plain file of which only the order of its events is wanted: those
// who decode events, or walk over stacks, read their batches (reread_file.h), so the ingest
// strand walks from header to header, and reads what is in other tables. It leaves the rest to
// the engine where the walk ends (header_walk.h): at the end of the file, which may have grown,
// and at damage.
//
// Ingest strand.
#ifndef TP_PIPELINE_INGEST_HEADERS_H
#define TP_PIPELINE_INGEST_HEADERS_H

#include "pipeline/header_walk.h"

struct tp_input_run;

struct tp_ingest_headers {
    struct tp_header_walk walk;
    uint64_t advised_bytes; // of the file: the kernel was asked to have them at hand
};

// Instead of giving the file to the engine: sets in->ingest_headers. False: it has to be read.
bool tp_ingest_headers_begin(struct tp_input_run *in);
// As tp_header_walk_next; the file's header comes first. False: the engine reads from here on, and
// in->ingest_headers is NULL.
bool tp_ingest_headers_next(struct tp_input_run *in, struct tp_extent *ret_extent,
                            struct tp_span *ret_bytes);
// Nobody wants the rest. Fine if it has ended.
void tp_ingest_headers_drop(struct tp_input_run *in);

#endif
