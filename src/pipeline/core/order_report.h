// How an input was put in order: what messages, manifest and statistics say about it.
#ifndef TP_PIPELINE_CORE_ORDER_REPORT_H
#define TP_PIPELINE_CORE_ORDER_REPORT_H

#include <stdatomic.h>

#include "base/err.h"
#include "merge/order/doubt.h"
#include "merge/order/order.h"
#include "merge/tables/clock_doubt.h"

#define TP_ORDER_LOSSES_KEPT 16

// Where the clock units per second of a generation come from.
enum tp_clock_source {
    TP_CLOCK_OWN,
    TP_CLOCK_BEFORE, // the generation before it
    TP_CLOCK_GIVEN,  // the user
    TP_CLOCK_USUAL,  // none: the value of most Go programs is assumed
};

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

// What the time window left out.
struct tp_window_report {
    bool is_set;           // there is a window
    // Ingest strand.
    uint64_t opened_count; // generations, of which
    uint64_t passed_count; // are outside the window
    uint64_t header_bytes; // read to find the window, besides the stream
    // Order strand: events put in order that are before and after the window, and bytes of its
    // last generation that were never handed out as events.
    uint64_t before_count;
    uint64_t behind_count;
    uint64_t behind_bytes;
};

// Generations put in order before their turn.
struct tp_speculation_report {
    uint64_t check_count;    // were checked, of which
    uint64_t right_count;    // were taken over
    uint64_t given_up_count; // besides: ended before the check
};

struct tp_order_report {
    uint64_t event_count;
    uint64_t loss_count;   // the first TP_ORDER_LOSSES_KEPT are in `losses`
    uint64_t lost_bytes;
    struct tp_order_loss losses[TP_ORDER_LOSSES_KEPT];
    struct tp_doubts doubts; // events that were believed; nothing is lost
    struct tp_clock_doubt clock_doubt; // before tp_clock_doubt_end
    // The first generation whose times rest on a frequency that is not its own.
    enum tp_clock_source clock_source;
    uint64_t clock_generation;
    uint64_t clock_frequency;
    // With --binary, for an older trace whose frames are only PCs: the number of PCs, and of
    // those that the program has.
    uint64_t pc_count;
    uint64_t known_pc_count;
    struct tp_window_report window;
    struct tp_speculation_report speculation;
    uint64_t rule_counts[TP_RULES];
    _Atomic bool is_ended; // no block follows, and all of this is settled
};

#endif
