// What a sink is: a constant table of hooks. The pipeline calls them; a sink
// knows no files, no threads and no other sink, and writes through struct tp_out.
//
// The input reaches a sink in units, each a contiguous piece of one input:
//
//   segment   up to TP_SEGMENT_BYTES and one batch: whole extents of the scan
//   frame     2 to 8 MiB, cut where a generation begins if it can be
//   block     up to TP_BLOCK_EVENTS ordered events of one generation
//
//                 any worker, any order            one unit after the other, in file order
//   unit ──▶ work(unit) -> unit state, buffer ──▶ commit(file state, unit state, buffer)
//
//   block* ──▶ fold(block, unit state) ──▶ ... ──▶ commit(file state, unit state)
//              of a stretch of the order: some or all blocks of a generation, one
//              after the other, on any worker; stretches are committed in order
//
//   per input:  open ─ commit* / generation* ─ finish         (in this order)
//   per run:    the inputs' `finish` come in input order for sinks that make one
//               output for all, `refuse` where it does not come; then run_end
//
// State belongs to a unit, an input or the run, never to a worker: that keeps
// the bytes of the output free of the number of workers. Hooks of one input never
// run at the same time, except `work`. Every hook but `work` may be NULL.
//
// Failures: TP_CLASS_INPUT spoils this sink's output for this input (the run goes
// on and exits with 1; what was written so far is completed), so does TP_CLASS_BOUND
// (exit 3, no output of its own), TP_CLASS_HOST the run.
#ifndef TP_SINK_SINK_H
#define TP_SINK_SINK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/opts.h"
#include "base/span.h"
#include "base/writer.h"
#include "decode/format.h"
#include "decode/scan_v2.h"
#include "merge/order/order.h"
#include "merge/tables/block.h"
#include "merge/tables/clock_doubt.h"
#include "merge/tables/generation.h"
#include "tracepipe/loss.h"

#define TP_SEGMENT_BYTES TP_KIB(192)
// The longest segment: the last batch may begin just below TP_SEGMENT_BYTES.
#define TP_SEGMENT_MAX_BYTES (TP_SEGMENT_BYTES + TP_SCAN_TAIL_MAX_BYTES)
// The most extents of a segment.
#define TP_UNIT_EXTENTS 256
#define TP_FRAME_MIN_BYTES TP_MIB(2)
#define TP_FRAME_MAX_BYTES TP_MIB(8)

enum tp_unit_kind { TP_UNIT_NONE, TP_UNIT_SEGMENT, TP_UNIT_FRAME, TP_UNIT_BLOCK };

// What is known about an input when its first unit is made. Constant afterwards.
struct tp_input_info {
    const char *path;  // as the user named it
    struct tp_format format; // family NONE: bytes that are no trace
    bool is_text_form;
};

#define TP_DAMAGE_KEPT 16

// What became of an input; complete when `finish` is called.
struct tp_input_report {
    uint64_t stored_bytes;     // as read,
    uint64_t read_count;       // by so many reads
    uint64_t stream_bytes;     // wire form: after decompression and text encoding
    // stream = batch + structural + lost + opaque + passed
    uint64_t batch_bytes;
    uint64_t structural_bytes;
    uint64_t lost_bytes;
    uint64_t opaque_bytes;
    uint64_t passed_bytes;     // before a time window, only its batch headers were read
    uint64_t damage_count;     // places; the first TP_DAMAGE_KEPT are in `damage`
    struct tp_damage damage[TP_DAMAGE_KEPT];
    struct tp_error error;     // why reading ended early; code 0: it did not
    uint64_t order_loss_count; // generations whose events were not all put in order
    uint64_t doubt_count;      // events believed when they were, nothing lost
    struct tp_clock_doubt clock_doubt; // of the generations that were; not ended
};

struct tp_unit {
    const struct tp_input_info *input;
    uint64_t offset;         // of `bytes` in the stream
    struct tp_span bytes;
    // The extents that make up `bytes`, one after the other; segments only.
    const struct tp_extent *extents;
    size_t extent_count;
    // Blocks: the events; `bytes` is empty. For sinks that take legacy_events these are the
    // events, as many as the block says, which has none.
    const struct tp_block *block;
    const struct tp_legacy_event *legacy_events;
};

// What a sink found out about an input beyond the scan: batches that are sound on
// the outside and do not decode, what the form it writes has no room for. Reported with the
// input; a file is not "damaged" by it, because that must not depend on the sinks.
struct tp_sink_notes {
    uint64_t undecoded_bytes;
    uint64_t undecoded_batches;
    uint64_t first_offset;     // of the first byte that did not decode
    uint64_t left_out_events;  // that the form written has no place for
    enum tp_clock_doubt_kind clock_doubt; // of times that figures are made of,
    double doubt_ns;                      // which are off by so much
    bool includes_doubtful;               // and the figures are told all the same
    bool has_wrapped;                     // sums passed 2^63 ns, as Go's would
    uint64_t cut_texts;        // strings and stacks longer than it may have
};

TP_INLINE void tp_sink_notes_add(struct tp_sink_notes *into, const struct tp_sink_notes *from)
{
    if (into->undecoded_batches == 0)
        into->first_offset = from->first_offset;
    into->undecoded_bytes += from->undecoded_bytes;
    into->undecoded_batches += from->undecoded_batches;
    into->left_out_events += from->left_out_events;
    into->cut_texts += from->cut_texts;
    into->has_wrapped = into->has_wrapped || from->has_wrapped;
    if (into->clock_doubt == TP_CLOCK_DOUBT_NONE) {
        into->clock_doubt = from->clock_doubt;
        into->doubt_ns = from->doubt_ns;
        into->includes_doubtful = from->includes_doubtful;
    }
}

// What every hook is told.
struct tp_sink_call {
    const void *config;      // the sink's options, config_bytes
    bool strict;
    bool has_colour;         // of text: it goes to a terminal that shows it
    uint64_t limit_bytes;    // what the run may take in all; 0: nobody says
    uint64_t frequency;      // units per second of clocks that do not say; 0: not given
    void *run_state;         // run_state_bytes, zeroed at start; not in `work`
    struct tp_sink_notes *notes; // of this input; in commit, generation, finish
    const struct tp_error *spoiled_by; // in finish, with finishes_spoiled; NULL: nothing
};

// Figures of the whole run, for sinks that price it.
struct tp_run_figures {
    uint64_t stored_bytes;
    uint64_t stream_bytes;
    uint64_t wall_ns;
    uint64_t cpu_ns;         // of the process
    uint64_t scan_cpu_ns;    // spent between read and units: inflate, encode, scan
    uint64_t work_cpu_ns;    // spent in `work` hooks
    uint64_t order_cpu_ns;   // spent putting events in order
    uint64_t peak_rss_bytes;
    uint64_t rule_counts[TP_RULES]; // how often each rule of the order applied
};

// How far the pipeline has to go for a sink.
// TP_NEED_BLOCKS is for sinks that fold ordered events into a state: instead of `work`
// they get stretches of blocks with `fold`. If all sinks of ordered events are of that
// kind, generations are put in order on several workers at once.
enum tp_need { TP_NEED_READ, TP_NEED_SCAN, TP_NEED_UNITS, TP_NEED_BLOCKS };

struct tp_sink_def {
    const char *name;
    const char *summary;              // one line, for --help
    const char *suffix;               // of outputs named by the pipeline
    const struct tp_opt_spec *options;
    size_t config_bytes;
    void (*defaults)(void *config);   // before options are parsed; NULL: zeroes
    // For sinks whose options decide how they work: the table to go on with, which has the
    // same name, options and config_bytes. May be NULL.
    const struct tp_sink_def *(*variant)(const void *config);
    // After the options are parsed: TP_E_USAGE if they do not go together. May be NULL.
    int (*check)(const void *config, struct tp_error *err);
    enum tp_need (*need)(const void *config); // NULL: TP_NEED_UNITS
    enum tp_unit_kind unit;
    bool one_for_all;                 // one output for all inputs, written by `finish`,
    bool writes_in_turn;              // or by all hooks, one input after the other
    bool no_output;                   // writes nothing, so it has no place to
    bool is_binary;                   // never to a terminal
    bool (*makes_binary)(const void *config); // the same, where options decide; may be NULL
    bool takes_any_bytes;             // input that is no trace, too
    bool takes_old;                   // traces from before Go 1.22 (tp_format_is_old), too
    // Blocks of events of before Go 1.22 as the parser of that time gave them
    // (merge/v1/legacy_events.h), and no other traces.
    bool takes_legacy_events;
    // With `strict` the sink alone decides whether its input is in order, as the
    // reader it imitates does.
    bool has_reference;
    // `finish` comes for inputs that are spoiled, too, unless memory is what they lack
    // (TP_E_TOO_LARGE); they stay spoiled.
    bool finishes_spoiled;
    bool wants_cpu_time;              // figures.scan_cpu_ns and work_cpu_ns
    size_t unit_state_bytes;
    size_t input_state_bytes;
    size_t run_state_bytes;
    // Most bytes `work` may put into the unit's buffer; 0: it has none.
    size_t (*unit_output_bytes)(const void *config);
    // Memory a unit takes beyond state and buffer (codec contexts), for the
    // budget; NULL: none.
    size_t (*unit_extra_bytes)(const void *config);

    // Unit states are zeroed once, reused for many units, and torn down once.
    int (*unit_init)(const struct tp_sink_call *call, void *unit_state, struct tp_error *err);
    void (*unit_fini)(void *unit_state);
    int (*work)(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err);

    // With TP_NEED_BLOCKS. `fold_begin` empties the state for a stretch, and comes once more
    // when the unit is done with: tables that it held are let go then. `fold` adds the
    // block, which it must not keep. What came before the stretch is known only to
    // `commit`, so a fold must not use parent and name of a task's end: whether the order
    // knows them depends on how the input was cut up. The unit given to `commit` is empty.
    void (*fold_begin)(const struct tp_sink_call *call, void *unit_state);
    int (*fold)(const struct tp_sink_call *call, const struct tp_block *block, void *unit_state,
                struct tp_error *err);
    bool folds_quickly; // in less time than it takes to hand a block to another worker
    // About what the state takes beyond unit_state_bytes; may be NULL. Asked after each
    // block: a stretch ends when it is more than unit_extra_bytes, and one that was begun
    // before its turn is given up when it is more than the memory for such things.
    size_t (*fold_bytes)(const void *unit_state);
    // About what the states take beyond input_state_bytes and run_state_bytes, for sinks whose
    // states grow with what they were told; may be NULL. Asked after each commit, and after each
    // input: while much is taken, younger inputs wait.
    size_t (*input_bytes)(const void *input_state);
    size_t (*run_bytes)(const void *run_state);

    // The input state is zeroed before `open`; `input_fini` always follows.
    int (*open)(const struct tp_sink_call *call, const struct tp_input_info *input, void *state,
                struct tp_out *out, struct tp_error *err);
    int (*commit)(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                  void *unit_state, struct tp_buf *buf, struct tp_out *out, struct tp_error *err);
    // A generation is whole; comes after the commit of its last segment. Only for
    // sinks of TP_UNIT_SEGMENT.
    int (*generation)(const struct tp_sink_call *call, void *state,
                      const struct tp_generation *generation, struct tp_error *err);
    int (*finish)(const struct tp_sink_call *call, void *state, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_out *out, struct tp_error *err);
    // Of one_for_all sinks: comes instead of `finish`, in its turn, for an input of which this
    // sink has nothing, opened or not. Its format may not be known; `why` is never empty.
    int (*refuse)(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_error *why, struct tp_out *out, struct tp_error *err);
    // All of an input of TP_FORMAT_STATE, which comes in no units, before `finish`. Not if it
    // could not be read to its end: the report that `finish` gets tells. NULL: such inputs
    // are not for this sink.
    int (*take_state)(const struct tp_sink_call *call, void *state, struct tp_span bytes,
                      struct tp_error *err);
    void (*input_fini)(void *state);
    // Before the first input (run_begin) and after the last (run_end).
    int (*run_begin)(const struct tp_sink_call *call, struct tp_out *out, struct tp_error *err);
    int (*run_end)(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                   struct tp_out *out, struct tp_error *err);
    void (*run_fini)(const struct tp_sink_call *call);
};

TP_INLINE const struct tp_sink_def *tp_sink_chosen(const struct tp_sink_def *def,
                                                   const void *config)
{
    return def->variant != NULL ? def->variant(config) : def;
}

extern const struct tp_sink_def *const tp_sinks[]; // NULL ends the array
const struct tp_sink_def *tp_sink_find(const char *name, size_t name_bytes);

#endif
