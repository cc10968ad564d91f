// A run: what the strands of all its inputs share (an input's own: input.h). What belongs to one
// room alone is behind a pointer, and only the files of that room know the struct.
//
// The last step of an input, its turn, runs in input order: it finishes the sinks that have one
// output for all inputs, sends messages and adds the manifest entry.
#ifndef TP_PIPELINE_CORE_RUN_H
#define TP_PIPELINE_CORE_RUN_H

#include <stdatomic.h>

#include "base/pool.h"
#include "base/ring.h"
#include "decode/decoder.h"
#include "io/source.h"
#include "io/walk.h"
#include "pipeline/core/input.h"
#include "pipeline/core/memory.h"
#include "pipeline/core/meter.h"

// Most inputs that are admitted and not yet past their turn.
#define TP_ACTIVE_MAX 64

struct tp_run_life;
struct tp_run_outputs;

// One sink of the run. Constant after start but for the run state and `shared`.
struct tp_run_sink {
    const struct tp_sink_def *def;
    struct tp_sink_plan plan;
    void *config;
    void *run_state;
    char *spec;                // as the user wrote it; owned
    char *output;              // path, or "-"; owned
    enum tp_lane_id lane;
    // `shared` is the one output for all inputs: stdout, a device, or the output of a
    // sink of TP_OUTPUT_FOR_ALL or IN_TURN. Only the input whose turn it is writes to it, and the
    // run before the first and after the last input.
    bool is_shared;
    bool is_folder;
    bool has_colour;
    struct tp_outfile *shared;
    uint64_t shared_bytes;     // bytes written to `shared`, once it is complete
    struct tp_account_share share; // of run_state in the kept bytes of the run's `grown`
};

// What sinks and inputs of the run ask for. Constant after start.
struct tp_run_needs {
    bool scan;        // a sink wants more than bytes
    bool commit_turn; // a per-input sink writes a shared output
    bool folders;     // there are many inputs: outputs per input go to folders
};

// How much is put in order at the moment, of all inputs.
struct tp_order_load {
    _Atomic unsigned ordering_count;    // generations being put in order,
    _Atomic unsigned speculating_count; // before their turn
    _Atomic unsigned in_file_count;     // pending ones whose events stay in their files
};

struct tp_engine {
    struct tp_source *source;
    _Atomic bool is_starved; // it was refused a chunk and waits for one
};

struct tp_turns {
    // By index % TP_ACTIVE_MAX. Made when first needed and then reused, never
    // freed before the run: a late post to a strand is harmless that way.
    _Atomic(struct tp_input_run *) active[TP_ACTIVE_MAX];
    _Atomic size_t oldest;   // index of the oldest input not past its turn
};

struct tp_messages {
    tp_message_fn fn;        // NULL: nobody listens
    void *ctx;
};

struct tp_run {
    // Described before the start.
    struct tp_settings settings;
    struct tp_run_sink sinks[TP_SINKS_MAX];
    size_t sink_count;
    struct tp_input_list inputs;
    struct tp_messages messages;
    struct tp_run_needs needs;
    enum tp_event_model model; // of the events in blocks
    struct tp_symbols *symbols; // of settings.binary; NULL: none was given

    // Any thread.
    struct tp_engine engine;
    struct tp_pool *pool;
    struct tp_event_count *puller; // sleeps until blocks come; NULL: the sinks take them
    struct tp_memory memory;
    struct tp_lane lanes[TP_LANES];
    struct tp_order_load order_load;
    struct tp_step admission;  // the strand that admits inputs
    struct tp_turns turns;
    struct tp_outcome outcome;
    struct tp_meter meter;

    struct tp_run_outputs *outputs; // strand of the input that has the turn
    struct tp_run_life *life;       // owner and admission strand
};

TP_INLINE enum tp_rank tp_rank_of(const struct tp_input_run *in)
{
    return atomic_load_explicit(&in->run->turns.oldest, memory_order_seq_cst) == in->index
               ? TP_RANK_OLDEST
               : TP_RANK_YOUNGER;
}

// Whether a worker is free for more work: each generation that is being put in order or
// speculated occupies one worker.
TP_INLINE bool tp_run_has_spare_worker(const struct tp_run *run)
{
    return atomic_load_explicit(&run->order_load.ordering_count, memory_order_relaxed) +
               atomic_load_explicit(&run->order_load.speculating_count, memory_order_relaxed) <
           run->memory.plan.worker_count;
}

TP_INLINE bool tp_run_is_stopping(const struct tp_run *run)
{
    return atomic_load_explicit(&run->outcome.is_stopping, memory_order_relaxed);
}

#endif
