// Adds up the facts (merge/track/facts.h) of consecutive blocks of one generation. A worker does so
// without knowing the blocks before, so several workers can make sums at the same time.
//
//   facts of a generation ──add──▶ sums ──tp_stats_input_add, in order──▶ totals of the input
//
// Names, reasons and stacks stay references of facts until the sums join the input's totals; no text is
// looked up earlier. Spans of a goroutine whose name is not known yet are recorded by the number of its
// life.
//
// Only the parts of the statistics (enum tp_stats_part) that are in `parts` are computed; the others stay
// empty.
//
// Sums hold the generation's tables until tp_sums_clear or tp_sums_fini. One thread at a time uses an
// object. Failures are TP_E_MEMORY.
#ifndef TP_STATS_SUMS_SUMS_H
#define TP_STATS_SUMS_SUMS_H

#include "merge/tables/block.h"
#include "merge/track/tracker.h"
#include "stats/figures/durations.h"
#include "stats/figures/peaks.h"
#include "stats/figures/stack_sums.h"
#include "stats/figures/timeline.h"
#include "stats/slowest.h"
#include "stats/top_goroutines.h"

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
    TP_PARTS_ALL = 127,
    TP_PART_LABELS = 128,   // in place of TP_PART_STACKS: by stack and labels, with runs
};

// Waits with the same pair of stacks and the same measure of blocking, and the time for which the waker
// is to blame (TP_WAKE_BLAMED, stats/pair_limit.h). Unless is_pair_only, the waits count by the stack
// `wait`, too. A pair may be in the list several times, each time with other waits.
//
// The struct is small, and a pair has no group in `durations`, because in some traces most pairs have one
// wait.
struct tp_sums_pair {
    uint32_t wait, wake;
    uint32_t measure;
    uint32_t sum;                // number + 1 in pairs.sums; 0: the pair has one wait, which follows
    uint64_t ns, blamed_ns;
    uint64_t at;                 // when the one wait began
    bool is_pair_only;           // the wait does not count by its stack
};
// The waits of a pair that has several.
struct tp_sums_pair_sum {
    tp_wide blamed_ns;
    struct tp_dist dist;         // owns its memory
};

// A row adds up, by class, the time of the intervals that ended in these blocks, have the same space and
// name, and have durations in the same bucket, like a row of struct tp_breakdown. All rows are in one
// list, because many names have few rows, and their sums have 64 bits, so that more rows fit into the
// processor's cache. Several rows may have the same key. Another row with the key is added if the total
// would exceed 64 bits, or if the row has left `recent_rows`, because to add a row takes less time than
// to find the earlier one.
struct tp_sums_row {
    uint64_t key;            // TP_SUMS_ROW_KEY
    uint64_t count;
    uint64_t total_ns;       // of all classes; what is in none of `ns` is elsewhere
    uint64_t ns[TP_CLASS_COUNTED];
    uint64_t delay_ns[TP_DELAY_COUNT];
};
// The key of a row, and the parts of a key.
#define TP_SUMS_ROW_KEY(space, name, bucket)                                            \
    ((uint64_t)(name) << 16 | (uint64_t)(bucket) << 4 | (uint64_t)(space))
#define TP_SUMS_ROW_SPACE(key) ((enum tp_durations_space)((key) & 15))
#define TP_SUMS_ROW_BUCKET(key) ((unsigned)((key) >> 4) & 4095)
#define TP_SUMS_ROW_NAME(key) ((uint32_t)((key) >> 16))
_Static_assert(TP_SPACES <= 16 && TP_HIST_BUCKETS <= 4096, "4 and 12 bits");

// The number and time of the longest legs of tasks with one stack, one name of the task, and one octave
// of the task's duration.
struct tp_sums_leg {
    uint32_t stack;
    uint32_t name;
    uint32_t octave;
    uint64_t count;
    tp_wide ns;
};

// The reports of a gauge in these blocks. All members but `told` are meaningless if told.count is 0.
struct tp_sums_gauge {
    struct tp_gauge told;
    int64_t first_ns;   // time of the first value here
    uint64_t head;      // first value here
    uint64_t last;      // last value here
};

// A goroutine with spans that were given out before its name was known. It began in these blocks; if a
// speculative tracker followed them, it may also have begun before.
struct tp_sums_life {
    uint32_t name;      // TP_LIFE_NAME_UNKNOWN: none yet
    uint32_t alias;     // it is this life of the input; 0: it is not
    uint32_t spans;     // chain in `unnamed`; 0: empty
    uint32_t span_count;
};
#define TP_LIFE_NAME_UNKNOWN UINT32_MAX
// The first spans of a goroutine without a name are kept in a chain; most goroutines get their name
// within so few spans.
#define TP_SUMS_UNNAMED_MAX 4
struct tp_sums_unnamed {
    uint32_t next;
    uint32_t measure;
    uint64_t ns, at;
    bool is_cut;
};

// A generation with more stacks than this gets no array indexed by stack, to limit memory.
#define TP_SUMS_STACKS_MAX 65536

// Numbers of slots of the caches: powers of two.
#define TP_SUMS_ROW_SLOTS 2048
#define TP_SUMS_PAIR_SLOTS 1024
#define TP_SUMS_LEG_SLOTS 64
#define TP_SUMS_LABELLED_SLOTS 512
#define TP_SUMS_DIST_SLOTS 256
#define TP_SUMS_REASON_SLOTS 64
// The row of lives in dist_cache; the rows of states come first.
#define TP_SUMS_DIST_LIVES (TP_STATE_SYSCALL - TP_STATE_RUNNABLE + 1)

// Goroutines, tasks and regions with shorter times than these need not be kept one by one, because the
// input has as many longer ones as its limits allow. 0: the input has fewer.
struct tp_sums_floor {
    uint64_t longest_ns;
    uint64_t slow_ns[TP_SLOW_KIND_COUNT];
};

// Lives of goroutines whose names become known late.
struct tp_sums_lives {
    TP_LIST(struct tp_sums_life) of; // those that began here, from number `first` on
    uint32_t first;                  // 0: not known yet
    TP_SLOTS(struct tp_sums_unnamed) unnamed;
    TP_LIST(struct tp_sums_older_span { // single spans of those that began before, without a name
        uint64_t ns;
        uint64_t at;
        uint32_t number;
        uint32_t measure;
        bool is_cut;
    }) older_spans;
    TP_LIST(struct tp_sums_older_life { // those that began before, and whose name is known now
        uint32_t number;
        uint32_t name;
    }) older;
};

// The reference of the reason that row 0 of stats/names/wait_functions.def would give; those of its other
// rows follow. No generation has so many strings.
#define TP_SUMS_INFERRED (TP_REF_CARRIED - 256)
// The reasons of blocking. `of` has their references; the index of a reason is its measure less
// TP_MEASURE_FIRST_BLOCK.
struct tp_sums_reasons {
    TP_LIST(uint32_t) of;
    struct tp_map measures;
    struct tp_sums_reason_slot { // cache of the last lookups
        uint32_t reason;
        uint32_t measure;        // TP_MEASURE_NONE: the slot is empty
    } cache[TP_SUMS_REASON_SLOTS];
};

// Waits, CPU samples, and begins of assists and cycles, by stack. The index in `first` is the reference
// of the stack; item 0 is for events without a stack. Nearly every stack has one type only, which `first`
// holds; its items are zero for stacks that are not in `stacks`. `others` holds the further types of a
// stack, what would overflow 64 bits, and everything about stacks of earlier generations. If there are
// more than TP_SUMS_STACKS_MAX stacks, it holds everything about all stacks.
struct tp_sums_waits {
    struct tp_sums_first_wait {
        uint64_t total_ns;
        uint32_t count;
        uint32_t type : 4;   // enum tp_stack_type, if count > 0
        uint32_t times : 28; // number in `times`, plus 1; 0: none
    } *first;
    size_t capacity;    // of `first`
    uint32_t limit;     // references below this are in `first`
    TP_LIST(uint32_t) stacks;
    TP_LIST(struct tp_dist) times;
    size_t hist_bytes; // memory of their histograms
    struct tp_stack_counts others;
};

// A pair is found through the cache only, so a pair whose slot another pair has taken is added to `of`
// again.
struct tp_sums_pairs {
    TP_LIST(struct tp_sums_pair) of;
    TP_LIST(struct tp_sums_pair_sum) sums;
    size_t hist_bytes; // memory of their histograms
    struct tp_sums_pair_slot {
        uint32_t wait, wake;
        uint32_t reason;
        uint32_t sum;  // number + 1 in `sums`; 0: the pair has one wait
        uint32_t pair; // number + 1 in `of`; 0: empty
    } cache[TP_SUMS_PAIR_SLOTS];
};

// States and CPU samples by stack and labels. The same labels may be in `of` several times, like a pair. A
// number in `recent` may be out of date, so the item is compared.
struct tp_sums_labelled {
    unsigned type;  // enum tp_stack_type of those that are added; the owner sets it before the first block
    TP_LIST(struct tp_track_labelled) of;
    uint32_t recent[TP_SUMS_LABELLED_SLOTS];
};

// The longest legs of tasks, summed by stack, by name, and by octave of the task's duration.
struct tp_sums_legs {
    struct tp_index by_key;
    TP_LIST(struct tp_sums_leg) of;
    struct tp_sums_leg_slot { // cache of the sums looked up last
        uint32_t stack, name, octave;
        uint32_t number;      // of `of`, plus 1; 0: empty
    } cache[TP_SUMS_LEG_SLOTS];
};

// Begin with a zeroed struct, and call tp_sums_clear before the first block.
struct tp_sums {
    unsigned parts;                // set of enum tp_stats_part; the owner sets it before the first block
    struct tp_tables *tables;      // one hold; NULL: none yet
    uint32_t life_base;            // what to add to a number of a life here for that of the input
    // Number and times of the events of all blocks so far.
    uint64_t event_count;
    int64_t first_ns, last_ns;     // of the events, if there are any
    uint64_t event_counts[TP_EVENT_TYPES];

    // Goroutines.
    struct tp_durations durations;
    struct tp_sums_lives lives;
    struct tp_totals_part longest; // `function`: a reference
    struct tp_sums_dist_slot {     // cache of distributions of goroutines
        struct tp_dist *dist;      // NULL: the slot is empty
        uint32_t who;              // as in a span
        uint32_t reason : 31;      // of a wait; those of earlier generations are not in the cache
        uint32_t is_unnamed : 1;
    } dist_cache[TP_SUMS_DIST_LIVES + 1][TP_SUMS_DIST_SLOTS]; // by state less RUNNABLE; of lives
    struct tp_sums_reasons reasons;
    TP_LIST(struct tp_peak_wait) long_waits; // for a P; `who`: a reference, or the number of a life
    struct tp_sums_waits waits;
    struct tp_sums_samples {       // CPU samples, which `waits` has, too
        uint64_t count;
        int64_t first_ns, last_ns; // if there are any
    } samples;
    struct tp_sums_pairs pairs;
    struct tp_sums_labelled labelled;
    struct tp_sums_legs legs;
    // Notes that are recorded one by one; the note of a stop of the world has its enum tp_evidence as
    // `of_ns`. Notes of idle runs are only counted and summed, in `idle_runs`.
    TP_LIST(struct tp_track_note) notes;
    struct {
        uint64_t count;
        tp_wide ns;
    } idle_runs;

    // Tasks and regions.
    TP_LIST(struct tp_sums_row) rows;
    uint32_t recent_rows[TP_SUMS_ROW_SLOTS]; // cache of the last rows added: number + 1; 0: empty
    struct tp_slow_part slow[TP_SLOW_KIND_COUNT];

    // Goroutines by state, Ps in use, and gauges, over time.
    struct tp_levels levels;
    struct tp_sums_gauge gauges[TP_GAUGE_COUNT];
    TP_LIST(struct tp_gc_note) gc_notes; // in order
};

// Empties the sums for reuse: releases the tables, and keeps `parts` and all other memory.
void tp_sums_clear(struct tp_sums *s);
// Lets empty sums leave out goroutines, tasks and regions that totals with this limit (0: no limit), or
// an input with this floor, would not keep one by one. With a lower floor the sums keep more, and the
// totals are the same.
void tp_sums_set_limit(struct tp_sums *s, uint32_t limit, const struct tp_sums_floor *floor);
// Releases the tables and frees all memory; the object is then zeroed. Accepts a zeroed one.
void tp_sums_fini(struct tp_sums *s);
// Adds the next block with its facts. All blocks must be of one generation. Keeps neither the block nor
// the facts. After a failure only clear or fini may follow.
int tp_sums_add(struct tp_sums *s, const struct tp_block *block, struct tp_error *err) TP_MUST_USE;

// Returns the approximate memory, in bytes, of the content of the sums, including what it may take in the
// totals.
size_t tp_sums_bytes(const struct tp_sums *s);
// Returns the memory, in bytes, that the sums keep when they are cleared.
size_t tp_sums_kept_bytes(const struct tp_sums *s);

// Adds further CPU samples.
TP_INLINE void tp_sums_samples_join(struct tp_sums_samples *into, const struct tp_sums_samples *from)
{
    if (from->count == 0)
        return;
    if (into->count == 0 || from->first_ns < into->first_ns)
        into->first_ns = from->first_ns;
    if (into->count == 0 || from->last_ns > into->last_ns)
        into->last_ns = from->last_ns;
    into->count += from->count;
}

// The rest is for the files of this folder only. Functions that return bool return false only if
// memory is out; then only clear or fini may follow.

// Whether the sums compute this part of the statistics.
TP_INLINE bool tp_sums_wants(const struct tp_sums *s, enum tp_stats_part part)
{
    return (s->parts & part) != 0;
}

// Adds spans and lives of goroutines.
bool tp_sums_add_spans(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
bool tp_sums_add_lives(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
// Adds waits by the pair of stacks of waiter and waker.
bool tp_sums_add_wakes(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
// Add states and CPU samples with labels; waits of goroutines that have never run; notes; tasks and regions;
// ranges.
bool tp_sums_add_labelled(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
bool tp_sums_add_waits(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
bool tp_sums_add_notes(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
bool tp_sums_add_intervals(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
bool tp_sums_add_ranges(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
// tp_sums_add_moves adds changes of levels that no span shows. tp_sums_add_others adds events that tell
// of no state: metrics, CPU samples and logs.
bool tp_sums_add_moves(struct tp_sums *s, const struct tp_facts *f) TP_MUST_USE;
bool tp_sums_add_others(struct tp_sums *s, const struct tp_block *block) TP_MUST_USE;

// Returns the level that counts goroutines in this state; TP_LEVEL_NONE if no level does.
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
// Lowers the level `down` by 1 and raises the level `up` by 1 at this time. If the time is not in the
// window of the levels, first moves the window to it. False: out of memory.
TP_INLINE TP_MUST_USE bool tp_sums_move(struct tp_sums *s, enum tp_level down, enum tp_level up,
                                        int64_t time_ns)
{
    if (tp_unlikely(!tp_levels_is_in_window(&s->levels, time_ns)) &&
        !tp_levels_turn(&s->levels, time_ns))
        return false;
    tp_levels_move(&s->levels, down, up, time_ns);
    return true;
}

// Returns the type under which Go's -pprof counts a state; TP_STACK_TYPE_NONE: -pprof does not count it.
// `wait`: bits of enum tp_wait_bit.
TP_INLINE enum tp_stack_type tp_stack_type_of(unsigned state, unsigned wait)
{
    switch (state) {
    case TP_STATE_RUNNABLE: return TP_STACK_SCHED;
    case TP_STATE_SYSCALL: return TP_STACK_SYSCALL;
    case TP_STATE_WAITING:
        if (wait & TP_WAIT_FOR_NETWORK)
            return TP_STACK_NET;
        return wait & TP_WAIT_FOR_OTHERS ? TP_STACK_SYNC : TP_STACK_TYPE_NONE;
    default: return TP_STACK_TYPE_NONE;
    }
}
// Returns the same for a state or CPU samples with labels, and TP_STACK_RUN for runs.
TP_INLINE enum tp_stack_type tp_labelled_type(const struct tp_track_labelled *l)
{
    switch (l->state) {
    case TP_STATE_UNDETERMINED: return TP_STACK_CPU;
    case TP_STATE_RUNNING: return TP_STACK_RUN;
    default: return tp_stack_type_of(l->state, l->wait);
    }
}

// In place of the begin of a wait that the trace cuts, which is in no distribution.
#define TP_WAIT_IS_CUT (TP_NO_MOMENT - 1)
// Adds the first wait of a stack, or a wait that `waits.first` cannot hold. For tp_sums_add_wait only.
bool tp_sums_add_other_wait(struct tp_sums *s, uint32_t stack, enum tp_stack_type type, uint64_t ns,
                            uint64_t at) TP_MUST_USE;
// Adds a wait of `ns` that began at `at` to a stack or, with an `ns` of 0, a CPU sample or the begin of an
// assist or cycle.
TP_INLINE TP_MUST_USE bool tp_sums_add_wait(struct tp_sums *s, uint32_t stack,
                                            enum tp_stack_type type, uint64_t ns, uint64_t at)
{
    bool is_timed = tp_stack_type_is_timed(type) && at != TP_WAIT_IS_CUT;
    if (tp_unlikely(stack >= s->waits.limit))
        return tp_sums_add_other_wait(s, stack, type, ns, at);
    struct tp_sums_first_wait *w = &s->waits.first[stack];
    uint64_t total_ns;
    if (tp_unlikely(w->count == 0 || w->type != type ||
                    __builtin_add_overflow(w->total_ns, ns, &total_ns)))
        return tp_sums_add_other_wait(s, stack, type, ns, at);
    if (is_timed && tp_unlikely(w->times == 0))
        return tp_sums_add_other_wait(s, stack, type, ns, at);
    w->count++;
    w->total_ns = total_ns;
    return !is_timed || tp_dist_add_measured(&s->waits.times.items[w->times - 1], ns, at,
                                             &s->waits.hist_bytes);
}

// Both functions return the measure of blocking for a reason, given by its reference.
// tp_sums_seek_measure is called if the cache lacks the reason. TP_MEASURE_NONE: out of memory.
uint32_t tp_sums_seek_measure(struct tp_sums *s, uint32_t reason);
TP_INLINE uint32_t tp_sums_measure(struct tp_sums *s, uint32_t reason)
{
    const struct tp_sums_reason_slot *slot = &s->reasons.cache[reason % TP_SUMS_REASON_SLOTS];
    return tp_likely(slot->reason == reason && slot->measure != TP_MEASURE_NONE)
               ? slot->measure
               : tp_sums_seek_measure(s, reason);
}

#endif
