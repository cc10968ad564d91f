// The ingest strand's end of the order queue: collects the batches of an input into generations and
// hands these to the workers. All functions are called by the ingest strand, unless they say
// otherwise. They wait for the disk only: for a spill, or, with a time window, for reads of the
// last batch of each thread, which show whether the generation ends before the window.
#ifndef TP_PIPELINE_ORDER_COLLECT_H
#define TP_PIPELINE_ORDER_COLLECT_H

#include "pipeline/order/cut.h"
#include "pipeline/order/queue.h"

// The state of collecting one input. Part of the order queue and freed with it; owns the
// generations `open` and `kept_back`.
struct tp_collect {
    struct tp_pending *open;      // being collected
    struct tp_pending *kept_back; // complete, perhaps before the window; NULL: none
    bool is_bounded;              // the engine reads no further than the window
    bool is_cut;                  // no more extents are collected: Go's reader stops here,
                                  // or the window ends
    bool after_loss;              // batches are missing before the next generation
    uint64_t last_frequency;
};

// Prepares for the next input, before its first extent.
void tp_collect_init(struct tp_input_run *in);
// Frees the generations that were not handed on. Commit strand, after each input.
void tp_collect_fini(struct tp_input_run *in);

// Collects an extent, whose bytes need be valid during the call only. TP_HOLD_WAIT: no memory or
// place is free now; call again with the same extent. Never TP_HOLD_FAILED: an error becomes the
// end of the events.
enum tp_hold_status tp_collect_extent(struct tp_input_run *in, const struct tp_cut *cut);
// Completes the last generation, because no extent follows. `is_torn`: the stream ended with an
// error.
void tp_collect_end(struct tp_input_run *in, bool is_torn);

// Fills *ret_frequency with the clock units per second of a complete generation, and returns their
// source. `last_frequency` is that of the last earlier generation that gives its own; 0: none does.
enum tp_clock_source tp_collect_clock(const struct tp_input_run *in, const struct tp_generation *g,
                                      uint64_t last_frequency, uint64_t *ret_frequency);

// The result of a search for the window in the file (read/window_find.h), before extents are
// collected.
struct tp_window_found {
    struct tp_window window;
    uint64_t header_bytes;     // read for the search
    uint64_t passed_count;     // generations before the window, which are not read
    uint64_t last_frequency;   // of the last of these that gives its own; 0: none
    int64_t passed_end_ns;     // their latest end; 0: there are none
    bool is_bounded;           // the engine reads no further than the window
};
// Lets the input begin where the search found the window. Call after tp_collect_init and before the
// first extent.
void tp_collect_begin_at(struct tp_input_run *in, const struct tp_window_found *found);

// Whether the input's bytes are only put in order: no other lane and no digest needs the bytes
// outside the window.
bool tp_collect_is_alone(const struct tp_input_run *in);
// Whether tp_collect_is_alone holds and the stream is past the window.
bool tp_collect_is_all_read(const struct tp_input_run *in);

#endif
