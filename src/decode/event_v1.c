#include "decode/event_v1.h"

#include "decode/varint.h"

enum tp_v1_status tp_v1_number(const unsigned char **p, const unsigned char *end,
                               uint64_t *ret_value)
{
    const unsigned char *at = *p;
    uint64_t value = 0;
    for (unsigned i = 0; i < TP_VARINT_MAX_BYTES; i++) {
        if (at + i == end)
            return TP_V1_CUT;
        value |= (uint64_t)(at[i] & 0x7f) << (7 * i);
        if (at[i] < 0x80) {
            *p = at + i + 1;
            *ret_value = value;
            return TP_V1_OK;
        }
    }
    return TP_V1_BAD_NUMBER;
}

// Reads a length, and then takes that many bytes.
static enum tp_v1_status read_bytes(const unsigned char **p, const unsigned char *end,
                                    struct tp_span *ret_bytes)
{
    uint64_t len_bytes;
    enum tp_v1_status st = tp_v1_number(p, end, &len_bytes);
    if (st != TP_V1_OK)
        return st;
    if (len_bytes > TP_V1_MAX_STRING_BYTES)
        return TP_V1_BAD_STRING;
    if (len_bytes > TP_V1_MAX_EVENT_BYTES)
        return TP_V1_TOO_LONG;
    if (len_bytes > (uint64_t)(end - *p))
        return TP_V1_CUT;
    *ret_bytes = tp_span_of(*p, len_bytes);
    *p += len_bytes;
    return TP_V1_OK;
}

static enum tp_v1_status read_string(const unsigned char **p, const unsigned char *end,
                                     struct tp_wire_event *ev)
{
    ev->arg_count = 1;
    enum tp_v1_status st = tp_v1_number(p, end, &tp_v1_arg(ev, String, id));
    if (st == TP_V1_OK && tp_v1_arg(ev, String, id) == 0)
        st = TP_V1_BAD_STRING;
    if (st == TP_V1_OK)
        st = read_bytes(p, end, &ev->tail);
    return st == TP_V1_OK && ev->tail.len_bytes == 0 ? TP_V1_BAD_STRING : st;
}

static enum tp_v1_status read_args(const unsigned char **p, const unsigned char *end,
                                   unsigned count, struct tp_wire_event *ev)
{
    enum tp_v1_status st = TP_V1_OK;
    for (unsigned i = 0; i < count && st == TP_V1_OK; i++)
        st = tp_v1_number(p, end, &ev->args[i]);
    ev->arg_count = (uint8_t)count;
    return st;
}

// Reads the frames after the two arguments of a Stack. `end` is the end of the event's numbers.
static enum tp_v1_status read_frames(const unsigned char **p, const unsigned char *end,
                                     unsigned frame_args, struct tp_wire_event *ev)
{
    ev->frame_count = tp_v1_arg(ev, Stack, nframes);
    if (ev->frame_count > TP_V1_MAX_STACK_FRAMES)
        return TP_V1_BAD_FRAMES;
    const unsigned char *from = *p;
    for (uint64_t left = ev->frame_count * frame_args; left > 0; left--) {
        uint64_t ignored;
        enum tp_v1_status st = tp_v1_number(p, end, &ignored);
        if (st != TP_V1_OK)
            return st == TP_V1_CUT ? TP_V1_BAD_FRAMES : st;
    }
    ev->tail = tp_span_of(from, (size_t)(*p - from));
    return *p == end ? TP_V1_OK : TP_V1_BAD_FRAMES;
}

// Reads the numbers of an event that states their length.
static enum tp_v1_status read_sized(const unsigned char **p, const unsigned char *end,
                                    const struct tp_v1_table *table, const struct tp_v1_form *form,
                                    struct tp_wire_event *ev)
{
    const unsigned char *from = *p;
    uint64_t len_bytes;
    enum tp_v1_status st = tp_v1_number(p, end, &len_bytes);
    if (st != TP_V1_OK)
        return st;
    ev->pad_bytes = (uint8_t)((size_t)(*p - from) - tp_varint_len(len_bytes));
    // The limit of the length keeps the numbers and a text after them together from being too long.
    if (form->kind != TP_V1_KIND_STACK && len_bytes > form->arg_count * TP_VARINT_MAX_BYTES)
        return TP_V1_BAD_COUNT;
    if (len_bytes > TP_V1_MAX_EVENT_BYTES)
        return TP_V1_TOO_LONG;
    if (len_bytes > (uint64_t)(end - *p))
        return TP_V1_CUT;
    end = *p + len_bytes;
    st = read_args(p, end, form->arg_count, ev);
    if (st == TP_V1_CUT)
        return *p == end ? TP_V1_BAD_COUNT : TP_V1_BAD_LENGTH;
    if (st != TP_V1_OK)
        return st;
    if (form->kind == TP_V1_KIND_STACK)
        return read_frames(p, end, table->frame_args, ev);
    return *p == end ? TP_V1_OK : TP_V1_BAD_COUNT;
}

enum tp_v1_status tp_v1_event_read(const unsigned char **p, const unsigned char *end,
                                   const struct tp_v1_table *table, struct tp_wire_event *ret_event)
{
    const unsigned char *at = *p;
    if (at == end)
        return TP_V1_CUT;
    unsigned first = *at++, n = first / TP_V1_CODES;
    struct tp_wire_event *ev = ret_event;
    ev->type = first % TP_V1_CODES;
    ev->arg_count = ev->pad_bytes = 0;
    ev->frame_count = 0;
    ev->tail = tp_span_of(NULL, 0);
    const struct tp_v1_form *form = &table->forms[ev->type];
    enum tp_v1_status st;
    if (form->kind == TP_V1_KIND_INVALID)
        return TP_V1_BAD_CODE;
    if (form->kind == TP_V1_KIND_STRING)
        st = read_string(&at, end, ev);
    else if (n == TP_V1_SIZED)
        st = read_sized(&at, end, table, form, ev);
    else if (n + table->prefix_count != form->arg_count || form->kind == TP_V1_KIND_STACK)
        st = TP_V1_BAD_COUNT;
    else
        st = read_args(&at, end, form->arg_count, ev);
    if (st == TP_V1_OK && form->kind == TP_V1_KIND_LOG)
        st = read_bytes(&at, end, &ev->tail);
    if (st == TP_V1_OK)
        *p = at;
    return st;
}

static uint64_t shortest_frames_bytes(struct tp_span frames)
{
    const unsigned char *p = frames.ptr, *end = p + frames.len_bytes;
    uint64_t value, total = 0;
    while (p < end && tp_v1_number(&p, end, &value) == TP_V1_OK)
        total += tp_varint_len(value);
    return total;
}

uint64_t tp_v1_event_canonical_bytes(const struct tp_wire_event *event,
                                     const struct tp_v1_table *table)
{
    const struct tp_v1_form *form = &table->forms[event->type];
    uint64_t numbers_bytes = 0, tail_bytes = 0;
    for (unsigned i = 0; i < event->arg_count; i++)
        numbers_bytes += tp_varint_len(event->args[i]);
    if (form->kind == TP_V1_KIND_STACK)
        numbers_bytes += shortest_frames_bytes(event->tail);
    else if (form->kind == TP_V1_KIND_STRING || form->kind == TP_V1_KIND_LOG)
        tail_bytes = tp_varint_len(event->tail.len_bytes) + event->tail.len_bytes;
    bool is_sized = form->kind == TP_V1_KIND_STACK ||
                    form->arg_count >= table->prefix_count + TP_V1_SIZED;
    return 1 + (is_sized ? tp_varint_len(numbers_bytes) : 0) + numbers_bytes + tail_bytes;
}
