// Drives one sink over one input in memory, as the pipeline would: scan, units,
// work, commit, finish, and the hooks of the run. Units are copied to blocks of
// exactly their size, so that a sanitizer sees every byte read too far.
#ifndef TP_SUPPORT_SINK_DRIVE_H
#define TP_SUPPORT_SINK_DRIVE_H

#include "base/buf.h"
#include "sink/sink.h"

#define SINK_DRIVE_OUT_MAX_BYTES TP_MIB(256)

struct sink_drive {
    const struct tp_sink_def *ops;
    const char *options;  // "key=value,..." or NULL
    bool strict;
    size_t unit_bytes;    // units end at the first extent past this; 0: the sink's usual size
    struct tp_buf out;    // what the sink wrote; of `init` and `fini`
    struct tp_input_report report;
    struct tp_run_figures figures; // what run_end is told
    struct tp_sink_notes notes;
    uint64_t unit_count;
    uint64_t most_live_bytes; // heap of a unit state: from before unit_init to after `work`
};

// False: out of memory.
bool sink_drive_init(struct sink_drive *d, const struct tp_sink_def *ops) TP_MUST_USE;
void sink_drive_fini(struct sink_drive *d);

// What the first failing hook answered, or 0. `out`, `notes` and the counts start anew.
int sink_drive_run(struct sink_drive *d, struct tp_span input, struct tp_error *err);

#endif
