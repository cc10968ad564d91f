// Computes mutator utilisation over time from the steps of a trace (step.h), as Go's
// trace viewer does: the share of the Ps that the collector leaves to the program, as one
// curve or as one curve per P.
//
// The rules are those of Go (MutatorUtilizationV2):
//
// - Steps have no effect before the number of Ps is known. A P that goes away loses its
//   open sweeps, assists and workers, and with a curve per P its curve ends; if the P comes
//   back it gets another curve.
// - A P is busy while more sweeps, assists and background workers began on it than ended;
//   the flags select which of them count. A stopped world makes all Ps busy.
// - Assists and workers stop counting while their goroutine does not execute, and count
//   again on the P where it executes next. A goroutine labelled as a worker stays a worker.
// - A worker that begins its second run is counted twice, by EXEC_BEGIN and by WORKER,
//   and once less when it stops: such a P stays busy to the end of the trace. This is a
//   defect of Go's rules, kept so that the figures are the same.
// - A range that is active in the first generation lowers all points before it by one
//   P's share, if there is one curve for all.
// - Consecutive points differ in value; of several points at one time the lowest is kept.
//
// One thread at a time may use a curve.
#ifndef TP_STATS_GC_CURVE_H
#define TP_STATS_GC_CURVE_H

#include "stats/gc/mmu.h"
#include "stats/gc/step.h"

// Activities that count as time taken from the program.
#define TP_GC_UTIL_STW 1u
#define TP_GC_UTIL_BACKGROUND 2u
#define TP_GC_UTIL_ASSIST 4u
#define TP_GC_UTIL_SWEEP 8u
// Makes one curve per P. Dedicated workers, which have a P of their own, do not count in
// these.
#define TP_GC_UTIL_PER_PROC 16u
// A goroutine is a worker from its label until it stops executing; the runtime labels it
// again when it next works. This is the rule of Go up to 1.21, and what the runtime means.
#define TP_GC_UTIL_BY_LABEL 32u

struct tp_gc_curve;

// `most` limits the sum of points, Ps, changes of the number of Ps, and goroutines known
// to assist or to be workers; each takes up to 48 bytes.
int tp_gc_curve_create(unsigned flags, size_t most, struct tp_gc_curve **ret,
                       struct tp_error *err) TP_MUST_USE;
void tp_gc_curve_destroy(struct tp_gc_curve *c); // NULL is fine

// Takes the next step. Steps come in the order of the trace, so their times increase; a
// SYNC step may have any time, and END may have the time of the step before it. EXEC steps
// of goroutines that are neither assisting nor workers make no difference and may be left
// out. Steps on a P that does not exist, and steps after END, are ignored.
// After TP_E_TOO_LARGE or TP_E_MEMORY the caller may only destroy the curve.
int tp_gc_curve_step(struct tp_gc_curve *c, const struct tp_gc_step *step,
                     struct tp_error *err) TP_MUST_USE;

// The curves, which are complete after END: none if no PROCS step gave the number of Ps,
// exactly one without TP_GC_UTIL_PER_PROC. Valid until the next step or destroy.
const struct tp_util_series *tp_gc_curve_borrow_series(const struct tp_gc_curve *c,
                                                       size_t *ret_count);

#endif
