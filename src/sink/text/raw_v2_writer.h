// Writes generations of a Go 1.26 trace from events to which the upgrader has given threads
// (merge/upgrade/upgrader.h):
//
//   begin   writes the clock
//   put*    writes each batch of a thread when it is full, and batches of samples
//   end     writes the stacks and strings that events used, numbered anew; the end mark
//
// Memory: the unfinished batches, bounded for all threads together, and a number for each
// string and stack of the tables. One thread at a time uses a writer.
#ifndef TP_SINK_TEXT_RAW_V2_WRITER_H
#define TP_SINK_TEXT_RAW_V2_WRITER_H

#include "decode/spec.h"
#include "merge/upgrade/upgrader.h"
#include "sink/sink.h"

// Numbers that one generation gives to the entries of a table.
struct tp_wire_v2_numbers {
    uint32_t *numbers;       // by index in the tables: from 1; with a flag, see raw_v2_writer.c
    TP_LIST(uint32_t) used;  // indices in the tables, in the order of their numbers 1, 2, ...
};

// The state of the writer. A zeroed struct is the state before the first generation.
struct tp_wire_v2 {
    struct tp_tables *tables; // the caller's
    uint64_t generation;      // from 1; 0: none has begun
    int64_t begin_ns;         // of the generation
    struct tp_out *out;       // of the generation; the caller's
    uint64_t written_bytes;   // of its events
    TP_LIST(struct tp_wire_v2_batch {
        unsigned char *bytes; // body of the batch
        uint32_t len_bytes;
        uint32_t capacity;
        int64_t m;
        int64_t begin_ns;
        int64_t last_ns;
    }) batches;               // first that of samples, then that of events without a thread, then
                              // those of threads by slot
    size_t batch_bytes;       // memory of all batches
    struct tp_wire_v2_numbers strings;
    struct tp_wire_v2_numbers stacks;
    unsigned char *table_bytes; // the body of a batch of strings or of stacks
    uint8_t arg_kinds[TP_EVENT_CODES][TP_MAX_EVENT_ARGS];
    uint64_t cut_count;       // strings and stacks cut to the longest that the format allows
};

// The functions below fail with TP_E_MEMORY or with the error of `out`; only fini may follow a
// failure.

// Writes the header of the file to `out`.
int tp_wire_v2_header(struct tp_out *out, struct tp_error *err) TP_MUST_USE;
// Begins the next generation; the one before must have ended. The writer borrows `out` up to the
// end of the generation. All generations use the same tables, which the writer borrows until fini.
int tp_wire_v2_begin(struct tp_wire_v2 *w, struct tp_tables *tables, int64_t begin_ns,
                     struct tp_out *out, struct tp_error *err) TP_MUST_USE;
// Adds an event to the batch of its thread.
int tp_wire_v2_put(struct tp_wire_v2 *w, const struct tp_upgraded *placed,
                   struct tp_error *err) TP_MUST_USE;
// Ends the open generation: writes its batches, its tables and its end mark.
int tp_wire_v2_end(struct tp_wire_v2 *w, struct tp_error *err) TP_MUST_USE;
// Frees the memory; a zeroed writer is fine.
void tp_wire_v2_fini(struct tp_wire_v2 *w);

#endif
