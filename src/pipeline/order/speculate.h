// Speculates on the order: any worker puts a generation in order before the previous one is done,
// and folds the events. Later the order strand puts only the first events in order, up to the cut,
// and takes over the rest if the speculation's assumptions hold (merge/order/speculation.h).
// Otherwise the order strand goes on by itself, so the result never depends on a speculation.
//
// Works only for inputs whose ordered events are all folded (sink/sink.h): other output, such as
// text of events, would have to be kept for a whole generation.
#ifndef TP_PIPELINE_ORDER_SPECULATE_H
#define TP_PIPELINE_ORDER_SPECULATE_H

#include "merge/order/sequence.h"
#include "merge/order/speculation.h"
#include "merge/track/tracker.h"
#include "pipeline/order/queue.h"

struct tp_slot;

// A speculation that waits for its check. Its pending generation owns it, and lends it the lists
// and the loader.
struct tp_speculation {
    struct tp_speculative_order ahead; // the order of the generation, with its assumptions
    struct tp_tracker tracker; // follows the events after the cut; without tables: there is none
    struct tp_slot *slot;  // holds the partial of these events; owned
    uint64_t event_count;  // events in that partial
};

// Notes the end time of a generation for the speculation on the next one. Call on the worker that
// prepares the generation.
void tp_speculate_note_end(struct tp_pending *h);
// Puts the generation in order before the previous one is done, if that pays and is possible, and
// sets h->speculation; otherwise, or if memory is lacking, leaves it NULL. Call on the worker that
// has built the tables.
void tp_speculate(struct tp_pending *h);
void tp_speculation_destroy(struct tp_speculation *s); // NULL is fine

// Takes over the rest of the generation if the cut is reached and the assumptions hold. Call on the
// order strand after each folded block. True: the generation is at its end, and the caller owns
// *ret_rest, whose partial follows the partial of the open unit. False: go on with the next block;
// if *err has a code, the takeover failed for lack of memory, and the rest of the generation must
// be given up.
bool tp_speculation_take_over(struct tp_pending *h, struct tp_slot *open, struct tp_slot **ret_rest,
                              struct tp_error *err);

// Returns how many pending generations the input may have at a time; at most TP_PENDING_MAX. Ingest
// strand, once in->orderer is set, or a worker that prepares a generation.
size_t tp_speculate_pending_max(const struct tp_input_run *in);

#endif
