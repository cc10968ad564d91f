// Sinks that a program defines: a table of hooks that a run calls with the ordered events
// of its inputs, on all workers at once.
//
//                  any worker, any order      one block after the other, in order
//   block of up    ────────────────────▶      ───────────────────────────────────▶
//   to 512 events  work(block) ─▶ unit state  commit(block, unit state, input state)
//                                and bytes    (the bytes are written first)
//
//   per input:  open ─ commit* ─ finish            (work runs ahead of commit)
//   per run:    the inputs one after the other or at once, see below; then run_end
//
// Do the expensive part in `work`, which must be a pure function of the block: then results
// depend neither on the number of workers nor on their speed. Do the part that needs the
// order of blocks in `commit`, and keep it short: one core does it for all workers.
//
// State. The library allocates and frees all state; the table states the sizes:
//
//   unit state    of a block: zeroed before `work`, handed to the block's `commit`
//   input state   of an input: zeroed before `open`, gone after `finish` (input_fini)
//   run state     of a one_for_all sink: zeroed at the start, gone with the run
//
// After a failure, or when the run stops, a block may get `work` but no `commit`: a unit state
// must not own memory or other resources.
//
// Threads. `work` runs on any number of workers at the same time, for blocks of the
// same input and of others. The other hooks of one input run one at a time, on different
// threads; each sees the writes of the hooks before it. `commit` of different inputs runs at
// the same time, unless these inputs share one output: stdout, a FIFO, or the output of a
// one_for_all sink with max_output_bytes. `finish` of a one_for_all sink runs in the order
// of the inputs, one at a time. Only this `finish` and run_end get the run state. `ctx`
// belongs to the program: hooks must guard the data that they change in it.
//
// Lifetimes. Blocks, their tables, the texts and stacks taken from them, and the key and
// value of an option are valid during the call. The same block comes to `work` and then to
// `commit`: the unit state may keep pointers into it until that `commit` returns, and not
// longer.
//
// Failures. Hooks return 0, or fill the error with tp_error_set and return a TP_E_* code.
// Its class decides what happens:
//
//   TP_CLASS_INPUT                  this sink's output for this input ends. The run goes on and
//                                   exits with 1. What was written remains, except after
//                                   TP_E_TOO_LARGE and TP_E_INTERNAL.
//   TP_CLASS_BOUND                  the same, but no file remains, and the run exits with 3.
//   TP_CLASS_HOST, TP_CLASS_USAGE   the run ends, and exits with 3 or 2.
//
// A result that is no TP_E_* code counts as TP_CLASS_HOST. After a hook has failed for an input,
// `commit` and `finish` do not come for it any more; `work` still may, and input_fini comes in any
// case in which `open` came. After an error of one input, the
// output of a one_for_all sink keeps what was written. If `configure` fails, tp_run_add_sink
// fails with that code. If run_end fails, the run ends, no file of the sink remains, and the
// run exits with 1 after TP_CLASS_INPUT, else as above.
//
// Hooks must not call functions of the run, and must not throw C++ exceptions.
#ifndef TRACEPIPE_SINK_H
#define TRACEPIPE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"
#include "tracepipe/error.h"
#include "tracepipe/event.h"
#include "tracepipe/tracepipe.h"

#ifdef __cplusplus
extern "C" {
#endif

// The destination of a hook's bytes: in `work` the block's buffer of max_output_bytes, in
// other hooks the output itself. Valid during the call of the hook.
struct tp_output;

// Writes bytes. Fails with TP_E_TOO_LARGE, and writes nothing, if the bytes do not fit into the
// buffer of `work`; with TP_E_WRITE or TP_E_PIPE; with TP_E_USAGE if the hook has nothing to write
// to. The hook should return the code unchanged.
TP_API int tp_output_write(struct tp_output *out, const void *bytes, size_t len_bytes,
                           struct tp_error *err);
// Formats a text and writes it. Fails with TP_E_TOO_LARGE if the text exceeds 4095 bytes; else as
// tp_output_write does.
TP_API int tp_output_printf(struct tp_output *out, struct tp_error *err, const char *fmt, ...)
    TP_API_PRINTF(3, 4);

// The facts about an input that are known when it is opened. Valid during `open`.
struct tp_sink_input {
    const char *path;        // as the user named it
    uint32_t go_minor;       // of the format: 26 is Go 1.26 and 1.27
};

// The result of reading an input. Valid during `finish`.
struct tp_sink_report {
    uint64_t stored_bytes;   // read from the file
    uint64_t stream_bytes;   // in wire form
    uint64_t damage_count;   // places of damage in the stream
    uint64_t lost_bytes;     // bytes passed over at these places
    bool is_cut;             // an error ended the reading early; the run reports the error
};

// Every hook may be NULL. `ctx` is the pointer given to tp_run_register_sink.
struct tp_sink_ops {
    const char *name;        // for specs; without ':' ',' '='; not the name of another sink
    // End of the names of outputs in a folder, such as ".csv". NULL: the sink has no output
    // and keeps its results in `ctx`.
    const char *suffix;
    // All inputs share one output. Without max_output_bytes only `finish` and run_end may
    // write to it.
    bool one_for_all;
    // The output never goes to a terminal. With "force" it replaces any file; that of another sink
    // replaces no trace.
    bool is_binary;
    bool wants_spans;        // blocks have spans (span.h); the last blocks have no events
    bool wants_intervals;    // blocks have intervals (span.h); the last blocks have no events
    size_t unit_state_bytes;
    size_t input_state_bytes;
    size_t run_state_bytes;
    size_t max_output_bytes; // limit of what `work` writes for one block; 0: nothing

    // Takes one option of the spec "NAME:key=value,key=value". Called by tp_run_add_sink, on its
    // thread. NULL: the sink takes no options.
    int (*configure)(void *ctx, const char *key, const char *value, struct tp_error *err);
    int (*work)(void *ctx, const struct tp_event_block *block, void *unit_state,
                struct tp_output *out, struct tp_error *err);
    int (*open)(void *ctx, const struct tp_sink_input *input, void *input_state,
                struct tp_output *out, struct tp_error *err);
    int (*commit)(void *ctx, const struct tp_event_block *block, void *unit_state,
                  void *input_state, struct tp_output *out, struct tp_error *err);
    // `run_state` is NULL for sinks that are not one_for_all.
    int (*finish)(void *ctx, const struct tp_sink_report *report, void *input_state,
                  void *run_state, struct tp_output *out, struct tp_error *err);
    // Called once for every input state, whether the input was finished or not.
    void (*input_fini)(void *ctx, void *input_state);
    // Called after the last input, unless the run failed; one_for_all sinks only.
    int (*run_end)(void *ctx, void *run_state, struct tp_output *out, struct tp_error *err);
};

// Registers a sink with the run; afterwards tp_run_add_sink can add the sink by its name, once.
// Call before tp_run_start. Copies the table and its texts; `ctx` must outlive the run. Fails with
// TP_E_USAGE if the name is taken or not valid, or with TP_E_MEMORY; nothing is registered then.
TP_API int tp_run_register_sink(struct tp_run *run, const struct tp_sink_ops *ops, void *ctx,
                                struct tp_error *err);

#ifdef __cplusplus
}
#endif
#endif
