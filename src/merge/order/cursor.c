#include "merge/order/cursor.h"

#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "decode/spec.h"
#include "decode/varint.h"

void tp_cursor_init(struct tp_cursor *c, const struct tp_m_run *run)
{
    *c = (struct tp_cursor){.m_slot = TP_MAP_NONE, .m = (int64_t)run->m, .run = run};
    tp_cursor_use_ahead(c, &c->one, 1);
}

void tp_cursor_use_ahead(struct tp_cursor *c, struct tp_run_event *ahead, size_t count)
{
    c->ahead = ahead;
    c->ahead_max = count;
    c->next = c->ready_end = ahead;
}

static const struct tp_batch_ref *current_batch(const struct tp_cursor *c)
{
    return &c->run->batches.items[c->batch_count - 1];
}

struct tp_decoded_run tp_cursor_decoded(const struct tp_cursor *c,
                                        const struct tp_decoded_part *parts)
{
    struct tp_decoded_run d = {.run = c->run, .parts = parts, .at = c->at, .end = c->end,
                               .beyond_bytes = c->beyond_bytes, .last_ns = c->last_ns,
                               .batch_count = c->batch_count};
    // The window is freed with the cursor, so its bytes must be loaded again.
    if (c->batch_count > 0 && current_batch(c)->body == NULL) {
        d.beyond_bytes += (uint32_t)(c->end - c->at);
        d.at = d.end = NULL;
    }
    return d;
}

void tp_cursor_init_decoded(struct tp_cursor *c, const struct tp_decoded_run *run)
{
    tp_cursor_init(c, run->run);
    c->parts = run->parts;
    c->at = run->at;
    c->end = run->end;
    c->beyond_bytes = run->beyond_bytes;
    c->last_ns = run->last_ns;
    c->batch_count = run->batch_count;
}

void tp_cursor_fini(struct tp_cursor *c)
{
    tp_free(c->window);
    c->window = NULL;
}

// Allocates a window of the loader's window size, or of the size of the largest batch if that is
// smaller: some threads have few bytes.
static int make_window(struct tp_cursor *c, const struct tp_batch_loader *loader,
                       struct tp_error *err)
{
    uint32_t most_bytes = tp_m_run_largest_bytes(c->run);
    c->window_bytes = most_bytes < loader->window_bytes ? most_bytes : loader->window_bytes;
    c->window = tp_alloc(c->window_bytes);
    return c->window != NULL ? 0
                             : tp_fail(err, TP_E_MEMORY, "out of memory for a window of a batch");
}

// Moves the bytes at hand to the beginning of the window and loads the next bytes after them.
static int fill_window(struct tp_cursor *c, struct tp_batch_loader *loader, struct tp_error *err)
{
    const struct tp_batch_ref *ref = current_batch(c);
    if (c->window == NULL && make_window(c, loader, err) != 0)
        return err->code;
    uint32_t kept_bytes = (uint32_t)(c->end - c->at);
    if (kept_bytes > 0)
        memmove(c->window, c->at, kept_bytes);
    uint32_t n = c->window_bytes - kept_bytes;
    n = n < c->beyond_bytes ? n : c->beyond_bytes;
    int rc = loader->load(loader, ref, ref->body_bytes - c->beyond_bytes, c->window + kept_bytes, n,
                          err);
    if (rc != 0)
        return rc;
    c->at = c->window;
    c->end = c->window + kept_bytes + n;
    c->beyond_bytes -= n;
    return 0;
}

static void open_batch(struct tp_cursor *c)
{
    const struct tp_batch_ref *ref = &c->run->batches.items[c->batch_count++];
    c->last_ns = 0;
    c->at = c->end = ref->body;
    c->beyond_bytes = ref->body_bytes;
    if (ref->body != NULL) {
        c->end = ref->body + ref->body_bytes;
        c->beyond_bytes = 0;
    }
}

static enum tp_cursor_status bad(const struct tp_cursor *c, struct tp_error *err, const char *text)
{
    tp_fail_at(err, TP_E_EVENT, current_batch(c)->offset, "%s", text);
    return TP_CURSOR_BAD;
}

static enum tp_cursor_status bad_code(const struct tp_cursor *c, struct tp_error *err)
{
    unsigned code = *c->at;
    tp_fail_at(err, TP_E_EVENT, current_batch(c)->offset,
               code >= TP_EV_EXPERIMENTAL_END ? "found invalid event type: %u"
                                              : "found event without a timestamp: type=%u",
               code);
    return TP_CURSOR_BAD;
}

// The way to decode a timed event. Each usual type has a form of its own, which also looks up the
// ids in the event; the form of any other type is the number of its arguments.
enum form {
    FORM_NONE,               // type not allowed in an event batch
    FORM_0_ARGS = TP_USUALS, // smaller values: enum tp_usual
    FORM_1_ARG,
    FORM_2_ARGS,
    FORM_3_ARGS,
    FORM_4_ARGS,
};
_Static_assert(FORM_4_ARGS - FORM_0_ARGS + 1 == TP_MAX_EVENT_ARGS, "a form for each count");
#define FORM_BY_COUNT(number_count) \
    ((number_count) == 0 ? (int)FORM_NONE : (int)FORM_0_ARGS + (int)(number_count) - 1)
#define FORM_OF(code, number_count)                                \
    ((code) == TP_EV_GoStart          ? (int)TP_USUAL_GO_START      \
     : (code) == TP_EV_GoStop         ? (int)TP_USUAL_GO_STOP       \
     : (code) == TP_EV_GoBlock        ? (int)TP_USUAL_GO_BLOCK      \
     : (code) == TP_EV_GoUnblock      ? (int)TP_USUAL_GO_UNBLOCK    \
     : (code) == TP_EV_GoSyscallBegin ? (int)TP_USUAL_SYSCALL_BEGIN \
     : (code) == TP_EV_GoSyscallEnd   ? (int)TP_USUAL_SYSCALL_END   \
     : (code) == TP_EV_HeapAlloc      ? (int)TP_USUAL_HEAP_ALLOC    \
                                      : FORM_BY_COUNT(number_count))

// The form of each event type. The cursor ignores the version of the file, as Go's cursor does, and
// decodes a clock snapshot as a timed event, which the rules of the order then refuse.
static const uint8_t forms[TP_EVENT_CODES] = {
#define TIMED(code, n) FORM_OF(code, n)
#define EXP(code, n) FORM_BY_COUNT(n)
#define STRUCT(code, n) ((code) == TP_EV_ClockSnapshot ? FORM_BY_COUNT(n) : FORM_NONE)
#define STACK(code, n) FORM_NONE
#define DATA(code, n) FORM_NONE
#define TP_EV(code, name, since, kind, ...) [code] = kind(code, TP_WIRE_ARGS_##name),
#include "decode/events_v2.def"
#undef TIMED
#undef EXP
#undef STRUCT
#undef STACK
#undef DATA
};

static int64_t later(const struct tp_tables *t, int64_t ns, uint64_t dt_ticks)
{
    return (int64_t)((uint64_t)ns + (uint64_t)tp_tables_ns(t, dt_ticks));
}

TP_INLINE bool take(const unsigned char **p, uint64_t *ret_arg)
{
    return tp_likely(tp_varint_get_roomy_unchecked(p, ret_arg));
}

TP_INLINE bool take_two(const unsigned char **p, uint64_t *a)
{
    return take(p, &a[0]) && take(p, &a[1]);
}

// Decodes the arguments at *p. There must be enough bytes at hand for the longest possible
// arguments. False: an argument is malformed, or the form is FORM_NONE.
TP_INLINE bool take_args(const unsigned char **p, uint8_t form, const struct tp_tables *t,
                         struct tp_run_event *e)
{
    uint64_t *a = e->args;
    memset(a, 0, sizeof e->args);
    e->usual = form;
    switch (form) {
    case FORM_NONE: return false;
    case TP_USUAL_GO_START: return take_two(p, a);
    case TP_USUAL_GO_STOP:
    case TP_USUAL_GO_BLOCK:
        if (!take_two(p, a))
            return false;
        if (!tp_tables_has_stack(t, tp_arg(e, GoStop, stack)) ||
            !tp_tables_has_string(t, tp_arg(e, GoStop, reason_string)))
            e->usual = TP_USUAL_NONE;
        return true;
    case TP_USUAL_GO_UNBLOCK:
        if (!take_two(p, a) || !take(p, &tp_arg(e, GoUnblock, stack)))
            return false;
        if (!tp_tables_has_stack(t, tp_arg(e, GoUnblock, stack)))
            e->usual = TP_USUAL_NONE;
        return true;
    case TP_USUAL_SYSCALL_BEGIN:
        if (!take_two(p, a))
            return false;
        if (!tp_tables_has_stack(t, tp_arg(e, GoSyscallBegin, stack)))
            e->usual = TP_USUAL_NONE;
        return true;
    case TP_USUAL_SYSCALL_END: return true;
    case TP_USUAL_HEAP_ALLOC: return take(p, &tp_arg(e, HeapAlloc, heapalloc_value));
    case FORM_0_ARGS:
    case FORM_1_ARG:
    case FORM_2_ARGS:
    case FORM_3_ARGS:
    case FORM_4_ARGS:
        e->usual = TP_USUAL_NONE;
        for (unsigned i = FORM_0_ARGS; i < form; i++) {
            if (!take(p, &a[i - FORM_0_ARGS]))
                return false;
        }
        return true;
    }
    __builtin_unreachable();
}

// Decodes events in the middle of the current batch, as long as they are well-formed and
// TP_CURSOR_EVENT_MAX_BYTES are at hand. Returns the number of decoded events.
static size_t decode_usual(struct tp_cursor *c, const struct tp_tables *t,
                           struct tp_run_event *events, size_t capacity)
{
    const unsigned char *at = c->at;
    int64_t ns = c->last_ns;
    struct tp_run_event *e = events, *const events_end = events + capacity;
    if (c->end - at < TP_CURSOR_EVENT_MAX_BYTES)
        return 0;
    const unsigned char *const last = c->end - TP_CURSOR_EVENT_MAX_BYTES;
    while (tp_likely(at <= last) && tp_likely(ns != 0) && tp_likely(e < events_end)) {
        const unsigned char *p = at + 1;
        uint8_t form = forms[*at];
        uint64_t dt_ticks = 0;
        if (tp_unlikely(!tp_varint_get_roomy_unchecked(&p, &dt_ticks)))
            break;
        e->type = *at;
        e->time_ns = ns = later(t, ns, dt_ticks);
        if (tp_unlikely(!take_args(&p, form, t, e)))
            break;
        e->wire_bytes = (uint8_t)(p - at);
        at = p;
        e++;
    }
    c->at = at;
    if (e > events)
        c->last_ns = e[-1].time_ns;
    return (size_t)(e - events);
}

static enum tp_cursor_status decode_careful(struct tp_cursor *c, const struct tp_tables *t,
                                            struct tp_error *err)
{
    struct tp_run_event *e = &c->ahead[0];
    const unsigned char *p = c->at + 1;
    unsigned arg_count = tp_event_specs[*c->at].arg_count;
    uint64_t dt_ticks = 0;
    if (forms[*c->at] == FORM_NONE)
        return bad_code(c, err);
    memset(e->args, 0, sizeof e->args);
    if (tp_varint_get(&p, c->end, &dt_ticks) != TP_VARINT_OK)
        return bad(c, err, "found invalid uvarint for timestamp");
    for (unsigned i = 0; i + 1 < arg_count; i++) {
        if (tp_varint_get(&p, c->end, &e->args[i]) != TP_VARINT_OK)
            return bad(c, err, "found invalid uvarint");
    }
    e->type = *c->at;
    e->wire_bytes = (uint8_t)(p - c->at);
    e->usual = TP_USUAL_NONE;
    e->time_ns = c->last_ns = later(t, c->last_ns, dt_ticks);
    c->at = p;
    return TP_CURSOR_EVENT;
}

// Decodes into ahead[0] one event that decode_usual cannot decode: the first event of a batch, one
// near the end of the bytes at hand, or a malformed one.
static enum tp_cursor_status decode_one(struct tp_cursor *c, const struct tp_tables *t,
                                        struct tp_batch_loader *loader, struct tp_error *err)
{
    while (c->at == c->end && c->beyond_bytes == 0) {
        if (c->batch_count == c->run->batches.count) {
            tp_cursor_fini(c);
            c->at = c->end = NULL;
            return TP_CURSOR_END;
        }
        open_batch(c);
    }
    // Tests the last time, not whether this is the batch's first event, because Go tests the time,
    // too.
    if (c->last_ns == 0)
        c->last_ns = tp_tables_ns(t, current_batch(c)->time_ticks);
    if (c->beyond_bytes > 0 && c->end - c->at < TP_CURSOR_EVENT_MAX_BYTES) {
        if (fill_window(c, loader, err) != 0)
            return TP_CURSOR_BAD;
    }
    return decode_careful(c, t, err);
}

enum tp_cursor_status tp_cursor_advance_slow(struct tp_cursor *c, const struct tp_tables *t,
                                             struct tp_batch_loader *loader,
                                             struct tp_error *err)
{
    if (c->parts != NULL) {
        c->next = c->parts->events;
        c->ready_end = c->next + c->parts->event_count;
        c->parts = c->parts->next;
        return TP_CURSOR_EVENT;
    }
    c->next = c->ready_end = c->ahead;
    size_t n = decode_usual(c, t, c->ahead, c->ahead_max);
    enum tp_cursor_status st = n > 0 ? TP_CURSOR_EVENT : decode_one(c, t, loader, err);
    if (n == 0 && st == TP_CURSOR_EVENT)
        n = 1;
    c->ready_end += n;
    return st;
}

size_t tp_cursor_decode(struct tp_cursor *c, const struct tp_tables *t,
                        struct tp_batch_loader *loader, struct tp_run_event *events,
                        size_t capacity)
{
    size_t n = 0;
    struct tp_error ignored;
    while (n < capacity) {
        size_t more = decode_usual(c, t, events + n, capacity - n);
        n += more;
        if (more > 0)
            continue;
        if (decode_one(c, t, loader, &ignored) != TP_CURSOR_EVENT)
            break;
        events[n++] = c->ahead[0];
    }
    return n;
}

static uint64_t wire_bytes_of(const struct tp_run_event *from, const struct tp_run_event *end)
{
    uint64_t sum = 0;
    for (const struct tp_run_event *e = from; e < end; e++)
        sum += e->wire_bytes;
    return sum;
}

uint64_t tp_cursor_left_bytes(const struct tp_cursor *c)
{
    uint64_t left_bytes = (uint64_t)(c->end - c->at) + c->beyond_bytes;
    left_bytes += wire_bytes_of(c->next, c->ready_end);
    for (const struct tp_decoded_part *part = c->parts; part != NULL; part = part->next)
        left_bytes += wire_bytes_of(part->events, part->events + part->event_count);
    for (size_t i = c->batch_count; i < c->run->batches.count; i++)
        left_bytes += c->run->batches.items[i].body_bytes;
    return left_bytes;
}
