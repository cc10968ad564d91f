// What threads do: picks whose turn it is and a step that its state allows.
#ifndef TP_SUPPORT_SYNTH_PLAY_H
#define TP_SUPPORT_SYNTH_PLAY_H

#include "synth_model.h"

void synth_play_init(struct synth *s);

// One turn of one thread: at least one event.
void synth_play(struct synth *s);

// What the tracer does by itself at both ends of a generation.
void synth_play_begin(struct synth *s);
void synth_play_end(struct synth *s);

// The actions of synth_actions.def, for a thread that runs a goroutine and has
// announced it. Each returns whether it was possible.
#define SYNTH_ACTION(name, flag, weight, since, help)                                           \
    bool synth_do_##name(struct synth *s, uint32_t m);
#include "synth_actions.def"

// Goroutines that exist.
uint32_t synth_live_count(const struct synth *s);

// Tells once a generation that a collection is under way.
void synth_announce_gc(struct synth *s, uint32_t m);

// Data batches of the experiment AllocFree.
void synth_alloc_info(struct synth *s);
void synth_alloc_types(struct synth *s);

#endif
