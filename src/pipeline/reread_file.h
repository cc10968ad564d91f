// The file of an input, if it is one that can be read again at any offset. Batches that wait
// to be ordered stay there instead of in memory, unless the file is small: to read them again from
// the kernel's page cache costs less than memory that was never used before. So do stacks until
// tables are built. Windows are found there, too.
//
// Of what is read the headers were scanned before, and whoever decodes it checks all of it, so
// that somebody who writes to the file meanwhile spoils his own trace and nothing else.
#ifndef TP_PIPELINE_REREAD_FILE_H
#define TP_PIPELINE_REREAD_FILE_H

#include "base/err.h"

struct tp_input_run;

// Ingest strand, before the engine gets the file: opens it, for the engine as well. Nothing
// changes where that is not wanted or cannot be done; the engine then says what is wrong.
void tp_reread_file_open(struct tp_input_run *in);
// Once nothing of the input is wanted. Fine if it was not opened.
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
