// Reads strings, stacks and CPU samples from the bodies of their batches into the tables. Only for
// code that builds tables or reads their frames. Functions that change tables belong to the thread
// that builds them, and fail with TP_E_EVENT, TP_E_LIMIT or TP_E_MEMORY; the entries before the
// failure stay in the tables.
#ifndef TP_MERGE_TABLES_READ_H
#define TP_MERGE_TABLES_READ_H

#include "decode/frame_key.h"
#include "decode/spec.h"
#include "decode/varint.h"
#include "merge/tables/tables.h"

// The unread rest of a batch's body. Borrows everything.
struct tp_table_reader {
    const unsigned char *at;
    const unsigned char *end;
    struct tp_tables *tables;
    struct tp_error *err;
};

// Reads the next number. Fails with TP_E_EVENT and Go's message if the body ends before or inside
// the number, or if the number overflows.
int tp_table_take(struct tp_table_reader *r, uint64_t *ret_value) TP_MUST_USE;

// Reads the number at *p in a stack of the tables. The number was checked when the stack was added,
// so it fits and ends inside its batch; no byte after its last one is read.
TP_INLINE uint64_t tp_table_take_known(const unsigned char **p)
{
    uint64_t value = 0;
    (void)tp_varint_get_roomy_unchecked(p, &value);
    return value;
}

// A frame as its stack has it: `function` and `file` are ids of strings.
struct tp_wire_frame {
    uint64_t pc;
    uint64_t function;
    uint64_t file;
    uint64_t line;
};
// Reads the frame at *p in a stack of the tables, and moves *p past it.
TP_INLINE struct tp_wire_frame tp_table_take_frame(const unsigned char **p)
{
    struct tp_wire_frame f;
    f.pc = tp_table_take_known(p);
    f.function = tp_table_take_known(p);
    f.file = tp_table_take_known(p);
    f.line = tp_table_take_known(p);
    return f;
}

// Returns whether `passes` is true for the id of each string, function or file, that a frame names.
// Stops at the first id that does not pass.
TP_INLINE bool tp_tables_frame_strings_pass(const struct tp_tables *t,
                                            bool (*passes)(const void *ctx, uint64_t id),
                                            const void *ctx)
{
    for (size_t s = 0; s < t->stacks.count; s++) {
        const unsigned char *p = t->stacks.items[s].frames;
        for (uint32_t i = 0; i < t->stacks.items[s].frame_count; i++) {
            const struct tp_wire_frame f = tp_table_take_frame(&p);
            if (!passes(ctx, f.function) || !passes(ctx, f.file))
                return false;
        }
    }
    return true;
}

// Returns the beginning of the last frame of a stack whose frames end at `end`. The walk back stops
// in time, because the frame count before the frames ends with a byte below 0x80, too.
TP_INLINE const unsigned char *tp_table_last_frame(const unsigned char *end)
{
    const unsigned char *p = end;
    for (unsigned ends = p[-1] < 0x80; ends <= TP_FRAME_ARGS; ends += p[-1] < 0x80)
        p--;
    return p;
}

// Copies the first bytes of the frame at `p` to ret_wire, for comparison with frame keys. Bytes
// after the end of the stack become zeros. The zeros cannot change the result of a comparison,
// because a whole frame comes before them.
TP_INLINE void tp_table_frame_wire(const struct tp_stack_def *def, const unsigned char *p,
                                   uint64_t ret_wire[2])
{
    size_t left_bytes = (size_t)(def->frames + def->frames_bytes - p);
    if (tp_likely(left_bytes >= TP_FRAME_WIRE_MAX_BYTES)) {
        // Copies words, because the caller compares words: they stay in registers.
        memcpy(&ret_wire[0], p, sizeof ret_wire[0]);
        memcpy(&ret_wire[1], p + sizeof ret_wire[0], sizeof ret_wire[1]);
        return;
    }
    ret_wire[0] = ret_wire[1] = 0;
    memcpy(ret_wire, p, left_bytes);
}

// Takes `len_bytes` of t->room_bytes. False: there are not so many; nothing changed. Resolved
// frames take none, but must fit into the room when they are resolved.
bool tp_tables_charge(struct tp_tables *t, size_t len_bytes) TP_MUST_USE;
// Fills the error for tables that cannot grow, because of max_bytes if `code` is TP_E_LIMIT, else
// for lack of memory. Returns `code`.
int tp_tables_refuse(const struct tp_tables *t, int code, struct tp_error *err);
// Makes room in a list of the tables for one more item, and takes the memory of t->room_bytes.
// Returns 0, TP_E_LIMIT or TP_E_MEMORY.
#define TP_TABLES_ROOM(t, list, err)                                                               \
    tp_tables_grown((t), TP_LIST_ROOM_WITHIN((list), TP_LIST_FIRST, &(t)->room_bytes), (err))
// The part of TP_TABLES_ROOM that handles a failure of the list.
TP_INLINE int tp_tables_grown(const struct tp_tables *t, int code, struct tp_error *err)
{
    return tp_likely(code == 0) ? 0 : tp_tables_refuse(t, code, err);
}

// Allocates memory for texts or frames that are in no batch. The memory is charged, and is freed
// with the tables. NULL after filling the error.
unsigned char *tp_tables_own(struct tp_tables *t, size_t len_bytes,
                             struct tp_error *err) TP_MUST_USE;

// Adds a string that is not in the tables yet; `text` must outlive the tables. This function and
// the next two charge the memory that they allocate.
int tp_tables_put_string(struct tp_tables *t, uint64_t id, struct tp_span text,
                         struct tp_error *err) TP_MUST_USE;
// Adds a stack that is not in the tables yet: a copy of `def`, but with its own `first`. The frames
// must outlive the tables.
int tp_tables_put_stack(struct tp_tables *t, const struct tp_stack_def *def,
                        struct tp_error *err) TP_MUST_USE;
// Replaces the stack at `idx`, which has the same id.
int tp_tables_replace_stack(struct tp_tables *t, uint32_t idx, const struct tp_stack_def *def,
                            struct tp_error *err) TP_MUST_USE;

// Read the rest of a body and add its entries to the tables. The caller has skipped the first byte,
// which names the kind of batch.
int tp_tables_read_strings(struct tp_table_reader *r) TP_MUST_USE;
int tp_tables_read_stacks(struct tp_table_reader *r) TP_MUST_USE;
int tp_tables_read_samples(struct tp_table_reader *r) TP_MUST_USE;

// Sorts the samples by time, and those of equal time as Go's sort leaves them.
void tp_tables_sort_samples(struct tp_tables *t);

// Sets complete_string_ids and complete_stack_ids. Call after the last batch.
void tp_tables_find_complete_ids(struct tp_tables *t);

// Returns the id of the first missing string that a frame of `def` names; there must be one. Call
// after resolve. Walks over the stacks up to the definition of that frame.
uint64_t tp_tables_missing_frame_string(const struct tp_tables *t, const struct tp_stack_def *def,
                                        bool *ret_is_function);

// Returns whether the names of all frames of a stack are strings with indices below `string_end`;
// TP_STRING_UNKNOWN: any strings that the tables have. Call after resolve.
bool tp_tables_has_names(const struct tp_tables *t, const struct tp_stack_def *def,
                         uint32_t string_end);

// Checks that the strings of every frame are in the tables. Fails with TP_E_EVENT and Go's message
// if one is missing, or as tp_tables_resolve does.
int tp_tables_check_frames(const struct tp_tables *t, struct tp_error *err) TP_MUST_USE;

#endif
