// The file of an input, if it can be read again at any offset. Batches of pending generations stay
// there instead of in memory, unless the file is small: reading them again from the kernel's page
// cache costs less than memory that was never used before. Stacks stay there until tables are
// built. window_find.h finds time windows in it, too.
//
// The scan checked the headers before, and the decoders check everything that is read again, so
// a process that writes to the file meanwhile spoils its own trace and nothing else.
#ifndef TP_PIPELINE_READ_REREAD_FILE_H
#define TP_PIPELINE_READ_REREAD_FILE_H

#include "base/err.h"

struct tp_input_run;

// Ingest strand, before the engine gets the file: opens it, also for the engine. Does nothing if
// rereading is not wanted or not possible; the engine then reports what is wrong.
void tp_reread_file_open(struct tp_input_run *in);
// Call when nothing of the input is needed any more. Fine if it was not opened.
void tp_reread_file_close(struct tp_input_run *in);

// Whether the bytes of the stream are those of the file, and may be read again. Ingest strand,
// once there is a stream.
bool tp_reread_file_has_stream(const struct tp_input_run *in);

// `offset` is of the file. Any thread. TP_E_READ, also if the file has become shorter.
int tp_reread_file_read(const struct tp_input_run *in, uint64_t offset, unsigned char *to,
                        size_t len_bytes, struct tp_error *err) TP_MUST_USE;

// Ingest strand, before the engine gets the file: it begins to read there. False: errno says why.
bool tp_reread_file_seek(struct tp_input_run *in, uint64_t offset) TP_MUST_USE;

#endif
