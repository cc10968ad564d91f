// Hand-written traces of Go 1.26 whose clock counts nanoseconds. Checks put a trace in order in
// every way of order_lab.h; all ways must give the same result. A failure ends the test. One
// thread at a time.
#ifndef TP_TESTS_HAND_TRACE_H
#define TP_TESTS_HAND_TRACE_H

#include "decode/spec.h"
#include "order_lab.h"
#include "wire_build.h"

#define HAND_NOBODY UINT64_MAX // thread id of batches that belong to no thread

struct hand_trace {
    struct tp_buf bytes;
    struct tp_buf body;  // of the batch being built
    uint64_t generation; // number of the last generation begun
};

void hand_init(struct hand_trace *t);
void hand_fini(struct hand_trace *t);

void hand_begin(struct hand_trace *t, uint64_t time_ticks);
void hand_end(struct hand_trace *t);
// Adds an event to the body of the next batch: HAND_PUT(t, TP_EV_ProcStatus, dt, p, status);
// hand_batch then writes the batch.
void hand_numbers(struct hand_trace *t, unsigned code, size_t count, const uint64_t *numbers);
#define HAND_PUT(t, code, ...)                                                            \
    hand_numbers(t, code, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),           \
                 (uint64_t[]){__VA_ARGS__})
void hand_batch(struct hand_trace *t, uint64_t m, uint64_t time_ticks);

// Returns the bytes of the trace, without its file header; valid until the trace changes.
struct tp_span hand_bytes(const struct hand_trace *t);

// Puts the trace in order in every way and returns the result of the simplest way. The caller
// frees it with order_result_fini.
struct order_result hand_read(const struct hand_trace *t, bool salvage);
// Compares a result with `want`: "thread event time" of each event, separated by ", ", then
// the text of each error after "; ".
void hand_check_result(const struct order_result *r, const char *want);
void hand_check(const struct hand_trace *t, bool salvage, const char *want);

#endif
