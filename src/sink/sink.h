// Defines sinks. A sink is a constant definition (struct tp_sink_def), which turns the options into
// a plan with groups of hooks. The pipeline calls the hooks; a sink knows no files, no threads and
// no other sink, and writes through struct tp_out.
//
// The input reaches a sink in units, each a contiguous piece of one input:
//
//   segment   up to TP_SEGMENT_BYTES and one batch: whole extents of the scan
//   frame     2 to 8 MiB, cut at the beginning of a generation if possible
//   block     up to TP_BLOCK_EVENTS ordered events of one generation
//
//                 any worker, any order            one unit after the other, in file order
//   unit ──▶ work(unit) -> unit state, buffer ──▶ commit(file state, unit state, buffer)
//
//   block* ──▶ fold(block, unit state) ──▶ ... ──▶ commit(file state, unit state)
//              consecutive blocks, some or all of a generation, one after the other,
//              on any worker, make a partial; partials are committed in order
//
//   per input:  open ─ commit* / generation* ─ finish         (in this order)
//   per run:    begin; for sinks with one output for all inputs, `finish` of each input in
//               input order, or `refuse` instead of it; then end
//
// State belongs to a unit, an input or the run, never to a worker, so the output does not
// depend on the number of workers. Hooks of one input never run at the same time, except
// `work`, and the hooks of folding for different units.
//
// Failures of a hook: an error of TP_CLASS_INPUT fails the input for this sink; the run goes on and
// exits with 1, and the bytes written so far are kept. An error of TP_CLASS_BOUND does the same,
// but the run exits with 3, and an output of this input alone is not kept. TP_CLASS_HOST fails the
// run.
#ifndef TP_SINK_SINK_H
#define TP_SINK_SINK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"
#include "base/text/opts.h"
#include "base/text/screen.h"
#include "base/text/path_group.h"
#include "base/time/zone.h"
#include "base/writer.h"
#include "decode/decoder.h"
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

// Kinds of units that a sink asks for.
enum tp_unit_kind { TP_UNIT_SEGMENT, TP_UNIT_FRAME, TP_UNIT_BLOCK };

// The facts about an input that are known before its first unit. Constant from then on.
struct tp_input_info {
    const char *path;  // as the user named it
    bool is_baseline;  // others are compared with it
    struct tp_format format;
    bool is_text_form;
};

// Places of damage with details; later ones are only counted.
#define TP_DAMAGE_KEPT 16

// The result of reading an input; complete when `finish` is called.
struct tp_input_report {
    uint64_t stored_bytes;     // as read, before decompression
    uint64_t read_count;       // number of reads for stored_bytes
    uint64_t stream_bytes;     // wire form: after decompression and text encoding
    // stream = batch + structural + lost + opaque + passed
    uint64_t batch_bytes;
    uint64_t structural_bytes;
    uint64_t lost_bytes;
    uint64_t opaque_bytes;
    uint64_t passed_bytes;     // outside the time window; at most batch headers of these were read
    uint64_t damage_count;     // places; the first TP_DAMAGE_KEPT are in `damage`
    struct tp_damage damage[TP_DAMAGE_KEPT];
    struct tp_error error;     // why reading ended early; code 0: it did not
    uint64_t order_loss_count; // generations whose events were not all put in order
    uint64_t unordered_bytes;  // of the events that were not, as far as these bytes are known
    uint64_t unknown_id_count; // events put in order whose stacks or strings are missing
    uint64_t doubt_count;      // events that contradict others and were believed; nothing is lost
    struct tp_clock_doubt clock_doubt; // of the generations put in order; before tp_clock_doubt_end
    struct tp_beginning begin;         // of a trace that was put in order
};

// A unit, valid during the call of the hook.
struct tp_unit {
    const struct tp_input_info *input;
    uint64_t offset;         // of `bytes` in the stream
    struct tp_span bytes;
    // The extents that make up `bytes`, one after the other; segments only.
    const struct tp_extent *extents;
    size_t extent_count;
    const struct tp_block *block; // blocks only: the events; `bytes` is empty
    const struct tp_beginning *begin; // blocks only: the beginning of the trace, not of the window
};

// The most bytes of a picture that its viewer opens: it needs two to four times as much memory, and a
// browser gives it 2 GB.
#define TP_VIEWER_MAX_BYTES UINT64_C(500000000)
// A picture that has more. A plain value; all 0: it has not.
struct tp_large_picture {
    uint64_t bytes;      // before compression, as the others
    uint64_t proc_bytes; // without the tracks of goroutines
    int64_t fits_ns;     // the time since the trace's beginning up to which it would fit
};

// Findings of a sink in an input beyond those of the scan: batches whose framing is sound and whose
// body does not decode, and events that its output format has no place for. They are reported with
// the input, but do not make it damaged, because that must not depend on the sinks.
struct tp_sink_notes {
    uint64_t undecoded_bytes;
    uint64_t undecoded_batches;
    uint64_t first_offset;     // of the first byte that did not decode
    uint64_t omitted_events;  // that the output format has no place for
    enum tp_clock_doubt_kind clock_doubt; // about the times that the figures are computed from
    double doubt_ns;                      // by how much these times are off
    bool includes_doubtful;               // the figures are shown all the same
    bool has_wrapped;                     // a sum of durations passed 2^63 ns, as Go's would
    uint64_t selected_count;   // of a plan that `selects`: events or spans
    uint64_t cut_texts;        // strings and stacks longer than the output format allows
    struct tp_large_picture large; // set by `finish`
};

// Adds the notes of later bytes of the input to those of earlier bytes.
TP_INLINE void tp_sink_notes_add(struct tp_sink_notes *into, const struct tp_sink_notes *from)
{
    if (into->undecoded_batches == 0)
        into->first_offset = from->first_offset;
    into->undecoded_bytes += from->undecoded_bytes;
    into->undecoded_batches += from->undecoded_batches;
    into->omitted_events += from->omitted_events;
    into->cut_texts += from->cut_texts;
    into->selected_count += from->selected_count;
    into->has_wrapped = into->has_wrapped || from->has_wrapped;
    if (into->clock_doubt == TP_CLOCK_DOUBT_NONE) {
        into->clock_doubt = from->clock_doubt;
        into->doubt_ns = from->doubt_ns;
        into->includes_doubtful = from->includes_doubtful;
    }
}

// Notes that the bytes of batch `x` after its first `used_bytes` do not decode.
TP_INLINE void tp_sink_note_undecoded(struct tp_sink_notes *notes, const struct tp_extent *x,
                                      size_t used_bytes)
{
    tp_sink_notes_add(notes, &(struct tp_sink_notes){.undecoded_bytes = x->len_bytes - used_bytes,
                                                     .undecoded_batches = 1,
                                                     .first_offset = x->offset + used_bytes});
}

// The options that decide what is read of an input, so that commands which a sink prints read the
// same. A flag without a value is given as "yes". X(OPTION, name, whether it belongs to the time window)
#define TP_READING_OPTIONS(X)        \
    X(FREQUENCY, "frequency", false) \
    X(BINARY, "binary", false)       \
    X(SALVAGE, "salvage", false)     \
    X(STRICT, "strict", false)       \
    X(TZ, "tz", true)                \
    X(FROM, "from", true)            \
    X(TO, "to", true)                \
    X(EXACT, "exact", true)
enum tp_reading_option {
#define TP_X(option, name, is_of_window) TP_READING_##option,
    TP_READING_OPTIONS(TP_X)
#undef TP_X
    TP_READING_OPTION_COUNT
};

// Arguments common to all hooks. Hooks of units and of folding have only `config`, `strict`, the
// unit state, the buffer and the index of the input.
struct tp_sink_call {
    const void *config;      // the sink's options, config_bytes
    bool strict;
    bool has_colour;         // text output is to have colour
    uint64_t limit_bytes;    // memory bound of the whole run; 0: not given
    uint64_t frequency;      // clock units per second for traces that lack them; 0: not given
    struct tp_screen screen; // for which text for people is laid out
    bool wants_all;          // text for people has everything, whatever the screen is
    const struct tp_zone *zone; // of times of day in text for people; NULL: UTC
    const struct tp_path_group *group; // names of hosts in paths; NULL: each input is a host
    // By enum tp_reading_option, as the user gave them; NULL: not given. Borrowed for the run.
    const char *const *reading;
    void *run_state;         // run_state_bytes, zeroed at start
    void *input_state;       // in hooks of an input
    void *unit_state;        // in hooks of units and of folding, and in commit
    // Index of the input in the run; in hooks of an input, of units (except init and fini) and of
    // folding.
    size_t input_index;
    // In hooks of an input: the bytes that its state may take, without input_state_bytes; the rest
    // of the memory for such states is taken by states of the run and of other sinks. A sink that
    // has hooks `grown_bytes` fails with TP_E_LIMIT rather than take more.
    uint64_t left_bytes;
    struct tp_buf *buf;      // of the unit, with unit_output_bytes; in work and commit
    // Where this sink's bytes go. Set in hooks of an input and of the run; all hooks of one input
    // get the same pointer.
    struct tp_out *out;
    struct tp_sink_notes *notes; // of this input; in commit, generation, finish
    const struct tp_error *failure; // in finish, with finishes_failed; NULL: it did not fail
};

// Writes the unit's buffer to call->out; for `commit`. Fails as `out` does.
TP_INLINE int tp_sink_put_buf(const struct tp_sink_call *call, struct tp_error *err)
{
    return tp_out_put(call->out, tp_span_of(call->buf->ptr, call->buf->len_bytes), err);
}

// Figures of the whole run, for sinks that report its cost.
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

// HOOKS
//
// There are four groups of hooks; a sink sets the hooks that it needs. Every hook may be NULL.

// Hooks of units. A unit state is zeroed once, reused for many units, and ended once by `fini`.
struct tp_unit_hooks {
    int (*init)(const struct tp_sink_call *call, struct tp_error *err);
    void (*fini)(void *unit_state);
    int (*work)(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err);
};

// Hooks of sinks of TP_NEED_FOLD, which must set `begin` and `fold`.
struct tp_fold_hooks {
    // Empties the unit state for a new partial. Called once more when the unit is given back, so
    // that the state releases its tables.
    void (*begin)(const struct tp_sink_call *call);
    // Adds a block to the partial; must not keep the block. A block with facts may have no events.
    // Only `commit` knows what came before the partial, so `fold` must not use parent and name of a
    // task's end: whether the order knows them depends on how the input was cut up. The unit given
    // to `commit` is empty.
    int (*fold)(const struct tp_sink_call *call, const struct tp_block *block,
                struct tp_error *err);
    // Approximate bytes of the state beyond unit_state_bytes. Called after each block: a partial
    // ends when they exceed unit_extra_bytes, and a speculation is given up when they exceed its
    // share of the memory plan's order_state_bytes.
    size_t (*grown_bytes)(const void *unit_state);
};

// Hooks of an input, in the order in which they are called. The input state is zeroed before
// `open`; `fini` is always called at the end. Arguments are valid during the call, except the
// struct tp_input_info, which lives until `fini` returns.
struct tp_input_hooks {
    int (*open)(const struct tp_sink_call *call, const struct tp_input_info *input,
                struct tp_error *err);
    int (*commit)(const struct tp_sink_call *call, const struct tp_unit *unit,
                  struct tp_error *err);
    // Called when a generation is complete, after the commit of its last segment. Only for
    // sinks of TP_UNIT_SEGMENT.
    int (*generation)(const struct tp_sink_call *call, const struct tp_generation *generation,
                      struct tp_error *err);
    // Takes all bytes of an input of TP_KIND_STATE, which has no units; called before `finish`.
    // Not called if the input could not be read to its end: the report given to `finish` says so.
    // The bytes are a mapping (base/alloc.h); with `is_last` no other sink gets them, so the hook may
    // give its pages back.
    int (*take_state)(const struct tp_sink_call *call, struct tp_span bytes, bool is_last,
                      struct tp_error *err);
    int (*finish)(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err);
    // Sinks of TP_OUTPUT_FOR_ALL only: called instead of `finish`, in input order, for an input
    // that gives this sink no result, whether `open` was called or not. The input's format may
    // be unknown; `why` always has a code and a text.
    int (*refuse)(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_error *why, struct tp_error *err);
    void (*fini)(void *input_state);
    // Approximate bytes of the state beyond input_state_bytes, for states that grow with the
    // input. Called after each commit of a block: while much memory is taken, younger inputs wait.
    size_t (*grown_bytes)(const void *input_state);
};

// Hooks of the run. `begin` is called before the first input, `end` after the last one, unless the
// run has failed, `fini` always.
struct tp_run_hooks {
    int (*begin)(const struct tp_sink_call *call, struct tp_error *err);
    int (*end)(const struct tp_sink_call *call, const struct tp_run_figures *figures,
               struct tp_error *err);
    void (*fini)(const struct tp_sink_call *call);
    // Writes the run state as an input of TP_KIND_STATE, which `take_state` reads, so that a later run
    // may begin with it; called between inputs. NULL: such a run would not print the same.
    int (*save)(const struct tp_sink_call *call, struct tp_error *err);
    // Approximate bytes of the state beyond run_state_bytes; called after each input.
    size_t (*grown_bytes)(const void *run_state);
};

// PLAN

// The last stage of the pipeline that a sink needs. TP_NEED_FOLD is for sinks that fold ordered
// events into a partial: the pipeline calls `fold` with consecutive blocks instead of `work`. If
// all sinks of ordered events are of that kind, several workers put generations in order at once.
enum tp_need { TP_NEED_READ, TP_NEED_SCAN, TP_NEED_UNITS, TP_NEED_FOLD };

// Outputs of a sink, and the hooks that write them.
enum tp_output_kind {
    TP_OUTPUT_PER_INPUT, // one for each input, written by all hooks of the input
    TP_OUTPUT_FOR_ALL, // one for all inputs, written by `finish`, `refuse` and the run's hooks
    TP_OUTPUT_IN_TURN, // one for all inputs, written by all hooks, one input after the other
    TP_OUTPUT_NONE,    // the sink writes nothing; `finish` is called in input order
};

// The text `selects_by` of sinks with an option `function`. Reports name some goroutines by another function.
#define TP_SELECTS_BY_FUNCTION " (function: the one with which a goroutine starts, not one that it calls)"

// The properties and needs of a sink with given options. Constant during the run.
struct tp_sink_plan {
    const char *suffix; // of outputs named by the pipeline
    enum tp_need need;
    enum tp_unit_kind unit_kind; // with TP_NEED_UNITS and TP_NEED_FOLD
    enum tp_event_model model;   // of its blocks
    enum tp_output_kind output;
    unsigned accepts; // set of enum tp_input_kind
    bool compares; // it gets the inputs of a baseline, too
    bool only_compares; // it has no output without one
    // Its output must not go to a terminal. Its `end` is called before those of sinks of text, and
    // leaves an equal run state as it is.
    bool is_binary;
    // Its output has texts of traces as they are; what is not safe on a terminal is escaped there.
    bool has_texts_as_they_are;
    bool replaces_traces; // its output is as good as a trace: with `force` it replaces one
    // The sink imitates a reader. With `strict` it alone then decides whether an input is valid, as
    // that reader does.
    bool has_reference;
    // `finish` is called for failed inputs, too, which stay failed; not for inputs that failed
    // for lack of memory (TP_E_TOO_LARGE).
    bool finishes_failed;
    // Options select what is written, and the notes count it: the run warns if they select nothing. The
    // warning ends with `selects_by`, which says by what they select where that is easily mistaken; or NULL.
    bool selects;
    const char *selects_by;
    bool wants_cpu_time; // figures.scan_cpu_ns and work_cpu_ns
    unsigned tracks;     // blocks have these facts: set of enum tp_track_want; 0: none, no spans either
    bool fold_is_cheap;  // cheaper than handing a block to another worker
    size_t unit_state_bytes;
    size_t input_state_bytes;
    size_t run_state_bytes;
    size_t unit_output_bytes; // limit of the bytes that `work` puts into the buffer; 0: no buffer
    size_t unit_extra_bytes;  // memory of a unit beside state and buffer: codecs, partials
    struct tp_unit_hooks unit;
    struct tp_fold_hooks fold;
    struct tp_input_hooks input;
    struct tp_run_hooks run;
};

// The constant table of a sink.
struct tp_sink_def {
    const char *name;
    const char *summary; // one line, for --help
    const struct tp_opt_spec *options;
    size_t config_bytes;
    const void *defaults; // the config before options are parsed, config_bytes; NULL: zeroes
    // Called after the options are parsed. Fails with TP_E_USAGE if two options exclude each
    // other. May be NULL.
    int (*check)(const void *config, struct tp_error *err);
    // Called after `check`. Sets all members of the plan.
    void (*plan)(const void *config, struct tp_sink_plan *plan);
    // Returns whether sinks with these options have equal run states at the end. The second one
    // then has no hooks but the run's `end`, which gets the run state of the first one. Sinks of
    // text that share a state get what an earlier one left of it. Only for sinks of
    // TP_OUTPUT_FOR_ALL or TP_OUTPUT_NONE without `begin`. The other config is that of the same sink
    // or, for a sink of text, of one with the same hook `finish`. NULL: they never have.
    bool (*has_equal_state)(const void *config, const void *other_config);
};

// Returns whether the sink reads inputs of this format.
TP_INLINE bool tp_sink_accepts(const struct tp_sink_plan *plan, const struct tp_format *format)
{
    return (plan->accepts & format->decoder->kind) != 0;
}

// All built-in sinks, the default one first; NULL ends the array.
extern const struct tp_sink_def *const tp_sinks[];
// Returns the built-in sink with this name, a constant; NULL: there is none.
const struct tp_sink_def *tp_sink_find(const char *name, size_t name_bytes);

#endif
