// Half of the time of this sink would go into finding out what to print; so what an
// event of each code looks like is made once, in blocks of fixed size that are copied
// whole: "M=12 P=0 G=1" head time field id tail. Numbers are printed without branches
// on their length, frames are copied from the tables in fixed pieces, and no room is
// checked inside an event.
#include "sink/event_text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/quote.h"
#include "base/wall.h"
#include "merge/event_shape.h"

#define BLOCK_BYTES 64
#define HEAD_BYTES 32
#define FRAME_PIECE_BYTES TP_FRAME_TEXT_SLACK_BYTES
_Static_assert(FRAME_PIECE_BYTES <= TP_EVENT_TEXT_OVERRUN_BYTES, "a frame's piece fits");

// All that an event prints but strings and frames, with what marks its stacks.
#define FIXED_MAX_BYTES 640
// Of two strings, as the longest event has.
#define STRINGS_MAX_BYTES (2 * (4 * TP_MAX_STRING_BYTES + 2))
#define FRAME_MAX_BYTES (2 * TP_MAX_STRING_BYTES + 64)
_Static_assert(FIXED_MAX_BYTES + STRINGS_MAX_BYTES + 2 * TP_MAX_STACK_FRAMES * FRAME_MAX_BYTES <=
                   TP_EVENT_TEXT_MAX_BYTES,
               "the longest event");

struct block {
    unsigned char text[BLOCK_BYTES];
    size_t len_bytes;
};

struct row {
    struct block head;      // " Kind Time="
    struct block field;     // to the first number or string behind the time
    struct block tail;      // behind it
    uint16_t id_offset;     // in struct tp_event, of the id of a transition or range
    bool has_stack;
};

static struct row rows[TP_EVENT_CODES];
static struct block arrows[TP_STATES][TP_STATES]; // " Running->Waiting Reason="
static pthread_once_t rows_once = PTHREAD_ONCE_INIT;

static void append(struct block *b, const char *text)
{
    size_t n = strlen(text);
    assert(b->len_bytes + n <= BLOCK_BYTES);
    memcpy(b->text + b->len_bytes, text, n);
    b->len_bytes += n;
}

static void append_name(struct block *b, const char *name)
{
    append(b, " Name=\"");
    append(b, name);
}

static const char *resource_text(unsigned resource)
{
    switch (resource) {
    case TP_RESOURCE_GOROUTINE: return "Goroutine(";
    case TP_RESOURCE_PROC: return "Proc(";
    default: return "None";
    }
}

// " Name=" and scope of a range; that of a stopped world has its reason in between.
static void make_range(struct row *row, const struct tp_event_shape *s)
{
    append_name(&row->field, s->name);
    if (s->reason_arg != 0) {
        append(&row->field, " (");
        append(&row->tail, ")");
    }
    struct block *scope = s->reason_arg != 0 ? &row->tail : &row->field;
    append(scope, "\" Scope=");
    append(scope, resource_text(s->resource));
}

static void make_row(unsigned code)
{
    struct row *row = &rows[code];
    const struct tp_event_shape *s = &tp_event_shapes[code];
    append(&row->head, " ");
    append(&row->head, tp_kind_name((enum tp_kind)s->kind));
    append(&row->head, " Time=");
    assert(row->head.len_bytes <= HEAD_BYTES);
    row->has_stack = s->stack_arg != 0;
    row->id_offset = s->id_from == TP_ID_FROM_ARG ? offsetof(struct tp_event, args)
                     : s->id_from == TP_ID_FROM_P ? offsetof(struct tp_event, p)
                                                  : offsetof(struct tp_event, g);
    switch (s->kind) {
    case TP_KIND_TRANSITION:
        append(&row->field, s->resource == TP_RESOURCE_PROC ? " ProcID=" : " GoID=");
        if (s->from < TP_STATES && s->to < TP_STATES)
            row->tail = arrows[s->from][s->to];
        if (s->reason_arg == 0)
            append(&row->tail, "\"\"");
        break;
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: make_range(row, s); break;
    case TP_KIND_METRIC:
        append_name(&row->field, s->name);
        append(&row->field, "\" Value=Value{Uint64(");
        append(&row->tail, ")}");
        break;
    default: break;
    }
}

static void make_rows(void)
{
    for (unsigned from = 0; from < TP_STATES; from++) {
        for (unsigned to = 0; to < TP_STATES; to++) {
            struct block *b = &arrows[from][to];
            append(b, " ");
            append(b, tp_state_name((enum tp_state)from));
            append(b, "->");
            append(b, tp_state_name((enum tp_state)to));
            append(b, " Reason=");
        }
    }
    for (unsigned code = 0; code < TP_EVENT_CODES; code++)
        make_row(code);
}

TP_INLINE unsigned char *put_block(unsigned char *to, const struct block *b)
{
    memcpy(to, b->text, BLOCK_BYTES);
    return to + b->len_bytes;
}

#define put_text(to, text) ((unsigned char *)memcpy((to), (text), sizeof(text) - 1) + sizeof(text) - 1)

TP_INLINE unsigned char *put_signed(unsigned char *to, int64_t value)
{
    uint64_t is_negative = (uint64_t)value >> 63;
    *to = '-';
    return tp_put_decimal(to + is_negative, ((uint64_t)value ^ (0 - is_negative)) + is_negative);
}

#define LOW_DIGITS 8
#define LOW_RANGE 100000000u

static void keep_high(struct tp_event_text *x, uint64_t high)
{
    x->high = high;
    x->high_digits_bytes = (size_t)(tp_put_decimal(x->high_digits, high) - x->high_digits);
}

TP_INLINE unsigned char *put_time(struct tp_event_text *x, unsigned char *to, int64_t time_ns)
{
    if (tp_unlikely(time_ns < LOW_RANGE))
        return put_signed(to, time_ns);
    uint64_t high = (uint64_t)time_ns / LOW_RANGE;
    if (tp_unlikely(high != x->high))
        keep_high(x, high);
    memcpy(to, x->high_digits, 16); // 2^63 has 19 digits
    to += x->high_digits_bytes;
    uint64_t digits = tp_eight_digits((uint32_t)((uint64_t)time_ns % LOW_RANGE));
    digits |= 0x3030303030303030ULL;
    memcpy(to, &digits, LOW_DIGITS);
    return to + LOW_DIGITS;
}

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS (0x80 * ONES)

// Whether eight bytes stand for themselves between double quotes.
TP_INLINE bool is_plain(uint64_t word)
{
    uint64_t below_space = word - 0x20 * ONES;
    uint64_t quotes = (word ^ '"' * ONES) - ONES;
    uint64_t backslashes = (word ^ '\\' * ONES) - ONES;
    uint64_t deletes = (word ^ 0x7f * ONES) - ONES;
    return ((below_space | quotes | backslashes | deletes | word) & HIGHS) == 0;
}

TP_INLINE uint64_t load(const unsigned char *p, size_t len_bytes)
{
    uint64_t word = ' ' * ONES;
    memcpy(&word, p, len_bytes);
    return word;
}

// Copies a string up to 8 bytes at a time, as long as nothing in it needs quoting.
// False: something does.
TP_INLINE bool put_plain(unsigned char *to, struct tp_span s)
{
    const unsigned char *p = s.ptr;
    size_t n = s.len_bytes, i = 0;
    if (tp_unlikely(n < 8)) {
        for (; i < n; i++) {
            if (!is_plain(load(p + i, 1)))
                return false;
            to[i] = p[i];
        }
        return true;
    }
    for (; i + 8 <= n; i += 8) {
        uint64_t word = load(p + i, 8);
        if (!is_plain(word))
            return false;
        memcpy(to + i, &word, 8);
    }
    uint64_t last = load(p + n - 8, 8);
    memcpy(to + n - 8, &last, 8);
    return is_plain(last);
}

// The inside of a quoted string.
static unsigned char *put_inside(unsigned char *to, struct tp_span s)
{
    if (tp_likely(put_plain(to, s)))
        return to + s.len_bytes;
    unsigned char after = to[-1]; // the quote in front goes there
    unsigned char *end = tp_quote(to - 1, s);
    to[-1] = after;
    return end - 1;
}

static unsigned char *put_quoted(unsigned char *to, struct tp_span s)
{
    *to = '"';
    to = put_inside(to + 1, s);
    *to = '"';
    return to + 1;
}

// The inside of the string of an id.
static unsigned char *put_string_inside(const struct tp_event_text *x, unsigned char *to,
                                        uint64_t id)
{
    uint32_t idx = tp_tables_string_idx(x->tables, id);
    if (tp_unlikely(idx == TP_STRING_UNKNOWN))
        return tp_put_decimal(put_text(to, "string#"), id);
    return put_inside(to, x->tables->strings[idx]);
}

static unsigned char *put_string(const struct tp_event_text *x, unsigned char *to, uint64_t id)
{
    *to = '"';
    to = put_string_inside(x, to + 1, id);
    *to = '"';
    return to + 1;
}

static unsigned char *put_frames(const struct tp_event_text *x, unsigned char *to, uint64_t id)
{
    const struct tp_tables *t = x->tables;
    const struct tp_stack_def *def = tp_tables_stack(t, id);
    if (tp_unlikely(def == NULL)) {
        to = tp_put_decimal(put_text(to, "\tstack#"), id);
        *to++ = '\n';
        return to;
    }
    const uint32_t *frames = t->frame_idx + def->first;
    for (uint32_t i = 0; i < def->frame_count; i++) {
        const struct tp_frame_def *f = &t->frames[frames[i]];
        const unsigned char *text = t->frame_text + f->text_offset;
        memcpy(to, text, FRAME_PIECE_BYTES);
        if (tp_unlikely(f->text_bytes > FRAME_PIECE_BYTES))
            memcpy(to + FRAME_PIECE_BYTES, text + FRAME_PIECE_BYTES,
                   f->text_bytes - FRAME_PIECE_BYTES);
        to += f->text_bytes;
    }
    return to;
}

static unsigned char *put_stacks(const struct tp_event_text *x, unsigned char *to,
                                 const struct tp_event *e)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    uint64_t id = e->args[s->stack_arg - 1];
    uint64_t transition_id = s->transition_stack_arg != 0 ? e->args[s->transition_stack_arg - 1] : 0;
    // Those of new goroutines and of samples are printed even if there is none.
    bool is_own = s->transition_stack_arg == s->stack_arg;
    const unsigned char *from = NULL, *end = NULL;
    if (transition_id != 0 || (s->transition_stack_arg != 0 && !is_own)) {
        to = put_text(to, "\nTransitionStack=\n");
        from = to;
        if (transition_id != 0)
            to = put_frames(x, to, transition_id);
        end = to;
    }
    if (id == 0 && s->kind != TP_KIND_STACK_SAMPLE)
        return to;
    to = put_text(to, "\nStack=\n");
    if (id == 0)
        return to;
    if (!is_own)
        return put_frames(x, to, id);
    size_t len_bytes = (size_t)(end - from);
    memcpy(to, from, len_bytes);
    return to + len_bytes;
}

TP_INLINE int64_t resource_id(const struct tp_event *e, const struct row *row)
{
    int64_t id;
    memcpy(&id, (const unsigned char *)e + row->id_offset, sizeof id);
    return id;
}

TP_INLINE unsigned char *put_transition(const struct tp_event_text *x, unsigned char *to,
                                        const struct tp_event *e, const struct row *row)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    to = put_signed(put_block(to, &row->field), resource_id(e, row));
    if (tp_unlikely(s->from == TP_STATE_IN_EVENT))
        to = put_block(to, &arrows[tp_event_state_from(e)][tp_event_state_to(e)]);
    to = put_block(to, &row->tail);
    return s->reason_arg != 0 ? put_string(x, to, e->args[s->reason_arg - 1]) : to;
}

static unsigned char *put_range(const struct tp_event_text *x, unsigned char *to,
                                const struct tp_event *e, const struct row *row)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    to = put_block(to, &row->field);
    if (s->reason_arg != 0)
        to = put_block(put_string_inside(x, to, e->args[s->reason_arg - 1]), &row->tail);
    if (s->resource != TP_RESOURCE_NONE) {
        to = put_signed(to, resource_id(e, row));
        *to++ = ')';
    }
    if (s->kind != TP_KIND_RANGE_END)
        return to;
    to = put_text(to, " Attributes=[");
    if (e->type == TP_EV_GCSweepEnd) {
        to = tp_put_decimal(put_text(to, "\"bytes swept\"=Value{Uint64("), e->args[0]);
        to = tp_put_decimal(put_text(to, ")} \"bytes reclaimed\"=Value{Uint64("), e->args[1]);
        to = put_text(to, ")}");
    }
    *to++ = ']';
    return to;
}

static unsigned char *put_task(const struct tp_event_text *x, unsigned char *to,
                               const struct tp_event *e)
{
    bool is_begin = e->type == TP_EV_UserTaskBegin;
    to = tp_put_decimal(put_text(to, " ID="), e->args[0]);
    to = tp_put_decimal(put_text(to, " Parent="), e->args[is_begin ? 1 : 2]);
    to = put_text(to, " Type=");
    return is_begin ? put_string(x, to, e->args[2])
                    : put_quoted(to, tp_event_task_end_name(e, x->tables));
}

static unsigned char *put_experimental(unsigned char *to, const struct tp_event *e)
{
    struct tp_experimental v;
    if (!tp_event_experimental(e, &v))
        return to;
    to += snprintf((char *)to, FIXED_MAX_BYTES, " Name=%s Args=[", v.name);
    for (size_t i = 0; i < v.arg_count; i++)
        to += snprintf((char *)to, FIXED_MAX_BYTES, "%s%s=Value{Uint64(%" PRIu64 ")}",
                       i == 0 ? "" : ", ", v.arg_names[i], v.args[i]);
    *to++ = ']';
    return to;
}

static unsigned char *put_sync(const struct tp_event_text *x, unsigned char *to,
                               const struct tp_event *e)
{
    struct tp_sync v;
    if (!tp_event_sync(e, x->tables, &v))
        return to;
    to = put_signed(put_text(to, " N="), (int64_t)v.number);
    if (!v.has_clock)
        return to;
    to = put_signed(put_text(to, " Trace="), v.trace_ns);
    to = tp_put_decimal(put_text(to, " Mono="), v.mono_ns);
    return tp_put_wall(put_text(to, " Wall="), v.wall_sec, v.wall_nsec, x->zone);
}

// What stands behind the time of all events but transitions.
static unsigned char *put_fields(const struct tp_event_text *x, unsigned char *to,
                                 const struct tp_event *e, const struct row *row)
{
    switch (tp_event_shapes[e->type].kind) {
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: return put_range(x, to, e, row);
    case TP_KIND_METRIC:
        return put_block(tp_put_decimal(put_block(to, &row->field), e->args[0]), &row->tail);
    case TP_KIND_LABEL:
        to = put_string(x, put_text(to, " Label="), e->args[0]);
        to = put_signed(put_text(to, " Resource=Goroutine("), e->g);
        *to++ = ')';
        return to;
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END: return put_task(x, to, e);
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END:
        to = tp_put_decimal(put_text(to, " Task="), e->args[0]);
        return put_string(x, put_text(to, " Type="), e->args[1]);
    case TP_KIND_LOG:
        to = tp_put_decimal(put_text(to, " Task="), e->args[0]);
        to = put_string(x, put_text(to, " Category="), e->args[1]);
        return put_string(x, put_text(to, " Message="), e->args[2]);
    case TP_KIND_EXPERIMENTAL: return put_experimental(to, e);
    case TP_KIND_SYNC: return put_sync(x, to, e);
    default: return to; // samples
    }
}

TP_INLINE unsigned char *put_event(struct tp_event_text *x, unsigned char *to,
                                   const struct tp_event *e)
{
    const struct row *row = &rows[e->type];
    to = put_signed(put_text(to, "M="), e->m);
    to = put_signed(put_text(to, " P="), e->p);
    to = put_signed(put_text(to, " G="), e->g);
    memcpy(to, row->head.text, HEAD_BYTES);
    to = put_time(x, to + row->head.len_bytes, e->time_ns);
    if (tp_likely(tp_event_shapes[e->type].kind == TP_KIND_TRANSITION))
        to = put_transition(x, to, e, row);
    else
        to = put_fields(x, to, e, row);
    if (row->has_stack)
        to = put_stacks(x, to, e);
    *to++ = '\n';
    return to;
}

int tp_event_text_init(struct tp_event_text *x, const struct tp_tables *tables,
                       const struct tp_zone *zone)
{
    pthread_once(&rows_once, make_rows);
    int rc = tables != NULL ? tp_tables_resolve(tables) : 0;
    *x = (struct tp_event_text){.tables = tables, .zone = zone};
    x->max_bytes = FIXED_MAX_BYTES + STRINGS_MAX_BYTES;
    if (rc == 0 && tables != NULL)
        x->max_bytes += (size_t)2 * tables->max_stack_frames * tables->max_frame_text_bytes;
    assert(x->max_bytes <= TP_EVENT_TEXT_MAX_BYTES);
    return rc;
}

unsigned char *tp_event_text_put(struct tp_event_text *x, unsigned char *to,
                                 const struct tp_event *e)
{
    return put_event(x, to, e);
}

size_t tp_event_text_fill(struct tp_event_text *x, const struct tp_event *events, size_t count,
                          struct tp_buf *buf)
{
    size_t most_bytes = x->max_bytes + TP_EVENT_TEXT_OVERRUN_BYTES;
    unsigned char *to = buf->ptr + buf->len_bytes;
    const unsigned char *end = buf->ptr + buf->max_bytes;
    size_t i = 0;
    for (; i < count && (size_t)(end - to) >= most_bytes; i++)
        to = put_event(x, to, &events[i]);
    buf->len_bytes = (size_t)(to - buf->ptr);
    return i;
}
