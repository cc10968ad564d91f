// Folds consecutive blocks of one generation into a partial, their aggregate. A worker does so
// without knowing the blocks before, so several workers can make partials at the same time.
//
//   blocks of one generation ──fold──▶ partial ──stitch_add, in order──▶ stitch (stats/stitch)
//
// Intervals that begin and end within the partial are complete in its durations and waits. The
// stitch completes everything that depends on earlier events: a goroutine's first change of state
// (`first_*`), intervals open at the end, waits of a goroutine that has not been seen to run
// (`deferred_waits`), and the name of a goroutine that existed before.
//
// The totals must not depend on where the blocks are cut into partials. So a rule that depends
// on more than the goroutine's last change of state belongs in the stitch.
//
// Only the parts of the statistics (enum tp_stats_part) that are in `parts` are computed; the
// others stay empty. The states of goroutines are followed in any case.
//
// A "string" is an index of the strings in the generation's tables. The partial holds a reference
// to the tables until tp_partial_clear or tp_partial_fini. One thread at a time uses a partial.
// Failures are TP_E_MEMORY.
#ifndef TP_STATS_FOLD_PARTIAL_H
#define TP_STATS_FOLD_PARTIAL_H

#include "base/digest.h"
#include "base/idset.h"
#include "base/nests.h"
#include "base/slab.h"
#include "merge/tables/block.h"
#include "stats/figures/durations.h"
#include "stats/figures/stack_sums.h"
#include "stats/figures/timeline.h"
#include "stats/fold/breakdown.h"
#include "stats/fold/deferred_waits.h"
#include "merge/track/goroutine_name.h"
#include "stats/fold/leg.h"
#include "stats/fold/open_intervals.h"
#include "stats/fold/run_end.h"
#include "stats/fold/span_log.h"
#include "stats/fold/task_logs.h"
#include "stats/fold/wakes.h"
#include "stats/gc/notes.h"
#include "stats/top_goroutines.h"

// Returns the type under which Go's -pprof counts a wait for this reason of blocking, given by its
// text; TP_STACK_TYPE_NONE: -pprof does not count such waits.
enum tp_stack_type tp_stack_type_of_reason(struct tp_span reason);

// Kinds of intervals with an id; each kind has a space of the durations.
#define TP_OPEN_KINDS(X) X(TASK) X(PAUSE) X(MARK) X(ASSIST) X(SWEEP)
enum tp_open_kind {
#define TP_X(kind) TP_OPEN_##kind,
    TP_OPEN_KINDS(TP_X)
#undef TP_X
    TP_OPEN_KIND_COUNT
};
// The space of the durations in which intervals of each kind are recorded; constant.
extern const enum tp_durations_space tp_open_spaces[TP_OPEN_KIND_COUNT];

// The end of an interval that began before the partial. Only the stitch knows when the interval
// began, so the stitch records the interval.
struct tp_open_end {
    uint64_t id;
    int64_t end_ns;
    int64_t active_ns;    // if is_active: time of the event that announced it as open
    uint32_t name;
    uint32_t task_end;    // of a task: number + 1 in tp_partial.task_ends; 0: none
    uint32_t mark;        // of a task: where its goroutine ended it; 0: none did
    uint8_t kind;
    bool is_active;
};

// The end of a task by a goroutine, of which only the stitch knows all: the task began before the
// partial, or the goroutine's legs did.
struct tp_partial_task_end {
    uint64_t task_ns;    // if began_here
    uint64_t longest_ns; // unless is_first: longest leg of the goroutine since its last task event
    uint32_t stack;      // of that leg; an index in the tables, or TP_NO_STACK
    uint32_t name;       // string; if began_here
    bool began_here;     // the task
    bool is_first;       // the first task event of the goroutine here
};

// Tasks of one type that began and ended here, whose duration is in one octave and whose longest
// leg has one stack.
struct tp_partial_task_sum {
    uint32_t stack;      // index in the tables, or TP_NO_STACK
    uint32_t name;       // string
    uint32_t octave;
    uint64_t count;
    tp_wide ns;          // of the longest legs
};
// Returns the part of a leg that counts for a task: a leg of a goroutine that did not begin the
// task may have begun before it.
TP_INLINE uint64_t tp_task_leg_ns(uint64_t leg_ns, uint64_t task_ns)
{
    return leg_ns < task_ns ? leg_ns : task_ns;
}

// The beginning of an open region, or the end of a region that began before the partial. The marks of
// a goroutine form two chains, one of beginnings (base/nests.h) and one of ends, of which
// `nest.next` is the next end.
struct tp_region_mark {
    struct tp_nest_item nest; // its key: task, and TP_REGION_KEY_NAME of the name's text
    uint32_t name;
    uint32_t mark;        // of the goroutine (fold/breakdown.h), a slot of the owner's
    int64_t time_ns;
};
// Stands for a name in keys, because several strings may have the same text; 0 stands for a name that
// the tables lack.
#define TP_REGION_KEY_NAME(text) (tp_digest_short(text) | 1)
#define TP_REGION_KEY_UNKNOWN 0

// Stands in place of an enum tp_state until an event shows the state.
#define TP_STATE_UNSEEN TP_STATES

// Parts of the statistics, each a bit, so that a report can leave out those that it does not need.
// The rows of inputs (file_rows.h) need all parts except TP_PART_LONGEST.
enum tp_stats_part {
    TP_PART_GOROUTINES = 1, // durations by start function
    TP_PART_LONGEST = 2,    // goroutines one by one
    TP_PART_INTERVALS = 4,  // durations of tasks, regions, pauses, phases of the collector; logs
    TP_PART_STACKS = 8,     // waits and CPU samples by stack
    TP_PART_TIMELINE = 16,
    TP_PART_UTILISATION = 32,
    TP_PART_WAKES = 64,     // blocked time by who ended it, and evidence for findings
    // The parts that need the names of goroutines.
    TP_PARTS_NAMED = TP_PART_GOROUTINES | TP_PART_LONGEST | TP_PART_INTERVALS,
    TP_PARTS_ALL = 127,
};

// A duration to be recorded in a distribution of `durations`. tp_partial_fold collects the spans and
// waits of a block and records them after the block's last event, because the cost of going through
// the events is in branches, and that of recording is in loads.
struct tp_partial_span {
    int64_t ns;
    struct tp_dist *dist;
};
// A wait to be recorded under its stack after the block's last event.
struct tp_partial_wait {
    int64_t ns;
    uint64_t stack_id;    // as in the event; 0: no stack
    uint64_t type;        // enum tp_stack_type
};

// The record of a goroutine in one partial. A pointer to it is valid until the next goroutine is
// added. The members that nearly every change of state reads come first, to share cache lines.
//
// "Here" means in this partial. A goroutine is "announced" if its record begins with a change from
// Undetermined: it existed before the trace.
struct tp_partial_g {
    // The current state.
    int64_t since_ns;       // of the state
    uint64_t wait_stack;    // id of the stack where the state began
    uint64_t spent_ns[TP_SPENT_COUNT]; // in states that the goroutine left here
    uint32_t measure;       // of the state; TP_MEASURE_NONE: it has none
    // Has its spans: the group of its name or, if has_own_group, one of TP_SPACE_UNNAMED, as long
    // as the name is not settled. TP_DURATIONS_NONE: `log` has the spans.
    uint32_t group;
    uint8_t state;          // enum tp_state or TP_STATE_UNSEEN
    uint8_t name_rank;      // enum tp_name_rank
    bool is_new : 1;        // created here
    bool is_announced : 1;  // existed before the trace
    bool has_run : 1;       // in this partial
    bool has_ended : 1;
    bool is_cut : 1;        // the state had begun before since_ns
    bool is_woken : 1;      // the state began when the goroutine was woken or created
    bool is_idle_run : 1;   // the state is a run as an idle mark worker
    bool is_watched : 1;    // its next end of a run has to be noted, however short the run is
    bool has_own_group : 1; // `group` is of TP_SPACE_UNNAMED
    bool is_of_tasks : 1;   // nothing but task events is known of it if its state is unseen, too
    bool has_task : 1;      // it has begun or ended a task here
    bool has_stopped : 1;   // it was watched, and a run of it has ended here: `first_stack`
    bool was_preempted : 1; // `preemption_of` has its last preemption, which has no next stack
    struct tp_gc_role gc_role;
    // The distributions of `group` for the states that have one measure (spent_of_state), as far as
    // they have been looked up; NULL: not yet.
    struct tp_dist *dists[TP_SPENT_BLOCKED];
    struct tp_partial_left left;
    // Its clock: slot in `marks.clocks`; 0: none; TP_CLOCK_WANTED: none yet.
    uint32_t clock;
    uint32_t first_measure; // announced: measure of that state
    struct tp_legs legs;
    int64_t stop_ns;        // when it last ended a stop of the world; TP_NEVER_NS: not here

    // How the record begins, which the stitch joins to what came before the partial.
    int64_t id;
    int64_t first_ns;       // time of its first event here
    int64_t before_ns;      // announced: first_ns - last Sync; -1: there was no Sync here before
    uint32_t name;          // string: the best name seen here
    // Chains in the lists of the partial; 0: empty.
    uint32_t log;           // in `logs`: its spans until it has a group
    uint32_t deferred;      // chain of its waits in `deferred_waits`
    uint32_t first_legs;    // number + 1 in `first_legs`; 0: none
    uint8_t first_from;     // state that its first change leaves; TP_STATE_UNSEEN: no change here
    uint8_t first_to;       // announced: state that its first change enters
    // If its first change ends a run: the stack, whether it was preempted, and `stop_ns` then.
    // is_first_idle: before its first change here it was labelled as an idle mark worker.
    bool is_first_preempted : 1;
    bool is_first_idle : 1;
    bool is_first_listed : 1; // `first_stack` is a number of `preemptions`, which has the stack
    uint32_t first_stack;   // index in the tables, or TP_NO_STACK; see also has_stopped
    union {
        int64_t first_stop_ns;
        uint64_t creation_stack; // is_new: id of the stack of its creation
    };
};

// Whether the partial has the goroutine's whole life in the trace so far, so that no earlier
// partial has events of this goroutine.
TP_INLINE bool tp_partial_g_is_whole(const struct tp_partial_g *g)
{
    return g->is_new || g->is_announced;
}

// A P that changed its state here. The stitch joins its first change to the P's state before the
// partial.
struct tp_partial_proc {
    int64_t id;
    int64_t first_ns;   // time of its first change here
    int64_t before_ns;  // first_ns - last Sync; -1: there was no Sync here before
    uint8_t first_from; // enum tp_state that the first change leaves
    uint8_t first_to;   // enum tp_state that the first change enters
    uint8_t state;      // after its last change here
};

// The reports of a gauge here. All members but `told` are meaningless if told.count is 0.
struct tp_partial_gauge {
    struct tp_gauge told;
    int64_t first_ns;   // time of the first value here
    uint64_t head;      // first value here
    uint64_t last;      // last value here
};

// A generation with more stacks than this gets no arrays indexed by stack, to limit memory.
#define TP_PARTIAL_STACKS_MAX 65536

// Items of the cache of goroutines: a power of two.
#define TP_PARTIAL_RECENT_GS 512
// Slots of the cache of pairs: a power of two.
#define TP_PARTIAL_PAIR_SLOTS 1024
// Slots of the cache of sums of tasks: a power of two.
#define TP_PARTIAL_TASK_SLOTS 64

// Goroutines that ran, and tasks and regions that lasted, for less need not be kept one by one: the
// input has as many longer ones as its limits allow. A member is 0 if it has fewer.
struct tp_partial_floor {
    uint64_t longest_ns;
    uint64_t slow_ns[TP_SLOW_KIND_COUNT];
};

// A partial. Owns its memory, which tp_partial_fini frees, and one reference to the tables. Begin
// with a zeroed struct, and call tp_partial_clear before the first fold. The struct is large,
// because it has arrays for one block, and must not be moved, because it points into them.
struct tp_partial {
    unsigned parts;                // set of enum tp_stats_part; the owner sets it before folding
    struct tp_tables *tables;      // one reference; NULL: none yet
    // Final results, which the stitch only adds up, except the groups of TP_SPACE_UNNAMED.
    struct tp_durations durations; // names are indices of strings
    uint32_t own_group_count;      // number of groups of TP_SPACE_UNNAMED
    // Waits, and begins of assists and cycles, by index of stack + 1, first those without a stack.
    // Nearly every stack has waits of one type only; `first_waits` has these, and is zero for stacks
    // that are not in `first_stacks`.
    // `stacks` has waits of further types, those that would overflow 64 bits, and all waits if there
    // are more than TP_PARTIAL_STACKS_MAX stacks.
    struct tp_partial_first_wait {
        uint64_t total_ns;
        uint32_t count;
        uint32_t type;             // enum tp_stack_type, if count > 0
    } *first_waits;
    size_t stack_capacity; // of `first_waits` and `roots`
    TP_LIST(uint32_t) first_stacks; // stacks whose `first_waits` has a wait, without TP_NO_STACK
    struct tp_stack_counts stacks;
    bool has_stack_arrays;         // whether `first_waits` and `roots` are used
    // Spans and waits of the block that is being folded; none between two folds.
    struct tp_partial_span spans[TP_BLOCK_EVENTS];
    struct tp_partial_paired_wait paired_waits[TP_BLOCK_EVENTS];
    uint16_t *lows[TP_BLOCK_EVENTS]; // counts in their histograms (tp_hist_low), or &nowhere
    uint16_t nowhere;
    struct tp_partial_wait waits[TP_BLOCK_EVENTS];
    struct tp_partial_span *spans_end; // after the last span
    struct tp_partial_paired_wait *paired_waits_end;
    struct tp_partial_wait *waits_end; // after the last wait
    // Number and times of the events of all blocks so far.
    uint64_t event_count;
    int64_t first_ns, last_ns;     // of the events, if there are any
    int64_t sync_ns;               // of the last Sync; -1: none here

    TP_SLAB(struct tp_partial_g) gs; // has_ended: a free slot
    struct tp_partial_recent { // cache of the last lookups
        int64_t id;    // of a goroutine; the item is empty if this id belongs to another item
        uint32_t slot; // in `gs`
    } recent_gs[TP_PARTIAL_RECENT_GS];
    TP_LIST(struct tp_partial_g) ended; // ended or replaced goroutines, for the stitch, in order
    // Goroutines created and ended here, in order. If the stitch still has an older goroutine with
    // the same id, which happens in damaged traces only, it ends that one after it has added the
    // first `ended_count` items of `ended`.
    TP_LIST(struct tp_partial_short_lived {
        int64_t id;
        int64_t begin_ns;
        uint32_t ended_count;
    }) short_lived;
    struct tp_totals_part longest; // those of `short_lived` that ran longest; `function`: string
    // Spans, waits and regions of the goroutines in `gs` and `ended`, in chains that begin in the
    // goroutine's record (`log`, `deferred`, `region`, `region_ends`).
    struct tp_span_logs logs;
    struct tp_deferred_waits deferred_waits;
    TP_NESTS(struct tp_region_mark) regions; // of goroutines with a clock
    struct tp_partial_marks marks;
    // Intervals that began here or are open at the end, and ends of those that began before.
    struct tp_open_intervals open_intervals[TP_OPEN_KIND_COUNT];
    TP_LIST(struct tp_open_end) open_ends;
    // Tasks that began and ended here have no open interval, because their ids do not recur: their
    // records would only push those of other tasks out of the cache. An id may be in the list twice
    // in damaged traces.
    TP_LIST(uint64_t) over_tasks;
    struct tp_idset over_task_ids; // the same ids
    struct tp_partial_logs logs_of_tasks;
    TP_LIST(struct tp_partial_task_end) task_ends;
    struct tp_index task_sums_by_key;
    TP_LIST(struct tp_partial_task_sum) task_sums;
    struct tp_partial_task_slot { // cache of the sums looked up last
        uint64_t stack_id;
        uint32_t name, octave;
        uint32_t number; // of `task_sums`, plus 1; 0: empty
    } task_cache[TP_PARTIAL_TASK_SLOTS];
    TP_LIST(struct tp_first_legs) first_legs; // of goroutines
    // Notes for the curve of mutator utilisation, in order.
    TP_LIST(struct tp_gc_note) gc_notes;

    // Goroutines by state, Ps in use, and gauges, over time. A change of state lowers the level of
    // the old state: of the one that the partial knows or, at the first change, of the one that the
    // event gives. The stitch corrects the latter if it knows another old state.
    struct tp_levels levels;
    TP_SLAB(struct tp_partial_proc) procs;
    struct tp_partial_gauge gauges[TP_GAUGE_COUNT];

    // Reasons of blocking; the index is measure - TP_MEASURE_FIRST_BLOCK.
    struct tp_map measures_by_string;
    TP_LIST(struct tp_partial_reason {
        uint32_t string;
        uint8_t stack_type; // enum tp_stack_type
        bool is_forever;
        uint8_t blame;      // enum tp_blame
        uint8_t block_class; // enum tp_class - TP_CLASS_FIRST_BLOCK
    }) reasons;
    struct tp_partial_reason_slot { // cache of the last lookups
        uint64_t id;      // of a reason; the slot is empty if this id belongs to another slot
        uint32_t measure; // TP_MEASURE_NONE: blocked forever, which counts as ended
    } reason_cache[64];

    // Pairs of stacks of waits that ended here. Pairs are found through `pair_cache` only, so a
    // pair that another one has replaced there is added to `pairs` again.
    TP_LIST(struct tp_partial_pair) pairs;
    TP_LIST(struct tp_partial_pair_sum) pair_sums;
    size_t pair_hist_bytes;       // memory of their histograms
    struct tp_partial_pair_slot {
        uint64_t wait_id, wake_id; // of stacks
        uint32_t measure;
        uint32_t sum;  // number + 1 in `pair_sums`; 0: the pair has one wait
        uint32_t pair; // number + 1 in `pairs`; 0: empty
    } pair_cache[TP_PARTIAL_PAIR_SLOTS];
    TP_LIST(struct tp_partial_open_wake) open_wakes; // in order
    TP_LIST(struct tp_partial_unseen) unseen; // in order
    TP_LIST(struct tp_partial_evidence) evidence;
    struct {
        uint64_t count;
        tp_wide ns;
    } idle_runs; // TP_EVIDENCE_IDLE_WORKER
    enum tp_preemption_stack preemption_stack; // of SHOWS_ENTERED the next two are not used
    TP_LIST(struct tp_partial_preemption) preemptions;
    struct tp_map preemption_of; // by goroutine with was_preempted: number + 1 of its preemption

    struct tp_root *roots;        // cache, by index of stack; TP_ROOT_UNREAD: not looked up
};

// Empties the partial for reuse: releases the tables, and keeps `parts` and all other memory.
void tp_partial_clear(struct tp_partial *s);
// Lets an empty partial keep goroutines, tasks and regions one by one only as far as a total with
// this limit, 0: no limit, and the floor of its input (tp_stitch_floor) may keep them. With a lower
// floor the partial keeps more, and the totals are the same.
void tp_partial_set_limit(struct tp_partial *s, uint32_t limit,
                          const struct tp_partial_floor *floor);
// Releases the tables and frees all memory; the partial is then zeroed. Accepts a zeroed one.
void tp_partial_fini(struct tp_partial *s);
// Adds the next block, which must be of the same generation as all before. Does not keep the
// block. After a failure only clear or fini may follow.
int tp_partial_fold(struct tp_partial *s, const struct tp_block *block,
                    struct tp_error *err) TP_MUST_USE;

// Returns the approximate memory of what the partial has, in bytes.
size_t tp_partial_bytes(const struct tp_partial *s);
// Returns the memory that the partial keeps when it is cleared, in bytes.
size_t tp_partial_kept_bytes(const struct tp_partial *s);

// The rest is for the files of this folder only. Functions that return bool return false only if
// memory is out; then only clear or fini may follow.

// Whether the partial computes this part.
TP_INLINE bool tp_partial_wants(const struct tp_partial *s, enum tp_stats_part part)
{
    return (s->parts & part) != 0;
}

// The functions below read the event and do not keep it.
//
// tp_partial_event adds any event: it handles the most frequent types itself, and passes the others
// to tp_partial_event_by_shape. tp_partial_event_of_all does the same for partials whose `parts`
// are TP_PARTS_ALL, without testing them.
bool tp_partial_event(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
bool tp_partial_event_of_all(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
bool tp_partial_event_by_shape(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Adds an event that changes the state of a goroutine or announces a goroutine.
bool tp_partial_change(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Records the collected `spans` and `waits`, and empties both.
bool tp_partial_record(struct tp_partial *s) TP_MUST_USE;
// Records the regions of a goroutine that was created here and ends now: those that are open, and
// those of which only the end is known.
bool tp_partial_close_regions(struct tp_partial *s, struct tp_partial_g *g,
                              int64_t end_ns) TP_MUST_USE;
// Removes all pairs.
void tp_partial_clear_pairs(struct tp_partial *s);
// Adds a stop of the world that began and ended here. Needs TP_PART_WAKES.
bool tp_partial_stop(struct tp_partial *s, const struct tp_open *stop, int64_t end_ns) TP_MUST_USE;
// Adds the end of a run, before the goroutine changes its state. Needs TP_PART_WAKES.
bool tp_partial_end_run(struct tp_partial *s, struct tp_partial_g *g,
                        struct tp_run_end end) TP_MUST_USE;
// Ends the watch over a goroutine that ends, or is replaced: there is no next run.
void tp_partial_end_watch(struct tp_partial *s, struct tp_partial_g *g);
// Adds a wait for a P of at least TP_LATE_NS that ends at `time_ns`. Needs TP_PART_WAKES.
bool tp_partial_be_late(struct tp_partial *s, const struct tp_partial_g *g,
                        int64_t time_ns) TP_MUST_USE;
// Adds a label of a goroutine.
bool tp_partial_label(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Adds the end of a stop of the world to the record of the goroutine that stopped it.
bool tp_partial_end_stop(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Adds the beginning or the end of a region.
bool tp_partial_region(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Adds an event about a range (a pause, a phase of the collector, an assist, or a sweep): its
// beginning, its end, or the report that it is active when the generation begins.
bool tp_partial_range(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Adds the beginning or the end of a task.
bool tp_partial_task(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Notes a leg that ends at an event with this stack, if it is the longest or began before the
// partial; for tp_partial_end_leg only.
bool tp_partial_note_leg(struct tp_partial *s, struct tp_partial_g *g, int64_t end_ns,
                         uint64_t stack_id) TP_MUST_USE;
// Ends the leg of the goroutine that lasts, and begins one without a stack.
TP_INLINE TP_MUST_USE bool tp_partial_end_leg(struct tp_partial *s, struct tp_partial_g *g,
                                              int64_t end_ns, uint64_t stack_id)
{
    // This also holds if the leg began at TP_LEG_BEFORE and the goroutine is followed.
    bool is_longest = (uint64_t)end_ns - (uint64_t)g->legs.since_ns > g->legs.longest.ns;
    if (tp_unlikely(is_longest) && !tp_partial_note_leg(s, g, end_ns, stack_id))
        return false;
    g->legs.since_ns = end_ns;
    g->legs.stack_id = TP_LEG_NO_STACK;
    return true;
}
// Adds a log message.
bool tp_partial_log(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Divide the legs of the goroutine that begins, or ends, a task; without TP_PART_WAKES they do
// nothing. `g` is the record of the goroutine, or NULL; `open` the partial's interval of the task
// that ends, or NULL. is_over: the task has ended before. The second function sets *ret to the
// number + 1 of the end in s->task_ends, or to 0 if it added none.
bool tp_partial_task_begins(struct tp_partial *s, const struct tp_event *e,
                            struct tp_partial_g *g) TP_MUST_USE;
bool tp_partial_task_ends(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g,
                          const struct tp_open *open, bool is_over, uint32_t *ret) TP_MUST_USE;
// Adds a change of the state of a P. Needs TP_PART_TIMELINE.
bool tp_partial_proc(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Adds a report of a gauge. Needs TP_PART_TIMELINE. Cannot fail.
void tp_partial_gauge(struct tp_partial *s, const struct tp_event *e);

// Returns the level that counts goroutines in this state; TP_LEVEL_NONE if no level does, as for
// TP_STATE_UNSEEN.
TP_INLINE enum tp_level tp_level_of_state(unsigned state)
{
    switch (state) {
    case TP_STATE_RUNNABLE: return TP_LEVEL_RUNNABLE;
    case TP_STATE_RUNNING: return TP_LEVEL_RUNNING;
    case TP_STATE_SYSCALL: return TP_LEVEL_SYSCALL;
    case TP_STATE_WAITING: return TP_LEVEL_BLOCKED;
    default: return TP_LEVEL_NONE;
    }
}
// Returns the level that counts Ps in this state; TP_LEVEL_NONE if no level does.
TP_INLINE enum tp_level tp_level_of_proc(unsigned state)
{
    return state == TP_STATE_RUNNING ? TP_LEVEL_PROCS : TP_LEVEL_NONE;
}

// These two add notes for the curves of mutator utilisation (stats/gc/notes.h), or none without
// TP_PART_UTILISATION. Call the first for each event that changes no goroutine.
bool tp_partial_gc(struct tp_partial *s, const struct tp_event *e) TP_MUST_USE;
// Call this when a goroutine begins or ceases to execute, if its role is one for which this may
// matter; when a goroutine is created; and when it ends, after its other notes, unless it was
// created here and has no role. `kind` is that of the note; the goroutine's role follows it.
bool tp_partial_gc_note(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g,
                        unsigned kind) TP_MUST_USE;

// Returns the item of `first_waits` for the stack with this index; TP_NO_STACK is allowed.
TP_INLINE struct tp_partial_first_wait *tp_partial_first_wait_of(const struct tp_partial *s,
                                                                 uint32_t stack)
{
    static_assert((uint32_t)(TP_NO_STACK + 1) == 0, "no stack comes first");
    return &s->first_waits[(uint32_t)(stack + 1)];
}
// Adds the first wait of a stack, or a wait that `first_waits` cannot hold. For
// tp_partial_add_wait only. False: out of memory.
bool tp_partial_add_other_wait(struct tp_partial *s, uint32_t stack, enum tp_stack_type type,
                               int64_t ns) TP_MUST_USE;
// Adds a wait of `ns`, or a CPU sample or the begin of an assist or cycle of 0 ns, to the stack with
// this index; TP_NO_STACK is allowed. False: out of memory.
TP_INLINE bool tp_partial_add_wait(struct tp_partial *s, uint32_t stack, enum tp_stack_type type,
                                   int64_t ns)
{
    if (tp_unlikely(!s->has_stack_arrays))
        return tp_partial_add_other_wait(s, stack, type, ns);
    struct tp_partial_first_wait *w = tp_partial_first_wait_of(s, stack);
    uint64_t total_ns;
    if (tp_unlikely(w->count == 0 || w->type != type ||
                    __builtin_add_overflow(w->total_ns, (uint64_t)ns, &total_ns)))
        return tp_partial_add_other_wait(s, stack, type, ns);
    w->count++;
    w->total_ns = total_ns;
    return true;
}

// Returns the index of the string with this id; TP_STRING_EMPTY if the tables have none.
uint32_t tp_partial_string(const struct tp_partial *s, uint64_t id);
// Returns the text of the string with this index; borrowed until the partial is cleared.
TP_INLINE struct tp_span tp_partial_text(const struct tp_partial *s, uint32_t string)
{
    return s->tables != NULL ? s->tables->strings.items[string] : tp_span_of("", 0);
}
// Whether the string with this id is the reason of a goroutine that was preempted.
bool tp_partial_is_preempted(const struct tp_partial *s, uint64_t reason_id);
// Returns the index of the stack with this id; TP_NO_STACK if the tables have none.
uint32_t tp_partial_stack(const struct tp_partial *s, uint64_t id);
// Allocates the arrays indexed by stack and empties the cache of reasons; call it when `tables` has
// been set. False: out of memory; then only clear or fini may follow.
bool tp_partial_make_tables(struct tp_partial *s) TP_MUST_USE;
// Returns the root of the stack with this id; its kind is TP_ROOT_NONE if there is no such stack.
struct tp_root tp_partial_root(struct tp_partial *s, uint64_t stack_id);
// Sets *ret_measure to the measure of blocking for the reason with this string id, adding the
// reason if it is new; TP_MEASURE_NONE: the goroutine is blocked forever. False: out of memory.
bool tp_partial_add_reason(struct tp_partial *s, uint64_t reason_id,
                           uint32_t *ret_measure) TP_MUST_USE;
// Does the same as tp_partial_add_reason, but inlined, and fast for reasons in the cache.
TP_INLINE bool tp_partial_block_measure(struct tp_partial *s, uint64_t reason_id,
                                        uint32_t *ret_measure)
{
    const struct tp_partial_reason_slot *slot =
        &s->reason_cache[reason_id % TP_ARRAY_LEN(s->reason_cache)];
    *ret_measure = slot->measure;
    return tp_likely(slot->id == reason_id) ||
           tp_partial_add_reason(s, reason_id, ret_measure);
}

#endif
