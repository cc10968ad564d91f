// Bodies of table batches written by hand, and tables made of them. A body that is too small
// ends the program.
#ifndef TP_TESTS_TABLE_BUILD_H
#define TP_TESTS_TABLE_BUILD_H

#include "decode/spec.h"
#include "merge/tables/tables.h"

// A body of a table batch. Tables point into the bodies they were built from, which must
// outlive them.
struct table_body {
    unsigned char bytes[TP_MAX_BATCH_BYTES];
    size_t len_bytes;
};

struct table_frame {
    uint64_t pc, func, file, line;
};

// Empties the body and writes the marker of this kind of batch, as version 25 and later do.
void table_begin(struct table_body *b, enum tp_batch_kind kind);
void table_put_byte(struct table_body *b, unsigned byte);
void table_put_number(struct table_body *b, uint64_t value);
void table_put_string(struct table_body *b, uint64_t id, const char *text);
void table_put_stack(struct table_body *b, uint64_t id, const struct table_frame *frames,
                     size_t frame_count);
void table_put_event(struct table_body *b, unsigned code, size_t arg_count, const uint64_t *args);

#define TABLE_TICKS 1000      // time of every batch
#define TABLE_GENERATION 7

// Creates empty tables, of which the caller has one hold.
struct tp_tables *table_create(uint32_t minor);
int table_add(struct tp_tables *t, enum tp_batch_kind kind, const struct table_body *b,
              struct tp_error *err);
// Adds a sync batch. A tick is a nanosecond. The clock snapshot is taken 5 ticks after the time
// of the batch; its monotonic time is 6, its wall time `wall_sec` and `wall_nsec`. Ends the
// program if the tables refuse the batch.
void table_add_sync(struct tp_tables *t, uint64_t wall_sec, uint64_t wall_nsec);

#endif
