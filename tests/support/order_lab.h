// Orders whole traces in memory, without files, threads and pipeline: scan, lists,
// tables and the sequencer, one after the other. The ways of reading batches must
// not show in the result.
#ifndef TP_TESTS_ORDER_LAB_H
#define TP_TESTS_ORDER_LAB_H

#include "merge/order/sequence.h"

// How the batches of events are read.
struct order_way {
    uint32_t window_bytes;  // 0: where they lie; else through a loader
    size_t part_events;     // decoded before they are ordered, in parts; 0: lazily
    size_t part_max;        // of these parts, for each run
    size_t fill_capacity;   // events asked for at a time; at least TP_ORDER_STEP_EVENTS
    bool is_ahead;          // generations are put in order before their turn (merge/order/speculation.h)
    bool waits_at_once;     // threads that wait are kept apart from the first on (merge/order/waiting.h)
    bool never_waits;       // they never are
    bool is_forced;         // as where a window begins: refusals of the order are passed over
    bool keeps_tables;      // as `runs` of the result; `bytes` has to outlive it
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
    // Which tables the events from one on have: with keeps_tables, else none.
    struct order_run *runs;
    size_t run_count;
    size_t run_capacity;
    // The first of them, and after how many events each came.
    struct tp_error errors[ORDER_ERRORS_MAX];
    size_t error_at[ORDER_ERRORS_MAX];
    size_t error_count;
    struct tp_doubts doubts;
    uint64_t hits[TP_RULES];
    uint64_t look_count;  // at threads out of their turn, in the last generation
    size_t tried_count;   // generations put in order before their turn
    size_t adopted_count; // and taken over: what tasks were that end in them may be unknown
};

// `bytes` are those behind the file header. `salvage`: what is broken is given up,
// and the next generation tried; else the first error is the end. Sync events come
// as Go has them. Memory that is lacking ends the program.
struct order_result order_trace(uint32_t minor, struct tp_span bytes, bool salvage,
                                const struct order_way *way);
void order_result_fini(struct order_result *r);

// NULL if they are the same, else what differs; the text is static.
const char *order_difference(const struct order_result *a, const struct order_result *b);
// NULL if times rise all the way.
const char *order_time_fault(const struct order_result *r);

#endif
