// Records how an input was put in order, for messages, manifest and statistics.
#ifndef TP_PIPELINE_CORE_ORDER_REPORT_H
#define TP_PIPELINE_CORE_ORDER_REPORT_H

#include <stdatomic.h>

#include "base/err.h"
#include "base/time/time_arg.h"
#include "merge/order/doubt.h"
#include "merge/order/order.h"
#include "merge/tables/clock_doubt.h"
#include "merge/tables/generation.h"

// Number of losses that are kept with their details; further losses are only counted.
#define TP_ORDER_LOSSES_KEPT 16

// The source of the clock units per second of a generation.
enum tp_clock_source {
    TP_CLOCK_OWN,    // the generation itself
    TP_CLOCK_BEFORE, // the last earlier generation that gives its own
    TP_CLOCK_GIVEN,  // the user
    TP_CLOCK_USUAL,  // no source: the value of most Go programs is assumed
};

// The loss in a generation that is incomplete or faulty, but whose usable events were handed out.
struct tp_order_loss {
    uint64_t generation;
    uint64_t lost_bytes;       // bytes of event batches that were not handed out as events
    uint64_t forced_count;     // events that were handed out against the rules of order
    uint64_t unknown_id_count; // events whose stacks or strings are missing
    struct tp_error error;     // the reason, that of Go's reader if it has one; code 0: none
    bool is_of_tables;         // `error` is about the tables, not the events
};

// The time window in one input. A plain value.
struct tp_window {
    bool is_set;                 // there is a window, and the other members are set
    int64_t from_ns;             // in ns of the trace; INT64_MIN: from the beginning
    int64_t to_ns;               // INT64_MAX: to the end
    struct tp_time_arg from, to; // as the options give them, times of day with their day
    struct tp_beginning begin;
};

// The place of the time window in an input, and the parts of the input that it left out.
struct tp_window_report {
    struct tp_window place; // set when ordering has ended
    // Counted by the ingest strand.
    uint64_t opened_count; // generations found
    uint64_t passed_count; // generations found that are outside the window
    uint64_t header_bytes; // read to find the window, besides the stream
    int64_t passed_end_ns; // the latest end of generations before the window; 0: there are none
    // Counted by the order strand: ordered events before and after the window, and bytes of the
    // window's last generation that were never handed out as events.
    uint64_t before_count;
    uint64_t behind_count;
    uint64_t behind_bytes;
    int64_t seen_end_ns; // of the first event behind the window, else of the last event put in
                         // order; 0: none was
    bool is_cut;         // the input was not read to its end, because the window ends before it
};

// Counts of speculations (order/speculate.h).
struct tp_speculation_report {
    uint64_t check_count;    // speculations that were checked
    uint64_t right_count;    // checked speculations that were taken over
    uint64_t given_up_count; // speculations that ended before their check
};

// Keys of the first generations that were put in order: equal keys are of equal generations.
#define TP_GENERATION_KEYS_MAX 256
struct tp_generation_keys {
    uint32_t count;
    uint64_t items[TP_GENERATION_KEYS_MAX];
};

// Generations that earlier inputs have, too.
struct tp_shared_generations {
    uint32_t count;
    size_t input_index; // of the earlier input that has the first of them
    const char *path;   // of that input; borrowed
};

// Filled by the order strand, except where a member says otherwise. Reused for later inputs of the
// same slot, and freed with the order queue (order/queue.h).
struct tp_order_report {
    struct tp_beginning begin; // of the input, not of the window; set by the ingest strand
    uint64_t event_count;  // handed out, or folded, in the time window
    uint64_t loss_count;   // the first TP_ORDER_LOSSES_KEPT are in `losses`
    uint64_t lost_bytes;   // of all losses
    uint64_t unknown_id_count; // of all losses
    struct tp_order_loss losses[TP_ORDER_LOSSES_KEPT];
    struct tp_doubts doubts; // events that contradict others and were believed; nothing is lost
    struct tp_clock_doubt clock_doubt; // tp_clock_doubt_end is not called on it
    // About the first generation that does not itself give its clock units per second.
    enum tp_clock_source clock_source; // of clock_frequency; TP_CLOCK_OWN: no such generation
    uint64_t clock_generation;         // the generation's number
    uint64_t clock_frequency;          // the clock units per second that were used instead
    // With --binary, for an older trace whose frames are only PCs: the number of PCs, and how many
    // of them the program has.
    uint64_t pc_count;
    uint64_t known_pc_count;
    struct tp_window_report window;
    struct tp_speculation_report speculation;
    struct tp_generation_keys generation_keys;   // of a trace with generations
    struct tp_shared_generations shared;         // set in the input's turn
    // How often each rule of the order applied, by enum tp_rule.
    uint64_t rule_counts[TP_RULES];
};

#endif
