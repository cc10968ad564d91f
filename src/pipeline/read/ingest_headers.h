// Reads a plain file by a header walk if only the order of its events is wanted. Decoders of events
// and of stacks read their batches themselves (reread_file.h), so the ingest strand walks from
// header to header and reads only the bodies of other tables. When the walk ends (header_walk.h),
// at damage or at the end of the file, which may have grown, the engine reads the rest.
//
// Ingest strand; may wait for the disk.
#ifndef TP_PIPELINE_READ_INGEST_HEADERS_H
#define TP_PIPELINE_READ_INGEST_HEADERS_H

#include "pipeline/read/header_walk.h"

struct tp_input_run;

// The state of reading by headers, until the engine takes over.
struct tp_ingest_headers {
    struct tp_header_walk walk;
    uint64_t advised_bytes; // file offset up to which the kernel was asked to read ahead
};

// Begins a header walk and sets in->ingest->headers; the engine does not get the file. False: the
// engine must read the file.
bool tp_ingest_headers_begin(struct tp_input_run *in);
// Steps over the next extent, as tp_header_walk_next; the first one is the file's header. False:
// the engine reads from here on, and in->ingest->headers is NULL.
bool tp_ingest_headers_next(struct tp_input_run *in, struct tp_extent *ret_extent,
                            struct tp_span *ret_bytes);
// Ends the walk, because the rest of the file is not wanted: frees in->ingest->headers and sets it
// to NULL, as tp_ingest_headers_next does at the end. Does nothing if it is NULL. One of the two
// must end every walk before the input's slot is used again.
void tp_ingest_headers_drop(struct tp_input_run *in);

#endif
