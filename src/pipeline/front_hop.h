// How the front reads a plain file of which only the order of its events is wanted: those who
// decode events, or walk over stacks, read their batches (origin.h), so the front hops from header
// to header, and reads what is in other tables. It leaves the rest to the engine where the walk ends
// (hop.h): at the end of the file, which may have grown, and at damage.
//
// Front strand.
#ifndef TP_PIPELINE_FRONT_HOP_H
#define TP_PIPELINE_FRONT_HOP_H

#include "pipeline/hop.h"

struct tp_input_run;

struct tp_front_hop {
    struct tp_hop hop;
    uint64_t advised_bytes; // of the file: the kernel was asked to have them at hand
};

// Instead of giving the file to the engine: sets in->hop. False: it has to be read.
bool tp_front_hop_begin(struct tp_input_run *in);
// As tp_hop_next; the file's header comes first. False: the engine reads from here on, and
// in->hop is NULL.
bool tp_front_hop_next(struct tp_input_run *in, struct tp_extent *ret_extent,
                       struct tp_span *ret_bytes);
// Nobody wants the rest. Fine if it has ended.
void tp_front_hop_drop(struct tp_input_run *in);

#endif
