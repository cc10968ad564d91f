// The sums of one input: adds those of its units in the order of the trace.
//
//   stats_input_add(sums)* in order ─▶ stats_input_end ─▶ totals
//
// What a unit's sums name by references becomes names, reasons and stacks of the totals here. Only the
// gauges and the curve of the collector need the order.
//
// The memory grows with the totals, not with the length of the trace. One thread at a time uses an
// object. Failures are TP_E_MEMORY.
#ifndef TP_STATS_INPUT_INPUT_H
#define TP_STATS_INPUT_INPUT_H

#include "stats/gc/curve.h"
#include "stats/sums/sums.h"
#include "stats/totals.h"

// A goroutine that assists or is a mark worker, as far as the input knows.
struct tp_stats_gc_g {
    int64_t id;
    int64_t runs_since_ns;   // since when it runs in its assist; -1: it does not, or unknown
    struct tp_gc_role role;
};

// The state of the curve of mutator utilisation between units. Owns its memory.
struct tp_stats_gc {
    struct tp_gc_curve *curve; // owned; NULL: not begun, or left out
    bool is_left_out;        // the curve got too large
    bool context_executes;   // value for `flag` of the next ASSIST_ACTIVE (merge/track/gc_step.h)
    bool has_procs;          // whether the number of Ps is known
    int64_t procs_ns;        // if has_procs: time since which it is known
    TP_SLAB(struct tp_stats_gc_g) gs; // free slots have no role
};

struct tp_stats_frame;

// The state of one input. Owns everything that it points to. Before the first unit, `parts`
// and `keeps_pcs` are set and all other members are zero.
struct tp_stats_input {
    // The owner sets both before the first unit.
    unsigned parts;  // those of the sums
    bool keeps_pcs;  // false: the frames of the totals get a PC of 0
    // The result, which is complete after tp_stats_input_end.
    struct tp_totals totals;
    struct tp_stats_gc gc;
    // Times of the events so far, valid if has_events.
    bool has_events;
    int64_t first_ns, last_ns;
    uint64_t nameless_count; // of events in generations without any string
    // Levels. The level of a state is the number of goroutines or Ps that are known to be in it.
    struct tp_levels levels;
    uint64_t gauges[TP_GAUGE_COUNT];         // last values; valid if totals.timeline has any

    // Map numbers of the sums that are being added to numbers of the totals: the index of an item
    // is the former, its value the latter. The `count` of the lists stays 0.
    TP_LIST(uint32_t) names_of_strings;      // TP_INTERN_NONE: not yet
    TP_LIST(uint32_t) measures_of_reasons;   // TP_MEASURE_NONE: not yet
    TP_LIST(uint32_t) stack_numbers;         // by reference below `stack_limit`; TP_INTERN_NONE: not yet
    uint32_t stack_limit;
    struct tp_map numbers_of_stacks;         // by other references: number in the totals + 1
    struct tp_stats_frame *frames; // cache of frames read lately; see decode/frame_key.h
    // Numbers in the totals of stacks that are not in the trace, which tp_stats_forget_stacks
    // forgets, because packing the totals gives other numbers: the empty stack, and a cache of the
    // stacks that stand for types of tasks, whose slot is the name modulo the number of slots.
    uint32_t empty_stack; // number + 1; 0: not known
    struct tp_stats_type {
        uint32_t name;
        uint32_t stack;   // number + 1; 0: the slot is empty
    } types[64];
};

// Frees everything, including the totals; the object is then zeroed. Accepts a zeroed one.
void tp_stats_input_fini(struct tp_stats_input *c);
// Returns the approximate memory, in bytes, of what grows with the input.
size_t tp_stats_input_bytes(const struct tp_stats_input *c);
// Returns the floor for later sums (tp_sums_set_limit).
struct tp_sums_floor tp_stats_input_floor(const struct tp_stats_input *c);
// Adds the next sums in the order of the trace. Only reads them and keeps nothing of them, so the caller
// may clear them at once. Fails with TP_E_TOO_LARGE, too: the trace has more than
// TP_TOTALS_REASONS_MAX reasons. After a failure only fini may follow.
int tp_stats_input_add(struct tp_stats_input *c, const struct tp_sums *s,
                       struct tp_error *err) TP_MUST_USE;
// Ends the trace at its last event. Afterwards c->totals have the figures of the whole trace; the caller
// may move them out (tp_totals_move). Only fini may follow then, or after a failure.
int tp_stats_input_end(struct tp_stats_input *c, struct tp_error *err) TP_MUST_USE;

// The rest is for the files of this folder only. Functions that return bool return false only if memory
// is out; then only tp_stats_input_fini may follow.

// Whether the input has this part.
TP_INLINE bool tp_stats_wants(const struct tp_stats_input *c, enum tp_stats_part part)
{
    return (c->parts & part) != 0;
}

// The sums that are being added, and the input to which they are added. Lives for one call of
// tp_stats_input_add; borrows both.
struct tp_stats_step {
    struct tp_stats_input *c;
    const struct tp_sums *s;
};
// Forget the translations of the previous sums' numbers, and make room for those of the sums
// that are being added. Must be called after the totals were packed: the first also forgets
// `empty_stack` and `types`.
bool tp_stats_forget_stacks(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_forget_words(struct tp_stats_step *step) TP_MUST_USE;
// Makes room for `count` numbers and sets each to TP_INTERN_NONE, which is TP_MEASURE_NONE. The
// count of the list stays 0.
bool tp_stats_forget_numbers(struct tp_list *numbers, size_t count) TP_MUST_USE;
// Translate numbers of the sums to those of the totals, to which new names, stacks and reasons are
// added. Out of memory: TP_INTERN_NONE, or TP_DURATIONS_NONE for a measure.
uint32_t tp_stats_name(struct tp_stats_step *step, uint32_t ref);
uint32_t tp_stats_stack(struct tp_stats_step *step, uint32_t ref);
// Prefetches the stacks of pairs that are added some places after pair number `at`.
void tp_stats_prefetch_pair(const struct tp_stats_step *step, uint32_t at);
// Measures below TP_MEASURE_FIRST_BLOCK are the same in all sums and in the totals. The second does the
// same for tp_durations_words.
uint32_t tp_stats_measure(struct tp_stats_step *step, uint32_t measure);
uint32_t tp_stats_measure_in(void *step, uint32_t measure);
// Adds durations by name, and the goroutines that ran longest.
bool tp_stats_add_durations(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_add_longest(struct tp_stats_step *step) TP_MUST_USE;
// Adds counts and times by stack to the totals, and records how often assists and cycles began as
// evidence.
bool tp_stats_add_stacks(struct tp_stats_step *step) TP_MUST_USE;
// Adds waits, or CPU samples, of one type to those of a stack of the sums in the totals; records
// begins of assists and cycles as evidence.
bool tp_stats_add_waits(struct tp_stats_step *step, uint32_t ref, unsigned type, uint64_t count,
                        tp_wide total_ns) TP_MUST_USE;
// Returns the number of the stack without frames; TP_INTERN_NONE: out of memory.
uint32_t tp_stats_empty_stack(struct tp_stats_input *c);
// Record evidence by a stack or a pair of stacks: a duration (the first two), a sum of `count`
// durations, a count. Stacks are numbers of totals.stacks. False: out of memory, or a stack is
// TP_INTERN_NONE.
bool tp_stats_record(struct tp_stats_input *c, unsigned evidence, uint32_t stack,
                     uint64_t ns) TP_MUST_USE;
bool tp_stats_record_pair(struct tp_stats_input *c, unsigned evidence, uint32_t left, uint32_t right,
                          uint64_t ns) TP_MUST_USE;
bool tp_stats_record_sum(struct tp_stats_input *c, unsigned evidence, uint32_t left, uint32_t right,
                         uint64_t count, tp_wide ns) TP_MUST_USE;
bool tp_stats_count_evidence(struct tp_stats_input *c, unsigned evidence, uint32_t stack,
                             uint64_t count) TP_MUST_USE;
// Adds notes and legs of tasks as evidence, and waits by pair of stacks.
bool tp_stats_add_evidence(struct tp_stats_step *step) TP_MUST_USE;
// Adds where the time of tasks and regions went, and the slowest of them.
bool tp_stats_add_rows(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_add_slow(struct tp_stats_step *step) TP_MUST_USE;
// Joins levels and gauges; ends them when the trace ends.
bool tp_stats_add_levels(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_end_levels(struct tp_stats_input *c) TP_MUST_USE;
// Continues the curve of mutator utilisation; ends it and adds its figures to the totals. Fail with
// TP_E_MEMORY.
int tp_stats_add_gc(struct tp_stats_step *step, struct tp_error *err) TP_MUST_USE;
int tp_stats_end_gc(struct tp_stats_input *c, struct tp_error *err) TP_MUST_USE;

#endif
