// Takes strings, stacks and CPU samples out of the bodies of their batches; the
// part of tables.c that reads.
#ifndef TP_MERGE_TABLES_READ_H
#define TP_MERGE_TABLES_READ_H

#include "decode/frame_key.h"
#include "decode/spec.h"
#include "decode/varint.h"
#include "merge/tables/tables.h"

// What is left of a body.
struct tp_table_reader {
    const unsigned char *at;
    const unsigned char *end;
    struct tp_tables *tables;
    struct tp_error *err;
};

// The next number; fails with Go's words for a body that ends before or inside it.
int tp_table_take(struct tp_table_reader *r, uint64_t *ret_value) TP_MUST_USE;

// The number at *p in a stack of the tables. It was read once already, so it fits and
// ends inside its batch; no byte behind its last is read.
TP_INLINE uint64_t tp_table_take_known(const unsigned char **p)
{
    uint64_t value = 0;
    (void)tp_varint_get_roomy_unchecked(p, &value);
    return value;
}

// The last of the frames that end here. Where frames begin the number of them ends.
TP_INLINE const unsigned char *tp_table_last_frame(const unsigned char *end)
{
    const unsigned char *p = end;
    for (unsigned ends = p[-1] < 0x80; ends <= TP_FRAME_ARGS; ends += p[-1] < 0x80)
        p--;
    return p;
}

// What frame keys are compared with, of the frame at `p`. Behind the end of the stack
// these are zeros, which decide nothing: the frames in front of them are whole.
TP_INLINE void tp_table_frame_wire(const struct tp_stack_def *def, const unsigned char *p,
                                   uint64_t ret_wire[2])
{
    size_t left_bytes = (size_t)(def->frames + def->frames_bytes - p);
    if (tp_likely(left_bytes >= TP_FRAME_WIRE_MAX_BYTES)) {
        // Words, because that is what they are looked at as: no way through memory.
        memcpy(&ret_wire[0], p, sizeof ret_wire[0]);
        memcpy(&ret_wire[1], p + sizeof ret_wire[0], sizeof ret_wire[1]);
        return;
    }
    ret_wire[0] = ret_wire[1] = 0;
    memcpy(ret_wire, p, left_bytes);
}

// Books `len_bytes` more; false: they are too many. Resolved frames are not booked,
// but count.
bool tp_tables_charge(struct tp_tables *t, size_t len_bytes) TP_MUST_USE;
int tp_tables_too_large(const struct tp_tables *t, struct tp_error *err);
// Room for one more element.
int tp_tables_grow(struct tp_tables *t, void **array, size_t *capacity, size_t count,
                   size_t each_bytes, struct tp_error *err) TP_MUST_USE;

// Memory for texts or frames that are in no batch; it goes with the tables, and is booked.
// NULL: the error says why.
unsigned char *tp_tables_own(struct tp_tables *t, size_t len_bytes,
                             struct tp_error *err) TP_MUST_USE;

// Adds what is not there yet, whoever read it: all of these book memory.
int tp_tables_put_string(struct tp_tables *t, uint64_t id, struct tp_span text,
                         struct tp_error *err) TP_MUST_USE;
// `def->first` is set here.
int tp_tables_put_stack(struct tp_tables *t, const struct tp_stack_def *def,
                        struct tp_error *err) TP_MUST_USE;
// In place of another one with its id.
int tp_tables_replace_stack(struct tp_tables *t, uint32_t idx, const struct tp_stack_def *def,
                            struct tp_error *err) TP_MUST_USE;

// Everything behind the first byte of the body, which names the kind.
int tp_tables_read_strings(struct tp_table_reader *r) TP_MUST_USE;
int tp_tables_read_stacks(struct tp_table_reader *r) TP_MUST_USE;
int tp_tables_read_samples(struct tp_table_reader *r) TP_MUST_USE;

// By time, as Go sorts them.
void tp_tables_sort_samples(struct tp_tables *t);

// After the last of them: up to which id all are there.
void tp_tables_find_complete_ids(struct tp_tables *t);

// Of a stack that has a frame which names a string that is not there: the first such string.
// After resolve; looks at all stacks.
uint64_t tp_tables_missing_frame_string(const struct tp_tables *t, const struct tp_stack_def *def,
                                        bool *ret_is_function);

// Whether every frame names strings that are there; TP_E_EVENT if not.
int tp_tables_check_frames(const struct tp_tables *t, struct tp_error *err) TP_MUST_USE;

#endif
