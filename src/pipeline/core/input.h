// Defines an input between its admission (run/admission.h) and its turn (run.h): the state that its
// strands share. The state of a single strand is behind a pointer, and only the files of that
// strand know its struct.
//
//   engine thread            ingest strand              worker         commit strand
//   stored chunks ─▶ inbox ─▶ plain ─▶ wire ─▶ scan ─▶ units ─▶ work ─▶ commit ─▶ out
//                        (read/stream.c)  (read/ingest.c)  (core/unit.c)  (commit/commit.c)
//
// If sinks want events in order, the order strand stands between the ingest strand and the workers
// (order/ordering.h).
#ifndef TP_PIPELINE_CORE_INPUT_H
#define TP_PIPELINE_CORE_INPUT_H

#include <stdatomic.h>

#include "base/account.h"
#include "base/digest.h"
#include "io/inflate.h"
#include "io/reread_file.h"
#include "io/walk.h"
#include "pipeline/core/lane.h"
#include "pipeline/core/order_report.h"
#include "pipeline/core/wake.h"
#include "sink/sink.h"

struct tp_commit;
struct tp_ingest;
struct tp_order_queue;

// The bytes of an input that is a state (totals of an earlier run as bytes), which sinks take as a
// whole. The ingest strand gathers the bytes (read/state_input.h); the commit strand hands them
// over and frees them.
struct tp_state_input {
    struct tp_buf buf;        // ptr is NULL while there are no bytes
    struct tp_account_share share; // of `buf` in the run's `grown`
};

// Facts about the stored bytes of an input: the bytes that the engine reads, before decompression.
struct tp_stored {
    enum tp_codec codec;
    struct tp_digest *digest;  // for manifest and record; owned; NULL: not wanted
    bool is_past_window;       // the engine was stopped somewhere after the end of the time window
};

// An input, and the slot that it occupies. A slot is reused for later inputs and freed with the
// run (run/input_life.h).
struct tp_input_run {
    struct tp_run *run;
    struct tp_input_wake wake;
    // Set by the ingest strand when it begins an input, cleared by the commit strand after the
    // input's turn. False: the slot has no input, and its strands do nothing.
    _Atomic bool live;

    // Constant while live.
    const struct tp_input *input;
    size_t index;              // in the list of inputs; the lower, the older
    uint64_t begin_ns;         // when the input was begun, by the clock of tp_now_ns
    struct tp_reread_file reread; // not open: the input cannot be read again
    struct tp_input_info info; // constant once info_known is set
    const struct tp_orderer *orderer; // as `info`; NULL: the run orders none of its events
    _Atomic bool info_known;   // set by the ingest strand; never if no byte could be read

    // Used by the ingest strand until it sets ingest_ended, then by the commit strand.
    struct tp_input_report report;
    struct tp_state_input state_input;
    struct tp_stored stored;
    _Atomic bool ingest_ended;

    // The units between the ingest strand (blocks: the order strand) and the commit strand.
    struct tp_lane_queue lanes[TP_LANES];
    // Used by the order strand until it sets ordering_ended, then by the commit strand. Lives
    // and is freed with `order`. NULL: no sink wants ordered events.
    struct tp_order_report *order_report;
    // Cleared by the ingest strand once all other members are ready for the input: until then the
    // order strand, which a thread that served the previous input may still wake, does nothing.
    // True: no block follows, and the report is final.
    _Atomic bool ordering_ended;

    // The state of each strand. Lives as long as the slot.
    struct tp_ingest *ingest;      // ingest strand
    struct tp_order_queue *order;  // ingest and order strand; NULL if order_report is
    struct tp_commit *commit;      // commit strand
};

#endif
