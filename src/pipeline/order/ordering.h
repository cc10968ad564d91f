// Ordering of one input: generations collected by the ingest strand are put in order
// by the order strand, block after block, into units of the lane of blocks.
//
//   ingest strand                       any worker      order strand
//   extents ─▶ collect.c ─▶ pending ────▶ prepare ─────▶ ordering.c ─▶ blocks ─▶ unit.c
//                           at most TP_PENDING_MAX   (speculate.c)
//
// The next generation is collected and its tables are built while one is ordered.
//
// An older trace is one generation, so a single worker puts all of it in order. If the sinks fold
// and another worker is free, it gathers blocks in a unit, which the other worker folds.
#ifndef TP_PIPELINE_ORDER_ORDERING_H
#define TP_PIPELINE_ORDER_ORDERING_H

#include "base/account.h"
#include "merge/tables/clock_doubt.h"
#include "pipeline/order/pending.h"
#include "pipeline/order/window.h"

struct tp_run;

// Most pending generations of one input; speculate.h says how many a run allows. At least
// three: one being ordered, one ready, one being collected.
#define TP_PENDING_MAX 18
#define TP_ORDER_LOSSES_KEPT 16

// What is wrong with a generation whose events were handed out all the same, as far
// as they go.
struct tp_order_loss {
    uint64_t generation;
    uint64_t lost_bytes;       // of event batches, not handed out
    uint64_t forced_count;     // events that follow from nothing seen before
    uint64_t unknown_id_count; // events with stacks or strings that are missing
    struct tp_error error;     // Go's reason, if it has one; else code 0
    bool is_of_tables;         // `error` is about the tables, not the events
};

struct tp_order_report {
    uint64_t event_count;
    // Elided by the window: events put in order that are before and after it, and bytes of its
    // last generation that were never handed out as events.
    uint64_t before_count;
    uint64_t behind_count;
    uint64_t behind_bytes;
    uint64_t loss_count;   // the first TP_ORDER_LOSSES_KEPT are in `losses`
    uint64_t lost_bytes;
    struct tp_order_loss losses[TP_ORDER_LOSSES_KEPT];
    struct tp_doubts doubts; // events that were believed; nothing is lost
    // The first generation whose times rest on a frequency that is not its own.
    enum tp_clock_source clock_source;
    uint64_t clock_generation;
    uint64_t clock_frequency;
    // With --binary, for an older trace whose frames are only PCs: the number of PCs, and of
    // those that the program has.
    uint64_t pc_count;
    uint64_t known_pc_count;
};

struct tp_ordering {
    struct tp_input_run *in;   // constant
    // Ingest strand.
    struct tp_pending *open;   // being collected
    struct tp_pending *pending; // kept back: it may be before the window
    struct tp_window window;   // resolved with the first generation; ingest until put
    uint64_t passed_count;     // generations outside the window
    uint64_t header_bytes;     // read to find the window, besides the stream
    bool is_bounded;           // the stream ends with the window
    bool is_cut;               // no more extents are collected: Go's reader stops here,
    bool is_past_window;       // or the window ends
    bool after_loss;           // something is missing before the next generation
    uint64_t last_frequency;
    uint64_t opened_count;

    // From the ingest strand to the order strand.
    struct tp_pending *queue[TP_PENDING_MAX];
    _Atomic uint64_t put_count;
    _Atomic uint64_t done_count;
    // Approximate time of the last event of a queued generation; INT64_MAX: not known yet.
    _Atomic int64_t end_ns[TP_PENDING_MAX];
    _Atomic unsigned wrong_count; // consecutive speculations that failed
    _Atomic uint64_t given_up_count; // speculations given up before their check
    struct tp_error end_error; // error after the last generation; code 0: none
    _Atomic bool is_collected; // no generation follows; written after put_count and end_error

    // Order strand.
    uint64_t cpu_mark_ns;      // of the thread that runs it
    struct tp_clock_doubt doubt;
    struct tp_order_state order;
    struct tp_pending *current; // being ordered
    struct tp_account_share share; // of states and cursors in the run's `grown`
    struct tp_order_loss loss; // of `current`, so far
    bool is_broken;            // with strict: the events end here
    bool is_over;              // the window ends here
    uint64_t check_count;      // speculations whose assumptions were checked
    uint64_t right_count;      // speculations that were taken over
    struct tp_order_report report; // then of the commit strand
    _Atomic bool is_ended;     // no block follows
};

// collect.c. Made with the slot of the input, before others can see it. False: out of
// memory.
bool tp_ordering_create(struct tp_input_run *in) TP_MUST_USE;
void tp_ordering_init(struct tp_input_run *in);   // for each input
void tp_ordering_reset(struct tp_input_run *in);  // between inputs
// Ingest strand. Collects an extent. WAIT: no memory now; call again with the same extent.
enum tp_hold_status tp_collect_extent(struct tp_input_run *in, const struct tp_extent *x,
                                      struct tp_span bytes);
void tp_collect_end(struct tp_input_run *in);
// Sets the clock units per second of a complete generation and returns their source.
// `last_frequency` is that of the last earlier generation with one of its own; 0: none.
enum tp_clock_source tp_collect_clock(const struct tp_input_run *in, const struct tp_generation *g,
                                      uint64_t last_frequency, uint64_t *ret_frequency);
// Whether only the order uses the input's bytes: no other lane or digest needs what is outside
// the window.
bool tp_collect_is_alone(const struct tp_input_run *in);
// Whether, besides, the stream is past the window.
bool tp_collect_is_all_read(const struct tp_input_run *in);

// ordering.c
void tp_ordering_step(struct tp_input_run *in);
// Replaces the order strand for the puller (pull.h), which must have retired the block before:
// the next block. NULL: something is missing, or the events have ended; tp_wake_order wakes
// the puller to call again.
struct tp_slot *tp_ordering_pull(struct tp_input_run *in);

#endif
