// Prints ordered events. An event consists of "M=12 P=0 G=", its goroutine, head, time, field, id
// and tail. Half of the time would go into the choice of texts, so head, field and tail of each
// event code are made once, in blocks of fixed size; a block is copied whole, whatever its length.
// Other frequent texts are cached and copied: "M=12 P=0 G=" of each thread and P, the high digits
// of times, whole stacks; numbers below a thousand are in a table. Room in the buffer is checked
// once for an event.
#include "sink/text/event_text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "base/text/decimal.h"
#include "base/text/quote.h"
#include "base/time/wall.h"
#include "merge/tables/event_shape.h"

#define BLOCK_BYTES 64
#define HEAD_BYTES 32
#define ID_NAME_BYTES 8
#define ARROW_BYTES 48
#define FRAME_PIECE_BYTES TP_FRAME_TEXT_SLACK_BYTES
_Static_assert(FRAME_PIECE_BYTES <= TP_EVENT_TEXT_OVERRUN_BYTES, "a frame's piece fits");

// Limit of an event's text without strings and frames, but with the headings of stacks.
#define FIXED_MAX_BYTES 640
// Limit of two strings, the most that an event has.
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
    struct block field;     // text between the time and the first number or string after it
    struct block tail;      // text after that
    uint16_t id_offset;     // in struct tp_event: place of the id of a transition or range
    bool has_stack;
};

static struct row rows[TP_EVENT_CODES];
static unsigned char padded[1000][4]; // three digits
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

// " Name=" and scope of a range; a stop of the world has its reason in between.
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
    const uint16_t named_id = offsetof(struct tp_event, args[TP_ARG_Named_id]);
    row->id_offset = s->id_from == TP_ID_FROM_ARG ? named_id
                     : s->id_from == TP_ID_FROM_P ? offsetof(struct tp_event, p)
                                                  : offsetof(struct tp_event, g);
    switch (s->kind) {
    case TP_KIND_TRANSITION:
        append(&row->field, s->resource == TP_RESOURCE_PROC ? " ProcID=" : " GoID=");
        if (s->from < TP_STATES && s->to < TP_STATES)
            row->tail = arrows[s->from][s->to];
        if (s->reason_arg == 0)
            append(&row->tail, "\"\"");
        assert(row->field.len_bytes <= ID_NAME_BYTES && row->tail.len_bytes <= ARROW_BYTES);
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
    tp_small_decimals_make();
    for (unsigned value = 0; value < TP_ARRAY_LEN(padded); value++) {
        snprintf((char *)padded[value], sizeof padded[value], "%03u", value % 1000);
    }
}

TP_INLINE unsigned char *put_block(unsigned char *to, const struct block *b)
{
    memcpy(to, b->text, BLOCK_BYTES);
    return to + b->len_bytes;
}

#define put_text(to, text) \
    ((unsigned char *)memcpy((to), (text), sizeof(text) - 1) + sizeof(text) - 1)

// Copies the first `part_bytes` of a block, which hold the texts of all blocks used here.
#define put_part(to, b, part_bytes) \
    ((unsigned char *)memcpy((to), (b)->text, (part_bytes)) + (b)->len_bytes)

static unsigned char *put_new_context(struct tp_context_text *c, unsigned char *to, int64_t m,
                                      int64_t p)
{
    unsigned char *from = to;
    to = tp_put_signed_tabled(put_text(to, "M="), m);
    to = tp_put_signed_tabled(put_text(to, " P="), p);
    to = put_text(to, " G=");
    if ((size_t)(to - from) <= sizeof c->text) {
        *c = (struct tp_context_text){.m = m, .p = p, .len_bytes = (size_t)(to - from)};
        memcpy(c->text, from, c->len_bytes);
    }
    return to;
}

TP_INLINE unsigned char *put_context(struct tp_event_text *x, unsigned char *to, int64_t m,
                                     int64_t p)
{
    // A simple hash suffices, because ids of threads and Ps are mostly consecutive.
    size_t at = ((uint64_t)m + 37 * (uint64_t)p) % TP_CONTEXT_TEXTS;
    struct tp_context_text *c = &x->contexts[at];
    if (tp_unlikely(c->m != m || c->p != p || c->len_bytes == 0))
        return put_new_context(c, to, m, p);
    memcpy(to, c->text, sizeof c->text);
    return to + c->len_bytes;
}

// A time prints as cached high digits and two groups of three digits.
#define LOW_RANGE_NS 1000000

static void keep_time(struct tp_time_text *t, int64_t time_ns)
{
    int64_t high = time_ns / LOW_RANGE_NS;
    t->from_ns = high * LOW_RANGE_NS;
    t->len_bytes = (size_t)(tp_put_decimal(t->digits, (uint64_t)high) - t->digits);
}

TP_INLINE unsigned char *put_three(unsigned char *to, uint32_t value)
{
    memcpy(to, padded[value], 4);
    return to + 3;
}

static TP_NOINLINE unsigned char *put_other_time(const struct tp_event_text *x, unsigned char *to,
                                                 int64_t time_ns)
{
    int64_t ns = tp_event_since_begin_ns(x->begin, time_ns);
    if (x->time_form == TP_TIME_OF_DAY)
        return tp_put_wall(to, tp_wall_after(x->begin->wall, ns), 9, x->zone);
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    return to + snprintf((char *)to, FIXED_MAX_BYTES, "%s%" PRIu64 ".%09" PRIu64 "s", ns < 0 ? "-" : "",
                        size / 1000000000, size % 1000000000);
}

TP_INLINE unsigned char *put_time(struct tp_event_text *x, unsigned char *to, int64_t time_ns)
{
    struct tp_time_text *t = &x->time;
    if (tp_unlikely(x->time_form != TP_TIME_OF_TRACE))
        return put_other_time(x, to, time_ns);
    uint64_t low = (uint64_t)time_ns - (uint64_t)t->from_ns;
    if (tp_unlikely(low >= LOW_RANGE_NS)) {
        // Do not cache near INT64_MAX: a later time would wrap around and seem near.
        if (time_ns < LOW_RANGE_NS || time_ns > INT64_MAX - LOW_RANGE_NS)
            return tp_put_signed_wide(to, time_ns);
        keep_time(t, time_ns);
        low = (uint64_t)(time_ns - t->from_ns);
    }
    memcpy(to, t->digits, 16); // 2^63 / 10^6 has 13 digits
    to = put_three(to + t->len_bytes, (uint32_t)low / 1000);
    return put_three(to, (uint32_t)low % 1000);
}

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS (0x80 * ONES)

// Returns whether none of the eight bytes needs an escape between double quotes.
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

// Copies a string, up to 8 bytes at a time. False: some byte needs an escape, and the copy is
// useless.
TP_INLINE bool put_plain(unsigned char *to, struct tp_span s)
{
    const unsigned char *p = s.ptr;
    size_t n = s.len_bytes, i = 0;
    if (n >= 4 && n < 8) {
        uint32_t first, last; // they overlap
        memcpy(&first, p, sizeof first);
        memcpy(&last, p + n - 4, sizeof last);
        memcpy(to, &first, sizeof first);
        memcpy(to + n - 4, &last, sizeof last);
        return is_plain((uint64_t)last << 32 | first);
    }
    if (tp_unlikely(n < 4)) {
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

// Puts a quoted string without its quotes.
static unsigned char *put_inside(unsigned char *to, struct tp_span s)
{
    if (tp_likely(put_plain(to, s)))
        return to + s.len_bytes;
    unsigned char after = to[-1]; // tp_quote puts its first quote there
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

// Puts the string of an id, quoted, without its quotes.
static unsigned char *put_string_inside(const struct tp_event_text *x, unsigned char *to,
                                        uint64_t id)
{
    uint32_t idx = tp_tables_string_idx(x->tables, id);
    if (tp_unlikely(idx == TP_STRING_UNKNOWN))
        return tp_put_decimal(put_text(to, "string#"), id);
    return put_inside(to, x->tables->strings.items[idx]);
}

static unsigned char *put_string(const struct tp_event_text *x, unsigned char *to, uint64_t id)
{
    *to = '"';
    to = put_string_inside(x, to + 1, id);
    *to = '"';
    return to + 1;
}

static unsigned char *put_frames(const struct tp_tables *t, unsigned char *to,
                                 const struct tp_stack_def *def)
{
    const uint32_t *frames = t->frame_idx + def->first;
    for (uint32_t i = 0; i < def->frame_count; i++) {
        const struct tp_frame_def *f = &t->frames.items[frames[i]];
        const unsigned char *text = t->frame_text + f->text_offset;
        memcpy(to, text, FRAME_PIECE_BYTES);
        if (tp_unlikely(f->text_bytes > FRAME_PIECE_BYTES))
            memcpy(to + FRAME_PIECE_BYTES, text + FRAME_PIECE_BYTES,
                   f->text_bytes - FRAME_PIECE_BYTES);
        to += f->text_bytes;
    }
    return to;
}

// Prints the frames of a stack to `to`, and caches the text in the tables if possible.
static struct tp_span print_stack(const struct tp_tables *t, unsigned char *to, uint64_t id)
{
    const struct tp_stack_def *def = tp_tables_stack(t, id);
    unsigned char *end;
    if (tp_unlikely(def == NULL)) {
        end = tp_put_decimal(put_text(to, "\tstack#"), id);
        *end++ = '\n';
        return tp_span_of(to, (size_t)(end - to));
    }
    end = put_frames(t, to, def);
    struct tp_span text = tp_span_of(to, (size_t)(end - to));
    tp_tables_keep_stack_text(t, def, text);
    return text;
}

// Prints a stack. Returns its text, cached in the tables or at `to`.
TP_INLINE struct tp_span put_stack(const struct tp_tables *t, unsigned char *to, uint64_t id)
{
    struct tp_span text = tp_tables_stack_text(t, id);
    if (tp_unlikely(text.len_bytes == 0))
        return print_stack(t, to, id);
    memcpy(to, text.ptr, text.len_bytes);
    return text;
}

static unsigned char *put_stacks(const struct tp_event_text *x, unsigned char *to,
                                 const struct tp_event *e)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    uint64_t id = e->args[s->stack_arg - 1];
    uint64_t transition_id =
        s->transition_stack_arg != 0 ? e->args[s->transition_stack_arg - 1] : 0;
    // Headings of stacks of new goroutines and of samples are printed even without a stack.
    bool is_own = s->transition_stack_arg == s->stack_arg;
    struct tp_span text = {0};
    if (transition_id != 0 || (s->transition_stack_arg != 0 && !is_own)) {
        to = put_text(to, "\nTransitionStack=\n");
        if (transition_id != 0)
            text = put_stack(x->tables, to, transition_id);
        to += text.len_bytes;
    }
    if (id == 0 && s->kind != TP_KIND_STACK_SAMPLE)
        return to;
    to = put_text(to, "\nStack=\n");
    if (id == 0)
        return to;
    if (is_own)
        memcpy(to, text.ptr, text.len_bytes);
    else
        text = put_stack(x->tables, to, id);
    return to + text.len_bytes;
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
    to = tp_put_signed_tabled(put_part(to, &row->field, ID_NAME_BYTES), resource_id(e, row));
    if (tp_unlikely(s->from == TP_STATE_IN_EVENT))
        to = put_block(to, &arrows[tp_event_state_from(e)][tp_event_state_to(e)]);
    to = put_part(to, &row->tail, ARROW_BYTES);
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
        to = tp_put_signed_tabled(to, resource_id(e, row));
        *to++ = ')';
    }
    if (s->kind != TP_KIND_RANGE_END)
        return to;
    to = put_text(to, " Attributes=[");
    if (e->type == TP_EV_GCSweepEnd) {
        to = tp_put_decimal(put_text(to, "\"bytes swept\"=Value{Uint64("),
                            tp_arg(e, GCSweepEnd, swept_value));
        to = tp_put_decimal(put_text(to, ")} \"bytes reclaimed\"=Value{Uint64("),
                            tp_arg(e, GCSweepEnd, reclaimed_value));
        to = put_text(to, ")}");
    }
    *to++ = ']';
    return to;
}

static unsigned char *put_task(const struct tp_event_text *x, unsigned char *to,
                               const struct tp_event *e)
{
    bool is_begin = e->type == TP_EV_UserTaskBegin;
    to = tp_put_decimal(put_text(to, " ID="), tp_arg(e, Task, task));
    to = tp_put_decimal(put_text(to, " Parent="), is_begin ? tp_arg(e, UserTaskBegin, parent_task)
                                                           : tp_arg(e, UserTaskEnd, parent_task));
    to = put_text(to, " Type=");
    return is_begin ? put_string(x, to, tp_arg(e, UserTaskBegin, name_string))
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
    to = tp_put_signed_tabled(put_text(to, " N="), (int64_t)v.number);
    if (!v.has_clock)
        return to;
    to = tp_put_signed_tabled(put_text(to, " Trace="), v.trace_ns);
    to = tp_put_decimal(put_text(to, " Mono="), v.mono_ns);
    const struct tp_wall w = {v.wall_sec, v.wall_nsec};
    return tp_put_wall(put_text(to, " Wall="), w, 0, x->zone);
}

// Puts the text after the time, for all events but transitions.
static unsigned char *put_fields(const struct tp_event_text *x, unsigned char *to,
                                 const struct tp_event *e, const struct row *row)
{
    switch (tp_event_shapes[e->type].kind) {
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: return put_range(x, to, e, row);
    case TP_KIND_METRIC:
        to = tp_put_decimal(put_block(to, &row->field), tp_arg(e, Metric, value));
        return put_block(to, &row->tail);
    case TP_KIND_LABEL:
        to = put_string(x, put_text(to, " Label="), tp_arg(e, GoLabel, label_string));
        to = tp_put_signed_tabled(put_text(to, " Resource=Goroutine("), e->g);
        *to++ = ')';
        return to;
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END: return put_task(x, to, e);
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END:
        to = tp_put_decimal(put_text(to, " Task="), tp_arg(e, Region, task));
        return put_string(x, put_text(to, " Type="), tp_arg(e, Region, name_string));
    case TP_KIND_LOG:
        to = tp_put_decimal(put_text(to, " Task="), tp_arg(e, UserLog, task));
        to = put_string(x, put_text(to, " Category="), tp_arg(e, UserLog, key_string));
        return put_string(x, put_text(to, " Message="), tp_arg(e, UserLog, value_string));
    case TP_KIND_EXPERIMENTAL: return put_experimental(to, e);
    case TP_KIND_SYNC: return put_sync(x, to, e);
    default: return to; // samples
    }
}

TP_INLINE unsigned char *put_event(struct tp_event_text *x, unsigned char *to,
                                   const struct tp_event *e)
{
    const struct row *row = &rows[e->type];
    to = tp_put_signed_tabled(put_context(x, to, e->m, e->p), e->g);
    to = put_time(x, put_part(to, &row->head, HEAD_BYTES), e->time_ns);
    if (tp_likely(tp_event_shapes[e->type].kind == TP_KIND_TRANSITION))
        to = put_transition(x, to, e, row);
    else
        to = put_fields(x, to, e, row);
    if (row->has_stack)
        to = tp_unlikely(x->is_short) ? tp_put_short_stacks(to, x->tables, &x->places, e)
                                   : put_stacks(x, to, e);
    *to++ = '\n';
    return to;
}

void tp_event_text_init(struct tp_event_text *x, const struct tp_zone *zone)
{
    pthread_once(&rows_once, make_rows);
    *x = (struct tp_event_text){.zone = zone};
    keep_time(&x->time, LOW_RANGE_NS);
}

int tp_event_text_use(struct tp_event_text *x, const struct tp_tables *tables)
{
    int rc = tables != NULL ? tp_tables_resolve(tables) : 0;
    x->tables = tables;
    x->max_bytes = FIXED_MAX_BYTES + STRINGS_MAX_BYTES;
    if (x->is_short)
        x->places = (struct tp_short_places){0};
    if (rc == 0 && tables != NULL && x->is_short)
        x->max_bytes += tp_short_stacks_max_bytes(tables);
    else if (rc == 0 && tables != NULL)
        x->max_bytes += (size_t)2 * tables->max_stack_frames * tables->max_frame_text_bytes;
    assert(x->max_bytes <= TP_EVENT_TEXT_MAX_BYTES);
    return rc;
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
