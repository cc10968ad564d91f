// Finds inputs that have generations in common: copies, or snapshots that the flight recorder of one
// process took soon after each other. Sums count such generations twice. The run adds inputs in input
// order, as it writes its outputs.
#ifndef TP_PIPELINE_COMMIT_SNAPSHOTS_H
#define TP_PIPELINE_COMMIT_SNAPSHOTS_H

#include "base/account.h"
#include "base/map.h"
#include "pipeline/core/order_report.h"

// Largest number of generations that are kept; those of later inputs are only looked up.
#define TP_SNAPSHOTS_MAX (1u << 18)

// The generations of the inputs so far. Zeroed at first.
struct tp_snapshots {
    struct tp_map inputs; // index + 1 of the first input that has a generation, by its key
    struct tp_account_share share;
};

// Frees the map.
void tp_snapshots_fini(struct tp_snapshots *s);

// Notes a generation of an input, of which the caller chooses a number, if no input has it so far.
// TP_E_MEMORY.
int tp_snapshots_put(struct tp_snapshots *s, uint64_t key, size_t input_index, struct tp_error *err)
    TP_MUST_USE;
// Sets r->shared of an input whose ordering has ended, and adds its generations. TP_E_MEMORY.
int tp_snapshots_add(struct tp_snapshots *s, size_t input_index, struct tp_order_report *r,
                     struct tp_error *err) TP_MUST_USE;

#endif
