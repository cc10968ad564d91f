// Traces of Go 1.26 by hand, whose clock counts nanoseconds; they are put in order in every way
// there is (order_lab.h), which must come to the same. What cannot be ends the test.
#ifndef TP_TESTS_HAND_TRACE_H
#define TP_TESTS_HAND_TRACE_H

#include "decode/spec.h"
#include "order_lab.h"
#include "wire_build.h"

#define HAND_NOBODY UINT64_MAX // the thread of batches that no thread wrote

struct hand_trace {
    struct tp_buf bytes;
    struct tp_buf body;  // of the next batch
    uint64_t generation; // the last one begun
};

void hand_init(struct hand_trace *t);
void hand_fini(struct hand_trace *t);

void hand_begin(struct hand_trace *t, uint64_t time_ticks);
void hand_end(struct hand_trace *t);
// Events of a batch: HAND_PUT(t, TP_EV_ProcStatus, dt, p, status); then the batch.
void hand_numbers(struct hand_trace *t, unsigned code, size_t count, const uint64_t *numbers);
#define HAND_PUT(t, code, ...)                                                            \
    hand_numbers(t, code, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),           \
                 (uint64_t[]){__VA_ARGS__})
void hand_batch(struct hand_trace *t, uint64_t m, uint64_t time_ticks);

struct tp_span hand_bytes(const struct hand_trace *t);

// The result of the plainest way.
struct order_result hand_read(const struct hand_trace *t, bool salvage);
// `want`: "thread event time" of each event, divided by ", "; then each error behind "; ".
void hand_check_result(const struct order_result *r, const char *want);
void hand_check(const struct hand_trace *t, bool salvage, const char *want);

#endif
