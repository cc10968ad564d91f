// What goes on from stretch to stretch of an input: its goroutines with what they are
// in the middle of, what is open, and the sums so far.
//
//   carry_add(stretch)* in order ─▶ carry_end ─▶ sums
//
// Memory: the goroutines that are alive, what is open, and the sums. Plain memory of
// one thread at a time. Failures are TP_E_MEMORY.
#ifndef TP_STATS_FOLD_STITCH_H
#define TP_STATS_FOLD_STITCH_H

#include "stats/fold/partial.h"
#include "stats/totals.h"

struct tp_carry_g {
    int64_t id;
    int64_t since_ns;        // of the state
    int64_t begin_ns;        // since when it is there
    uint32_t name;           // the best so far; TP_INTERN_NONE: none was seen yet
    uint32_t measure;        // of the state; TP_MEASURE_NONE
    uint32_t wait_stack;     // where it began; a number of sums.stacks
    uint64_t spent_ns[TP_SPENT_COUNT];
    uint32_t late_plus_1;    // of the carry's late_waits
    uint32_t log;            // of the carry's logs: spans until its name is settled
    uint32_t region_plus_1;  // of the carry's, innermost first
    uint8_t state;           // enum tp_state; TP_STATE_UNSEEN: not known
    uint8_t name_rank;       // enum tp_name_rank
    bool is_cut : 1;         // the state had begun before since_ns
    bool is_known : 1;       // it was created or announced; else begin_ns is nothing
    bool is_new : 1;         // created in the trace
    bool has_run : 1;
    bool has_own_group : 1;  // (TP_SPACE_UNNAMED, slot) of the ledger has the spans instead
    bool is_live : 1;        // false: a free slot, chained by late_plus_1
    bool is_past : 1;        // it ends in the stretch that is being added; see stitch_gc.c
};

// A goroutine that is in an assist, or is a worker, as far as is known.
struct tp_carry_gc_g {
    int64_t id;
    int64_t runs_since_ns;   // in its assist; -1: it does not run, or this is not known
    uint32_t next_free_plus_1;
    struct tp_gc_role role;
};

// Mutator utilisation.
struct tp_carry_gc {
    struct tp_gc_curve *curve; // NULL: not begun, or left out
    bool is_left_out;        // it got too large
    bool context_executes;   // as flag of the next ASSIST_ACTIVE
    bool has_procs;          // the number of Ps was told,
    int64_t procs_ns;        // at first then
    uint64_t sync_number;
    struct tp_map by_id;
    TP_LIST(struct tp_carry_gc_g) gs; // in by_id, or free slots, without role
    uint32_t free_g_plus_1;
};

struct tp_carry_frame;

struct tp_carry {
    struct tp_sums sums;
    struct tp_map gs_by_id;
    TP_LIST(struct tp_carry_g) gs;
    uint32_t free_g_plus_1;
    struct tp_span_logs logs;
    struct tp_late_waits late_waits;         // stacks are numbers of sums.stacks
    TP_LIST(struct tp_region_mark) regions;  // names are numbers of sums.names
    uint32_t free_region_plus_1;
    struct tp_opens opens[TP_OPEN_KIND_COUNT]; // is_active: cut
    struct tp_carry_gc gc;
    bool has_events;
    int64_t first_ns, last_ns;
    int64_t sync_ns;

    // Each is the number of goroutines or Ps that are known to be in the state.
    struct tp_levels levels;
    struct tp_map procs_by_id;               // slots are states
    uint64_t gauges[TP_GAUGE_COUNT];         // where sums.timeline says that they were told

    // Spans of the stretch that is being added, under numbers of the sums. Its histograms are
    // quick, where those of the sums are small.
    struct tp_ledger quick;

    // Numbers of the stretch that is being added.
    TP_LIST(uint32_t) names_of_strings;      // TP_INTERN_NONE: not yet
    TP_LIST(uint32_t) measures_of_reasons;   // TP_MEASURE_NONE: not yet
    uint32_t *stack_numbers;       // that of none, then by stack; TP_INTERN_NONE: not yet
    size_t stack_number_capacity;
    bool has_stack_numbers;        // of so many stacks there is the map instead
    struct tp_map numbers_of_stacks;
    struct tp_carry_frame *frames; // read lately; see decode/frame_key.h
};

void tp_carry_fini(struct tp_carry *c); // zeroed is fine
int tp_carry_add(struct tp_carry *c, const struct tp_stretch *s, struct tp_error *err) TP_MUST_USE;
// The trace ends at its last event: what is open is cut there.
int tp_carry_end(struct tp_carry *c, struct tp_error *err) TP_MUST_USE;

// For the files of this module.

// The stretch that is added, with the carry it is added to.
struct tp_carry_step {
    struct tp_carry *c;
    const struct tp_stretch *s;
};
// Those of the one before.
bool tp_carry_forget_stacks(struct tp_carry_step *step) TP_MUST_USE;
bool tp_carry_forget_names(struct tp_carry_step *step) TP_MUST_USE;
bool tp_carry_forget_measures(struct tp_carry_step *step) TP_MUST_USE;
// What a stretch's numbers are in the sums. TP_INTERN_NONE, TP_LEDGER_NONE: no memory.
uint32_t tp_carry_name(struct tp_carry_step *step, uint32_t string);
uint32_t tp_carry_stack(struct tp_carry_step *step, uint32_t stack);
uint32_t tp_carry_measure(struct tp_carry_step *step, uint32_t measure);
uint32_t tp_carry_measure_in(void *step, uint32_t measure); // the same, for tp_ledger_words
bool tp_carry_add_stacks(struct tp_carry_step *step) TP_MUST_USE;

// False: out of memory.
bool tp_carry_book(struct tp_carry *c, enum tp_ledger_space space, uint32_t name,
                   uint32_t measure, int64_t ns, bool is_cut) TP_MUST_USE;
bool tp_carry_add_g(struct tp_carry_step *step, const struct tp_stretch_g *g) TP_MUST_USE;
// Another one with its id has come without its end. There may be none.
bool tp_carry_forget_g(struct tp_carry *c, int64_t id, int64_t time_ns) TP_MUST_USE;
bool tp_carry_end_gs(struct tp_carry *c) TP_MUST_USE;
bool tp_carry_add_opens(struct tp_carry_step *step) TP_MUST_USE;
bool tp_carry_end_opens(struct tp_carry *c) TP_MUST_USE;
bool tp_carry_add_levels(struct tp_carry_step *step) TP_MUST_USE;
bool tp_carry_end_levels(struct tp_carry *c) TP_MUST_USE;
// A step; TP_LEVEL_NONE: none.
bool tp_carry_move(struct tp_carry *c, enum tp_level down, enum tp_level up,
                   int64_t time_ns) TP_MUST_USE;
bool tp_carry_add_regions(struct tp_carry_step *step, struct tp_carry_g *g,
                          const struct tp_stretch_g *from) TP_MUST_USE;
// Before the goroutines of the stretch are added. TP_E_MEMORY.
int tp_carry_add_gc(struct tp_carry_step *step, struct tp_error *err) TP_MUST_USE;
int tp_carry_end_gc(struct tp_carry *c, struct tp_error *err) TP_MUST_USE;
void tp_carry_gc_fini(struct tp_carry_gc *gc);
// A goroutine that has ended, or was cut off with the trace.
bool tp_carry_close_regions(struct tp_carry *c, struct tp_carry_g *g, int64_t end_ns,
                            bool is_cut) TP_MUST_USE;

#endif
