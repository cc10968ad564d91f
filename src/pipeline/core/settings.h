// Holds the options of a run as typed values, and computes the memory plan from them. Both are
// constant after the start of the run.
#ifndef TP_PIPELINE_CORE_SETTINGS_H
#define TP_PIPELINE_CORE_SETTINGS_H

#include "base/err.h"
#include "base/text/opts.h"
#include "base/text/screen.h"
#include "base/text/path_group.h"
#include "base/time/time_arg.h"
#include "sink/sink.h"

// Default of --max-memory. It is the same on every machine and with any number of workers, because
// the output depends on which inputs do not fit.
#define TP_DEFAULT_LIMIT_BYTES TP_MIB(1024)

// Limit of the lists of batches of one generation: room for half a million batches, while the
// runtime writes about a thousand. It is the same on every machine, because the output depends on
// which generations do not fit.
#define TP_BATCH_LISTS_MAX_BYTES TP_MIB(16)

// How much is kept of a generation that cannot be put in order to its end: the events before the
// error, or nothing.
enum tp_salvage { TP_SALVAGE_PREFIX, TP_SALVAGE_GENERATION };

// Whether batches of pending generations may stay in their file (core/reread.h). AUTO: if rereading
// the file pays. Does not change the output.
enum tp_reread { TP_REREAD_AUTO, TP_REREAD_ALWAYS, TP_REREAD_NEVER };

// Whether events are decoded before they are put in order (DECODED) or meanwhile (LAZY). AUTO:
// before, if that pays (order/collect.c). Does not change the output.
enum tp_runs { TP_RUNS_AUTO, TP_RUNS_LAZY, TP_RUNS_DECODED };

// Whether workers speculate on the order of generations (order/speculate.h). AUTO: if a worker
// would be idle otherwise, and recent speculations were right. Does not change the output.
enum tp_speculate { TP_SPECULATE_AUTO, TP_SPECULATE_ALWAYS, TP_SPECULATE_NEVER };

// The treatment of an input whose outputs would have the names of those of an earlier input: the run
// is refused, the input is not read, or its outputs get a number.
enum tp_on_clash { TP_CLASH_FAIL, TP_CLASH_SKIP, TP_CLASH_RENAME };

// Whether text output has colour; AUTO: on terminals that show it.
enum tp_color { TP_COLOR_AUTO, TP_COLOR_ALWAYS, TP_COLOR_NEVER };

// The time window as the options give it; order/window.h finds its place in a trace.
struct tp_window_args {
    struct tp_time_arg from;
    struct tp_time_arg to;
    bool is_exact; // put events in order from the beginning, whatever `from` is
};

// Whether the options give a window at all.
TP_INLINE bool tp_window_is_given(const struct tp_window_args *w)
{
    return w->from.kind != TP_TIME_ARG_NONE || w->to.kind != TP_TIME_ARG_NONE;
}

// The options, each named as in TP_RUN_OPTIONS.
struct tp_settings {
    int64_t jobs;              // 0: one per processor
    int io;                    // enum tp_io_kind
    uint64_t chunk_bytes;
    uint64_t max_memory_bytes; // 0: TP_DEFAULT_LIMIT_BYTES
    bool strict;
    bool force;
    bool skips_existing;       // inputs whose outputs exist
    bool verbose;              // messages are about each input, also where many have the same
    int color;                 // enum tp_color
    struct tp_screen screen;   // all 0: that of the output
    bool wants_all;            // text for people has everything
    bool recursive;
    bool zero_ended;
    int salvage;               // enum tp_salvage
    struct tp_window_args window;
    char *reading[TP_READING_OPTION_COUNT]; // as given; each owned; NULL: not given
    char group[TP_OPT_TEXT_MAX_BYTES + 1]; // the pattern of `path_group`; empty: not given
    struct tp_path_group path_group; // names of hosts; owned
    char tz[TP_OPT_TEXT_MAX_BYTES + 1]; // name of the zone of times without an offset
    struct tp_zone zone;       // of that name, once tp_settings_load_zone has read it; owned
    uint64_t frequency;        // clock units per second for traces that lack them; 0: not given
    int reread;                // enum tp_reread
    int runs;                  // enum tp_runs
    int speculate;             // enum tp_speculate
    uint64_t refute_every;     // for tests: every n-th speculation counts as wrong; 0: none does
    bool spans, intervals;     // of a reader
    char *manifest;            // owned; NULL: none
    char *junit;               // owned; NULL: none
    char *known;               // path of the findings of earlier runs; owned; NULL: none
    char *resume;              // path of the record; owned; NULL: none
    bool reads_back;           // outputs, before they get their names
    bool fails_fast;           // the first input that fails ends the run
    int on_clash;              // enum tp_on_clash
    int64_t timeout_ns;        // that the run waits for an input; 0: without end
    bool rehash;               // inputs that the record has are read, and told by their bytes
    char *binary;              // path of the traced program; owned; NULL: not given
};

// Sets the defaults. Tests may set an environment variable that is read here (settings.c).
void tp_settings_init(struct tp_settings *s);
// Frees the paths and the zone; the rest needs no freeing.
void tp_settings_fini(struct tp_settings *s);
// Sets one option, named as in TP_RUN_OPTIONS, from its text; copies the text if it is kept.
// TP_E_USAGE: there is no such option, or the value is not valid. TP_E_MEMORY. After a failure the
// value of this option is unspecified; tp_settings_fini is still due.
int tp_settings_set(struct tp_settings *s, const char *name, const char *value,
                    struct tp_error *err) TP_MUST_USE;

// Loads the zone that "tz" names, and checks the window with it. Reads files. Call before anything
// asks for the zone; a further call loads the zone anew. TP_E_USAGE: there is no such zone, or the
// window ends before it begins in whatever trace. TP_E_MEMORY.
int tp_settings_load_zone(struct tp_settings *s, struct tp_error *err) TP_MUST_USE;

// The memory plan that follows from the settings on this machine. Owns no memory. It depends on the
// number of workers, except limit_bytes and order_state_bytes, which follow from --max-memory
// alone.
struct tp_memory_plan {
    unsigned worker_count;     // threads that run strands and work on units
    unsigned io_thread_count;  // threads of the engine
    size_t chunk_bytes;        // capacity of each chunk, without headroom
    size_t chunk_count;
    size_t chunk_reserved_count; // free chunks that are for the oldest input only
    size_t stored_per_input;   // chunks that one input may have read and not consumed, at most
    uint64_t budget_bytes;     // for units and decoders
    size_t page_max;           // pages for pending generations; 0: the run orders nothing
    uint64_t order_state_bytes; // limit of the order's states of one input, and of its tables
    uint64_t limit_bytes;      // --max-memory, or its default
};

// Chunks that one input needs besides those read ahead, to go on through every stage: two for plain
// bytes and two for wire bytes.
#define TP_CHUNKS_BEYOND_READ 4

// Returns --max-memory, or its default.
uint64_t tp_limit_bytes(const struct tp_settings *s);

// Returns the limit of the memory of one decompressor, in bytes. It follows from --max-memory
// alone, so whether a window of gzip or zstd fits does not depend on the number of workers or on
// the sinks.
uint64_t tp_inflate_limit(const struct tp_settings *s);

// Divides the memory limit among chunks, units, decoders and pages; allocates nothing.
// `units_bytes` is the memory of one unit of each lane together, which must fit; `has_order`: a
// sink takes blocks. TP_E_USAGE: the limit is too small for any work, and *ret_plan is unchanged.
int tp_memory_plan_make(const struct tp_settings *s, uint64_t units_bytes, bool has_order,
                        struct tp_memory_plan *ret_plan, struct tp_error *err) TP_MUST_USE;

#endif
