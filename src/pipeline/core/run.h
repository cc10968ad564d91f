// Defines a run: the state that the strands of all its inputs share (input.h has the state of one
// input). State that only one folder of src/pipeline uses is behind a pointer, and only the files
// of that folder know its struct.
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

// Largest number of inputs that are admitted and whose turn is not over.
#define TP_ACTIVE_MAX 64

struct tp_run_life;
struct tp_run_outputs;

// A sink of the run. Constant after start, except for the run state and the last three members.
struct tp_run_sink {
    const struct tp_sink_def *def; // borrowed from the registry or a registered sink
    struct tp_sink_plan plan;
    // The sink's parsed options and its state for the run. Owned; freed after the threads are gone
    // (run/run_sink.h).
    void *config;
    void *run_state;           // NULL with a leader
    // An earlier sink with an equal run state, which this one prints (sink.h); NULL: none.
    const struct tp_run_sink *leader;
    char *spec;                // as the user wrote it; owned
    char *output;              // path, or "-"; owned
    enum tp_lane_id lane;
    // True if all inputs share one output, the member `shared`: if the output is stdout or a
    // device, or the sink is of TP_OUTPUT_FOR_ALL or TP_OUTPUT_IN_TURN. The commit strand of the
    // input that has the turn writes to that output; before the first and after the last input the
    // admission strand does. True also for a sink of TP_OUTPUT_NONE, whose `shared` is NULL.
    bool is_shared;
    bool is_folder;            // `output` is a folder with one file for each input
    bool has_colour;           // text output is to have colour
    struct tp_screen screen;   // for which text output is laid out
    struct tp_outfile *shared;
    uint64_t selected_count;   // of a plan that `selects`: of the inputs whose turn is over
    uint64_t shared_bytes;     // bytes written to `shared`, once it is complete
    struct tp_account_share share; // of run_state, in kept_bytes of the account `grown`
};

// Needs of the run's sinks and inputs, which decide which stages run and what waits for a turn.
// Constant after start.
struct tp_run_needs {
    bool scan;        // a sink wants the stream cut into extents
    bool commit_turn; // a sink writes units to a shared output
    bool folders;     // there are many inputs: outputs per input go to folders
    bool baseline;    // a baseline was given, perhaps without inputs
    bool digests;     // manifest or record want those of all bytes of inputs and outputs
};

// Numbers of generations of all inputs that are being put in order or wait for it now.
struct tp_order_load {
    _Atomic unsigned ordering_count;    // being put in order by order strands
    _Atomic unsigned speculating_count; // being put in order by speculations
    _Atomic unsigned in_file_count;     // pending, with events that stay in their files
};

// The engine that reads all files. Created by tp_run_start, destroyed before slots and chunks are
// freed.
struct tp_engine {
    struct tp_source *source; // owned
    _Atomic bool is_starved; // the engine was refused a chunk and waits for one
};

// The inputs between admission and turn. The admission strand writes `active`; the commit strand of
// the input that had its turn writes `oldest`. Any thread reads both.
struct tp_turns {
    // Slots of inputs, by index % TP_ACTIVE_MAX. A slot is allocated when first needed, reused, and
    // freed only with the run, so waking one of its strands too late is harmless.
    _Atomic(struct tp_input_run *) active[TP_ACTIVE_MAX];
    _Atomic size_t oldest;   // index of the oldest input that has not had its turn
    _Atomic uint64_t since_ns; // when it became the oldest; written before `oldest`
};

// The program's function for messages. Called on threads of the run, one call at a time. `ctx`
// belongs to the program and outlives the run.
struct tp_messages {
    tp_message_fn fn;        // NULL: messages are dropped
    void *ctx;
};

// The program's function for reports; NULL: they go to stdout. `ctx` belongs to the program and
// outlives the run.
struct tp_reports {
    tp_report_fn fn;
    void *ctx;
};

// The program's function that restricts the process; NULL: none. `ctx` belongs to the program.
struct tp_guard {
    tp_guard_fn fn;
    void *ctx;
};

// A run. It owns all its members, and lives until tp_run_destroy (run/run.c), which first waits for
// the run's threads.
struct tp_run {
    // Set before the start, and constant after it unless the struct says otherwise.
    struct tp_settings settings;
    struct tp_run_sink sinks[TP_SINKS_MAX];
    size_t sink_count;
    struct tp_input_list inputs;
    struct tp_messages messages;
    struct tp_reports reports;
    struct tp_guard guard;
    struct tp_run_needs needs;
    enum tp_event_model model; // of the events in blocks; all sinks of blocks have the same
    struct tp_symbols *symbols; // of settings.binary; NULL: none was given

    // Used by any thread.
    struct tp_engine engine;
    struct tp_pool *pool;      // NULL before the start, and if the start failed
    struct tp_pool *completers; // threads that wait until outputs are on the disk; NULL: workers do so
    struct tp_event_count *puller; // the puller sleeps on it; NULL: sinks take the blocks
    struct tp_memory memory;
    struct tp_lane lanes[TP_LANES]; // by enum tp_lane_id
    struct tp_order_load order_load;
    struct tp_step admission;  // the strand that admits inputs
    struct tp_turns turns;
    struct tp_outcome outcome;
    struct tp_meter meter;

    struct tp_run_outputs *outputs; // used by the commit strand of the input that has the turn
    struct tp_run_life *life;       // used by the run's owner and the admission strand
};

// Returns whether the input is the oldest unfinished one. Any thread. A younger input may become
// the oldest at any time; the oldest stays the oldest until its turn is over.
TP_INLINE enum tp_rank tp_rank_of(const struct tp_input_run *in)
{
    return atomic_load_explicit(&in->run->turns.oldest, memory_order_seq_cst) == in->index
               ? TP_RANK_OLDEST
               : TP_RANK_YOUNGER;
}

// Returns whether the run has waited for the input longer than --timeout allows. Only the oldest input
// is waited for: others may be slow because of it.
TP_INLINE bool tp_input_is_late(const struct tp_input_run *in)
{
    int64_t timeout_ns = in->run->settings.timeout_ns;
    return timeout_ns > 0 && in->input->only_sink == 0 && tp_rank_of(in) == TP_RANK_OLDEST &&
           tp_now_ns() - atomic_load(&in->run->turns.since_ns) > (uint64_t)timeout_ns;
}

// Whether sink `k` gets the input: a state beside the record is for one sink, a baseline for those that
// compare.
TP_INLINE bool tp_input_is_for(const struct tp_input_run *in, size_t k)
{
    return (in->input->only_sink == 0 || in->input->only_sink == k + 1) &&
           (!in->input->is_baseline || in->run->sinks[k].plan.compares);
}

// Whether a worker is free for more work: each generation that is being put in order, by an order
// strand or a speculation, occupies one worker. An estimate, because other threads change the
// counts meanwhile.
TP_INLINE bool tp_run_has_spare_worker(const struct tp_run *run)
{
    return atomic_load_explicit(&run->order_load.ordering_count, memory_order_relaxed) +
               atomic_load_explicit(&run->order_load.speculating_count, memory_order_relaxed) <
           run->memory.plan.worker_count;
}

// Whether the run has failed or was stopped. Strands then end their inputs without finishing them.
TP_INLINE bool tp_run_is_stopping(const struct tp_run *run)
{
    return atomic_load_explicit(&run->outcome.is_stopping, memory_order_relaxed);
}

#endif
