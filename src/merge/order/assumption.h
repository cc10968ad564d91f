// Ordering a generation before the one before it is done. What only the end of that one
// tells is guessed as the runtime writes generations: a goroutine or P that is announced
// was there, in the state announced. From a cut on (some thousand events behind the
// begin, where assumptions go wrong most) each assumption is written down. When the order proper
// has come to the cut, too, the assumptions are held against its state: if all are right,
// the rules would have answered each event behind the cut in the same way, and the end
// state is that of the speculator with what it never met added to it.
//
//   order proper    ... end of k ─▶ k+1 up to the cut ─┐ proof ─▶ adopted: end of k+1
//   speculator      (threads only) ─▶ k+1 ─▶ cut ──────┴─▶ end of k+1, assumptions
//
// Why that is so: a rule reads and changes the states of what it names. What the speculator
// has met by the cut is compared there; what it meets later is an assumption, or it gives up.
// A counter that was not seen in this generation follows from nothing (see `succeeds`
// in rules.h), so "wait" needs no assumption.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_ASSUMPTION_H
#define TP_MERGE_ORDER_ASSUMPTION_H

#include "base/err.h"

struct tp_order;

enum tp_assumption_kind {
    TP_ASSUME_G,          // goroutine `id` is there, its status is `value`
    TP_ASSUME_NO_G,       // goroutine `id` is not there
    TP_ASSUME_G_RANGE,    // the only open range of goroutine `id` has the type `value`
    TP_ASSUME_P,          // P `id` is there, its status is `value`
    TP_ASSUME_P_RANGE,    // the only open range of P `id` has the type `value`
    TP_ASSUME_M_HAS_G,    // thread `id` has the goroutine `value`
    TP_ASSUME_NO_TASK,    // task `id` is not there
    TP_ASSUME_TASK_ENDS,  // task `id` ends, if it is there
    TP_ASSUME_REGION_ENDS, // the innermost open region of goroutine `id`, if there is one,
                          // is of task `value` and has the name `name`, and ends
    TP_ASSUME_GC,         // the state is `id`, the counter `value`
};

struct tp_assumption {
    uint64_t id;
    uint64_t value;
    uint32_t name; // index in the strings of the tables
    uint8_t kind;  // enum tp_assumption_kind
};

struct tp_assumptions {
    struct tp_assumption *items;
    size_t count;
    size_t capacity;
    size_t max_count;
    bool is_kept; // false: before the cut, where none is written down
};

void tp_assumptions_fini(struct tp_assumptions *g);

// Of a rule that assumes. False after filling the error: too many, or no memory.
bool tp_assumption_add(struct tp_order *o, struct tp_assumption assumption, struct tp_error *err);

// Whether the assumptions are right. `o` is the order proper at the cut, `cut` and `end` are
// the speculator there and at the end of the generation. Changes only marks in `o`.
bool tp_assumptions_hold(struct tp_order *o, const struct tp_order *cut,
                         const struct tp_order *end);

// After that, with nothing in between: `o` becomes what it would be at the end of the
// generation. `end` is used up (and to be torn down by the caller, in any case).
// TP_E_MEMORY: `o` is spoiled.
int tp_assumptions_adopt(struct tp_order *o, const struct tp_order *cut, struct tp_order *end,
                         struct tp_error *err) TP_MUST_USE;

#endif
