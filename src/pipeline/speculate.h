// Speculation: a generation is put in order on any worker before its turn, and folded.
// When its turn comes the order strand puts only its first events in order, up to the
// cut, and takes over the rest if that is proved to be right (merge/order/speculation.h). Else it
// goes on by itself, so that nothing depends on what was speculated.
//
// For inputs whose ordered events are all folded (sink/sink.h); text of events would
// have to be kept for a whole generation.
#ifndef TP_PIPELINE_SPECULATE_H
#define TP_PIPELINE_SPECULATE_H

#include "merge/order/speculation.h"
#include "pipeline/ordering.h"

struct tp_slot;

struct tp_speculation {
    struct tp_speculative_order ahead;
    struct tp_slot *slot;  // the stretch behind the cut
    uint64_t event_count;  // in it
};

// Where a generation is prepared: notes when it ends, for the next one.
void tp_speculate_note_end(struct tp_pending *h);
// Then: puts it in order if that pays and can be done; sets h->speculation or leaves
// it NULL.
void tp_speculate(struct tp_pending *h);
void tp_speculation_destroy(struct tp_speculation *s); // NULL is fine

// Order strand, after each block that was folded into `slot`: whether the generation is
// at its end now, because the rest was taken over. Its stretch follows that of `slot`. A
// failure of memory is in *err, and false.
bool tp_speculation_take_over(struct tp_input_run *in, struct tp_slot **ret_rest,
                              struct tp_error *err);

// Most generations of one input that are held at a time.
size_t tp_speculate_pending_max(const struct tp_input_run *in);

#endif
