// Writes converted events of traces from before Go 1.22 as a trace of Go 1.26, through the
// hooks of the sink, and reads that back.
#ifndef TP_TESTS_UPGRADE_LAB_H
#define TP_TESTS_UPGRADE_LAB_H

#include "base/buf.h"
#include "order_lab.h"
#include "order_lab_v1.h"
#include "sink/sink.h"

struct upgrade {
    uint64_t generation_bytes;  // 0: as the sink has it
    size_t block_events;        // 0: all in one
    size_t fail_write;          // number of the write that fails; 0: none
    struct tp_buf wire;         // of the caller, for what is written
    struct tp_sink_notes notes;
    size_t write_count;
};

// What the first failing hook answered, or 0.
int upgrade_write(struct upgrade *u, const struct tp_event *events, size_t count,
                  struct tp_tables *tables, struct tp_error *err);

// What the order of Go 1.26 makes of it; see order_lab.h.
struct order_result upgrade_read(const struct upgrade *u);

// One that it refuses, or whose times do not rise. NULL: it is fine.
const char *upgrade_fault(const struct order_result *r);

#endif
