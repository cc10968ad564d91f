// Declares what the mutations share. A mutation looks at the trace and describes one edit: a range
// of bytes and their replacement. mutate.c applies the edit, so mutations do not depend on each
// other.
//
//   trace   | ............. | begin ...... end | ............ |
//   result  | ............. |      patch       | ............ |
#ifndef TP_SUPPORT_MUTATE_LAB_H
#define TP_SUPPORT_MUTATE_LAB_H

#include "decode/scan_v2.h"
#include "mutate.h"
#include "synth_rand.h"

struct mutate_lab {
    struct tp_span trace;
    uint32_t minor;
    size_t header_bytes;
    const struct tp_extent *batches; // in the order of the file
    size_t batch_count;
    const struct tp_extent *marks;   // end marks of generations
    size_t mark_count;
    struct synth_rand rand;
    // The edit.
    size_t begin;
    size_t end;
    struct tp_buf patch;
    size_t at_bytes;                 // offset of the target, for the report
};

// All mutations. X(name, weight): a mutation is chosen in proportion to its weight.
#define MUTATE_MAP(X)            \
    X(flip_bit, 2)               \
    X(flip_body_bit, 3)          \
    X(flip_header_bit, 2)        \
    X(set_byte, 2)               \
    X(cut_tail, 1)               \
    X(cut_piece, 2)              \
    X(change_version, 1)         \
    X(drop_batch, 3)             \
    X(double_batch, 3)           \
    X(swap_neighbours, 3)        \
    X(swap_far, 2)               \
    X(change_generation, 2)      \
    X(renumber_generation, 1)    \
    X(change_thread, 3)          \
    X(change_batch_time, 3)      \
    X(change_size, 2)            \
    X(resize_body, 2)            \
    X(drop_mark, 1)              \
    X(double_mark, 1)            \
    X(drop_event, 5)             \
    X(double_event, 4)           \
    X(swap_events, 4)            \
    X(move_event, 3)             \
    X(change_type, 5)            \
    X(change_counter, 5)         \
    X(change_id, 6)              \
    X(change_table_id, 4)        \
    X(change_time, 4)            \
    X(change_value, 1)           \
    X(change_length, 1)

// Each mutation describes one edit in `lab`. False: the trace has nothing that the mutation could
// change; `begin`, `end` and `patch` are then undefined.
#define TP_X(name, weight) bool mutate_##name(struct mutate_lab *lab);
MUTATE_MAP(TP_X)
#undef TP_X

// Returns a random batch; the trace must have one.
const struct tp_extent *mutate_any_batch(struct mutate_lab *lab);
// Returns a random number; every length from 0 to 64 bits has the same probability.
uint64_t mutate_any_number(struct mutate_lab *lab);
// Returns a random number in [0, n); n is at most the length of a trace.
size_t mutate_below(struct mutate_lab *lab, size_t n);

struct tp_span mutate_body(const struct mutate_lab *lab, const struct tp_extent *batch);

// Appends a batch header to the patch: the fields of `batch`, with this size.
void mutate_put_head(struct mutate_lab *lab, const struct tp_extent *batch, uint64_t body_bytes);

// Sets the edit: replaces the bytes [begin, end) of the body of `batch` by `bytes`, and corrects
// the size in its header.
void mutate_edit_body(struct mutate_lab *lab, const struct tp_extent *batch, size_t begin,
                      size_t end, struct tp_span bytes);

#endif
