// Adds up the sums of one input's units, in the order of the trace.
//
//   tp_stats_input_add(sums)* in order ─▶ tp_stats_input_end ─▶ totals
//
// Turns the references in the sums into names, reasons and stacks of the totals. The order matters for
// gauges, the curve of mutator utilisation, the times of the trace, and names of goroutines that come
// late.
//
// The memory grows with the totals, not with the length of the trace. One thread at a time uses an
// object. Unless noted, failures are TP_E_MEMORY.
#ifndef TP_STATS_INPUT_INPUT_H
#define TP_STATS_INPUT_INPUT_H

#include "stats/gc/curve.h"
#include "stats/sums/sums.h"
#include "stats/totals.h"

// A goroutine that, as far as the input knows, assists or is a mark worker.
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

// The state of one input. Owns everything that it points to. Begin with a zeroed struct in which only
// `parts`, `keeps_pcs` and `wrapped_depth` are set.
struct tp_stats_input {
    // Set by the owner before the first unit:
    unsigned parts;  // those of the sums
    bool keeps_pcs;  // false: the frames of the totals get a PC of 0
    unsigned wrapped_depth; // how many functions behind a wrapper name a group; 0: one
    struct tp_span path; // for TP_PART_LABELS: borrowed
    // The result, which is complete after tp_stats_input_end.
    struct tp_totals totals;
    struct tp_stats_gc gc;
    struct tp_peaks peaks;
    struct tp_intern peak_names; // of the functions in `peaks`; the totals' numbers change
    // Times of the events so far, valid if has_events.
    bool has_events;
    int64_t first_ns, last_ns;
    struct tp_sums_samples samples;
    uint64_t event_counts[TP_EVENT_TYPES];
    uint64_t nameless_count; // of events in generations without any string
    struct tp_history_input history;
    // Levels over time. The level of a state is the number of goroutines or Ps that are known to be in
    // that state.
    struct tp_levels levels;
    uint64_t gauges[TP_GAUGE_COUNT];         // last values; valid if totals.timeline has any

    // These lists translate numbers of the sums that are being added into numbers of the totals: the
    // index is the number in the sums, the item the number in the totals. `count` of the lists stays 0.
    TP_LIST(uint32_t) names_of_strings;      // TP_INTERN_NONE: not yet
    TP_LIST(uint32_t) measures_of_reasons;   // TP_MEASURE_NONE: not yet
    TP_LIST(uint32_t) stack_numbers;         // by reference below `stack_limit`; TP_INTERN_NONE: not yet
    uint32_t stack_limit;
    struct tp_map numbers_of_stacks;         // by other references: number in the totals + 1
    struct tp_stats_frame *frames; // cache of frames read lately; see decode/frame_key.h
    // The totals have stacks that the trace does not have: the empty stack, and stacks that stand for the
    // tasks of one name. These are their numbers; `types` is a cache, whose slot is the name modulo the
    // number of slots. Packing the totals gives stacks other numbers, so tp_stats_forget_stacks, which is
    // called after it, clears `empty_stack` and `types`.
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
// Adds the next sums in the order of the trace. Only reads the sums and keeps nothing of them, so the
// caller may clear them at once. Also fails with TP_E_TOO_LARGE, if the trace has more than
// TP_TOTALS_REASONS_MAX reasons. After a failure only fini may follow.
int tp_stats_input_add(struct tp_stats_input *c, const struct tp_sums *s,
                       struct tp_error *err) TP_MUST_USE;
// Ends the trace at its last event. Afterwards c->totals have the figures of the whole trace; the caller
// may move them out (tp_totals_move). After this call, or a failure of it, only fini may follow.
int tp_stats_input_end(struct tp_stats_input *c, struct tp_error *err) TP_MUST_USE;

// The rest is for the files of this folder only. Functions that return bool return false only if memory
// is out; then only tp_stats_input_fini may follow.

// Whether the input computes this part of the statistics.
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
// Returns the number in the input of the life with this number in the sums.
uint32_t tp_stats_life(const struct tp_sums *s, uint32_t number);
// tp_stats_add_peaks adds the long waits for a P. tp_stats_end_peaks records the peaks in the totals.
bool tp_stats_add_peaks(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_end_peaks(struct tp_stats_input *c) TP_MUST_USE;
// Both functions forget the translations of the previous sums' numbers, and make room for those of the
// sums that are being added. Call them after the totals were packed: packing gives stacks other numbers,
// so tp_stats_forget_stacks forgets `empty_stack` and `types`, too.
bool tp_stats_forget_stacks(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_forget_words(struct tp_stats_step *step) TP_MUST_USE;
// Makes room for `count` numbers and sets each to TP_INTERN_NONE, which equals TP_MEASURE_NONE. The
// `count` of the list stays 0.
bool tp_stats_forget_numbers(struct tp_list *numbers, size_t count) TP_MUST_USE;
// Both functions return the totals' number of a name or stack of the sums; a new one is added to the
// totals. TP_INTERN_NONE: out of memory.
uint32_t tp_stats_name(struct tp_stats_step *step, uint32_t ref);
uint32_t tp_stats_stack(struct tp_stats_step *step, uint32_t ref);
// Prefetches, while pair number `at` is added, what the totals will read of the stacks of some later
// pairs.
void tp_stats_prefetch_pair(const struct tp_stats_step *step, uint32_t at);
// Both functions return the totals' number of a measure of the sums; a new reason is added to the totals.
// TP_DURATIONS_NONE: out of memory. Measures below TP_MEASURE_FIRST_BLOCK have the same number
// everywhere. tp_stats_measure_in has the form that struct tp_durations_words needs.
uint32_t tp_stats_measure(struct tp_stats_step *step, uint32_t measure);
uint32_t tp_stats_measure_in(void *step, uint32_t measure);
// tp_stats_add_durations adds durations by name. tp_stats_add_longest adds, one by one, the goroutines
// that ran longest.
bool tp_stats_add_durations(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_add_longest(struct tp_stats_step *step) TP_MUST_USE;
// Adds counts and times by stack to the totals. Counts of assists and cycles that began at a stack become
// evidence.
bool tp_stats_add_stacks(struct tp_stats_step *step) TP_MUST_USE;
// Adds waits or CPU samples of one type to the totals, at the stack with the reference `ref` in the sums.
// Begins of assists and cycles become evidence. `times`: their distribution; NULL: none.
bool tp_stats_add_waits(struct tp_stats_step *step, uint32_t ref, unsigned type, uint64_t count,
                        tp_wide total_ns, const struct tp_dist *times) TP_MUST_USE;
// Adds counts and times by stack and labels to the totals.
bool tp_stats_add_labelled(struct tp_stats_step *step) TP_MUST_USE;
// Returns the number of the frame of which only the function is known, a name of the totals. TP_INTERN_NONE:
// out of memory.
uint32_t tp_stats_frame_of_name(struct tp_stats_input *c, uint32_t name);
// Returns the number of the stack without frames; TP_INTERN_NONE: out of memory.
uint32_t tp_stats_empty_stack(struct tp_stats_input *c);
// Record evidence of a kind, an enum tp_evidence, by one stack or a pair of stacks: tp_stats_record and
// tp_stats_record_pair record one duration, which began at begin_ns, tp_stats_record_sum `count` durations that sum to `ns`, and
// tp_stats_count_evidence a count without durations. Stacks are numbers of totals.stacks. False: out of
// memory, or a stack is TP_INTERN_NONE.
bool tp_stats_record(struct tp_stats_input *c, unsigned evidence, uint32_t stack, uint64_t ns,
                     int64_t begin_ns) TP_MUST_USE;
bool tp_stats_record_pair(struct tp_stats_input *c, unsigned evidence, uint32_t left, uint32_t right,
                          uint64_t ns, int64_t begin_ns) TP_MUST_USE;
bool tp_stats_record_sum(struct tp_stats_input *c, unsigned evidence, uint32_t left, uint32_t right,
                         uint64_t count, tp_wide ns) TP_MUST_USE;
bool tp_stats_count_evidence(struct tp_stats_input *c, unsigned evidence, uint32_t stack,
                             uint64_t count) TP_MUST_USE;
// Adds notes and legs of tasks as evidence, and waits by pair of stacks.
bool tp_stats_add_evidence(struct tp_stats_step *step) TP_MUST_USE;
// tp_stats_add_rows adds the time of tasks and regions by class. tp_stats_add_slow adds the slowest tasks
// and regions.
bool tp_stats_add_rows(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_add_slow(struct tp_stats_step *step) TP_MUST_USE;
// tp_stats_add_levels joins the levels and gauges of the sums to those of the input. tp_stats_end_levels
// ends them at the last event, and makes the timeline of the totals.
bool tp_stats_add_levels(struct tp_stats_step *step) TP_MUST_USE;
bool tp_stats_end_levels(struct tp_stats_input *c) TP_MUST_USE;
// tp_stats_add_gc continues the curve of mutator utilisation. tp_stats_end_gc ends it and adds its
// figures to the totals. Both fail with TP_E_MEMORY.
int tp_stats_add_gc(struct tp_stats_step *step, struct tp_error *err) TP_MUST_USE;
int tp_stats_end_gc(struct tp_stats_input *c, struct tp_error *err) TP_MUST_USE;

#endif
