#include "decode/tally_v2.h"

#include "decode/varint.h"

// THE FAST PATH
//
// The fast path skips events and stacks number by number. It only finds the end of each number and
// whether the number is padded; it decodes no value but the time delta. (Finding all ends of an
// event at once in a vector register was tried: it saves mispredicted branches, but costs a third
// more, because each event then waits for the previous one.) tp_event_read reads unusual events:
// those with padded numbers or data, and an event that the bytes cut off.

// The fact that the first id argument of an event contains: enum tp_ident by code.
static const uint8_t ident_of[TP_EVENT_CODES] = {
    [TP_EV_ProcStart] = TP_IDENT_PROC,
    [TP_EV_ProcStatus] = TP_IDENT_PROC,
    [TP_EV_GoCreate] = TP_IDENT_GOROUTINE,
    [TP_EV_GoCreateSyscall] = TP_IDENT_GOROUTINE,
    [TP_EV_GoCreateBlocked] = TP_IDENT_GOROUTINE,
    [TP_EV_GoStatus] = TP_IDENT_GOROUTINE,
    [TP_EV_GoStatusStack] = TP_IDENT_GOROUTINE,
};

// ROOM_ENOUGH: the bytes left are known to contain the whole event, so the end of no number is
// checked.
enum room { ROOM_CHECKED, ROOM_ENOUGH };

// Maximum length of an event without a tail.
#define EVENT_ROOM_BYTES (1 + TP_MAX_EVENT_ARGS * TP_VARINT_MAX_BYTES)

// Returns the end of the varint at `p`; NULL if tp_event_read must judge the varint, because it
// passes `end`, is longer than ten bytes, or is padded.
TP_INLINE const unsigned char *skip_number(const unsigned char *p, const unsigned char *end,
                                           enum room room)
{
    if (tp_likely((room == ROOM_ENOUGH || p < end) && p[0] < 0x80))
        return p + 1;
    if (tp_likely((room == ROOM_ENOUGH || end - p >= 2) && p[1] < 0x80))
        return p[1] != 0 ? p + 2 : NULL;
    for (unsigned i = 2; i < TP_VARINT_MAX_BYTES && (room == ROOM_ENOUGH || i < end - p); i++) {
        if (p[i] >= 0x80)
            continue;
        bool is_judged = p[i] == 0 || (i == TP_VARINT_MAX_BYTES - 1 && p[i] > 1);
        return is_judged ? NULL : p + i + 1;
    }
    return NULL;
}

TP_INLINE const unsigned char *skip_numbers(const unsigned char *p, const unsigned char *end,
                                            uint64_t count, enum room room)
{
    while (count-- > 0 && p != NULL)
        p = skip_number(p, end, room);
    return p;
}

// Returns the end of the stack at `p`; NULL if tp_event_read must judge the stack.
static const unsigned char *skip_stack(const unsigned char *p, const unsigned char *end)
{
    uint64_t frame_count = 0;
    const unsigned char *at = skip_number(p + 1, end, ROOM_CHECKED), *count_at = at;
    if (at == NULL || tp_varint_get(&at, end, &frame_count) != TP_VARINT_OK)
        return NULL;
    // Each number takes at least one byte, so a stack with a larger count is cut.
    if (frame_count > (uint64_t)(end - p))
        return NULL;
    at = skip_number(count_at, end, ROOM_CHECKED);
    while (at != NULL && frame_count > 0 && end - at >= TP_FRAME_ARGS * TP_VARINT_MAX_BYTES) {
        at = skip_numbers(at, end, TP_FRAME_ARGS, ROOM_ENOUGH);
        frame_count--;
    }
    return at == NULL ? NULL : skip_numbers(at, end, TP_FRAME_ARGS * frame_count, ROOM_CHECKED);
}

// Parameters and results of counting the events of one batch.
struct counting {
    struct tp_tally *tally;
    const struct tp_arg_table *table;
    tp_ident_fn on_ident;
    void *ctx;
    struct tp_tally_result result;
};

static bool tally_slowly(struct counting *c, const unsigned char **p, const unsigned char *end)
{
    struct tp_wire_event ev;
    if (tp_event_read(p, end, c->table, &ev) != TP_EVENT_OK)
        return false;
    tp_tally_count(c->tally, ev.type, tp_event_canonical_bytes(&ev));
    if (c->table->timed[ev.type] != TP_ARGS_INVALID)
        c->result.dt_ticks += ev.args[TP_WIRE_ARG_DT];
    if (ident_of[ev.type] != TP_IDENT_NONE && c->on_ident != NULL)
        c->on_ident(c->ctx, ident_of[ev.type], ev.args[TP_WIRE_ARG_DT + 1]);
    return true;
}

// Returns the end of an event with a time delta, and adds the delta to *ticks. NULL if
// tp_event_read must judge the event.
TP_INLINE const unsigned char *skip_timed(const unsigned char *p, const unsigned char *end,
                                          unsigned arg_count, uint64_t *ticks,
                                          const unsigned char **ret_first_id, enum room room)
{
    uint64_t dt = 0;
    const unsigned char *at = p + 1;
    bool is_whole = room == ROOM_ENOUGH ? tp_varint_get_roomy_unchecked(&at, &dt)
                                        : tp_varint_get(&at, end, &dt) == TP_VARINT_OK;
    if (tp_unlikely(!is_whole || (at[-1] == 0 && at - p > 2)))
        return NULL;
    *ret_first_id = at;
    at = skip_numbers(at, end, arg_count - 1, room);
    *ticks += at != NULL ? dt : 0;
    return at;
}

// Counts events up to the first one that is not for the fast path, and returns the place of that
// event.
static const unsigned char *tally_fast(struct counting *c, const unsigned char *p,
                                       const unsigned char *end)
{
    struct tp_tally *t = c->tally;
    const struct tp_arg_table *table = c->table;
    tp_ident_fn on_ident = c->on_ident;
    uint64_t ticks = 0;
    while (p < end) {
        uint8_t type = *p;
        unsigned n = table->timed[type];
        const unsigned char *at, *first_id = NULL;
        if (tp_unlikely(n == TP_ARGS_INVALID))
            at = type == TP_EV_Stack ? skip_stack(p, end) : NULL;
        else if (tp_likely(end - p >= EVENT_ROOM_BYTES))
            at = skip_timed(p, end, n, &ticks, &first_id, ROOM_ENOUGH);
        else
            at = skip_timed(p, end, n, &ticks, &first_id, ROOM_CHECKED);
        if (tp_unlikely(at == NULL))
            break;
        if (tp_unlikely(ident_of[type] != TP_IDENT_NONE) && on_ident != NULL) {
            uint64_t id = 0;
            (void)tp_varint_get(&first_id, end, &id); // was skipped over
            on_ident(c->ctx, ident_of[type], id);
        }
        tp_tally_count(t, type, (uint64_t)(at - p));
        p = at;
    }
    c->result.dt_ticks += ticks;
    return p;
}

struct tp_tally_result tp_tally_events(struct tp_tally *t, struct tp_span bytes,
                                       const struct tp_arg_table *table, tp_ident_fn on_ident,
                                       void *ctx)
{
    struct counting c = {t, table, on_ident, ctx, {0}};
    const unsigned char *p = bytes.ptr, *const end = p + bytes.len_bytes;
    while (p < end) {
        p = tally_fast(&c, p, end);
        if (p < end && !tally_slowly(&c, &p, end))
            break;
    }
    c.result.used_bytes = (size_t)(p - bytes.ptr);
    return c.result;
}

// EXTENTS

// Returns the number of bytes that the header's fields would take in the shortest form. (In a trace
// the size field is longer: runtimes always pad it.)
static uint64_t header_fields_bytes(const struct tp_extent *x, uint32_t body_bytes)
{
    return tp_varint_len(x->generation) + tp_varint_len(x->m) + tp_varint_len(x->time_ticks) +
           tp_varint_len(body_bytes);
}

void tp_tally_header(struct tp_tally *t, const struct tp_extent *x, const unsigned char *bytes)
{
    uint32_t body_bytes = x->len_bytes - x->header_bytes;
    uint64_t fields_bytes = header_fields_bytes(x, body_bytes);
    // The number of the experiment is a byte.
    if (x->batch_kind == TP_BATCH_EXPERIMENTAL)
        tp_tally_count(t, TP_EV_ExperimentalBatch,
                       1 + tp_varint_len(bytes[1]) + fields_bytes + body_bytes);
    else
        tp_tally_count(t, TP_EV_EventBatch, 1 + fields_bytes);
}

static struct tp_tally_result tally_batch(struct tp_tally *t, const struct tp_extent *x,
                                          const unsigned char *bytes, uint32_t minor,
                                          tp_ident_fn on_ident, void *ctx)
{
    struct tp_span body = tp_span_of(bytes + x->header_bytes, x->len_bytes - x->header_bytes);
    tp_tally_header(t, x, bytes);
    if (x->batch_kind == TP_BATCH_EXPERIMENTAL)
        return (struct tp_tally_result){.used_bytes = x->len_bytes};
    struct tp_tally_result r =
        tp_tally_events(t, body, tp_arg_table(minor, TP_DIALECT_LENIENT), on_ident, ctx);
    r.used_bytes += x->header_bytes;
    r.has_times = x->batch_kind == TP_BATCH_EVENTS;
    return r;
}

struct tp_tally_result tp_tally_extent(struct tp_tally *t, const struct tp_extent *x,
                                       const unsigned char *bytes, uint32_t minor,
                                       tp_ident_fn on_ident, void *ctx)
{
    if (x->kind == TP_EXTENT_BATCH)
        return tally_batch(t, x, bytes, minor, on_ident, ctx);
    if (x->ends_generation)
        tp_tally_count(t, TP_EV_EndOfGeneration, 1);
    return (struct tp_tally_result){.used_bytes = x->len_bytes};
}
