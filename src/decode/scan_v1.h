// Cuts the stream of a trace of Go 1.5 to 1.21, or before, into extents, as scan_v2.h does
// for later ones: every byte belongs to exactly one, in stream order.
//
//   | header | Batch ev ev ev | Batch ev | str stack str | freq stack | lost .. | Batch ev ...
//   structural    run            run           run           run                  run
//
// These traces have no lengths of batches: a batch goes on until the next Batch event, so
// each event has to be walked over. A run (TP_EXTENT_BATCH) is a piece of a batch that holds
// whole events of one class: of the tables (strings, stacks, frequency, timer goroutines, CPU
// samples), or all others. It begins with the Batch event where the batch does; one that
// tables follow is a run of its own, among those of events. Where a batch is cut into runs
// beyond that depends on the pieces that are presented, so nothing that shows may depend on
// it.
//
// All of it is generation 1.
//
// Of events that somebody looks at before the trace is put in order (merge/v1/prescan.h) it tells
// where they are: ends of syscalls, and logs.
//
// The scan alone decides whether a trace is damaged. After a bad event it goes on where a
// Batch event and what follows it parse. All events of a run decode.
//
// Plain memory, used by one thread at a time; it allocates nothing and knows no files.
#ifndef TP_DECODE_SCAN_V1_H
#define TP_DECODE_SCAN_V1_H

#include "decode/scan_v2.h"
#include "decode/spec_v1.h"

// A run is ended when it is as long, and before an event that would make it longer than
// TP_V1_RUN_MAX_BYTES.
#define TP_V1_RUN_BYTES TP_KIB(32)
// As long as a run can be: a header and the longest event there is fit.
#define TP_V1_RUN_MAX_BYTES TP_SCAN_TAIL_MAX_BYTES

// No run has more events that are looked for: they begin before TP_V1_RUN_BYTES, and have a number
// at least.
#define TP_V1_MARKS_MAX (TP_V1_RUN_BYTES / 2)

// What the scan has to know of an event by its first byte.
struct tp_v1_skip {
    uint8_t way;          // enums in scan_v1.c
    uint8_t class;
    uint8_t number_count;
};

struct tp_scan_v1 {
    uint64_t offset;      // of the next byte
    const struct tp_v1_table *table;
    uint64_t p;           // of the last Batch: to whom events belong
    uint64_t time_ticks;
    bool has_begun;       // a run was seen
    bool resuming;        // looking for a place to go on
    struct tp_v1_skip skips[256];
    // Of the run that was asked for alone (a capacity of 1): events that are looked for, and where
    // they begin in it.
    size_t mark_count;
    uint16_t marks[TP_V1_MARKS_MAX];
};

// `offset` is where the body begins in the stream.
void tp_scan_v1_init(struct tp_scan_v1 *s, const struct tp_v1_table *table, uint64_t offset);

// As tp_scan_step. The extents of batches have `m` (the P: 2^64-1 for none), `time_ticks` (of
// the batch), `header_bytes` of the Batch event (0: a batch goes on), and `batch_kind`:
// TP_BATCH_STACKS for tables, else TP_BATCH_EVENTS.
size_t tp_scan_v1_step(struct tp_scan_v1 *s, struct tp_span bytes, bool at_end,
                       struct tp_extent *extents, size_t capacity, size_t *ret_count);

// Of a run that the scan gave: moves *p, at most to the end, to an event that it would mark.
// False: there is none.
bool tp_scan_v1_find(const struct tp_scan_v1 *s, const unsigned char **p,
                     const unsigned char *end);

#endif
