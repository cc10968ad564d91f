// Computes mutator utilisation over time from the steps of a trace (step.h), as Go's
// trace viewer does when its page opens: the share of all Ps that stops of the world, background
// workers and assists leave to the program. Sweeps do not count. Times are trace times in ns,
// utilisation is 0 to 1.
//
// The rules are those of Go (MutatorUtilizationV2), except the rule for workers:
//
// - Steps have no effect before the number of Ps is known. A P that goes away loses its
//   open assists and workers.
// - A P is busy while more assists and background workers began on it than ended. A stopped
//   world makes all Ps busy.
// - An assist stops counting while its goroutine does not execute, and counts again on the P
//   where it executes next.
// - A goroutine is a worker from its label until it stops executing; the runtime labels it
//   again when it next works. This is the rule of Go up to 1.21, and the runtime's intention.
//   By the rule of later versions the goroutine remains a worker, so that its second run counts
//   twice when it begins and once when it ends, and its P is busy to the end of the trace.
// - An assist that is active in the first generation lowers all points before it by one P's
//   share.
// - Consecutive points differ in value; of several points at one time the lowest is kept.
//
// One thread at a time may use a curve.
#ifndef TP_STATS_GC_CURVE_H
#define TP_STATS_GC_CURVE_H

#include "stats/gc/mmu.h"
#include "merge/track/gc_step.h"

struct tp_gc_curve;

// Creates a curve; tp_gc_curve_destroy frees it. `most` limits the sum of points, Ps, changes
// of the number of Ps, and goroutines known to assist or to be workers; each takes up to 48
// bytes. Fails with TP_E_MEMORY; *ret is then not set.
int tp_gc_curve_create(size_t most, struct tp_gc_curve **ret, struct tp_error *err) TP_MUST_USE;
// Frees the curve and ends the life of its points. NULL is fine.
void tp_gc_curve_destroy(struct tp_gc_curve *c);

// Takes the next step. Steps come in the order of the trace, so their times increase; a
// SYNC step may have any time, and END may have the time of the step before it. EXEC steps
// of goroutines that are neither assisting nor workers make no difference and may be left
// out. Steps on a P that does not exist, and steps after END, are ignored. Does not keep `step`.
// Fails with TP_E_TOO_LARGE (more than `most`) or TP_E_MEMORY; the caller may then only destroy
// the curve.
int tp_gc_curve_step(struct tp_gc_curve *c, const struct tp_gc_step *step,
                     struct tp_error *err) TP_MUST_USE;

// Returns the curve, which is complete after END. It has no points if no PROCS step gave the
// number of Ps. The points are borrowed until the next step or destroy.
struct tp_util_series tp_gc_curve_borrow_series(const struct tp_gc_curve *c);

#endif
