// Mutator utilisation over time from the steps of a trace (step.h), as Go's trace
// viewer has it: the share of the Ps that the collector leaves to the program, as one
// curve or as one for each P.
//
// The rules, which are those of Go (MutatorUtilizationV2):
//
// - Nothing counts before the number of Ps is known. A P that goes away loses what it
//   was doing, and with a curve for each P its curve ends; if it comes back it gets
//   another curve.
// - A P is busy while more began on it than ended: sweeps, assists, background workers,
//   each if asked for. A stopped world makes all Ps busy.
// - Assists and workers stop counting while their goroutine does not execute, and count
//   again on the P where it does. A goroutine with the label of a worker is one for ever.
// - A worker that begins its second run is counted twice, by EXEC_BEGIN and by WORKER,
//   and once less when it stops: such a P stays busy to the end of the trace. This is a
//   defect of Go's rules, kept so that the figures are the same.
// - A range that is active in the first generation lowers all points before it by one
//   P's share, if there is one curve for all.
// - Points differ in value from the one before; of several at one time the lowest stays.
//
// Belongs to one thread at a time.
#ifndef TP_STATS_GC_CURVE_H
#define TP_STATS_GC_CURVE_H

#include "stats/gc/mmu.h"
#include "stats/gc/step.h"

// What takes time from the program.
#define TP_GC_UTIL_STW 1u
#define TP_GC_UTIL_BACKGROUND 2u
#define TP_GC_UTIL_ASSIST 4u
#define TP_GC_UTIL_SWEEP 8u
// A curve for each P, in which dedicated workers, which have a P of their own, do not
// count.
#define TP_GC_UTIL_PER_PROC 16u
// A worker is one from its label until it stops executing, and gets the next label when it
// is a worker again: the rule of Go up to 1.21, and what the runtime means.
#define TP_GC_UTIL_BY_LABEL 32u

struct tp_gc_curve;

// `most`: how many points, Ps, changes of their number, and goroutines known to assist
// or to be workers may be held, all together; each takes up to 48 bytes.
int tp_gc_curve_create(unsigned flags, size_t most, struct tp_gc_curve **ret,
                       struct tp_error *err) TP_MUST_USE;
void tp_gc_curve_destroy(struct tp_gc_curve *c); // NULL is fine

// Takes the next step. Steps come in the order of the trace, so their times increase;
// those of SYNC may be anything, and that of END may equal the one before. EXEC steps of
// goroutines that are neither assisting nor workers make no difference and may be left
// out. A step on a P that does not exist is passed over, as are all behind END.
// TP_E_TOO_LARGE, TP_E_MEMORY: only destroy may follow.
int tp_gc_curve_step(struct tp_gc_curve *c, const struct tp_gc_step *step,
                     struct tp_error *err) TP_MUST_USE;

// The curves, complete behind END. None if the number of Ps was never told; one without
// TP_GC_UTIL_PER_PROC. Valid until the next step or destroy.
const struct tp_util_series *tp_gc_curve_borrow_series(const struct tp_gc_curve *c,
                                                       size_t *ret_count);

#endif
