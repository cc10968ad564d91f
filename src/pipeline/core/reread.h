// Decides whether batches of pending generations stay in their file instead of in memory: reading
// them again from the kernel's page cache costs less than memory that was never used before, unless
// the file is small. Batches of stacks stay in the file until the tables are built. The scan has
// checked the headers, and the decoders check all bytes that are read again, so a process that
// writes to the file meanwhile spoils only the results for this file.
#ifndef TP_PIPELINE_CORE_REREAD_H
#define TP_PIPELINE_CORE_REREAD_H

#include "pipeline/core/run.h"

// Opens in->reread if that is wanted and possible; otherwise leaves it closed. Ingest strand,
// before the engine gets the file. run/input_life.h closes it after the input.
void tp_reread_open(struct tp_input_run *in);

// Whether the bytes of the stream equal those of in->reread, so that they may be read again. Ingest
// strand, once there is a stream.
bool tp_reread_has_stream(const struct tp_input_run *in);

#endif
