// Ordering of one input: generations collected by the ingest strand are put in order
// by the order strand, block after block, into units of the lane of blocks.
//
//   ingest strand                       any worker      order strand
//   extents ─▶ collect.c ─▶ pending ────▶ prepare ─────▶ ordering.c ─▶ blocks ─▶ unit.c
//                           at most TP_PENDING_MAX   (speculate.c)
//
// The next generation is collected and its tables are built while one is ordered.
//
// An older trace is one generation, so a single worker puts all of it in order. Where its sinks
// fold and there are other workers, it gathers blocks in a unit, which one of these folds.
#ifndef TP_PIPELINE_ORDERING_H
#define TP_PIPELINE_ORDERING_H

#include "base/account.h"
#include "base/strand.h"
#include "merge/order/sequence.h"
#include "merge/tables/clock_doubt.h"
#include "merge/v1/legacy_events.h"
#include "pipeline/pending.h"
#include "pipeline/window.h"

struct tp_run;

// Generations of one input that may be held; how many are says speculate.h. At least
// three: one being ordered, one ready, one being collected.
#define TP_PENDING_MAX 18
#define TP_ORDER_LOSSES_KEPT 16
// For the batches of one generation (see admission.c, which says why this much).
#define TP_BATCH_LISTS_MAX_BYTES TP_MIB(16)

// What is wrong with a generation whose events were handed out all the same, as far
// as they go.
struct tp_order_loss {
    uint64_t generation;
    uint64_t lost_bytes;       // of event batches, not handed out
    uint64_t forced_count;     // events that follow from nothing seen before
    uint64_t unknown_id_count; // events with stacks or strings that are missing
    struct tp_error error;     // Go's reason, if it has one; else code 0
    bool is_of_tables;         // the reason is about its tables, not its events
};

struct tp_order_report {
    uint64_t event_count;
    // Elided by the window: events put in order that are before and behind it, and in its
    // last generation those behind that nobody looked at.
    uint64_t before_count;
    uint64_t behind_count;
    uint64_t behind_bytes;
    uint64_t loss_count;   // the first TP_ORDER_LOSSES_KEPT are in `losses`
    uint64_t lost_bytes;
    struct tp_order_loss losses[TP_ORDER_LOSSES_KEPT];
    struct tp_doubts doubts; // of what nothing is lost
    // The first generation whose times rest on a frequency that is not its own.
    enum tp_clock_source clock_source;
    uint64_t clock_generation;
    uint64_t clock_frequency;
    // Of an older trace whose frames are PCs alone, with --binary: how many there are, and
    // how many of them the program has.
    uint64_t pc_count;
    uint64_t known_pc_count;
};

struct tp_ordering {
    struct tp_input_run *in;   // constant
    // Ingest strand.
    struct tp_pending *open;   // being collected
    struct tp_pending *pending; // perhaps before the window
    struct tp_window window;   // resolved with the first generation; ingest until put
    uint64_t passed_count;     // generations outside the window
    uint64_t header_bytes;     // read to find the window, besides the stream
    bool is_bounded;           // the stream ends with the window
    bool is_cut;               // nothing more is taken: Go's reader stops here,
    bool is_past_window;       // or the window ends
    bool after_loss;           // something is missing before the next generation
    uint64_t last_frequency;
    uint64_t opened_count;
    // The ingest strand waits for pages or for a generation to be done. Not in->starved: it
    // would be woken for every block.
    _Atomic bool ingest_starved;

    // From the ingest strand to the order strand.
    struct tp_pending *queue[TP_PENDING_MAX];
    _Atomic uint64_t put_count;
    _Atomic uint64_t done_count;
    // When the last event of a held generation comes, about; INT64_MAX: not known yet.
    _Atomic int64_t end_ns[TP_PENDING_MAX];
    _Atomic unsigned wrong_count; // speculations in a row that came to nothing
    _Atomic uint64_t given_up_count; // that did so before the proof
    struct tp_error end_error; // with strict: what follows the last generation
    _Atomic bool is_collected; // written after the two above: none follows

    // Order strand.
    struct tp_strand strand;
    struct tp_task task;
    _Atomic bool starved;      // it waits for a unit
    _Atomic bool stands_back;  // it waits for its turn, or for others to hold less
    uint64_t cpu_mark_ns;      // of the thread that runs it
    struct tp_clock_doubt doubt;
    struct tp_sequencer sequencer;
    struct tp_v1_sequence old_sequence; // of a trace from before Go 1.22,
    struct tp_legacy_events legacy_events; // or this, where the run shows them
    struct tp_pending *current; // being ordered
    struct tp_account_share share; // of the run's `grown`: states, cursors
    struct tp_order_loss loss; // of `current`, so far
    bool is_broken;            // with strict: the events end here
    bool is_over;              // the window ends here
    uint64_t proof_count;      // of what was speculated
    uint64_t right_count;      // that were taken over
    struct tp_order_report report; // then of the commit strand
    _Atomic bool is_ended;     // no block follows
};

// collect.c. Made with the slot of the input, before others can see it. False: out of
// memory.
bool tp_ordering_create(struct tp_input_run *in) TP_MUST_USE;
void tp_ordering_init(struct tp_input_run *in);   // for each input
void tp_ordering_reset(struct tp_input_run *in);  // between inputs
// Ingest strand. WAIT: memory; come again with the same extent.
enum tp_hold_status tp_collect_extent(struct tp_input_run *in, const struct tp_extent *x,
                                      struct tp_span bytes);
void tp_collect_end(struct tp_input_run *in);
// How fast the clock of a complete generation runs, and who says so. `last_frequency`
// is that of the last generation before it that says so itself; 0: none did.
enum tp_clock_source tp_collect_clock(const struct tp_input_run *in, const struct tp_generation *g,
                                      uint64_t last_frequency, uint64_t *ret_frequency);
// Nobody wants to know what is outside the window.
bool tp_collect_is_alone(const struct tp_input_run *in);
// Nor is there more of the window.
bool tp_collect_is_all_read(const struct tp_input_run *in);
bool tp_collect_is_starved(const struct tp_input_run *in);
// Pages came back, or a generation is done: wakes the fronts that wait for that.
void tp_collect_kick(struct tp_run *run);

// ordering.c
void tp_ordering_run(struct tp_task *task);
void tp_ordering_post(struct tp_input_run *in);
// In the place of the strand, for the puller (pull.h), which must have retired the block
// before: the next one. NULL: something is missing, or the events have ended; a post
// tells when to look again.
struct tp_slot *tp_ordering_pull(struct tp_input_run *in);

#endif
