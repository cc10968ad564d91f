#include "sink/text/raw_v2_writer.h"

#include "base/alloc.h"
#include "base/check.h"
#include "decode/put_v2.h"
#include "merge/tables/event_shape.h"

#define WRITES_MINOR 26
#define TICKS_PER_SECOND 1000000000 // times are nanoseconds
// Limit of all open batches together; when it is reached, every open batch is written.
#define BATCHES_MAX_BYTES TP_MIB(8)
#define BATCH_FIRST_BYTES 256
#define STACK_MAX_BYTES \
    (TP_PUT_V2_EVENT_MAX_BYTES + TP_MAX_STACK_FRAMES * TP_FRAME_ARGS * TP_VARINT_MAX_BYTES)
// Flag in a number: the string or stack was too long, and is already included in cut_count.
#define IS_COUNTED ((uint32_t)1 << 31)

enum { SAMPLES, OF_NOBODY }; // batches; those of threads follow, by slot
enum { ARG_NUMBER, ARG_STRING, ARG_STACK };

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for writing a trace");
}

int tp_wire_v2_header(struct tp_out *out, struct tp_error *err)
{
    unsigned char header[TP_PUT_V2_HEADER_BYTES];
    tp_put_v2_header(header, WRITES_MINOR);
    return tp_out_put(out, tp_span_of(header, sizeof header), err);
}

// BATCHES

static int put_batch(const struct tp_wire_v2 *w, int64_t m, int64_t begin_ns, struct tp_span body,
                     struct tp_error *err)
{
    unsigned char head[TP_PUT_V2_BATCH_MAX_BYTES];
    unsigned char *end = tp_put_v2_batch(head, w->generation, m, (uint64_t)begin_ns,
                                         body.len_bytes);
    int rc = tp_out_put(w->out, tp_span_of(head, (size_t)(end - head)), err);
    return rc != 0 ? rc : tp_out_put(w->out, body, err);
}

static int flush(const struct tp_wire_v2 *w, struct tp_wire_v2_batch *b, struct tp_error *err)
{
    if (b->len_bytes == 0)
        return 0;
    struct tp_span body = tp_span_of(b->bytes, b->len_bytes);
    b->len_bytes = 0;
    return put_batch(w, b->m, b->begin_ns, body, err);
}

static int flush_all(struct tp_wire_v2 *w, struct tp_error *err)
{
    for (uint32_t i = 0; i < w->batches.count; i++) {
        struct tp_wire_v2_batch *b = &w->batches.items[i];
        int rc = flush(w, b, err);
        if (rc != 0)
            return rc;
        tp_free(b->bytes);
        *b = (struct tp_wire_v2_batch){.m = b->m};
    }
    w->batch_bytes = 0;
    return 0;
}

static bool grow(struct tp_wire_v2 *w, struct tp_wire_v2_batch *b)
{
    uint32_t capacity = b->capacity > 0 ? 2 * b->capacity : BATCH_FIRST_BYTES;
    unsigned char *bytes = tp_realloc(b->bytes, capacity);
    if (bytes == NULL)
        return false;
    w->batch_bytes += capacity - b->capacity;
    b->bytes = bytes;
    b->capacity = capacity;
    return true;
}

// Returns the batch of an event, with room for the event. NULL: failed, and *err is filled.
static struct tp_wire_v2_batch *batch_of(struct tp_wire_v2 *w, const struct tp_upgraded *placed,
                                         struct tp_error *err)
{
    uint32_t idx = OF_NOBODY + placed->m_slot;
    if (placed->event.type == TP_EV_CPUSample)
        idx = SAMPLES;
    while (w->batches.count <= idx) {
        if (!TP_LIST_ADD(&w->batches, (struct tp_wire_v2_batch){.m = -1}))
            return no_memory(err), NULL;
    }
    if (w->batch_bytes > BATCHES_MAX_BYTES && flush_all(w, err) != 0)
        return NULL;
    struct tp_wire_v2_batch *b = &w->batches.items[idx];
    b->m = placed->m;
    if (b->len_bytes + TP_PUT_V2_EVENT_MAX_BYTES > TP_MAX_BATCH_BYTES && flush(w, b, err) != 0)
        return NULL;
    while (b->len_bytes + TP_PUT_V2_EVENT_MAX_BYTES > b->capacity) {
        if (!grow(w, b))
            return no_memory(err), NULL;
    }
    if (b->len_bytes == 0)
        b->begin_ns = b->last_ns = placed->event.time_ns;
    return b;
}

// NUMBERS

static bool make_numbers(struct tp_wire_v2_numbers *n, size_t count)
{
    n->numbers = tp_alloc_array(count > 0 ? count : 1, sizeof *n->numbers);
    if (n->numbers != NULL)
        memset(n->numbers, 0, count * sizeof *n->numbers);
    return n->numbers != NULL;
}

// Returns the number of an entry in the generation that is being written; 0: out of memory.
static uint32_t number_of(struct tp_wire_v2_numbers *n, uint32_t idx)
{
    uint32_t number = n->numbers[idx] & ~IS_COUNTED;
    if (tp_likely(number != 0) || !TP_LIST_ROOM(&n->used))
        return number;
    n->used.items[n->used.count++] = idx;
    n->numbers[idx] |= n->used.count;
    return n->used.count;
}

static void forget_numbers(struct tp_wire_v2_numbers *n)
{
    for (uint32_t i = 0; i < n->used.count; i++)
        n->numbers[n->used.items[i]] &= IS_COUNTED;
    n->used.count = 0;
}

static void count_cut(struct tp_wire_v2 *w, uint32_t *number)
{
    w->cut_count += (*number & IS_COUNTED) == 0;
    *number |= IS_COUNTED;
}

// Numbers a string. An id that the tables lack becomes the empty string (for stacks: no stack).
static bool number_string(struct tp_wire_v2 *w, uint32_t idx, uint64_t *ret_number)
{
    *ret_number = 0;
    if (idx == TP_STRING_UNKNOWN || w->tables->strings.items[idx].len_bytes == 0)
        return true;
    *ret_number = number_of(&w->strings, idx);
    return *ret_number != 0;
}

static bool number_stack(struct tp_wire_v2 *w, uint64_t id, uint64_t *ret_number)
{
    uint32_t idx = id != 0 ? tp_idmap_get(&w->tables->stack_ids, id) : UINT32_MAX;
    *ret_number = 0;
    if (idx == UINT32_MAX)
        return true;
    *ret_number = number_of(&w->stacks, idx);
    return *ret_number != 0;
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t len = strlen(text), suffix_len = strlen(suffix);
    return len >= suffix_len && strcmp(text + len - suffix_len, suffix) == 0;
}

static void learn_args(struct tp_wire_v2 *w)
{
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        for (unsigned i = 0; i < spec->arg_count; i++) {
            w->arg_kinds[code][i] = has_suffix(spec->args[i], "string")  ? ARG_STRING
                                    : has_suffix(spec->args[i], "stack") ? ARG_STACK
                                                                         : ARG_NUMBER;
        }
    }
}

// EVENTS

// Translates an argument to its wire form: a number, or the id of a string or stack.
static bool translate(struct tp_wire_v2 *w, uint8_t kind, uint64_t arg, uint64_t *ret_arg)
{
    *ret_arg = arg;
    switch (kind) {
    case ARG_STRING:
        return number_string(w, tp_tables_string_idx(w->tables, arg), ret_arg);
    case ARG_STACK: return number_stack(w, arg, ret_arg);
    default: return true;
    }
}

static void append(struct tp_wire_v2 *w, struct tp_wire_v2_batch *b, uint8_t type,
                   const uint64_t *args)
{
    unsigned char *to = b->bytes + b->len_bytes, *end = tp_put_v2_event(to, type, args);
    b->len_bytes += (uint32_t)(end - to);
    w->written_bytes += (uint64_t)(end - to);
}

static int put_event(struct tp_wire_v2 *w, struct tp_wire_v2_batch *b,
                     const struct tp_run_event *e, struct tp_error *err)
{
    uint64_t args[TP_MAX_EVENT_ARGS] = {(uint64_t)(e->time_ns - b->last_ns)};
    for (unsigned i = 1; i < tp_event_specs[e->type].arg_count; i++) {
        if (!translate(w, w->arg_kinds[e->type][i], e->args[i - 1], &args[i]))
            return no_memory(err);
    }
    b->last_ns = e->time_ns;
    append(w, b, e->type, args);
    return 0;
}

static int put_sample(struct tp_wire_v2 *w, struct tp_wire_v2_batch *b,
                      const struct tp_run_event *e, struct tp_error *err)
{
    uint64_t stack;
    if (!number_stack(w, tp_arg(e, CPUSample, stack), &stack))
        return no_memory(err);
    if (b->len_bytes == 0)
        b->bytes[b->len_bytes++] = TP_EV_CPUSamples;
    uint64_t args[] = {(uint64_t)e->time_ns, tp_arg(e, CPUSample, m), tp_arg(e, CPUSample, p),
                       tp_arg(e, CPUSample, g), stack};
    append(w, b, e->type, args);
    return 0;
}

int tp_wire_v2_put(struct tp_wire_v2 *w, const struct tp_upgraded *placed, struct tp_error *err)
{
    struct tp_wire_v2_batch *b = batch_of(w, placed, err);
    if (b == NULL)
        return err->code;
    return placed->event.type == TP_EV_CPUSample ? put_sample(w, b, &placed->event, err)
                                                 : put_event(w, b, &placed->event, err);
}

// TABLES

// Puts the frequency and the clock snapshot. The old trace has no wall clock, so the new trace
// takes the beginning of 1970 for its time 0.
static int put_clock(struct tp_wire_v2 *w, struct tp_error *err)
{
    unsigned char body[3 * TP_PUT_V2_EVENT_MAX_BYTES];
    uint64_t ns = (uint64_t)w->begin_ns;
    uint64_t clock[] = {0, ns, ns / TICKS_PER_SECOND, ns % TICKS_PER_SECOND};
    unsigned char *end = tp_put_v2_event(body, TP_EV_Sync, NULL);
    end = tp_put_v2_event(end, TP_EV_Frequency, (const uint64_t[]){TICKS_PER_SECOND});
    end = tp_put_v2_event(end, TP_EV_ClockSnapshot, clock);
    return put_batch(w, -1, w->begin_ns, tp_span_of(body, (size_t)(end - body)), err);
}

// A batch of a table, which is built in table_bytes. It is written when the next entry might not
// fit.
struct table {
    struct tp_wire_v2 *w;
    unsigned char *at;
    uint8_t type;
};

static int table_flush(struct table *t, struct tp_error *err)
{
    unsigned char *from = t->w->table_bytes;
    size_t len_bytes = (size_t)(t->at - from);
    t->at = from + 1;
    from[0] = t->type;
    return len_bytes <= 1 ? 0
                          : put_batch(t->w, -1, t->w->begin_ns, tp_span_of(from, len_bytes), err);
}

static int table_room(struct table *t, size_t entry_bytes, struct tp_error *err)
{
    size_t len_bytes = (size_t)(t->at - t->w->table_bytes);
    return len_bytes + entry_bytes > TP_MAX_BATCH_BYTES ? table_flush(t, err) : 0;
}

static int put_strings(struct tp_wire_v2 *w, struct tp_error *err)
{
    struct table t = {.w = w, .at = w->table_bytes, .type = TP_EV_Strings};
    int rc = table_flush(&t, err);
    for (uint32_t i = 0; i < w->strings.used.count && rc == 0; i++) {
        uint32_t idx = w->strings.used.items[i];
        struct tp_span text = w->tables->strings.items[idx];
        if (text.len_bytes > TP_MAX_STRING_BYTES) {
            count_cut(w, &w->strings.numbers[idx]);
            text.len_bytes = TP_MAX_STRING_BYTES;
        }
        rc = table_room(&t, TP_PUT_V2_EVENT_MAX_BYTES + text.len_bytes, err);
        if (rc != 0)
            break;
        t.at = tp_put_v2_event(t.at, TP_EV_String, (const uint64_t[]){i + 1});
        t.at = tp_varint_put(t.at, text.len_bytes);
        memcpy(t.at, text.ptr, text.len_bytes);
        t.at += text.len_bytes;
    }
    return rc != 0 ? rc : table_flush(&t, err);
}

static int put_frame(struct table *t, const struct tp_frame_def *f, struct tp_error *err)
{
    uint64_t function, file;
    if (!number_string(t->w, f->function, &function) || !number_string(t->w, f->file, &file))
        return no_memory(err);
    const uint64_t frame[TP_FRAME_ARGS] = {f->pc, function, file, f->line};
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++)
        t->at = tp_varint_put(t->at, frame[k]);
    return 0;
}

static int put_stack(struct table *t, uint32_t idx, uint64_t number, struct tp_error *err)
{
    const struct tp_tables *tables = t->w->tables;
    const struct tp_stack_def *def = &tables->stacks.items[idx];
    uint32_t count = def->frame_count;
    if (count > TP_MAX_STACK_FRAMES) {
        count_cut(t->w, &t->w->stacks.numbers[idx]);
        count = TP_MAX_STACK_FRAMES;
    }
    int rc = table_room(t, STACK_MAX_BYTES, err);
    if (rc == 0)
        t->at = tp_put_v2_event(t->at, TP_EV_Stack, (const uint64_t[]){number, count});
    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = put_frame(t, &tables->frames.items[tables->frame_idx[def->first + i]], err);
    return rc;
}

static int put_stacks(struct tp_wire_v2 *w, struct tp_error *err)
{
    struct table t = {.w = w, .at = w->table_bytes, .type = TP_EV_Stacks};
    int rc = tp_tables_resolve(w->tables);
    if (rc != 0)
        return tp_tables_stacks_failure(w->tables, err);
    rc = table_flush(&t, err);
    for (uint32_t i = 0; i < w->stacks.used.count && rc == 0; i++)
        rc = put_stack(&t, w->stacks.used.items[i], i + 1, err);
    return rc != 0 ? rc : table_flush(&t, err);
}

// GENERATIONS

int tp_wire_v2_begin(struct tp_wire_v2 *w, struct tp_tables *tables, int64_t begin_ns,
                     struct tp_out *out, struct tp_error *err)
{
    if (w->tables == NULL) {
        learn_args(w);
        w->tables = tables;
        w->table_bytes = tp_alloc(TP_MAX_BATCH_BYTES);
        if (w->table_bytes == NULL || !make_numbers(&w->strings, tables->strings.count) ||
            !make_numbers(&w->stacks, tables->stacks.count))
            return no_memory(err);
    }
    int rc = TP_CHECK(w->tables == tables, err);
    if (rc != 0)
        return rc;
    w->generation++;
    w->begin_ns = begin_ns;
    w->out = out;
    w->written_bytes = 0;
    return put_clock(w, err);
}

int tp_wire_v2_end(struct tp_wire_v2 *w, struct tp_error *err)
{
    static const unsigned char mark[] = {TP_EV_EndOfGeneration};
    int rc = flush_all(w, err);
    if (rc == 0)
        rc = put_stacks(w, err);
    if (rc == 0)
        rc = put_strings(w, err);
    forget_numbers(&w->stacks);
    forget_numbers(&w->strings);
    return rc != 0 ? rc : tp_out_put(w->out, tp_span_of(mark, sizeof mark), err);
}

static void free_numbers(struct tp_wire_v2_numbers *n)
{
    tp_free(n->numbers);
    tp_free(n->used.items);
}

void tp_wire_v2_fini(struct tp_wire_v2 *w)
{
    for (uint32_t i = 0; i < w->batches.count; i++)
        tp_free(w->batches.items[i].bytes);
    tp_free(w->batches.items);
    free_numbers(&w->strings);
    free_numbers(&w->stacks);
    tp_free(w->table_bytes);
    *w = (struct tp_wire_v2){0};
}
