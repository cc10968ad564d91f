// Speculation: a generation is put in order on any worker before its turn, and folded.
// When its turn comes the order strand puts only its first events in order, up to the
// cut, and takes over the rest if its assumptions hold (merge/order/speculation.h). Else it
// goes on by itself, so that nothing depends on what was speculated.
//
// For inputs whose ordered events are all folded (sink/sink.h); text of events would
// have to be kept for a whole generation.
#ifndef TP_PIPELINE_ORDER_SPECULATE_H
#define TP_PIPELINE_ORDER_SPECULATE_H

#include "merge/order/sequence.h"
#include "merge/order/speculation.h"
#include "pipeline/order/queue.h"

struct tp_slot;

struct tp_speculation {
    struct tp_speculative_order ahead;
    struct tp_slot *slot;  // holds the partial of the events after the cut; owned
    uint64_t event_count;  // events in that partial
};

// Call while a generation is prepared: notes its end time for the speculation of the next one.
void tp_speculate_note_end(struct tp_pending *h);
// Call once its tables are built: puts it in order if that pays and is possible; sets
// h->speculation or leaves it NULL.
void tp_speculate(struct tp_pending *h);
void tp_speculation_destroy(struct tp_speculation *s); // NULL is fine

// Order strand, after each folded block: whether the generation is at its end now, because the
// rest was taken over. The caller then owns *ret_rest, whose partial follows that of the open
// unit. False with a code in *err: a failure of memory.
bool tp_speculation_take_over(struct tp_pending *h, struct tp_sequencer *sequencer,
                              struct tp_slot **ret_rest, struct tp_error *err);

// Most pending generations of one input at a time.
size_t tp_speculate_pending_max(const struct tp_input_run *in);

#endif
