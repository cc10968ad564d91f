// The options of a run as typed values. Parsed once, constant while the run runs.
#ifndef TP_PIPELINE_CORE_SETTINGS_H
#define TP_PIPELINE_CORE_SETTINGS_H

#include "base/err.h"
#include "base/time/time_arg.h"

// The same on every machine and with any number of workers, because the output depends on what
// does not fit.
#define TP_DEFAULT_LIMIT_BYTES TP_MIB(1024)

// For the batches of one generation: half a million, where the runtime writes a thousand. The same
// on every machine, because what does not fit shows.
#define TP_BATCH_LISTS_MAX_BYTES TP_MIB(16)

// What is kept of a generation that cannot be ordered to its end.
enum tp_salvage { TP_SALVAGE_PREFIX, TP_SALVAGE_GENERATION };

// Whether batches that wait to be put in order may stay in their file.
enum tp_reread { TP_REREAD_AUTO, TP_REREAD_ALWAYS, TP_REREAD_NEVER };

// Whether events are decoded before they are put in order.
enum tp_runs { TP_RUNS_AUTO, TP_RUNS_LAZY, TP_RUNS_DECODED };

// Whether generations are put in order before their turn.
enum tp_speculate { TP_SPECULATE_AUTO, TP_SPECULATE_ALWAYS, TP_SPECULATE_NEVER };

// Colour in text.
enum tp_color { TP_COLOR_AUTO, TP_COLOR_ALWAYS, TP_COLOR_NEVER };

// The time window that is asked for; order/window.h finds it in a trace.
struct tp_window_args {
    struct tp_time_arg from;
    struct tp_time_arg to;
    bool is_exact; // order from the beginning of the trace, whatever `from` is
};

TP_INLINE bool tp_window_is_given(const struct tp_window_args *w)
{
    return w->from.kind != TP_TIME_ARG_NONE || w->to.kind != TP_TIME_ARG_NONE;
}

struct tp_settings {
    int64_t jobs;              // 0: one per processor
    int io;                    // enum tp_io_kind
    uint64_t chunk_bytes;
    uint64_t max_memory_bytes; // 0: TP_DEFAULT_LIMIT_BYTES
    bool strict;
    bool force;
    int color;                 // enum tp_color
    bool recursive;
    bool zero_ended;
    int salvage;               // enum tp_salvage
    struct tp_window_args window;
    uint64_t frequency;        // clock units per second where a trace does not say; 0: none
    int reread;                // enum tp_reread
    int runs;                  // enum tp_runs
    int speculate;             // enum tp_speculate
    uint64_t refute_every;     // for tests: every n-th speculation counts as wrong; 0: none does
    char *manifest;            // owned; NULL: none
    char *binary;              // the program that was traced; owned; NULL: not told
};

void tp_settings_init(struct tp_settings *s);
void tp_settings_fini(struct tp_settings *s);
int tp_settings_set(struct tp_settings *s, const char *name, const char *value,
                    struct tp_error *err) TP_MUST_USE;

// The memory plan that the settings give on this machine.
struct tp_memory_plan {
    unsigned worker_count;
    unsigned io_thread_count;
    size_t chunk_bytes;
    size_t chunk_count;
    size_t chunk_reserved_count;
    size_t stored_per_input;   // chunks one input may have read and not consumed
    uint64_t budget_bytes;     // for everything else
    size_t page_max;           // pages for pending generations; 0: the run orders nothing
    uint64_t order_state_bytes; // bound on the states of one input, and on its tables
    uint64_t limit_bytes;      // --max-memory, or its default
};

// Fewest free chunks that let one input go on through every stage: what it may
// read ahead, and two each for plain and wire bytes.
#define TP_CHUNKS_BEYOND_READ 4

// What a decoder of gzip or zstd may take, of any input: by the bound alone, so that whether a
// window can be read does not depend on the number of workers or on what they make of it.
uint64_t tp_inflate_limit(const struct tp_settings *s);

// `units_bytes` is what one unit of each lane takes: at least that must fit.
// TP_E_USAGE if the bound is too small for any work.
int tp_memory_plan_make(const struct tp_settings *s, uint64_t units_bytes, bool has_order,
                        struct tp_memory_plan *ret_plan, struct tp_error *err) TP_MUST_USE;

#endif
