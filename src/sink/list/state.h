// The facts that the sink `list` stores of an input: counts, and a record for each batch and
// generation. A worker counts a unit; the input adds units in stream order, and each generation
// when it is complete. Results can be read after tp_list_state_end.
//
// Memory is constant: the state spills all but a few records (base/spill/spilled_array.h). One
// thread at a time uses a state.
#ifndef TP_SINK_LIST_STATE_H
#define TP_SINK_LIST_STATE_H

#include "base/spill/spilled_array.h"
#include "decode/tally.h"
#include "sink/sink.h"
#include "tracepipe/listing.h"

// The counts of one unit. A worker fills them, commit reads them. Owns no memory.
struct tp_list_unit {
    struct tp_tally tally;
    uint64_t frequency;           // before Go 1.22: the last frequency in the unit; 0: none
    struct tp_sink_notes notes;
    struct tp_tally_result found[TP_UNIT_EXTENTS]; // by extent
};

// The record of a batch.
struct tp_list_batch {
    struct tp_listed_batch listed; // everything except its time in nanoseconds
    uint64_t first_ticks;          // of its first and its last event, if has_times
    uint64_t last_ticks;
    bool has_times;
};

// The record of a generation.
struct tp_list_generation {
    struct tp_listed_generation listed; // everything except its times in nanoseconds
    uint64_t frequency;               // clock units per second, from any source; 0: not known yet
};

// The state of an input; used by its commit strand, later by the owner of a listing. Owns the
// spilled arrays.
struct tp_list_state {
    struct tp_format format;
    uint64_t given_frequency; // for clocks without a frequency of their own; 0: none
    uint64_t event_count;
    uint64_t string_count;
    uint64_t stack_count;
    uint64_t undecoded_bytes;
    struct tp_spilled_array batches; // struct tp_list_batch
    struct tp_spilled_array generations; // struct tp_list_generation
    // The batch being read; before Go 1.22 it may continue in the next unit.
    struct tp_list_batch open;
    bool has_open;
    uint64_t first_frequency;      // of the first generation that has one; 0: none. Before
                                   // Go 1.22: of the trace
    uint64_t last_frequency;       // of the last generation; 0: none
    bool has_ticks;                // first_ticks and last_ticks are set:
    int64_t first_ticks;           // least time of an event
    int64_t last_ticks;            // greatest time of an event
    bool has_clock;                // `clock` and its frequency are set: those of the first
                                   // generation with a snapshot
    struct tp_clock_snapshot clock;
    uint64_t clock_frequency;
    bool has_span;                 // this and the next ones are set by tp_list_state_end
    int64_t span_ns;
    int64_t zero_ns;               // since Go 1.22: time of the first event
    bool has_wall;                 // the next two are set: Unix times of the first and last event
    int64_t wall_start_ns;
    int64_t wall_end_ns;
    uint64_t asked_generation;     // index of the generation found last
};

// Ends the state; no unit may be added afterwards. Fails as the hooks below do.
int tp_list_state_end(struct tp_list_state *s, struct tp_error *err) TP_MUST_USE;

// HOOKS
//
// Shared by the sink `list` and the interface of tracepipe/listing.h: they collect the state up to
// the end of an input. Each of the two has its own `finish`, which uses that state. The pipeline
// calls the hooks (sink/sink.h): on the commit strand of the input, which owns the state, except
// tp_list_work, which runs on any worker. tp_list_commit and tp_list_generation fail with
// TP_E_MEMORY or TP_E_WRITE; only tp_list_state_fini may follow a failure.

int tp_list_work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err);
int tp_list_open(const struct tp_sink_call *call, const struct tp_input_info *input,
                 struct tp_error *err);
int tp_list_commit(const struct tp_sink_call *call, const struct tp_unit *unit,
                   struct tp_error *err);
int tp_list_generation(const struct tp_sink_call *call, const struct tp_generation *generation,
                       struct tp_error *err);
// Frees the spilled arrays of a struct tp_list_state; a zeroed one is fine. tp_listing_close calls
// this function, too.
void tp_list_state_fini(void *state);

// The initialisers of struct tp_input_hooks that both have in common.
#define TP_LIST_INPUT_HOOKS                                                                        \
    .open = tp_list_open, .commit = tp_list_commit, .generation = tp_list_generation,              \
    .fini = tp_list_state_fini

// The initialisers of struct tp_sink_plan that both have in common.
#define TP_LIST_PLAN                                                                               \
    .need = TP_NEED_UNITS, .unit_kind = TP_UNIT_SEGMENT, .accepts = TP_KIND_TRACES,                \
    .unit_state_bytes = sizeof(struct tp_list_unit),                                               \
    .input_state_bytes = sizeof(struct tp_list_state), .unit = {.work = tp_list_work}

// RESULTS
//
// The functions below read the results after tp_list_state_end, as those of tracepipe/listing.h do.
// `idx` must be below the count. They may read from a spill, and fail as
// tp_spilled_array_get does.
void tp_list_state_summary(const struct tp_list_state *s, const struct tp_input_info *input,
                           const struct tp_input_report *report,
                           struct tp_listing_summary *ret_summary);
int tp_list_state_batch(struct tp_list_state *s, uint64_t idx, struct tp_listed_batch *ret_batch,
                        struct tp_error *err) TP_MUST_USE;
int tp_list_state_generation(struct tp_list_state *s, uint64_t idx,
                             struct tp_listed_generation *ret_generation,
                             struct tp_error *err) TP_MUST_USE;
// Fails with TP_E_DAMAGED if there are ticks but no times: the frequency of the clock is not
// known, or the times are impossible.
int tp_list_state_check_times(const struct tp_list_state *s, struct tp_error *err) TP_MUST_USE;

#endif
