// Finds the time window of an input in its file by batch headers, hopping from one to
// the next, so that the generations before the window and what follows it need not be
// read. Only for files that can be read at any offset: uncompressed, binary, no pipe.
//
//   | header | gen | gen | gen | gen | gen | gen |
//            headers only  ├── read ──┤ headers only
//
// What is found is what the ingest strand would find by reading everything (collect.c asks
// the same questions in the same order), and damage is left to it: the search ends
// there, and reading begins before it.
#ifndef TP_PIPELINE_WINDOW_FIND_H
#define TP_PIPELINE_WINDOW_FIND_H

#include "base/attr.h"

struct tp_input_run;

// Ingest strand, before the input is added to the engine, which from then on reads only
// what is needed of the origin. Waits for the disk, a few bytes of each batch. Where the input, or
// what others want of it, does not allow a search, nothing is changed. False: nothing of
// the input is in the window, and it need not be read at all.
bool tp_window_find(struct tp_input_run *in);

#endif
