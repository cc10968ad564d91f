// Tells waits of goroutines that have nothing to do, such as those of an HTTP server's idle
// connections, from waits that a program suffers from. The list of idle waits is idle_waits.def.
// Only reports and findings use it: no sum of the totals leaves idle waits out.
#ifndef TP_STATS_IDLE_WAITS_H
#define TP_STATS_IDLE_WAITS_H

#include "stats/totals.h"

// Whether a wait that began with this stack is idle. `stack` is a number of s->stacks, and `type`
// (enum tp_stack_type) what is recorded under it. CPU samples and waits for a P are never idle.
bool tp_stack_is_idle(const struct tp_totals *s, uint32_t stack, unsigned type);

// Whether a wait that began with this stack is idle because of a function in the list; those of the
// runtime's own goroutines, whose start functions tell what they are (base/text/system_name.h), are not.
bool tp_stack_is_listed_idle(const struct tp_totals *s, uint32_t stack, unsigned type);

// Does the same as tp_stack_is_idle for a stack whose frames are given as numbers of s->frames,
// innermost first.
bool tp_frames_are_idle(const struct tp_totals *s, const uint32_t *frames, size_t count,
                        unsigned type);

#endif
