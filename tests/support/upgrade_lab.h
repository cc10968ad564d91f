// Writes events that were converted from traces before Go 1.22 as a trace of Go 1.26, through the
// hooks of the sink `raw` with its option `version`, and reads that trace back.
#ifndef TP_TESTS_UPGRADE_LAB_H
#define TP_TESTS_UPGRADE_LAB_H

#include "base/buf.h"
#include "order_lab.h"
#include "order_lab_v1.h"
#include "sink/sink.h"

struct upgrade {
    uint64_t generation_bytes;  // 0: the sink's own limit
    size_t block_events;        // 0: all events in one block
    size_t fail_write;          // number of the write that fails, from 1; 0: none
    struct tp_buf wire;         // the output; the caller owns it
    struct tp_sink_notes notes;
    size_t write_count;
};

// Writes the events. Returns 0 or what the first failing hook returned.
int upgrade_write(struct upgrade *u, const struct tp_event *events, size_t count,
                  struct tp_tables *tables, struct tp_error *err);

// Puts the output in order by the rules of Go 1.26; see order_lab.h.
struct order_result upgrade_read(const struct upgrade *u);

// Returns the first error of the order, or what is wrong with its times. NULL: neither.
const char *upgrade_fault(const struct order_result *r);

#endif
