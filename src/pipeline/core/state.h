// The structs that the parts of the pipeline share, and who may touch what.
//
//   engine thread            ingest strand               worker         commit strand
//   stored chunks ─▶ inbox ─▶ plain ─▶ wire ─▶ scan ─▶ units ─▶ work ─▶ commit ─▶ out
//                             (stream.c)     (ingest.c)  (unit.c)       (commit.c)
//
// The last step of an input, its turn (input_order.c), runs in input order: it sends messages,
// adds the manifest entry and finishes the sinks that have one output for all inputs.
#ifndef TP_PIPELINE_CORE_STATE_H
#define TP_PIPELINE_CORE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/pool.h"
#include "base/ring.h"
#include "decode/decoder.h"
#include "decode/wiretext.h"
#include "io/inflate.h"
#include "io/out.h"
#include "io/source.h"
#include "io/walk.h"
#include "pipeline/core/budget.h"
#include "pipeline/core/chunk_pool.h"
#include "pipeline/core/page_pool.h"
#include "pipeline/core/settings.h"
#include "pipeline/core/wake.h"
#include "pipeline/order/ordering.h"
#include "pipeline/read/state_input.h"
#include "sink/sink.h"
#include "tracepipe/tracepipe.h"

// Most inputs that are admitted and not yet past their turn.
#define TP_ACTIVE_MAX 64

struct tp_user_sink;

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

enum tp_stage_status { TP_STAGE_OK, TP_STAGE_WAIT, TP_STAGE_END };

// Contiguous bytes in a chunk (or its headroom).
struct tp_piece {
    struct tp_chunk *chunk;    // NULL: none
    struct tp_span bytes;
};

// One stage that turns bytes into others: a decompressor or the text encoder.
// Both have the same step (inflate.h, wiretext.h).
typedef int (*tp_transform_fn)(void *ctx, struct tp_span *in, bool at_end, unsigned char *out,
                               size_t out_bytes, size_t *ret_made, bool *ret_done,
                               struct tp_error *err);

struct tp_transform {
    tp_transform_fn step;      // NULL: bytes pass through
    void *ctx;
    struct tp_piece input;     // being consumed
    bool input_ended;
    bool ended;
    struct tp_chunk *filling;  // output
};

// Turns stored bytes into wire bytes. Ingest strand only, but for the first four members, which
// the engine writes, too.
struct tp_stream {
    struct tp_ring *inbox;         // stored chunks from the engine; kept for reuse
    _Atomic unsigned stored_count; // chunks taken by the engine and not consumed yet
    _Atomic bool engine_ended;     // no chunk follows those in the inbox
    struct tp_error engine_error;  // written before engine_ended
    struct tp_transform inflate;
    struct tp_transform encode;
    enum tp_codec codec;
    bool codec_known;
    bool text_known;
    bool is_text;
    struct tp_piece stored_head;   // first stored bytes, until the codec is detected
    struct tp_piece plain_head;    // first plain bytes, until the text form is detected
    uint64_t reserved_bytes;       // taken from the budget for all decoders
    uint64_t inflate_bytes;        // part of reserved_bytes that is for `inflate`
    uint64_t stored_bytes;
    struct tp_digest *digest;      // NULL: not wanted
    struct tp_error error;         // first failure of any stage; ends the stream
};

// The state of one sink for one input. Commit strand.
struct tp_input_sink {
    void *state;
    struct tp_outfile *file;   // own output; NULL: shared, or none
    char *path;                // of the own output; owned; NULL if shared
    bool opened;
    bool has_output;           // the sink's output for this input is kept
    bool failed;               // failed for this input; `error` says how
    uint64_t written_bytes;
    struct tp_account_share share; // of `state` in the run's `grown`
    struct tp_sink_notes notes;
    struct tp_error error;
};

// One input between admission and its turn.
struct tp_input_run {
    struct tp_run *run;
    struct tp_input_wake wake;
    const struct tp_input *input;
    size_t index;              // in the list, and the rank
    struct tp_source_file file;
    int reread_fd;             // owned, while live; -1: it cannot be read again (reread_file.h)
    uint64_t reread_bytes;     // size of that file when it was opened
    uint64_t engine_begin;     // file offset at which the engine began to read
    // Owned; ingest strand. NULL: the engine reads the file.
    struct tp_ingest_headers *ingest_headers;
    uint64_t begin_ns;
    _Atomic size_t pending;    // index + 1 of the input admitted to this slot; 0: none

    struct tp_stream stream;
    struct tp_piece wire;      // not yet cut into extents
    bool wire_ended;
    bool is_cut;               // no extent follows; the engine may still read
    struct tp_scan scan;
    struct tp_scan_marks marks; // of the extent that `scan` gave last
    struct tp_input_info info;  // constant once info_known, as is
    const struct tp_orderer *orderer; // of its events; NULL: the run does not order them
    _Atomic bool info_known;
    struct tp_extent current;  // cut off the wire, not yet handed on whole
    struct tp_span current_bytes;  // of a batch that stays in its file, only the first bytes
    bool has_current;
    uint32_t current_done_bytes[TP_LANES]; // of `current`, per lane
    struct tp_state_input state_input; // ingest until ingest_ended, then commit
    struct tp_input_report report;   // ingest until ingest_ended, then commit
    _Atomic bool ingest_ended;
    _Atomic bool live;         // false: between two inputs; strands do nothing

    struct tp_lane_queue lanes[TP_LANES];
    struct tp_input_sink sinks[TP_SINKS_MAX];
    struct tp_generation generation;
    struct tp_ordering *ordering; // NULL: no sink wants ordered events
    bool sinks_opened;
    bool closed;               // own outputs are complete; only the turn is left
};

struct tp_run {
    struct tp_settings settings;
    struct tp_memory_plan plan;
    struct tp_run_sink sinks[TP_SINKS_MAX];
    size_t sink_count;
    struct tp_user_sink *user_sinks[TP_SINKS_MAX]; // what the program registered; owned
    size_t user_sink_count;
    struct tp_event_count *puller; // sleeps until blocks come; NULL: the sinks take them
    struct tp_symbols *symbols; // of settings.binary; NULL: none was given
    enum tp_event_model model;  // of the events in blocks
    struct tp_input_list inputs;
    bool many_inputs;          // outputs per input go to folders
    bool needs_scan;
    bool needs_commit_turn;    // a per-input sink writes a shared output
    tp_message_fn on_message;
    void *message_ctx;

    struct tp_source *source;
    struct tp_pool *pool;
    struct tp_budget budget;
    struct tp_chunk_pool chunks;
    struct tp_page_pool pages;     // for ordering
    struct tp_account grown;       // memory that grows with the inputs and is not in `plan`
    struct tp_lane lanes[TP_LANES];
    _Atomic unsigned ordering_count; // generations being put in order
    _Atomic unsigned speculating_count; // generations being put in order before their turn
    _Atomic unsigned in_file_count; // pending generations whose events stay in their files
    _Atomic bool source_starved;   // the engine was refused a chunk and waits for one

    // Admission and turns.
    struct tp_step admission;
    bool begun;                    // shared outputs are open; admission strand
    // By index % TP_ACTIVE_MAX. Made when first needed and then reused, never
    // freed before the run: a late post to a strand is harmless that way.
    _Atomic(struct tp_input_run *) active[TP_ACTIVE_MAX];
    size_t active_max;             // at most TP_ACTIVE_MAX; fewer if files are scarce
    size_t next_index;             // to admit; admission strand
    _Atomic size_t turn;           // oldest input not past its turn
    struct tp_outfile *manifest;
    struct tp_sweep sweep;         // folders of outputs that were swept
    bool manifest_begun;

    struct tp_outcome outcome;
    int end_fd;                    // eventfd: the run is over
    bool started;
    _Atomic bool over;
    uint64_t start_ns;

    struct tp_run_figures figures; // filled at the end; rule_counts with each turn
    _Atomic uint64_t scan_cpu_ns;
    _Atomic uint64_t work_cpu_ns;
    _Atomic uint64_t order_cpu_ns;
    bool wants_cpu_time;
    _Atomic uint64_t stored_total_bytes;
    _Atomic uint64_t stat_total_bytes;
    uint64_t stream_total_bytes;   // turn
};

TP_INLINE enum tp_rank tp_rank_of(const struct tp_input_run *in)
{
    return atomic_load_explicit(&in->run->turn, memory_order_seq_cst) == in->index
               ? TP_RANK_OLDEST
               : TP_RANK_YOUNGER;
}

// Call when the ingest strand of `in` was refused memory: the thread that gives memory back posts
// the strand. For that, the flag here and all state that a refusal reads and a release writes
// (budget, turn, commit_count) are sequentially consistent or under a lock.
TP_INLINE enum tp_stage_status tp_starve(struct tp_input_run *in)
{
    atomic_store_explicit(&in->wake.ingest_starved, true, memory_order_seq_cst);
    return TP_STAGE_WAIT;
}

// Whether a worker is free for more work: each generation that is being put in order or
// speculated occupies one worker.
TP_INLINE bool tp_run_has_spare_worker(const struct tp_run *run)
{
    return atomic_load_explicit(&run->ordering_count, memory_order_relaxed) +
               atomic_load_explicit(&run->speculating_count, memory_order_relaxed) <
           run->plan.worker_count;
}

TP_INLINE bool tp_run_is_stopping(const struct tp_run *run)
{
    return atomic_load_explicit(&run->outcome.is_stopping, memory_order_relaxed);
}

#endif
