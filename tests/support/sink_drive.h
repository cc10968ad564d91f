// Drives one sink over one input in memory, as the pipeline would: scan, units, work, commit,
// finish, and the hooks of the run. Copies each unit to a heap block of exactly its size, so
// that a sanitizer detects reads beyond it. One thread.
#ifndef TP_SUPPORT_SINK_DRIVE_H
#define TP_SUPPORT_SINK_DRIVE_H

#include "base/buf.h"
#include "sink/sink.h"

#define SINK_DRIVE_OUT_MAX_BYTES TP_MIB(256)

struct sink_drive {
    const struct tp_sink_def *def;
    const char *options;  // "key=value,..." or NULL
    bool strict;
    size_t unit_bytes;    // units end at the first extent past this; 0: the sink's usual size
    struct tp_buf out;    // the sink's output; sink_drive_init and fini own it
    struct tp_input_report report;
    struct tp_run_figures figures; // argument of the run's `end`
    struct tp_sink_notes notes;
    uint64_t unit_count;
    // Largest number of heap bytes of a unit state, from before unit_init to after `work`.
    uint64_t most_live_bytes;
};

// Prepares `d` for runs of this sink; sink_drive_fini frees it. False: out of memory.
bool sink_drive_init(struct sink_drive *d, const struct tp_sink_def *def) TP_MUST_USE;
void sink_drive_fini(struct sink_drive *d);

// Resets `out`, `notes` and the counts, then runs the sink over `input`. Returns 0 or the result of
// the first hook that fails.
int sink_drive_run(struct sink_drive *d, struct tp_span input, struct tp_error *err);

#endif
