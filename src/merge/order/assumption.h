// A speculator orders a generation before the previous one is done. It cannot know the states at
// the end of the previous generation, so it makes assumptions about them. It relies on the way in
// which the runtime writes generations: a goroutine or P announced by a status event existed
// before, in the announced state. Most wrong assumptions are made at the beginning of a generation,
// so the speculator records its assumptions only after a cut, some thousand events later. The order
// proper, which takes the generations in turn, reaches the cut later; then the assumptions are
// checked against its state. If all are right, the rules would have given the same verdict on each
// event after the cut, and the end state is that of the speculator plus every state that the
// speculator never met.
//
//   order proper    ... end of k ─▶ k+1 up to the cut ─┐ check ─▶ adopted: end of k+1
//   speculator      (threads only) ─▶ k+1 ─▶ cut ──────┴─▶ end of k+1, assumptions
//
// This is right because a rule reads and changes only the states that its event names. States that
// the speculator met before the cut are compared at the cut; for a state that it meets later, the
// speculator makes an assumption, or it gives up. The verdict WAIT needs no assumption: until an
// event of this generation sets the counter of a goroutine or P, no event counts as the successor
// of that counter (see `succeeds` in rules.h).
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_ASSUMPTION_H
#define TP_MERGE_ORDER_ASSUMPTION_H

#include "base/err.h"
#include "base/list.h"

struct tp_order;

// Kinds of assumptions about the state at the cut.
enum tp_assumption_kind {
    TP_ASSUME_G,           // goroutine `id` exists, its status is `value`
    TP_ASSUME_NO_G,        // goroutine `id` does not exist
    TP_ASSUME_G_RANGE,     // the only open range of goroutine `id` has the type `value`
    TP_ASSUME_P,           // P `id` exists, its status is `value`
    TP_ASSUME_P_RANGE,     // the only open range of P `id` has the type `value`
    TP_ASSUME_M_HAS_G,     // thread `id` has the goroutine `value`
    TP_ASSUME_NO_TASK,     // task `id` does not exist
    TP_ASSUME_TASK_ENDS,   // task `id` ends, if it exists
    TP_ASSUME_REGION_ENDS, // the innermost open region of goroutine `id`, if there is one,
                           // belongs to task `value`, has the name `name`, and ends
    TP_ASSUME_GC,          // the state of the mark phase is `id`, its counter `value`
};

// One assumption; enum tp_assumption_kind defines the meaning of `id`, `value` and `name`.
struct tp_assumption {
    uint64_t id;
    uint64_t value;
    uint32_t name; // index in the strings of the tables
    uint8_t kind;  // enum tp_assumption_kind
};

// The assumptions of one speculator, in the order in which it made them. The
// owner frees the list.
struct tp_assumptions {
    TP_LIST(struct tp_assumption);
    size_t room_bytes; // bytes by which the list may still grow
    bool is_kept;      // false before the cut: no assumption is recorded
};

// Records an assumption of a rule; does nothing before the cut. False after filling the error with
// TP_E_TOO_LARGE: there are too many assumptions, or memory is short.
bool tp_assumption_add(struct tp_order *o, struct tp_assumption assumption, struct tp_error *err);

// Returns whether the assumptions are right. `o` is the order proper at the cut; `cut` and `end`
// are the speculator's order at the cut and at the end of the generation. Changes only `marks` and
// hidden_count of the states in `o`.
bool tp_assumptions_hold(struct tp_order *o, const struct tp_order *cut,
                         const struct tp_order *end);

// Gives `o` the state that it would have at the end of the generation. Call directly after
// tp_assumptions_hold returned true. Consumes the contents of `end`, which the caller must still
// tear down, also on failure. TP_E_MEMORY: `o` may only be torn down.
int tp_assumptions_adopt(struct tp_order *o, const struct tp_order *cut, struct tp_order *end,
                         struct tp_error *err) TP_MUST_USE;

#endif
