// Reads strings, stacks and CPU samples from the bodies of their batches into the tables; for
// code that builds tables or reads their frames.
#ifndef TP_MERGE_TABLES_READ_H
#define TP_MERGE_TABLES_READ_H

#include "decode/frame_key.h"
#include "decode/spec.h"
#include "decode/varint.h"
#include "merge/tables/tables.h"

// The unread rest of a body.
struct tp_table_reader {
    const unsigned char *at;
    const unsigned char *end;
    struct tp_tables *tables;
    struct tp_error *err;
};

// Reads the next number; fails with Go's message for a body that ends before or inside it.
int tp_table_take(struct tp_table_reader *r, uint64_t *ret_value) TP_MUST_USE;

// Reads the number at *p in a stack of the tables. It was checked when the stack was added, so it
// fits and ends inside its batch; no byte behind its last one is read.
TP_INLINE uint64_t tp_table_take_known(const unsigned char **p)
{
    uint64_t value = 0;
    (void)tp_varint_get_roomy_unchecked(p, &value);
    return value;
}

// The begin of the last frame, whose frames end at `end`. The walk back stops in time, because the
// frame count in front of the frames ends with a byte below 0x80, too.
TP_INLINE const unsigned char *tp_table_last_frame(const unsigned char *end)
{
    const unsigned char *p = end;
    for (unsigned ends = p[-1] < 0x80; ends <= TP_FRAME_ARGS; ends += p[-1] < 0x80)
        p--;
    return p;
}

// The first bytes of the frame at `p`, for comparison with frame keys. Bytes behind the end of the
// stack count as zeros; they decide nothing, because the frame in front of them is whole.
TP_INLINE void tp_table_frame_wire(const struct tp_stack_def *def, const unsigned char *p,
                                   uint64_t ret_wire[2])
{
    size_t left_bytes = (size_t)(def->frames + def->frames_bytes - p);
    if (tp_likely(left_bytes >= TP_FRAME_WIRE_MAX_BYTES)) {
        // Word copies, because the caller compares words: they stay in registers.
        memcpy(&ret_wire[0], p, sizeof ret_wire[0]);
        memcpy(&ret_wire[1], p + sizeof ret_wire[0], sizeof ret_wire[1]);
        return;
    }
    ret_wire[0] = ret_wire[1] = 0;
    memcpy(ret_wire, p, left_bytes);
}

// Charges `len_bytes` to t->memory_bytes; false: that would exceed max_bytes, and nothing changed.
// Resolved frames are not charged, but count against max_bytes when they are resolved.
bool tp_tables_charge(struct tp_tables *t, size_t len_bytes) TP_MUST_USE;
int tp_tables_too_large(const struct tp_tables *t, struct tp_error *err);
// Makes room for one more element; charges the memory.
int tp_tables_grow(struct tp_tables *t, void **array, size_t *capacity, size_t count,
                   size_t each_bytes, struct tp_error *err) TP_MUST_USE;

// Allocates memory for texts or frames that lie in no batch; it is charged, and freed with the
// tables. NULL after filling the error.
unsigned char *tp_tables_own(struct tp_tables *t, size_t len_bytes,
                             struct tp_error *err) TP_MUST_USE;

// Adds a string that is not in the tables yet. This function and the next two charge the memory
// that they allocate.
int tp_tables_put_string(struct tp_tables *t, uint64_t id, struct tp_span text,
                         struct tp_error *err) TP_MUST_USE;
// Sets `first` of the added stack; def->first is ignored.
int tp_tables_put_stack(struct tp_tables *t, const struct tp_stack_def *def,
                        struct tp_error *err) TP_MUST_USE;
// Replaces the stack at `idx`, which has the same id.
int tp_tables_replace_stack(struct tp_tables *t, uint32_t idx, const struct tp_stack_def *def,
                            struct tp_error *err) TP_MUST_USE;

// Read the body behind its first byte, which names the kind.
int tp_tables_read_strings(struct tp_table_reader *r) TP_MUST_USE;
int tp_tables_read_stacks(struct tp_table_reader *r) TP_MUST_USE;
int tp_tables_read_samples(struct tp_table_reader *r) TP_MUST_USE;

// Sorts by time, with ties as Go's sort leaves them.
void tp_tables_sort_samples(struct tp_tables *t);

// Call after the last batch: sets complete_string_ids and complete_stack_ids.
void tp_tables_find_complete_ids(struct tp_tables *t);

// The id of the first missing string that a frame of `def` names; there must be one. Call after
// resolve. Looks at all stacks.
uint64_t tp_tables_missing_frame_string(const struct tp_tables *t, const struct tp_stack_def *def,
                                        bool *ret_is_function);

// Checks that the strings of every frame are in the tables; TP_E_EVENT if not.
int tp_tables_check_frames(const struct tp_tables *t, struct tp_error *err) TP_MUST_USE;

#endif
