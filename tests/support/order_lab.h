// Orders whole traces in memory, without files, threads and pipeline: scan, lists, tables and
// the sequencer, one after the other. All ways of reading batches must give the same result.
#ifndef TP_TESTS_ORDER_LAB_H
#define TP_TESTS_ORDER_LAB_H

#include "merge/order/sequence.h"

// One way of reading and ordering the batches of events.
struct order_way {
    uint32_t window_bytes;  // 0: batches are used in place; else loaded in windows of this size
    size_t part_events;     // events per part, decoded before ordering; 0: decoded while ordering
    size_t part_max;        // limit of the number of these parts for each run
    size_t fill_capacity;   // events requested at a time; at least TP_ORDER_STEP_EVENTS
    bool is_ahead;          // each generation is speculated on first (order/speculation.h)
    bool waits_at_once;     // waiting threads are never in the frontier (order/waiting.h)
    bool never_waits;       // waiting threads always stay in the frontier
    bool is_forced;         // refused events are taken, as at the beginning of a time window
    bool keeps_tables;      // tables are kept in `runs` of the result; `bytes` must outlive it
};

struct order_run {
    struct tp_tables *tables; // one hold; NULL: Sync events outside generations
    size_t first_event;
};

#define ORDER_ERRORS_MAX 8

struct order_result {
    struct tp_event *events;
    size_t event_count;
    size_t event_capacity;
    // With keeps_tables: the tables of the events, in runs. Else there are none.
    struct order_run *runs;
    size_t run_count;
    size_t run_capacity;
    // The first errors, and for each the number of events before it.
    struct tp_error errors[ORDER_ERRORS_MAX];
    size_t error_at[ORDER_ERRORS_MAX];
    size_t error_count;
    struct tp_doubts doubts;
    uint64_t hits[TP_RULES];
    uint64_t look_count;  // cursors examined while an earlier one waits, in the last generation
    size_t tried_count;   // generations that were speculated on
    // Those of them whose order was adopted. Tasks that end in them may have unknown names.
    size_t adopted_count;
};

// Puts a trace in order. `bytes` are the trace without its file header. `salvage`: gives up
// what is damaged and goes on with the next generation; else the first error ends the run.
// Sync events have the places that Go gives them. The caller frees the result with
// order_result_fini. Ends the program if memory is lacking.
struct order_result order_trace(uint32_t minor, struct tp_span bytes, bool salvage,
                                const struct order_way *way);
void order_result_fini(struct order_result *r);

// Returns NULL if the results are equal, else a description of the difference, a constant.
const char *order_difference(const struct order_result *a, const struct order_result *b);
// Returns NULL if each time is later than the one before, else what is wrong, as static text.
const char *order_time_fault(const struct order_result *r);

#endif
