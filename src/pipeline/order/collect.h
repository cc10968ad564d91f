// The ingest strand's end of the order queue: collects the batches of an input into generations.
#ifndef TP_PIPELINE_ORDER_COLLECT_H
#define TP_PIPELINE_ORDER_COLLECT_H

#include "pipeline/core/run.h"
#include "pipeline/order/cut.h"
#include "pipeline/order/window.h"

struct tp_order_queue;

// Before others can see the input; for each input; after each; with its slot.
bool tp_collect_create(struct tp_order_queue *q) TP_MUST_USE; // false: out of memory
void tp_collect_init(struct tp_input_run *in);
void tp_collect_fini(struct tp_input_run *in);
void tp_collect_destroy(struct tp_order_queue *q);

// Collects an extent. WAIT: no memory now; call again with the same extent.
enum tp_hold_status tp_collect_extent(struct tp_input_run *in, const struct tp_cut *cut);
// No extent follows. `is_torn`: the stream ended with an error.
void tp_collect_end(struct tp_input_run *in, bool is_torn);

// Sets the clock units per second of a complete generation and returns their source.
// `last_frequency` is that of the last earlier generation with one of its own; 0: none.
enum tp_clock_source tp_collect_clock(const struct tp_input_run *in, const struct tp_generation *g,
                                      uint64_t last_frequency, uint64_t *ret_frequency);

// What a search in the file has found before anything is collected (read/window_find.h).
struct tp_window_found {
    struct tp_window window;
    uint64_t header_bytes;     // read for it
    uint64_t passed_count;     // generations that are not read, before the window,
    uint64_t last_frequency;   // and the frequency of the last of these
    bool is_bounded;           // the stream ends with the window
};
void tp_collect_begin_at(struct tp_input_run *in, const struct tp_window_found *found);

// Whether only the order uses the input's bytes: no other lane or digest needs what is outside
// the window.
bool tp_collect_is_alone(const struct tp_input_run *in);
// Whether, besides, the stream is past the window.
bool tp_collect_is_all_read(const struct tp_input_run *in);

#endif
