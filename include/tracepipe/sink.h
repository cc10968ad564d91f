// Sinks of a program's own: a table of hooks that a run calls with the ordered events
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
// The expensive part belongs into `work`, which must be a pure function of the block:
// then results depend neither on the number of workers nor on who was first. What has
// to be seen in order belongs into `commit`, which should be short, because it is what
// one core has to do for all.
//
// State. All are memory of the library, of the size that the table says:
//
//   unit state    of a block: zeroed before `work`, handed to the block's `commit`
//   input state   of an input: zeroed before `open`, gone after `finish` (input_fini)
//   run state     of a one_for_all sink: zeroed at the start, gone with the run
//
// Threads. `work` runs on any number of workers at the same time, for blocks of the
// same input and of others. The other hooks of one input never run at the same time,
// and see what the ones before them have written, but come on different threads. Inputs
// are committed at the same time, except where they write to one place: to stdout or a
// FIFO, or as a one_for_all sink with max_output_bytes. `finish` of a one_for_all sink
// comes in the order of the inputs, one at a time; that and run_end are the only ones
// that get the run state. `ctx` is the program's: what hooks change in it they guard.
//
// Lifetimes. Blocks, their tables, and the texts and stacks taken from them are valid
// during the call. Never keep them in a state beyond `commit` of the same block, to
// which the same block comes again.
//
// Failures. Hooks return 0 or a TP_E_* code, with tp_error_set. By its class:
//
//   TP_CLASS_INPUT                  this sink's output for this input ends. The run goes on and
//                                   exits with 1. What was written remains, except after
//                                   TP_E_TOO_LARGE and TP_E_INTERNAL.
//   TP_CLASS_BOUND                  the same, but no file remains, and the run exits with 3.
//   TP_CLASS_HOST, TP_CLASS_USAGE   the run ends, and exits with 3 or 2.
//
// Anything that is no TP_E_* code counts as TP_CLASS_HOST.
//
// Hooks must not call functions of the run, and must not throw.
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

// Where the bytes go: in `work` the block's buffer of max_output_bytes, else the
// output itself. Valid during the call it was given to.
struct tp_output;

// TP_E_TOO_LARGE, and nothing written, when it does not fit into the buffer of `work`;
// TP_E_WRITE, TP_E_PIPE; TP_E_USAGE where there is nothing to write to. Hooks hand
// these on.
TP_API int tp_output_write(struct tp_output *out, const void *bytes, size_t len_bytes,
                           struct tp_error *err);
// The same for text; at most 4095 bytes at once, else TP_E_TOO_LARGE.
TP_API int tp_output_printf(struct tp_output *out, struct tp_error *err, const char *fmt, ...)
    TP_API_PRINTF(3, 4);

// What is known of an input from the start.
struct tp_sink_input {
    const char *path;        // as the user named it
    uint32_t go_minor;       // of the format: 26 is Go 1.26 and 1.27
};

// What became of it.
struct tp_sink_report {
    uint64_t stored_bytes;
    uint64_t stream_bytes;   // in wire form
    uint64_t damage_count;   // places of damage in the stream,
    uint64_t lost_bytes;     // and the bytes passed over there
    bool is_cut;             // reading ended early, by an error that the run reports
};

// Every hook may be NULL. `ctx` is what was given to tp_run_register_sink.
struct tp_sink_ops {
    const char *name;        // for specs; without ':' ',' '=', not one of tracepipe's own
    // Ends the names of outputs in a folder: ".csv". NULL: the sink has no outputs and
    // keeps what it finds in `ctx`.
    const char *suffix;
    // One output for all inputs. Without max_output_bytes only `finish` and run_end may
    // write to it.
    bool one_for_all;
    bool is_binary;          // its output never goes to a terminal
    size_t unit_state_bytes;
    size_t input_state_bytes;
    size_t run_state_bytes;
    size_t max_output_bytes; // most that `work` writes for one block; 0: nothing

    // An option of the spec, "NAME:key=value,key=value", while the sink is added.
    // NULL: it takes none.
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
    // Comes for every input state there was, whether the input was finished or not.
    void (*input_fini)(void *ctx, void *input_state);
    // After the last input, unless the run failed; one_for_all sinks only.
    int (*run_end)(void *ctx, void *run_state, struct tp_output *out, struct tp_error *err);
};

// Makes a sink known to the run, before it is added by name (tp_run_add_sink, once).
// The table is copied, its texts too; `ctx` must outlive the run. TP_E_USAGE for names
// that are taken or none, TP_E_MEMORY.
TP_API int tp_run_register_sink(struct tp_run *run, const struct tp_sink_ops *ops, void *ctx,
                                struct tp_error *err);

#ifdef __cplusplus
}
#endif
#endif
