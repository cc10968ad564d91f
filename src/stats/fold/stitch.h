// What goes on from partial to partial of an input: its goroutines with what they are
// in the middle of, what is open, and the totals so far.
//
//   stitch_add(partial)* in order ─▶ stitch_end ─▶ totals
//
// Memory: the goroutines that are alive, what is open, and the totals. Plain memory of
// one thread at a time. Failures are TP_E_MEMORY.
#ifndef TP_STATS_FOLD_STITCH_H
#define TP_STATS_FOLD_STITCH_H

#include "stats/fold/partial.h"
#include "stats/totals.h"

struct tp_stitch_g {
    int64_t id;
    int64_t since_ns;        // of the state
    int64_t begin_ns;        // since when it is there
    uint32_t name;           // the best so far; TP_INTERN_NONE: none was seen yet
    uint32_t measure;        // of the state; TP_MEASURE_NONE
    uint32_t wait_stack;     // where it began; a number of totals.stacks
    uint64_t spent_ns[TP_SPENT_COUNT];
    uint32_t deferred_plus_1; // of the stitch's deferred_waits
    uint32_t log;            // of the stitch's logs: spans until its name is settled
    uint32_t region_plus_1;  // of the stitch's, innermost first
    uint8_t state;           // enum tp_state; TP_STATE_UNSEEN: not known
    uint8_t name_rank;       // enum tp_name_rank
    bool is_cut : 1;         // the state had begun before since_ns
    bool is_known : 1;       // it was created or announced; else begin_ns is nothing
    bool is_new : 1;         // created in the trace
    bool has_run : 1;
    bool has_own_group : 1;  // (TP_SPACE_UNNAMED, slot) of the durations has the spans instead
    bool is_live : 1;        // false: a free slot, chained by deferred_plus_1
    bool is_past : 1;        // it ends in the partial that is being added; see stitch_gc.c
};

// A goroutine that is in an assist, or is a worker, as far as is known.
struct tp_stitch_gc_g {
    int64_t id;
    int64_t runs_since_ns;   // in its assist; -1: it does not run, or this is not known
    uint32_t next_free_plus_1;
    struct tp_gc_role role;
};

// Mutator utilisation.
struct tp_stitch_gc {
    struct tp_gc_curve *curve; // NULL: not begun, or left out
    bool is_left_out;        // it got too large
    bool context_executes;   // as flag of the next ASSIST_ACTIVE
    bool has_procs;          // the number of Ps was told,
    int64_t procs_ns;        // at first then
    uint64_t sync_number;
    struct tp_map by_id;
    TP_LIST(struct tp_stitch_gc_g) gs; // in by_id, or free slots, without role
    uint32_t free_g_plus_1;
};

struct tp_stitch_frame;

struct tp_stitch {
    struct tp_totals totals;
    struct tp_map gs_by_id;
    TP_LIST(struct tp_stitch_g) gs;
    uint32_t free_g_plus_1;
    struct tp_span_logs logs;
    struct tp_deferred_waits deferred_waits; // stacks are numbers of totals.stacks
    TP_LIST(struct tp_region_mark) regions;  // names are numbers of totals.names
    uint32_t free_region_plus_1;
    struct tp_open_intervals open_intervals[TP_OPEN_KIND_COUNT]; // is_active: cut
    struct tp_stitch_gc gc;
    bool has_events;
    int64_t first_ns, last_ns;
    int64_t sync_ns;

    // Each is the number of goroutines or Ps that are known to be in the state.
    struct tp_levels levels;
    struct tp_map procs_by_id;               // slots are states
    uint64_t gauges[TP_GAUGE_COUNT];         // where totals.timeline says that they were told

    // Spans of the partial that is being added, under numbers of the totals. Its histograms are
    // quick, where those of the totals are small.
    struct tp_durations quick;

    // Numbers of the partial that is being added.
    TP_LIST(uint32_t) names_of_strings;      // TP_INTERN_NONE: not yet
    TP_LIST(uint32_t) measures_of_reasons;   // TP_MEASURE_NONE: not yet
    uint32_t *stack_numbers;       // that of none, then by stack; TP_INTERN_NONE: not yet
    size_t stack_number_capacity;
    bool has_stack_numbers;        // of so many stacks there is the map instead
    struct tp_map numbers_of_stacks;
    struct tp_stitch_frame *frames; // read lately; see decode/frame_key.h
};

void tp_stitch_fini(struct tp_stitch *c); // zeroed is fine
int tp_stitch_add(struct tp_stitch *c, const struct tp_partial *s,
                  struct tp_error *err) TP_MUST_USE;
// The trace ends at its last event: what is open is cut there.
int tp_stitch_end(struct tp_stitch *c, struct tp_error *err) TP_MUST_USE;

// For the files of this module.

// The partial that is added, with the stitch it is added to.
struct tp_stitch_step {
    struct tp_stitch *c;
    const struct tp_partial *s;
};
// Those of the one before.
bool tp_stitch_forget_stacks(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_forget_names(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_forget_measures(struct tp_stitch_step *step) TP_MUST_USE;
// What a partial's numbers are in the totals. TP_INTERN_NONE, TP_DURATIONS_NONE: no memory.
uint32_t tp_stitch_name(struct tp_stitch_step *step, uint32_t string);
uint32_t tp_stitch_stack(struct tp_stitch_step *step, uint32_t stack);
uint32_t tp_stitch_measure(struct tp_stitch_step *step, uint32_t measure);
uint32_t tp_stitch_measure_in(void *step, uint32_t measure); // the same, for tp_durations_words
bool tp_stitch_add_stacks(struct tp_stitch_step *step) TP_MUST_USE;

// False: out of memory.
bool tp_stitch_record(struct tp_stitch *c, enum tp_durations_space space, uint32_t name,
                      uint32_t measure, int64_t ns, bool is_cut) TP_MUST_USE;
bool tp_stitch_add_g(struct tp_stitch_step *step, const struct tp_partial_g *g) TP_MUST_USE;
// Another one with its id has come without its end. There may be none.
bool tp_stitch_forget_g(struct tp_stitch *c, int64_t id, int64_t time_ns) TP_MUST_USE;
bool tp_stitch_end_gs(struct tp_stitch *c) TP_MUST_USE;
bool tp_stitch_add_opens(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_end_opens(struct tp_stitch *c) TP_MUST_USE;
bool tp_stitch_add_levels(struct tp_stitch_step *step) TP_MUST_USE;
bool tp_stitch_end_levels(struct tp_stitch *c) TP_MUST_USE;
// A step; TP_LEVEL_NONE: none.
bool tp_stitch_move(struct tp_stitch *c, enum tp_level down, enum tp_level up,
                    int64_t time_ns) TP_MUST_USE;
bool tp_stitch_add_regions(struct tp_stitch_step *step, struct tp_stitch_g *g,
                           const struct tp_partial_g *from) TP_MUST_USE;
// Before the goroutines of the partial are added. TP_E_MEMORY.
int tp_stitch_add_gc(struct tp_stitch_step *step, struct tp_error *err) TP_MUST_USE;
int tp_stitch_end_gc(struct tp_stitch *c, struct tp_error *err) TP_MUST_USE;
void tp_stitch_gc_fini(struct tp_stitch_gc *gc);
// A goroutine that has ended, or was cut off with the trace.
bool tp_stitch_close_regions(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns,
                             bool is_cut) TP_MUST_USE;

#endif
