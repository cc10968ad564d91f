// Finds when a trace begins and ends, from the clock readings of its generations.
// Each reading is converted with the frequency of its own generation. A generation
// without a frequency uses that of the generation before it; if no generation before
// it has one, it uses that of the first generation that has one. The state is a plain
// value, whatever the number of generations; one thread at a time may use it, and it
// owns no memory.
#ifndef TP_SINK_COUNTS_CLOCK_H
#define TP_SINK_COUNTS_CLOCK_H

#include "merge/tables/generation.h"
#include "sink/counts/state.h"

// The least and the greatest of some clock readings, in the clock units of the trace. 0 means no
// reading, because Go takes 0 as unset.
struct tp_stats_ticks {
    uint64_t least;
    uint64_t greatest;
};

// Extends the range to a reading; 0 changes nothing.
void tp_stats_ticks_add(struct tp_stats_ticks *ticks, uint64_t reading);

// A zeroed struct is the state before the first generation.
struct tp_stats_clock {
    uint64_t frequency;            // clock units per second, of the last generation that has it;
                                   // 0: none
    struct tp_stats_ticks waiting; // readings without a frequency so far
    struct tp_stats_span range;    // trace time
    bool has_clock;                // the next two are set
    uint64_t clock_frequency;      // of `clock`; 0: use `frequency` at the end
    struct tp_clock_snapshot clock; // the first snapshot
};

// Adds a generation; `last_ticks` is its last clock reading, 0 if it has none.
void tp_stats_clock_add(struct tp_stats_clock *c, const struct tp_generation *generation,
                        uint64_t last_ticks);

// Sets the first and the last reading of a trace from before Go 1.22, which has one clock.
// The range is known only if the trace has a frequency (0: none).
void tp_stats_clock_set(struct tp_stats_clock *c, const struct tp_stats_ticks *ticks,
                        uint64_t frequency);

// Sets *ret_ns to the Unix time at which the trace begins. False: the trace does not record
// it, or records a time outside of 1678 to 2262.
bool tp_stats_clock_wall_start(const struct tp_stats_clock *c, int64_t *ret_ns);

#endif
