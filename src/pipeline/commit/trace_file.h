// Refuses to replace a trace by an output that is none.
#ifndef TP_PIPELINE_COMMIT_TRACE_FILE_H
#define TP_PIPELINE_COMMIT_TRACE_FILE_H

#include "base/err.h"

// Fails with TP_E_EXISTS if the regular file begins as a trace in the wire form does, of any
// release, compressed or not, or if it cannot be read; also with TP_E_MEMORY. `inflate_bytes`
// limits the memory of a decompressor; a file that needs more, or is damaged before its header
// ends, is no trace.
int tp_trace_file_refuse(const char *path, size_t inflate_bytes, struct tp_error *err) TP_MUST_USE;

#endif
