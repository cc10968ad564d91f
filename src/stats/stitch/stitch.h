// Joins the partials of an input in order. The stitch is the input's state between partials: the
// live goroutines with their current states, the open intervals, and the totals so far.
//
//   stitch_add(partial)* in order ─▶ stitch_end ─▶ totals
//
// The memory of a stitch grows with the live goroutines, the open intervals and the totals, not
// with the length of the trace. One thread at a time uses a stitch. Failures are TP_E_MEMORY.
#ifndef TP_STATS_STITCH_STITCH_H
#define TP_STATS_STITCH_STITCH_H

#include "stats/fold/partial.h"
#include "stats/totals.h"

// The longest of some legs (leg.h).
struct tp_stitch_longest {
    uint64_t ns;    // 0: there is none
    uint32_t stack; // number of totals.stacks
};
// The legs of a goroutine that is followed.
struct tp_stitch_legs {
    int64_t since_ns;                 // of the leg that lasts
    uint32_t stack;                   // of that leg, number of totals.stacks; TP_INTERN_NONE: none yet
    struct tp_stitch_longest longest; // since the last task event of the goroutine
};

// The record of a live goroutine, as of the end of the last partial. Valid until the next goroutine
// is added.
struct tp_stitch_g {
    // The goroutine, with its current state.
    int64_t id;
    int64_t since_ns;        // of the state
    int64_t begin_ns;        // beginning of its life, if is_known
    int64_t first_ns;        // of the event that created or announced it, if is_known
    uint32_t name;           // best so far, number of totals.names; TP_INTERN_NONE: none yet
    uint32_t measure;        // of the state; TP_MEASURE_NONE: it has none
    uint32_t wait_stack;     // stack where the state began; a number of totals.stacks
    uint64_t spent_ns[TP_SPENT_COUNT];
    int64_t left_ns[TP_BLAMES]; // when it last left a wait, by rule, or TP_NEVER_NS
    int64_t stop_ns;         // when it last ended a stop of the world, or TP_NEVER_NS
    struct tp_stitch_legs legs;
    uint32_t creation_stack; // number of totals.stacks; TP_INTERN_NONE: not created in the trace
    // A long run that ended by preemption, as in struct tp_partial_preemption; the goroutine has
    // ended no run since. TP_INTERN_NONE: there is none.
    uint32_t preempted_stack;
    uint64_t preempted_ns;
    // Chains in the lists of the stitch; 0: empty.
    uint32_t deferred;       // its chain in the stitch's deferred_waits
    uint32_t log;            // in the stitch's logs: its spans until its name is settled
    uint32_t region;         // its open regions in the stitch's `regions`, innermost first
    uint32_t clock;          // slot in marks.clocks; 0: none
    uint8_t state;           // enum tp_state; TP_STATE_UNSEEN: not known
    uint8_t name_rank;       // enum tp_name_rank
    bool is_cut : 1;         // the state had begun before since_ns
    bool is_known : 1;       // it was created or announced; else begin_ns has no meaning
    bool is_new : 1;         // created in the trace
    bool is_followed : 1;    // `legs` is valid (leg.h)
    bool has_run : 1;
    bool has_own_group : 1;  // group (TP_SPACE_UNNAMED, slot) has its spans instead of the log
    bool is_live : 1;        // false: a free slot
    bool is_of_tasks : 1;    // nothing but task events is known of it, so it is not counted
    bool is_woken : 1;       // the state began when the goroutine was woken or created
    bool is_idle_run : 1;    // the state is a run as an idle mark worker
    bool is_past : 1;        // it ends in the partial that is being added; see stitch_gc.c
};

// A goroutine that assists or is a mark worker, as far as the stitch knows.
struct tp_stitch_gc_g {
    int64_t id;
    int64_t runs_since_ns;   // since when it runs in its assist; -1: it does not, or unknown
    struct tp_gc_role role;
};

// The state of the curve of mutator utilisation between partials. Owns its memory.
struct tp_stitch_gc {
    struct tp_gc_curve *curve; // owned; NULL: not begun, or left out
    bool is_left_out;        // the curve got too large
    bool context_executes;   // value for `flag` of the next ASSIST_ACTIVE (stats/gc/step.h)
    bool has_procs;          // whether the number of Ps is known
    int64_t procs_ns;        // if has_procs: time since which it is known
    uint64_t sync_number;    // of the last Sync
    TP_SLAB(struct tp_stitch_gc_g) gs; // free slots have no role
};

struct tp_stitch_frame;

// The state of one input. Owns everything that it points to. Before the first partial, `parts`
// and `keeps_pcs` are set and all other members are zero.
struct tp_stitch {
    // The owner sets both before the first partial.
    unsigned parts;  // those of the partials
    bool keeps_pcs;  // false: the frames of the totals get a PC of 0
    // The result, which is complete after tp_stitch_end.
    struct tp_totals totals;
    // Live goroutines, with their spans, waits and open regions; and other open intervals.
    TP_SLAB(struct tp_stitch_g) gs;
    struct tp_span_logs logs;
    struct tp_deferred_waits deferred_waits; // stacks are numbers of totals.stacks
    TP_NESTS(struct tp_region_mark) regions; // names are numbers of totals.names
    struct tp_open_intervals open_intervals[TP_OPEN_KIND_COUNT]; // is_active: counts as cut
    struct tp_stitch_marks marks; // of regions, and of open tasks
    struct tp_task_logs task_logs; // of open tasks
    struct tp_stitch_gc gc;
    // Times of the events so far, valid if has_events, and of the last Sync.
    bool has_events;
    int64_t first_ns, last_ns;
    int64_t sync_ns;
    uint64_t nameless_count; // of events in generations without any string

    // Levels. The level of a state is the number of goroutines or Ps that are known to be in it.
    struct tp_levels levels;
    struct tp_map procs_by_id;               // values are states + 1
    uint64_t gauges[TP_GAUGE_COUNT];         // last values; valid if totals.timeline has any

    // Spans of the partial that is being added; names and measures are numbered as in the totals.
    // These histograms are built for speed (is_quick), those of the totals for size.
    struct tp_durations quick;

    // Map numbers of the partial that is being added to numbers of the totals: the index of an item
    // is the former, its value the latter. The `count` of the lists stays 0.
    TP_LIST(uint32_t) names_of_strings;      // TP_INTERN_NONE: not yet
    TP_LIST(uint32_t) measures_of_reasons;   // TP_MEASURE_NONE: not yet
    // [0]: of TP_NO_STACK; [i + 1]: of stack i; TP_INTERN_NONE: not yet.
    TP_LIST(uint32_t) stack_numbers;
    bool has_stack_numbers;        // false: too many stacks, numbers_of_stacks is used instead
    struct tp_map numbers_of_stacks; // by stack: number in the totals + 1
    // By number of tp_partial.task_ends: the longest leg, if is_first.
    TP_LIST(struct tp_stitch_longest) task_longest;
    struct tp_stitch_frame *frames; // cache of frames read lately; see decode/frame_key.h
    // Numbers in the totals of stacks that are not in the trace, which tp_stitch_forget_stacks
    // forgets, because packing the totals gives other numbers: the empty stack, and a cache of the
    // stacks that stand for types of tasks, whose slot is the name modulo the number of slots.
    uint32_t empty_stack; // number + 1; 0: not known
    struct tp_stitch_type {
        uint32_t name;
        uint32_t stack;   // number + 1; 0: the slot is empty
    } types[64];
};

// Frees everything, including the totals; the stitch is then zeroed. Accepts a zeroed one.
void tp_stitch_fini(struct tp_stitch *c);
// Returns the approximate memory, in bytes, of what grows with the input: the totals, the live
// goroutines and the open intervals.
size_t tp_stitch_bytes(const struct tp_stitch *c);
// Returns the floor for later partials (tp_partial_set_limit).
struct tp_partial_floor tp_stitch_floor(const struct tp_stitch *c);
// Adds the next partial in the order of the trace. Only reads the partial and keeps nothing of it,
// so the caller may clear it at once. Fails with TP_E_TOO_LARGE, too: the trace has more than
// TP_TOTALS_REASONS_MAX reasons. After a failure only fini may follow.
int tp_stitch_add(struct tp_stitch *c, const struct tp_partial *s,
                  struct tp_error *err) TP_MUST_USE;
// Ends the trace at its last event: all goroutines and intervals that are still open are cut there.
// Afterwards c->totals have the figures of the whole trace; the caller may move them out
// (tp_totals_move). Only fini may follow then, or after a failure.
int tp_stitch_end(struct tp_stitch *c, struct tp_error *err) TP_MUST_USE;

// The rest is for the files of this folder only.

// Whether the stitch computes this part.
TP_INLINE bool tp_stitch_wants(const struct tp_stitch *c, enum tp_stats_part part)
{
    return (c->parts & part) != 0;
}

// The partial that is being added, and the stitch to which it is added. Lives for one call of
// tp_stitch_add; borrows both.
struct tp_stitch_step {
    struct tp_stitch *c;
    const struct tp_partial *s;
};
// Forget the translations of the previous partial's numbers, and make room for those of the partial
// that is being added. Must be called after the totals were packed: the first also forgets
// `empty_stack` and `types`. False: out of memory.
bool tp_stitch_forget_stacks(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_forget_names(struct tp_stitch_step *step) TP_MUST_USE;
// Makes room for `count` numbers and sets each to TP_INTERN_NONE, which is TP_MEASURE_NONE. The
// count of the list stays 0. False: out of memory.
bool tp_stitch_forget_numbers(struct tp_list *numbers, size_t count) TP_MUST_USE;
// Translate a partial's numbers to those of the totals, to which new names, stacks and reasons are
// added. Out of memory: TP_INTERN_NONE, or TP_DURATIONS_NONE for a measure.
uint32_t tp_stitch_name(struct tp_stitch_step *step, uint32_t string);
// `stack` is an index in the tables, or TP_NO_STACK, which has a number, too.
uint32_t tp_stitch_stack(struct tp_stitch_step *step, uint32_t stack);
// Prefetches the stacks of pairs that are added some places after pair number `at`.
void tp_stitch_prefetch_pair(const struct tp_stitch_step *step, uint32_t at);
// Measures below TP_MEASURE_FIRST_BLOCK are the same in all partials and in the totals.
uint32_t tp_stitch_measure(struct tp_stitch_step *step, uint32_t measure);
uint32_t tp_stitch_measure_in(void *step, uint32_t measure); // the same, for tp_durations_words
// Adds the partial's counts and times by stack to the totals, and records how often assists and
// cycles began as evidence. False: out of memory.
bool tp_stitch_add_stacks(struct tp_stitch_step *step) TP_MUST_USE;
// Adds waits, or CPU samples, of one type to those of a stack of the partial in the totals; records
// begins of assists and cycles as evidence. False: out of memory.
bool tp_stitch_add_waits(struct tp_stitch_step *step, uint32_t stack, unsigned type,
                         uint64_t count, tp_wide total_ns) TP_MUST_USE;

// The functions below that return bool: false, out of memory; then only tp_stitch_fini may follow.

// Records a duration of `ns` under a name, which is a number of totals.names.
bool tp_stitch_record(struct tp_stitch *c, enum tp_durations_space space, uint32_t name,
                      uint32_t measure, int64_t ns, bool is_cut) TP_MUST_USE;
// Joins a goroutine of the partial to the stitch's record of that goroutine; creates the record if
// needed, and removes it if the goroutine has ended.
bool tp_stitch_add_g(struct tp_stitch_step *step, const struct tp_partial_g *g) TP_MUST_USE;
// Records evidence under a stack, a number of totals.stacks; or under a pair of two such.
bool tp_stitch_record_evidence(struct tp_stitch *c, unsigned evidence, uint32_t stack,
                               uint64_t ns) TP_MUST_USE;
bool tp_stitch_record_evidence_of_pair(struct tp_stitch *c, unsigned evidence, uint32_t left,
                                       uint32_t right, uint64_t ns) TP_MUST_USE;
// Records `count` durations, of which only the sum is known, as evidence under a pair.
bool tp_stitch_record_evidence_sum(struct tp_stitch *c, unsigned evidence, uint32_t left,
                                   uint32_t right, uint64_t count, tp_wide ns) TP_MUST_USE;
// Counts evidence under a stack, or runs of idle mark workers, of which there may be none.
bool tp_stitch_count_evidence(struct tp_stitch *c, unsigned evidence, uint32_t stack,
                              uint64_t count) TP_MUST_USE;
bool tp_stitch_record_idle_runs(struct tp_stitch *c, uint64_t count, tp_wide ns) TP_MUST_USE;
// Records the partial's other evidence, and adds the waits of its pairs.
bool tp_stitch_add_evidence(struct tp_stitch_step *step) TP_MUST_USE;
// Records the partial's open wakes from number *at on that came before its lists `ended` and
// `short_lived` had more than these items, and moves *at past them. Call it when as many items of
// the lists have been added, because waits need the goroutines as they were before the partial, and
// without those that ended in it.
bool tp_stitch_add_wakes(struct tp_stitch_step *step, uint32_t *at, uint32_t ended_count,
                         uint32_t short_lived_count) TP_MUST_USE;
// Does the same as tp_stitch_add_wakes for the partial's events of goroutines without a record
// there. Cannot fail.
void tp_stitch_add_unseen(struct tp_stitch_step *step, uint32_t *at, uint32_t ended_count,
                          uint32_t short_lived_count);
// Adds the waits that the goroutine left in the partial. Call it before the partial's first change
// of this goroutine is added.
void tp_stitch_add_left(struct tp_stitch *c, struct tp_stitch_g *g,
                        const struct tp_partial_g *from);
// Adds what findings need of the state that the partial's first change of the goroutine ends, which
// is that of the stitch.
bool tp_stitch_add_first_run(struct tp_stitch_step *step, struct tp_stitch_g *g,
                             const struct tp_partial_g *from) TP_MUST_USE;
// Takes over what findings need of the goroutine's current state. Call it before the stitch takes
// the state itself.
bool tp_stitch_take_runs(struct tp_stitch_step *step, struct tp_stitch_g *g,
                         const struct tp_partial_g *from) TP_MUST_USE;
// Ends the watch over a goroutine at the end of a run in the partial. Call it before the partial's
// first change of the goroutine is added.
bool tp_stitch_add_stop(struct tp_stitch_step *step, struct tp_stitch_g *g,
                        const struct tp_partial_g *from) TP_MUST_USE;
// Does the same for a goroutine that ends, or is replaced, or is alive at the end of the trace.
bool tp_stitch_end_watch(struct tp_stitch *c, struct tp_stitch_g *g) TP_MUST_USE;
// Records the partial's preemptions of which it knows all.
bool tp_stitch_add_preemptions(struct tp_stitch_step *step) TP_MUST_USE;
// Forgets the longest legs of the previous partial's tasks.
bool tp_stitch_forget_task_ends(struct tp_stitch_step *step) TP_MUST_USE;
// Joins the legs of a goroutine of the partial to those of the stitch.
bool tp_stitch_add_legs(struct tp_stitch_step *step, struct tp_stitch_g *g,
                        const struct tp_partial_g *from) TP_MUST_USE;
// Records the longest leg of the task whose end has this number in the partial. `name` is a
// number of totals.names. Call it after the goroutines of the partial are added.
bool tp_stitch_add_task_end(struct tp_stitch_step *step, uint32_t number, uint32_t name,
                            uint64_t task_ns) TP_MUST_USE;
// Does the same for all tasks that began in the partial.
bool tp_stitch_add_tasks(struct tp_stitch_step *step) TP_MUST_USE;
// Records a goroutine that is alive at the end of the trace, if it was created in the trace and is
// blocked.
bool tp_stitch_record_left(struct tp_stitch *c, const struct tp_stitch_g *g) TP_MUST_USE;
// Ends the goroutine with this id, if the stitch has one, because another goroutine with the same
// id has begun at `time_ns`. The older goroutine counts as cut at its last change of state.
bool tp_stitch_forget_g(struct tp_stitch *c, int64_t id, int64_t time_ns) TP_MUST_USE;
// Functions for where the time of tasks and regions went (fold/breakdown.h). The first makes room
// for the partial's clocks.
bool tp_stitch_forget_marks(struct tp_stitch_step *step) TP_MUST_USE;
// Call this before the times that the partial has of the goroutine are added to its record; then
// _clock_wait for the wait of g->measure that its first change ends; then _add_clock, when all
// times have been added and before the state of the record changes. Then the partial's marks of the
// goroutine can be used.
bool tp_stitch_begin_clock(struct tp_stitch_step *step, struct tp_stitch_g *g,
                           const struct tp_partial_g *from) TP_MUST_USE;
void tp_stitch_clock_wait(struct tp_stitch *c, const struct tp_stitch_g *g, int64_t ns);
void tp_stitch_add_clock(struct tp_stitch_step *step, struct tp_stitch_g *g,
                         const struct tp_partial_g *from);
// Frees the clock of a goroutine that ends.
void tp_stitch_drop_clock(struct tp_stitch *c, struct tp_stitch_g *g);
// Turns *mark, the number of a mark of the partial, into that of the stitch's; 0 stays 0.
bool tp_stitch_take_mark(struct tp_stitch_step *step, uint32_t *mark) TP_MUST_USE;
void tp_stitch_drop_mark(struct tp_stitch *c, uint32_t mark);
// An interval that has ended.
struct tp_stitch_interval {
    enum tp_durations_space space;
    uint32_t name;       // number of totals.names
    uint64_t ns;         // its duration
    uint32_t begin, end; // marks of the stitch and of the partial; 0: none
    int64_t begin_ns;    // when it began
    // A task has an id, and log lines, whose texts are those of the totals.
    uint64_t task;
    struct tp_log_lines lines;
};
// Records where the time of an interval went; of one that the end of its goroutine ends; of those
// that the partial has left to the stitch.
bool tp_stitch_break_down(struct tp_stitch_step *step,
                          const struct tp_stitch_interval *of) TP_MUST_USE;
bool tp_stitch_break_down_at_end(struct tp_stitch *c, const struct tp_stitch_g *g,
                                 const struct tp_stitch_interval *of) TP_MUST_USE;
bool tp_stitch_add_straddles(struct tp_stitch_step *step) TP_MUST_USE;
// Adds where the time of the intervals went that began and ended in the partial.
bool tp_stitch_add_rows(struct tp_stitch_step *step) TP_MUST_USE;
// Adds the slowest tasks and regions among the intervals that began and ended in the partial.
bool tp_stitch_add_slow(struct tp_stitch_step *step) TP_MUST_USE;
// Functions for the log lines of tasks (fold/task_logs.h). The first turns the texts of lines of the
// partial into those of the totals; the second turns *logs, a chain of the partial, into one of the
// stitch's.
bool tp_stitch_take_lines(struct tp_stitch_step *step, struct tp_log_lines *lines) TP_MUST_USE;
bool tp_stitch_take_logs(struct tp_stitch_step *step, uint32_t *logs) TP_MUST_USE;
// Adds the partial's early logs from number *at on that came before its list `open_ends` had more
// than `end_count` items, and moves *at past them.
bool tp_stitch_add_early_logs(struct tp_stitch_step *step, uint32_t *at,
                              uint32_t end_count) TP_MUST_USE;
// The functions with _add_ join the partial's open intervals and levels to those of the stitch. The
// functions with _end_ end the goroutines, intervals and levels that are still open, at the end of
// the trace.
bool tp_stitch_end_gs(struct tp_stitch *c) TP_MUST_USE;
bool tp_stitch_add_opens(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_end_opens(struct tp_stitch *c) TP_MUST_USE;
bool tp_stitch_add_levels(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_end_levels(struct tp_stitch *c) TP_MUST_USE;
// Adds a step of -1 to level `down` and of 1 to level `up` at `time_ns`; TP_LEVEL_NONE: no step.
bool tp_stitch_move(struct tp_stitch *c, enum tp_level down, enum tp_level up,
                    int64_t time_ns) TP_MUST_USE;
// Joins the partial's open regions and region ends of a goroutine to those of the stitch. `g` and
// `from` are the records of the same goroutine.
bool tp_stitch_add_regions(struct tp_stitch_step *step, struct tp_stitch_g *g,
                           const struct tp_partial_g *from) TP_MUST_USE;
// Continues the curve of mutator utilisation with the partial's notes. Call it before the
// goroutines of the partial are added, because it needs the states that they had before the
// partial. Fails with TP_E_MEMORY.
int tp_stitch_add_gc(struct tp_stitch_step *step, struct tp_error *err) TP_MUST_USE;
// Ends the curve and adds its figures to the totals. Fails with TP_E_MEMORY.
int tp_stitch_end_gc(struct tp_stitch *c, struct tp_error *err) TP_MUST_USE;
// Closes the regions of a goroutine that has ended or, with is_cut, has been cut off.
bool tp_stitch_close_regions(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns,
                             bool is_cut) TP_MUST_USE;

#endif
