// Finds the time window of an input in its file by a header walk, so that the generations before
// and after the window need not be read. Only for files that can be read at any offset:
// uncompressed, binary, no pipe.
//
//   | header | gen | gen | gen | gen | gen | gen |
//            headers only  ├── read ──┤ headers only
//
// The search finds the same generations as the ingest strand would by reading everything (collect.c
// makes the same decisions in the same order). The search ends at damage, and reading begins before
// the damage, so the ingest strand reports it.
#ifndef TP_PIPELINE_READ_WINDOW_FIND_H
#define TP_PIPELINE_READ_WINDOW_FIND_H

#include "base/attr.h"

struct tp_input_run;

// Searches the file, so that the engine reads only the part that the window needs. Ingest strand,
// before the engine gets the file. Blocks on the disk for a few bytes of each batch. Does nothing
// if the input, or another use of its bytes, rules out a search. False: no part of the input is in
// the window, and the input need not be read at all.
bool tp_window_find(struct tp_input_run *in);

#endif
