// Damages a trace of Go 1.22 or later in small ways that two readers may handle differently:
// bits and bytes, whole batches, fields of batch headers, single events of a batch and their
// numbers. For damage inside a batch it corrects the sizes around it, so that readers reach
// the damage.
//
// The result depends on seed and trace only, on every machine.
#ifndef TP_SUPPORT_MUTATE_H
#define TP_SUPPORT_MUTATE_H

#include "base/buf.h"
#include "tracepipe/error.h"

#define MUTATE_MAX_STEPS 4

struct mutate_step {
    const char *name;  // static text
    uint64_t at_bytes; // offset in the result of the previous step
};

struct mutate_report {
    unsigned step_count; // 1 to MUTATE_MAX_STEPS
    struct mutate_step steps[MUTATE_MAX_STEPS];
};

// Returns an upper bound on the length of a mutated trace, for a trace of `len_bytes`.
size_t mutate_max_bytes(size_t len_bytes);

// Writes the mutated trace to `out`, which must have room for
// mutate_max_bytes(trace.len_bytes). Fails with TP_E_NOT_TRACE unless `trace` begins like one
// of Go 1.22 or later, and with TP_E_MEMORY.
int mutate_trace(struct tp_span trace, uint64_t seed, struct tp_buf *out,
                 struct mutate_report *ret_report, struct tp_error *err) TP_MUST_USE;

// Writes a sound trace whose threads have clocks that differ by up to `most_ticks`, as on
// machines with several sockets, so that the order of its events does not follow from their times.
// `out` and the failures are as for mutate_trace.
int mutate_skew_clocks(struct tp_span trace, uint64_t seed, uint64_t most_ticks,
                       struct tp_buf *out, struct tp_error *err) TP_MUST_USE;

#endif
