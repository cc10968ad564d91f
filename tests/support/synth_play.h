// Plays the scheduler: picks the next thread and a step that its state allows.
#ifndef TP_SUPPORT_SYNTH_PLAY_H
#define TP_SUPPORT_SYNTH_PLAY_H

#include "synth_model.h"

void synth_play_init(struct synth *s);

// Plays one turn of one thread: at least one event.
void synth_play(struct synth *s);

// Write the events of the tracer itself at the beginning and end of a generation.
void synth_play_begin(struct synth *s);
void synth_play_end(struct synth *s);

// The actions of synth_actions.def, for a thread whose running goroutine has a status event.
// Each returns false if the action was not possible.
#define SYNTH_ACTION(name, flag, weight, since, help)                                           \
    bool synth_do_##name(struct synth *s, uint32_t m);
#include "synth_actions.def"

// Returns the number of existing goroutines.
uint32_t synth_live_count(const struct synth *s);

// Writes, once per generation, that a garbage collection is active.
void synth_announce_gc(struct synth *s, uint32_t m);

// Write the data batches of the experiment AllocFree.
void synth_alloc_info(struct synth *s);
void synth_alloc_types(struct synth *s);

#endif
