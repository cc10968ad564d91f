// Compares files with what a record says of them. Reads whole files; blocks. Any thread.
#ifndef TP_PIPELINE_RECORD_MATCH_H
#define TP_PIPELINE_RECORD_MATCH_H

#include <time.h>

#include "base/digest.h"
#include "base/err.h"
#include "base/time/wall.h"

// How a file is compared with an entry of "outputs".
enum tp_match { TP_MATCH_SAME, TP_MATCH_CHANGED, TP_MATCH_MISSING, TP_MATCH_UNREADABLE, TP_MATCH_NONE };
// Compares the file that an entry of "outputs" names with its digest. NONE: the entry has no digest,
// because the sink wrote nothing of this input alone. *ret_path is the name, which the caller frees
// with tp_free; NULL: out of memory, or the entry has none.
enum tp_match tp_match_output(struct tp_span output, char **ret_path);
// Returns whether all files that the outputs of an input, or of a line, name have their digests.
bool tp_outputs_are_there(struct tp_span owner);
// Returns whether one of the outputs of an input has this path.
bool tp_outputs_have_path(struct tp_span owner, const char *path);

// Returns the time of a file's last change as a record has it.
struct tp_wall_text tp_record_mtime(struct timespec mtime);

#endif
