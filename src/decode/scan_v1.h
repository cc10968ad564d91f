// Cuts the stream of a trace of Go 1.5 to 1.21, or before, into extents, as scan_v2.h does for
// later traces: every byte belongs to exactly one extent, in stream order.
//
//   | header | Batch ev ev ev | Batch ev | str stack str | freq stack | lost .. | Batch ev ...
//   structural    run            run           run           run                  run
//
// Batches of these traces have no length: a batch continues until the next Batch event, so the
// scan has to walk over each event. A run (TP_EXTENT_BATCH) is a piece of a batch that holds whole
// events of one class: either table events (strings, stacks, frequency, timer goroutines, CPU
// samples) or all other events. The first run of a batch begins with the Batch event; if table
// events follow the Batch event, the first run holds only the Batch event and is no run of table
// events. Where else a batch is divided into runs depends on the pieces presented to the scan, so
// no output may depend on it.
//
// All extents belong to generation 1.
//
// The scan marks the events that the prescan (merge/v1/prescan.h) reads before the trace is put in
// order: ends of syscalls, and logs.
//
// The scan alone decides whether a trace is damaged. After a bad event it resumes at the next place
// at which a Batch event and the events after it can be read. All events of a run can be decoded.
//
// The scan is plain memory, used by one thread at a time; it allocates nothing and knows no files.
#ifndef TP_DECODE_SCAN_V1_H
#define TP_DECODE_SCAN_V1_H

#include "decode/extent.h"
#include "decode/spec_v1.h"

// The scan ends a run when the run reaches this length, and before an event that would make the run
// longer than TP_V1_RUN_MAX_BYTES.
#define TP_V1_RUN_BYTES TP_KIB(32)
// Maximum length of a run: a header and the longest possible event fit.
#define TP_V1_RUN_MAX_BYTES TP_SCAN_TAIL_MAX_BYTES

// Marked events begin before TP_V1_RUN_BYTES, and each has at least one number.
_Static_assert(TP_SCAN_MARKS_MAX >= TP_V1_RUN_BYTES / 2, "the marks of a run fit");

// How the scan steps over an event with a given first byte.
struct tp_v1_skip {
    uint8_t way;          // enums in scan_v1.c
    uint8_t class;
    uint8_t number_count;
};

// The state of a scan between two extents.
struct tp_scan_v1 {
    uint64_t offset;      // of the next byte
    const struct tp_v1_table *table;
    uint64_t p;           // of the last Batch: the P to which its events belong
    uint64_t time_ticks;
    bool has_begun;       // a run was seen
    bool resuming;        // the scan looks for a place to resume
    struct tp_v1_skip skips[256];
    struct tp_scan_marks *marks; // borrowed, set after init; NULL: they are not wanted
};

// Initializes a scan. `offset` is the offset in the stream at which the body begins.
void tp_scan_v1_init(struct tp_scan_v1 *s, const struct tp_v1_table *table, uint64_t offset);

// Returns the next extent, with the parameters and promises of tp_scan_next (decode/decoder.h).
// The extents of batches have `m` (the P; 2^64-1 for none), `time_ticks` (of the batch),
// `header_bytes` (of the Batch event; 0: a batch continues), and `batch_kind`: TP_BATCH_STACKS for
// tables, else TP_BATCH_EVENTS.
bool tp_scan_v1_next(struct tp_scan_v1 *s, struct tp_span bytes, bool at_end,
                     struct tp_extent *ret_extent);

// Moves *p, a place in a run that the scan returned, forward to the next event that the scan would
// mark, at most to `end`. False: there is none.
bool tp_scan_v1_find(const struct tp_scan_v1 *s, const unsigned char **p,
                     const unsigned char *end);

#endif
