// The inventory of one input. The commit strand adds units in stream order, and each generation
// when it is complete; the results can be read after tp_inventory_input_end.
//
// Memory is constant: the state spills all but a few records (base/spill/spilled_array.h). One
// thread at a time uses a state.
#ifndef TP_SINK_INVENTORY_INPUT_H
#define TP_SINK_INVENTORY_INPUT_H

#include "base/spill/spilled_array.h"
#include "sink/inventory/inventory.h"
#include "sink/inventory/unit.h"
#include "tracepipe/listing.h"

// A batch being read.
struct tp_inventory_batch {
    struct tp_listed_batch listed; // everything except its time in nanoseconds
    uint64_t first_ticks;          // of its first and its last event, if has_times
    uint64_t last_ticks;
    bool has_times;
};

// The record of a generation.
struct tp_generation_record {
    struct tp_listed_generation listed; // everything except its times in nanoseconds
    uint64_t frequency;                 // clock units per second, from any source; 0: not known yet
};

// The most generations of which a commit may see batches: those in its unit, and one that began
// before.
#define TP_INVENTORY_OPEN_GENERATIONS (TP_UNIT_EXTENTS + 1)

// The state of an input; used by its commit strand, later by the owner of a listing. Owns the
// spilled arrays.
struct tp_inventory_input {
    struct tp_format format;
    bool keeps_batches;       // a record of each batch is kept
    uint64_t given_frequency; // for clocks without a frequency of their own; 0: none
    struct tp_inventory all;  // of this input alone
    struct tp_spilled_array batches;     // struct tp_listed_batch, if keeps_batches
    struct tp_spilled_array generations; // struct tp_generation_record
    struct tp_inventory_batch open; // before Go 1.22 it may continue in the next unit
    bool has_open;
    // Greatest clock of an event of each generation that has begun and is not known to be complete;
    // 0: it has no event. The n-th generation of the trace is at n modulo the length.
    uint64_t last_event_ticks[TP_INVENTORY_OPEN_GENERATIONS];
    uint64_t begun_count;          // generations that have begun
    uint64_t placed_count;         // batches of complete generations
    uint64_t first_frequency;      // of the first generation that has one; 0: none. Before
                                   // Go 1.22: of the trace
    uint64_t last_frequency;       // of the last generation; 0: none
    bool has_ticks;                // first_ticks and last_ticks are set:
    int64_t first_ticks;           // least time of an event
    int64_t last_ticks;            // greatest time of an event
    // Before Go 1.22: least and greatest time of batches with events, at which they begin and of
    // their last events; 0: none.
    uint64_t least_reading_ticks;
    uint64_t greatest_reading_ticks;
    bool has_clock;                // `clock` and its frequency are set: those of the first
                                   // generation with a snapshot
    struct tp_clock_snapshot clock;
    uint64_t clock_frequency;
    // tp_inventory_input_end sets the members from here on.
    struct tp_inventory_range range; // trace time, from the first to the last reading of the clock
    bool has_span;                 // the next one is set
    int64_t span_ns;               // from the first event to the last
    int64_t zero_ns;               // since Go 1.22: time of the first event
    bool has_wall;                 // the next two are set: Unix times of the first and last event
    int64_t wall_start_ns;
    int64_t wall_end_ns;
    uint64_t asked_generation;     // index of the generation found last
};

// HOOKS
//
// Hooks of sinks (sink/sink.h), or functions that such hooks call. The unit state of the sink
// begins with a struct tp_inventory_unit, its input state with a struct tp_inventory_input.

// Starts the inventory of an input with the frequency of the run and with records of batches; the
// caller may change both members. Allocates nothing.
int tp_inventory_open(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err) TP_MUST_USE;
// Counts a unit without its ids.
int tp_inventory_work(const struct tp_sink_call *call, const struct tp_unit *unit,
                      struct tp_error *err) TP_MUST_USE;
// Add the counts of a unit, or a generation that is complete. Fail with TP_E_MEMORY or TP_E_WRITE;
// only tp_inventory_input_fini may follow a failure.
int tp_inventory_commit(const struct tp_sink_call *call, const struct tp_unit *unit,
                        struct tp_error *err) TP_MUST_USE;
int tp_inventory_generation(const struct tp_sink_call *call, const struct tp_generation *g,
                            struct tp_error *err) TP_MUST_USE;
// Frees the spilled arrays of a struct tp_inventory_input; a zeroed one is fine.
void tp_inventory_input_fini(void *input);

// The initialisers of struct tp_input_hooks that the sink `list` and the interface of
// tracepipe/listing.h have in common. Each of the two has its own `finish`.
#define TP_INVENTORY_HOOKS                                                                         \
    .open = tp_inventory_open, .commit = tp_inventory_commit,                                      \
    .generation = tp_inventory_generation, .fini = tp_inventory_input_fini

// The initialisers of struct tp_sink_plan that both have in common.
#define TP_INVENTORY_PLAN                                                                          \
    .need = TP_NEED_UNITS, .unit_kind = TP_UNIT_SEGMENT, .accepts = TP_KIND_TRACES,                \
    .unit_state_bytes = sizeof(struct tp_inventory_unit),                                          \
    .input_state_bytes = sizeof(struct tp_inventory_input), .unit = {.work = tp_inventory_work}

// RESULTS

// Completes the inventory of an input that has ended; nothing may be added afterwards. Fails as
// the functions above do, or if a spill cannot be read back.
int tp_inventory_input_end(struct tp_inventory_input *in, const struct tp_input_report *report,
                           struct tp_error *err) TP_MUST_USE;

// The functions below read the results, as those of tracepipe/listing.h do. `idx` must be below the
// count. They may read from a spill, and fail as tp_spilled_array_get does.
void tp_inventory_summary(const struct tp_inventory_input *in, const struct tp_input_info *input,
                          const struct tp_input_report *report,
                          struct tp_listing_summary *ret_summary);
int tp_inventory_listed_batch(struct tp_inventory_input *in, uint64_t idx,
                              struct tp_listed_batch *ret_batch, struct tp_error *err) TP_MUST_USE;
int tp_inventory_listed_generation(struct tp_inventory_input *in, uint64_t idx,
                                   struct tp_listed_generation *ret_generation,
                                   struct tp_error *err) TP_MUST_USE;
// Fails with TP_E_DAMAGED if there are ticks but no times: the frequency of the clock is not
// known, or the times are impossible.
int tp_inventory_check_times(const struct tp_inventory_input *in,
                             struct tp_error *err) TP_MUST_USE;

#endif
