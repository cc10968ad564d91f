// Whether batches of pending generations stay in their file instead of in memory: reading them
// again from the kernel's page cache costs less than memory that was never used before, unless the
// file is small. Stacks stay there until tables are built. The scan checked the headers before, and
// the decoders check everything that is read again, so a process that writes to the file
// meanwhile spoils its own trace and nothing else.
#ifndef TP_PIPELINE_CORE_REREAD_H
#define TP_PIPELINE_CORE_REREAD_H

#include "pipeline/core/run.h"

// Ingest strand, before the engine gets the file. Opens in->reread if that is wanted and possible.
void tp_reread_open(struct tp_input_run *in);

// Whether the bytes of the stream are those of in->reread, and may be read again. Ingest strand,
// once there is a stream.
bool tp_reread_has_stream(const struct tp_input_run *in);

#endif
