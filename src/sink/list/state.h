// What the sink `list` knows of an input: counts, and a record for each batch and generation.
// A worker counts a unit; the input adds units in stream order, and its generations as they
// are whole. Read when the input has ended.
//
// Memory is constant: records beyond a few are spilled (base/spill/spilled_array.h).
#ifndef TP_SINK_LIST_STATE_H
#define TP_SINK_LIST_STATE_H

#include "base/spill/spilled_array.h"
#include "decode/tally_v1.h"
#include "decode/tally_v2.h"
#include "sink/sink.h"
#include "tracepipe/listing.h"

// What a worker finds in a batch, or a run of an older trace.
struct tp_list_mark {
    uint64_t dt_ticks;       // by how much its events move the clock
    uint64_t first_dt_ticks; // and the first of them
    bool has_times;          // there are events that happened at their times; of a later trace
                             // where there may be some
};

struct tp_list_unit {
    struct tp_tally tally;
    struct tp_v1_tally old_tally; // instead, before Go 1.22
    uint64_t frequency;           // of an older trace: the last one told; 0: none
    struct tp_sink_notes notes;
    struct tp_list_mark marks[TP_UNIT_EXTENTS]; // by extent
};

// A batch as it is kept: its times are in ticks.
struct tp_list_batch {
    uint64_t offset;
    uint64_t len_bytes;
    uint64_t generation;
    uint64_t owner;
    uint64_t begin_ticks;
    uint64_t first_ticks; // of its first and its last event, if has_times
    uint64_t last_ticks;
    uint8_t kind;         // enum tp_listed_kind
    bool has_times;
};

struct tp_list_generation {
    struct tp_listed_generation told; // but for its times in nanoseconds
    uint64_t frequency;               // of its clock, whoever says so; 0: not known yet
};

struct tp_list_state {
    struct tp_format format;
    uint64_t given_frequency; // for clocks that do not say; 0: none
    uint64_t event_count;
    uint64_t string_count;
    uint64_t stack_count;
    uint64_t undecoded_bytes;
    struct tp_spilled_array batches; // struct tp_list_batch
    struct tp_spilled_array generations; // struct tp_list_generation
    struct tp_list_batch open;     // of an older trace: may go on in the next unit
    bool has_open;
    uint64_t first_frequency;      // the first that is known of a generation; 0: none. Before
    uint64_t last_frequency;       // Go 1.22: the only one
    bool has_ticks;                // the least and the greatest time of an event
    int64_t first_ticks;
    int64_t last_ticks;
    bool has_span;                 // at the end:
    int64_t span_ns;
    int64_t zero_ns;               // the first event of a later trace
    uint64_t asked_generation;     // index of the one that was looked for last
};

// Empties the unit, whatever it held, and counts.
void tp_list_unit_count(struct tp_list_unit *u, const struct tp_unit *unit);

void tp_list_state_init(struct tp_list_state *s, const struct tp_format *format,
                        uint64_t given_frequency);
void tp_list_state_fini(struct tp_list_state *s); // zeroed is fine

// TP_E_MEMORY, TP_E_WRITE: all of these.
int tp_list_state_add(struct tp_list_state *s, const struct tp_list_unit *u,
                      const struct tp_unit *unit, struct tp_error *err) TP_MUST_USE;
int tp_list_state_add_generation(struct tp_list_state *s, const struct tp_generation *g,
                                 struct tp_error *err) TP_MUST_USE;
// No unit follows.
int tp_list_state_end(struct tp_list_state *s, struct tp_error *err) TP_MUST_USE;

// Then: as the functions of tracepipe/listing.h; `idx` must be below the count.
void tp_list_state_summary(const struct tp_list_state *s, const struct tp_input_info *input,
                           const struct tp_input_report *report,
                           struct tp_listing_summary *ret_summary);
int tp_list_state_batch(struct tp_list_state *s, uint64_t idx, struct tp_listed_batch *ret_batch,
                        struct tp_error *err) TP_MUST_USE;
int tp_list_state_generation(struct tp_list_state *s, uint64_t idx,
                             struct tp_listed_generation *ret_generation,
                             struct tp_error *err) TP_MUST_USE;
// TP_E_DAMAGED: the clock does not run, or not forward, so there are no times.
int tp_list_state_check_times(const struct tp_list_state *s, struct tp_error *err) TP_MUST_USE;

#endif
