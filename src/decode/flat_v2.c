#include "decode/flat_v2.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/check.h"
#include "decode/varint.h"

// tp_event_read reads every event that is whole in one piece. Only the last event of a piece goes
// through the steps below, byte by byte: `advance` finds its end without keeping bytes, the carry
// collects its bytes, and tp_event_read reads the whole event from the carry.

void tp_flat_init(struct tp_flat *f, const struct tp_arg_table *table, uint64_t offset,
                  tp_flat_fn on_event, void *ctx)
{
    *f = (struct tp_flat){.table = table, .offset = offset, .on_event = on_event, .ctx = ctx};
}

void tp_flat_fini(struct tp_flat *f)
{
    tp_free(f->carry);
    *f = (struct tp_flat){0};
}

static int fail_event(enum tp_event_status st, unsigned type, uint64_t offset,
                      struct tp_error *err)
{
    const char *text = tp_event_status_text(st);
    if (st == TP_EVENT_BAD_CODE)
        return tp_fail_at(err, TP_E_EVENT, offset, "%s: %u", text, type);
    return tp_fail_at(err, TP_E_EVENT, offset, "%s", text);
}

static uint64_t frame_numbers(uint64_t frame_count)
{
    uint64_t numbers;
    if (__builtin_mul_overflow(tp_event_loop_count(frame_count), (uint64_t)TP_FRAME_ARGS, &numbers))
        return UINT64_MAX;
    return numbers;
}

static void enter(struct tp_flat *f, enum tp_flat_phase phase, uint64_t left)
{
    f->phase = phase;
    f->left = left;
}

// Moves to the next phase that has numbers or bytes left. After the arguments of a Stack, the last
// of which is its number of frames, come the numbers of these frames.
static void settle(struct tp_flat *f)
{
    uint8_t kind = tp_event_specs[f->type].kind;
    while (f->left == 0 && f->phase != TP_FLAT_WHOLE) {
        if (f->phase == TP_FLAT_ARGS && kind == TP_WIRE_STACK)
            enter(f, TP_FLAT_FRAMES, frame_numbers(f->number));
        else if (f->phase == TP_FLAT_ARGS && kind == TP_WIRE_DATA)
            enter(f, TP_FLAT_LENGTH, 1);
        else if (f->phase == TP_FLAT_LENGTH)
            enter(f, TP_FLAT_DATA, tp_event_loop_count(f->number));
        else
            f->phase = TP_FLAT_WHOLE;
    }
}

// Adds one byte to the number. False: the number has more than 64 bits.
static bool take_digit(struct tp_flat *f, unsigned char byte)
{
    if (f->number_bytes == 0)
        f->number = 0;
    bool is_tenth = f->number_bytes == TP_VARINT_MAX_BYTES - 1;
    if (is_tenth && byte > 1)
        return false;
    f->number |= (uint64_t)(byte & 0x7f) << (7 * f->number_bytes);
    f->number_bytes++;
    if (byte < 0x80) {
        f->number_bytes = 0;
        f->left--;
    }
    return true;
}

// Advances within the carried event, at most to its end. Returns the number of bytes at the
// beginning of `bytes` that belong to the event.
static size_t advance(struct tp_flat *f, struct tp_span bytes, enum tp_event_status *ret_status)
{
    size_t used = 0;
    *ret_status = TP_EVENT_OK;
    settle(f);
    while (used < bytes.len_bytes && f->phase != TP_FLAT_WHOLE) {
        if (f->phase == TP_FLAT_DATA) {
            size_t there = bytes.len_bytes - used;
            size_t take = f->left < there ? (size_t)f->left : there;
            f->left -= take;
            used += take;
        } else if (!take_digit(f, bytes.ptr[used++])) {
            *ret_status = TP_EVENT_OVERFLOW;
            break;
        }
        settle(f);
    }
    return used;
}

static bool carry(struct tp_flat *f, struct tp_span bytes)
{
    if (f->carry == NULL && (f->carry = tp_alloc(TP_FLAT_CARRY_BYTES)) == NULL)
        return false;
    uint64_t before = f->event_bytes;
    f->event_bytes += bytes.len_bytes;
    if (f->event_bytes <= TP_FLAT_CARRY_BYTES && bytes.len_bytes > 0)
        memcpy(f->carry + before, bytes.ptr, bytes.len_bytes);
    return true;
}

static int deliver(struct tp_flat *f, struct tp_error *err)
{
    if (f->event_bytes > TP_FLAT_CARRY_BYTES)
        return tp_fail_at(err, TP_E_TOO_LARGE, f->event_offset,
                          "event of %" PRIu64 " bytes is longer than the %zu kept of one",
                          f->event_bytes, TP_FLAT_CARRY_BYTES);
    struct tp_wire_event event;
    const unsigned char *p = f->carry;
    enum tp_event_status st = tp_event_read(&p, p + f->event_bytes, f->table, &event);
    int rc = TP_CHECK(st == TP_EVENT_OK && p == f->carry + f->event_bytes, err);
    if (rc != 0)
        return rc;
    f->phase = TP_FLAT_BETWEEN;
    return f->on_event(f->ctx, &event, tp_span_of(f->carry, (size_t)f->event_bytes), err);
}

// Continues the carried event with the first of *bytes, and removes these from *bytes.
static int feed_carried(struct tp_flat *f, struct tp_span *bytes, struct tp_error *err)
{
    enum tp_event_status st;
    size_t used = advance(f, *bytes, &st);
    if (st != TP_EVENT_OK)
        return fail_event(st, f->type, f->event_offset, err);
    if (!carry(f, tp_span_of(bytes->ptr, used)))
        return tp_fail_at(err, TP_E_MEMORY, f->event_offset, "out of memory for an event");
    f->offset += used;
    *bytes = tp_span_skip(*bytes, used);
    return f->phase == TP_FLAT_WHOLE ? deliver(f, err) : 0;
}

// Begins to carry the event in `rest`, which is not empty, begins with a valid code, and is cut.
static int begin_carried(struct tp_flat *f, struct tp_span rest, struct tp_error *err)
{
    f->type = rest.ptr[0];
    f->number_bytes = 0;
    f->event_offset = f->offset;
    f->event_bytes = 0;
    if (!carry(f, tp_span_of(rest.ptr, 1)))
        return tp_fail_at(err, TP_E_MEMORY, f->event_offset, "out of memory for an event");
    f->offset++;
    rest = tp_span_skip(rest, 1);
    enter(f, TP_FLAT_ARGS, f->table->count[f->type]);
    return feed_carried(f, &rest, err);
}

int tp_flat_feed(struct tp_flat *f, struct tp_span bytes, struct tp_error *err)
{
    if (f->phase != TP_FLAT_BETWEEN && bytes.len_bytes > 0) {
        int rc = feed_carried(f, &bytes, err);
        if (rc != 0)
            return rc;
    }
    while (bytes.len_bytes > 0) {
        struct tp_wire_event event;
        const unsigned char *p = bytes.ptr;
        enum tp_event_status st = tp_event_read(&p, p + bytes.len_bytes, f->table, &event);
        if (st == TP_EVENT_CUT || st == TP_EVENT_CUT_NUMBER)
            return begin_carried(f, bytes, err);
        if (st != TP_EVENT_OK)
            return fail_event(st, event.type, f->offset, err);
        struct tp_span wire = tp_span_of(bytes.ptr, (size_t)(p - bytes.ptr));
        int rc = f->on_event(f->ctx, &event, wire, err);
        if (rc != 0)
            return rc;
        f->offset += wire.len_bytes;
        bytes = tp_span_skip(bytes, wire.len_bytes);
    }
    return 0;
}

int tp_flat_end(const struct tp_flat *f, struct tp_error *err)
{
    if (f->phase == TP_FLAT_BETWEEN || f->number_bytes == 0)
        return 0;
    return fail_event(TP_EVENT_CUT_NUMBER, f->type, f->event_offset, err);
}
