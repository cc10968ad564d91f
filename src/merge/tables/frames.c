// Resolves the frames of a generation's stacks by PC and prints each distinct frame once, so that
// printing a stack is a few copies. Both happen when the first stack is looked up.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/text/decimal.h"
#include "decode/frame_key.h"
#include "decode/spec.h"
#include "merge/tables/read.h"

// Maximum length of a printed frame without its names, "\t @ 0x...\n\t\t:...\n", but with the two
// "string#ID" that may replace the names; in bytes.
#define FRAME_EXTRA_BYTES (16 + 16 + 2 * 32 + TP_DECIMAL_MAX_BYTES + TP_DECIMAL_SLACK)

// Capacities of the frames and of their text when these grow for the first time.
#define FIRST_FRAMES 1024
#define FIRST_TEXT_BYTES 1024

// A recently read frame, which is found by its bytes, without looking up its PC.
struct known_frame {
    struct tp_frame_key key;
    uint32_t idx;
};

// The state of resolving the frames of one generation.
struct resolver {
    struct tp_tables *t;
    struct known_frame known[1 << TP_FRAME_SLOT_BITS];
    struct tp_index pcs; // of t->frames by PC
    size_t text_bytes;
    size_t text_capacity;
    size_t room_bytes;       // left of the tables' memory limit
};

static uint64_t hash_by_number(const void *tables, uint32_t frame)
{
    return ((const struct tp_tables *)tables)->frames.items[frame].pc;
}

static bool is_pc(const void *tables, uint32_t frame, const void *key)
{
    return ((const struct tp_tables *)tables)->frames.items[frame].pc == *(const uint64_t *)key;
}

// Gives frame_text a capacity of at least `wanted` bytes. Fails with TP_E_LIMIT or TP_E_MEMORY.
static int need_text(struct resolver *r, size_t wanted)
{
    size_t capacity = r->text_capacity == 0 ? FIRST_TEXT_BYTES : 2 * r->text_capacity;
    capacity = capacity > wanted ? capacity : wanted;
    if (wanted <= r->text_capacity)
        return 0;
    if (capacity - r->text_capacity > r->room_bytes)
        return TP_E_LIMIT;
    unsigned char *text = tp_realloc(r->t->frame_text, capacity);
    if (text == NULL)
        return TP_E_MEMORY;
    r->room_bytes -= capacity - r->text_capacity;
    r->text_capacity = capacity;
    r->t->frame_text = text;
    return 0;
}

static unsigned char *put_bytes(unsigned char *to, struct tp_span bytes)
{
    memcpy(to, bytes.ptr, bytes.len_bytes);
    return to + bytes.len_bytes;
}

static unsigned char *put_text(unsigned char *to, const char *text)
{
    return put_bytes(to, tp_span_of_text(text));
}

static unsigned char *put_hex(unsigned char *to, uint64_t value)
{
    int shift = (63 - __builtin_clzll(value | 1)) & ~3;
    for (; shift >= 0; shift -= 4)
        *to++ = (unsigned char)"0123456789abcdef"[value >> shift & 0xf];
    return to;
}

static unsigned char *put_string(unsigned char *to, const struct tp_tables *t, uint32_t idx,
                                 uint64_t id)
{
    if (idx != TP_STRING_UNKNOWN)
        return put_bytes(to, t->strings.items[idx]);
    return tp_put_decimal(put_text(to, "string#"), id);
}

static size_t string_bytes(const struct tp_tables *t, uint32_t idx)
{
    return idx != TP_STRING_UNKNOWN ? t->strings.items[idx].len_bytes : 0;
}

// Prints and adds the frame of a PC that has no frame yet.
static int add_frame(struct resolver *r, const struct tp_wire_frame *f)
{
    struct tp_tables *t = r->t;
    struct tp_frame_def def = {.pc = f->pc,
                               .line = f->line,
                               .function = tp_tables_string_idx(t, f->function),
                               .file = tp_tables_string_idx(t, f->file),
                               .text_offset = (uint32_t)r->text_bytes};
    size_t wanted = r->text_bytes + string_bytes(t, def.function) + string_bytes(t, def.file) +
                    FRAME_EXTRA_BYTES + TP_FRAME_TEXT_SLACK_BYTES;
    if (wanted > UINT32_MAX)
        return TP_E_TOO_LARGE;
    int code = TP_LIST_ROOM_WITHIN(&t->frames, FIRST_FRAMES, &r->room_bytes);
    if (code == 0)
        code = need_text(r, wanted);
    if (code == 0)
        code =
            tp_index_make_room_within(&r->pcs, t->frames.count, hash_by_number, t, &r->room_bytes);
    if (code != 0)
        return code;

    unsigned char *from = t->frame_text + r->text_bytes, *to = from;
    *to++ = '\t';
    to = put_string(to, t, def.function, f->function);
    to = put_hex(put_text(to, " @ 0x"), f->pc);
    to = put_string(put_text(to, "\n\t\t"), t, def.file, f->file);
    *to++ = ':';
    to = tp_put_decimal(to, f->line);
    *to++ = '\n';
    def.text_bytes = (uint32_t)(to - from);
    r->text_bytes += def.text_bytes;
    if (def.text_bytes > t->max_frame_text_bytes)
        t->max_frame_text_bytes = def.text_bytes;
    t->frames.items[t->frames.count] = def;
    tp_index_put(&r->pcs, f->pc, t->frames.count++);
    return 0;
}

static void know(struct known_frame *f, const uint64_t wire[2], size_t wire_bytes, uint32_t idx)
{
    if (wire_bytes > TP_FRAME_WIRE_MAX_BYTES)
        return;
    tp_frame_key_set(&f->key, wire, wire_bytes);
    f->idx = idx;
}

// Finds the index of the frame at *p, and moves *p past the frame.
static int resolve_frame(struct resolver *r, const unsigned char **p, uint32_t *ret_idx)
{
    const struct tp_wire_frame f = tp_table_take_frame(p);
    *ret_idx = tp_index_find(&r->pcs, f.pc, r->t, is_pc, &f.pc);
    if (tp_likely(*ret_idx != UINT32_MAX))
        return 0;
    *ret_idx = r->t->frames.count;
    return add_frame(r, &f);
}

static int resolve_stack(struct resolver *r, const struct tp_stack_def *def)
{
    const unsigned char *p = def->frames;
    uint32_t *to = r->t->frame_idx + def->first;
    int code = 0;
    for (uint32_t i = 0; i < def->frame_count && code == 0; i++) {
        uint64_t wire[2];
        tp_table_frame_wire(def, p, wire);
        struct known_frame *f = &r->known[tp_frame_slot(wire[0])];
        if (tp_likely(tp_frame_key_fits(&f->key, wire))) {
            to[i] = f->idx;
            p += f->key.wire_bytes;
            continue;
        }
        const unsigned char *from = p;
        code = resolve_frame(r, &p, &to[i]);
        know(f, wire, (size_t)(p - from), to[i]);
    }
    return code;
}

static int resolve(struct tp_tables *t)
{
    struct resolver r = {.t = t, .room_bytes = t->room_bytes};
    size_t index_bytes = (size_t)t->frame_count * sizeof *t->frame_idx;
    if (index_bytes > r.room_bytes)
        return TP_E_LIMIT;
    t->frame_idx = tp_alloc(index_bytes);
    if (t->frame_idx == NULL)
        return TP_E_MEMORY;
    r.room_bytes -= index_bytes;
    int code = 0;
    for (size_t s = 0; code == 0 && s < t->stacks.count; s++)
        code = resolve_stack(&r, &t->stacks.items[s]);
    tp_index_fini(&r.pcs);
    if (code == 0)
        tp_stack_texts_init(&t->stack_texts, t->stacks.count, r.room_bytes);
    return code;
}

int tp_tables_resolve_once(const struct tp_tables *constant)
{
    // Although the tables are constant, the members about resolved frames may change here: no
    // thread reads these members before it has called this function or has found `is_resolved`
    // true.
    struct tp_tables *t = (struct tp_tables *)constant;
    pthread_mutex_lock(&t->resolve_mu);
    if (!atomic_load_explicit(&t->is_resolved, memory_order_relaxed)) {
        t->resolve_code = resolve(t);
        atomic_store_explicit(&t->is_resolved, true, memory_order_release);
    }
    pthread_mutex_unlock(&t->resolve_mu);
    return t->resolve_code;
}

static _Thread_local bool has_missed;

void tp_tables_note_missed(void)
{
    has_missed = true;
}

bool tp_tables_take_missed(void)
{
    bool missed = has_missed;
    has_missed = false;
    return missed;
}

int tp_tables_stacks_failure(const struct tp_tables *t, struct tp_error *err)
{
    if (!atomic_load_explicit(&t->is_resolved, memory_order_acquire) || t->resolve_code == 0)
        return 0;
    if (t->resolve_code == TP_E_MEMORY)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the stacks of generation %" PRIu64,
                       t->generation);
    return tp_fail(err, t->resolve_code, "the stacks of generation %" PRIu64 " do not fit into "
                   "%zu KiB", t->generation, t->max_bytes >> 10);
}

void tp_tables_keep_stack_text(const struct tp_tables *constant, const struct tp_stack_def *def,
                               struct tp_span text)
{
    struct tp_tables *t = (struct tp_tables *)constant;
    tp_stack_texts_put(&t->stack_texts, (size_t)(def - t->stacks.items), text);
}
