// Finds the time window of an input in its file by a header walk, so that the generations
// before the window and what follows it need not be read. Only for files that can be read at
// any offset: uncompressed, binary, no pipe.
//
//   | header | gen | gen | gen | gen | gen | gen |
//            headers only  ├── read ──┤ headers only
//
// The search finds what the ingest strand would find by reading everything (collect.c makes
// the same decisions in the same order). It ends at damage, and reading begins before that, so
// the ingest strand reports the damage.
#ifndef TP_PIPELINE_READ_WINDOW_FIND_H
#define TP_PIPELINE_READ_WINDOW_FIND_H

#include "base/attr.h"

struct tp_input_run;

// Ingest strand, before the input is added to the engine, which then reads only the needed part
// of the file. Blocks on the disk for a few bytes of each batch. Changes nothing if the input or
// another use of it rules out a search. False: nothing of the input is in the window, and it need
// not be read at all.
bool tp_window_find(struct tp_input_run *in);

#endif
