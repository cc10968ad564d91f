// Reads strings, stacks and samples. Half of a trace can be stacks, and most of them are never
// printed, so reading a stack only walks over its numbers. The later check that every frame names
// strings needs only the largest id if the ids of strings are 1, 2, 3 ..., as the runtime assigns
// them.
#include "merge/tables/read.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/little.h"
#include "decode/spec.h"
#include "merge/tables/frame_walk.h"

#define SHOWN_BYTES 200
// Number of bytes that skip_usual_frames may read from the beginning of a frame on: it reads eight
// bytes at once, and these may begin at any of the first sixteen.
#define FRAME_ROOM_BYTES 24

// Returns Go's message for a number that cannot be read. The number begins at r->at.
static const char *fault_text(const struct tp_table_reader *r, enum tp_varint_status status)
{
    if (status == TP_VARINT_OVERFLOW)
        return "binary: varint overflows a 64-bit integer";
    return r->at == r->end ? "EOF" : "unexpected EOF";
}

int tp_table_take(struct tp_table_reader *r, uint64_t *ret_value)
{
    enum tp_varint_status status = tp_varint_get(&r->at, r->end, ret_value);
    if (tp_likely(status == TP_VARINT_OK))
        return 0;
    r->tables->is_go_eof = status == TP_VARINT_CUT && r->at == r->end;
    return tp_fail(r->err, TP_E_EVENT, "%s", fault_text(r, status));
}

// Reads the code of the next event, which must be `code`, and the event's id.
static int take_head(struct tp_table_reader *r, uint8_t code, const char *name, uint64_t *ret_id)
{
    uint8_t found = *r->at++;
    if (found != code)
        return tp_fail(r->err, TP_E_EVENT, "expected %s event, got %u", name, found);
    return tp_table_take(r, ret_id);
}

int tp_tables_refuse(const struct tp_tables *t, int code, struct tp_error *err)
{
    if (code != TP_E_LIMIT)
        return tp_fail(err, code, "out of memory for the tables of a generation");
    return tp_fail(err, TP_E_LIMIT, "tables of generation %" PRIu64
                   " do not fit into %zu bytes", t->generation, t->max_bytes);
}

bool tp_tables_charge(struct tp_tables *t, size_t len_bytes)
{
    if (len_bytes > t->room_bytes)
        return false;
    t->room_bytes -= len_bytes;
    return true;
}

static int put_id(struct tp_tables *t, struct tp_idmap *ids, uint64_t id, uint32_t idx,
                  struct tp_error *err)
{
    size_t growth_bytes = tp_idmap_growth_bytes(ids, id);
    if (growth_bytes > 0 && !tp_tables_charge(t, growth_bytes))
        return tp_tables_refuse(t, TP_E_LIMIT, err);
    if (tp_likely(tp_idmap_put(ids, id, idx)))
        return 0;
    t->room_bytes += growth_bytes;
    return tp_tables_refuse(t, TP_E_MEMORY, err);
}

// Fills the error with the first line of `text`, of which Go would print all lines.
static int fail_first_line(struct tp_error *err, char *text)
{
    for (char *p = text; *p != '\0'; p++) {
        if (*p == '\n')
            *p = '\0';
    }
    return tp_fail(err, TP_E_EVENT, "%s", text);
}

static int shown_bytes(struct tp_span s)
{
    return s.len_bytes < SHOWN_BYTES ? (int)s.len_bytes : SHOWN_BYTES;
}

static int fail_twice_string(struct tp_error *err, uint64_t id, struct tp_span added,
                             struct tp_span existing)
{
    char text[3 * SHOWN_BYTES];
    snprintf(text, sizeof text,
             "multiple strings with the same ID: id=%" PRIu64 ", new=%.*s, existing=%.*s", id,
             shown_bytes(added), (const char *)added.ptr, shown_bytes(existing),
             (const char *)existing.ptr);
    return fail_first_line(err, text);
}

int tp_tables_put_string(struct tp_tables *t, uint64_t id, struct tp_span text,
                         struct tp_error *err)
{
    int rc = TP_TABLES_ROOM(t, &t->strings, err);
    if (rc == 0)
        rc = put_id(t, &t->string_ids, id, t->strings.count, err);
    if (rc != 0)
        return rc;
    t->strings.items[t->strings.count++] = text;
    if (id > t->max_string_id)
        t->max_string_id = id;
    return 0;
}

static int add_string(struct tp_table_reader *r, uint64_t id, struct tp_span bytes)
{
    struct tp_tables *t = r->tables;
    uint32_t known = tp_tables_string_idx(t, id);
    if (tp_unlikely(known != TP_STRING_UNKNOWN))
        return t->is_partial ? 0 : fail_twice_string(r->err, id, bytes, t->strings.items[known]);
    return tp_tables_put_string(t, id, bytes, r->err);
}

int tp_tables_read_strings(struct tp_table_reader *r)
{
    while (r->at < r->end) {
        uint64_t id = 0, len_bytes = 0;
        int rc = take_head(r, TP_EV_String, "string", &id);
        if (rc == 0)
            rc = tp_table_take(r, &len_bytes);
        if (rc != 0)
            return rc;
        if (len_bytes > TP_MAX_STRING_BYTES)
            return tp_fail(r->err, TP_E_EVENT, "invalid string size %" PRIu64 ", maximum is %d",
                           len_bytes, TP_MAX_STRING_BYTES);
        size_t left_bytes = (size_t)(r->end - r->at);
        if (len_bytes > left_bytes)
            return tp_fail(r->err, TP_E_EVENT,
                           "failed to read full string: read %zu but wanted %" PRIu64, left_bytes,
                           len_bytes);
        rc = add_string(r, id, tp_span_of(r->at, (size_t)len_bytes));
        if (rc != 0)
            return rc;
        r->at += len_bytes;
    }
    return 0;
}

// Returns the number whose encoded bytes are in `bytes`: joins its groups of seven bits.
TP_INLINE uint64_t join_groups(uint64_t bytes)
{
    bytes &= ~TP_VARINT_HIGH_BITS;
    bytes = (bytes & 0x007f007f007f007fULL) | (bytes & 0x7f007f007f007f00ULL) >> 1;
    bytes = (bytes & 0x00003fff00003fffULL) | (bytes & 0x3fff00003fff0000ULL) >> 2;
    return (bytes & 0x0fffffffULL) | (bytes & 0x0fffffff00000000ULL) >> 4;
}

TP_INLINE uint64_t max_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Returns the larger one of two consecutive numbers, whose lengths are one or two bytes each.
TP_INLINE uint64_t max_of_short(const unsigned char *p, unsigned first_bytes,
                                unsigned second_bytes)
{
    uint32_t word = tp_load_le32(p), bytes;
    bytes = (word & (0x7f7fu >> (16 - 8 * first_bytes))) |
            (word >> 8 * first_bytes & (0x7f7fu >> (16 - 8 * second_bytes))) << 16;
    uint32_t both = (bytes & 0x007f007f) | (bytes >> 1 & 0x3f803f80);
    return max_of(both & 0xffff, both >> 16);
}

// Returns the number at [begin, end), which has at most eight bytes. Eight bytes from `begin` on
// must be readable.
TP_INLINE uint64_t number_at(const unsigned char *p, unsigned begin, unsigned end)
{
    return join_groups(tp_load_le64(p + begin) & (UINT64_MAX >> (64 - 8 * (end - begin))));
}

// Skips frames whose numbers have usual lengths, without a branch for each number: a number ends
// with the first byte without the high bit. Stops before the first frame that has to be read number
// by number; returns the number of frames that are left.
static uint64_t skip_usual_frames(const unsigned char **p_io, const unsigned char *end,
                                  uint64_t frame_count, uint64_t *max_id_io)
{
    const unsigned char *p = *p_io;
    uint64_t max_id = *max_id_io;
    for (; frame_count > 0 && end - p >= FRAME_ROOM_BYTES; frame_count--) {
        uint32_t ends = ~tp_varint_high_bits(p) & 0xffff;
        uint32_t behind_pc = ends & (ends - 1), behind_func = behind_pc & (behind_pc - 1);
        uint32_t behind_file = behind_func & (behind_func - 1);
        if (tp_unlikely(behind_file == 0))
            break;
        unsigned pc_end = (unsigned)__builtin_ctz(ends) + 1;
        unsigned func_end = (unsigned)__builtin_ctz(behind_pc) + 1;
        unsigned file_end = (unsigned)__builtin_ctz(behind_func) + 1;
        unsigned line_end = (unsigned)__builtin_ctz(behind_file) + 1;
        // A number of up to eight bytes cannot overflow.
        if (tp_unlikely((pc_end > 8) | (line_end - pc_end > 8)))
            break;
        uint64_t ids = tp_likely((func_end - pc_end <= 2) & (file_end - func_end <= 2))
                           ? max_of_short(p + pc_end, func_end - pc_end, file_end - func_end)
                           : max_of(number_at(p, pc_end, func_end),
                                    number_at(p, func_end, file_end));
        max_id = max_of(max_id, ids);
        p += line_end;
    }
    *p_io = p;
    *max_id_io = max_id;
    return frame_count;
}

// Skips one frame, number by number.
static int skip_frame(struct tp_table_reader *r, uint64_t stack_id, uint64_t number,
                      uint64_t *max_id_io)
{
    static const char *const fields[TP_FRAME_ARGS] = {"PC", "funcID", "fileID", "line"};
    uint64_t frame[TP_FRAME_ARGS];
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
        enum tp_varint_status status = tp_varint_get(&r->at, r->end, &frame[k]);
        if (status != TP_VARINT_OK)
            return tp_fail(r->err, TP_E_EVENT,
                           "reading frame %" PRIu64 "'s %s for stack %" PRIu64 ": %s", number,
                           fields[k], stack_id, fault_text(r, status));
    }
    *max_id_io = max_of(*max_id_io, max_of(frame[1], frame[2]));
    return 0;
}

static int skip_frames(struct tp_table_reader *r, uint64_t stack_id, uint64_t frame_count)
{
    uint64_t *max_id = &r->tables->max_frame_string_id;
    if (frame_count == 0 || tp_frames_walk(&r->at, r->end, frame_count, *max_id))
        return 0;
    uint64_t left = frame_count;
    while ((left = skip_usual_frames(&r->at, r->end, left, max_id)) > 0) {
        int rc = skip_frame(r, stack_id, frame_count - left + 1, max_id);
        if (rc != 0)
            return rc;
        left--;
    }
    return 0;
}

static size_t put_pc(char *text, size_t room_bytes, const struct tp_stack_def *def)
{
    const unsigned char *p = def->frames;
    int n = def->frame_count == 0 ? 0 : snprintf(text, room_bytes, "\t0x%" PRIx64 "\n",
                                                 tp_table_take_known(&p));
    return (size_t)n;
}

// Fails because two stacks have the same id. Go prints all PCs of both stacks, one on each line;
// this message has only the first PC of each.
static int fail_twice_stack(const struct tp_table_reader *r, const struct tp_stack_def *added)
{
    const struct tp_tables *t = r->tables;
    char text[SHOWN_BYTES];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "multiple trace.stacks with the same ID: id=%" PRIu64 ", new=",
                                added->id);
    n += put_pc(text + n, sizeof text - n, added);
    n += (size_t)snprintf(text + n, sizeof text - n, ", existing=");
    if (added->id != 0)
        put_pc(text + n, sizeof text - n, &t->stacks.items[tp_idmap_get(&t->stack_ids, added->id)]);
    return fail_first_line(r->err, text);
}

int tp_tables_replace_stack(struct tp_tables *t, uint32_t idx, const struct tp_stack_def *def,
                            struct tp_error *err)
{
    if (t->frame_count + def->frame_count > UINT32_MAX)
        return tp_tables_refuse(t, TP_E_LIMIT, err);
    // Copied field by field: if the whole definition were copied just after it was written, the
    // processor would wait for the writes.
    struct tp_stack_def *to = &t->stacks.items[idx];
    to->id = def->id;
    to->frames = def->frames;
    to->first = (uint32_t)t->frame_count;
    to->frame_count = def->frame_count;
    to->frames_bytes = def->frames_bytes;
    t->frame_count += def->frame_count;
    if (def->frame_count > t->max_stack_frames)
        t->max_stack_frames = def->frame_count;
    return 0;
}

int tp_tables_put_stack(struct tp_tables *t, const struct tp_stack_def *def, struct tp_error *err)
{
    int rc = TP_TABLES_ROOM(t, &t->stacks, err);
    if (rc == 0)
        rc = put_id(t, &t->stack_ids, def->id, t->stacks.count, err);
    return rc == 0 ? tp_tables_replace_stack(t, t->stacks.count++, def, err) : rc;
}

static int add_stack(struct tp_table_reader *r, const struct tp_stack_def *def)
{
    struct tp_tables *t = r->tables;
    if (tp_unlikely(tp_tables_has_stack(t, def->id)))
        return t->is_partial ? 0 : fail_twice_stack(r, def);
    return tp_tables_put_stack(t, def, r->err);
}

int tp_tables_read_stacks(struct tp_table_reader *r)
{
    while (r->at < r->end) {
        uint64_t id = 0, frame_count = 0;
        int rc = take_head(r, TP_EV_Stack, "stack", &id);
        if (rc == 0)
            rc = tp_table_take(r, &frame_count);
        if (rc != 0)
            return rc;
        if (frame_count > TP_MAX_STACK_FRAMES)
            return tp_fail(r->err, TP_E_EVENT, "invalid stack size %" PRIu64 ", maximum is %d",
                           frame_count, TP_MAX_STACK_FRAMES);
        const unsigned char *frames = r->at;
        rc = skip_frames(r, id, frame_count);
        static_assert(TP_MAX_BATCH_BYTES <= UINT16_MAX + 1, "frames follow their head");
        if (rc == 0)
            rc = add_stack(r, &(struct tp_stack_def){.id = id,
                                                     .frames = frames,
                                                     .frame_count = (uint16_t)frame_count,
                                                     .frames_bytes = (uint16_t)(r->at - frames)});
        if (rc != 0)
            return rc;
    }
    return 0;
}

int tp_tables_read_samples(struct tp_table_reader *r)
{
    struct tp_tables *t = r->tables;
    while (r->at < r->end) {
        uint64_t ticks = 0, m = 0, p = 0, g = 0, stack = 0;
        uint64_t *const fields[] = {&m, &p, &g, &stack};
        const unsigned char *begin = r->at;
        int rc = take_head(r, TP_EV_CPUSample, "CPU sample", &ticks);
        for (size_t i = 0; rc == 0 && i < TP_ARRAY_LEN(fields); i++)
            rc = tp_table_take(r, fields[i]);
        if (rc == 0)
            rc = TP_TABLES_ROOM(t, &t->samples, r->err);
        if (rc != 0)
            return rc;
        t->samples.items[t->samples.count++] = (struct tp_sample){
            .time_ns = (int64_t)ticks, // until tp_tables_finish
            .m = (int64_t)m,
            .p = (int64_t)p,
            .g = g == 0 ? -1 : (int64_t)g,
            .stack = stack,
            .wire_bytes = (uint32_t)(r->at - begin),
        };
    }
    return 0;
}

// Returns the first definition of a PC in the batches.
static struct tp_wire_frame first_definition(const struct tp_tables *t, uint64_t pc)
{
    struct tp_wire_frame f = {.pc = ~pc};
    for (size_t s = 0; f.pc != pc; s++) {
        const unsigned char *p = t->stacks.items[s].frames;
        for (uint32_t i = 0; f.pc != pc && i < t->stacks.items[s].frame_count; i++)
            f = tp_table_take_frame(&p);
    }
    return f;
}

uint64_t tp_tables_missing_frame_string(const struct tp_tables *t, const struct tp_stack_def *def,
                                        bool *ret_is_function)
{
    const uint32_t *frames = t->frame_idx + def->first;
    uint32_t i = 0;
    while (t->frames.items[frames[i]].function != TP_STRING_UNKNOWN &&
           t->frames.items[frames[i]].file != TP_STRING_UNKNOWN)
        i++;
    const struct tp_frame_def *f = &t->frames.items[frames[i]];
    const struct tp_wire_frame first = first_definition(t, f->pc);
    *ret_is_function = f->function == TP_STRING_UNKNOWN;
    return *ret_is_function ? first.function : first.file;
}

static int fail_frame(const struct tp_tables *t, const struct tp_stack_def *def,
                      struct tp_error *err)
{
    bool is_func;
    uint64_t id = tp_tables_missing_frame_string(t, def, &is_func);
    return tp_fail(err, TP_E_EVENT, "found invalid %s string ID %" PRIu64 " for stack %" PRIu64,
                   is_func ? "func" : "file", id, def->id);
}

bool tp_tables_has_names(const struct tp_tables *t, const struct tp_stack_def *def,
                         uint32_t string_end)
{
    for (uint32_t i = 0; i < def->frame_count; i++) {
        const struct tp_frame_def *f = &t->frames.items[t->frame_idx[def->first + i]];
        if (f->function >= string_end || f->file >= string_end)
            return false;
    }
    return true;
}

static bool has_string(const void *tables, uint64_t id)
{
    return tp_tables_has_string(tables, id);
}

static bool all_strings_are_there(const struct tp_tables *t)
{
    // Ids are distinct and not 0: if their number equals the largest id, none is missing.
    bool is_dense = t->max_string_id == t->strings.count - 1;
    if (is_dense)
        return t->max_frame_string_id <= t->max_string_id;
    return tp_tables_frame_strings_pass(t, has_string, t);
}

int tp_tables_check_frames(const struct tp_tables *t, struct tp_error *err)
{
    if (all_strings_are_there(t))
        return 0;
    // Some frame names a string that is missing. That is an error only if the frame is the first
    // definition of its PC. Of the stacks with such a frame, Go reports the one with the smallest
    // id if the ids are dense, otherwise any of them.
    int rc = tp_tables_resolve(t);
    if (rc != 0)
        return tp_tables_refuse(t, rc, err);
    const struct tp_stack_def *bad = NULL;
    for (size_t s = 0; s < t->stacks.count; s++) {
        const struct tp_stack_def *def = &t->stacks.items[s];
        if ((bad == NULL || def->id < bad->id) && !tp_tables_has_names(t, def, TP_STRING_UNKNOWN))
            bad = def;
    }
    return bad == NULL ? 0 : fail_frame(t, bad, err);
}
