#include "decode/event_v2.h"

#include "decode/varint.h"

const char *tp_event_status_text(enum tp_event_status st)
{
    switch (st) {
    case TP_EVENT_BAD_CODE: return "invalid event type";
    case TP_EVENT_CUT_NUMBER: return "unexpected EOF";
    case TP_EVENT_OVERFLOW: return "binary: varint overflows a 64-bit integer";
    case TP_EVENT_OK:
    case TP_EVENT_CUT: break;
    }
    return NULL;
}

static enum tp_event_status read_number(const unsigned char **p, const unsigned char *end,
                                        uint64_t *ret_value)
{
    bool at_start = *p == end;
    switch (tp_varint_get(p, end, ret_value)) {
    case TP_VARINT_OK: return TP_EVENT_OK;
    case TP_VARINT_CUT: return at_start ? TP_EVENT_CUT : TP_EVENT_CUT_NUMBER;
    case TP_VARINT_OVERFLOW: break;
    }
    return TP_EVENT_OVERFLOW;
}

static enum tp_event_status read_frames(const unsigned char **p, const unsigned char *end,
                                        struct tp_wire_event *ev)
{
    const unsigned char *start = *p;
    ev->frame_count = tp_event_loop_count(tp_wire_arg(ev, Stack, nframes));
    for (uint64_t i = 0; i < ev->frame_count; i++) {
        for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
            uint64_t ignored;
            enum tp_event_status st = read_number(p, end, &ignored);
            if (st != TP_EVENT_OK)
                return st;
        }
    }
    ev->tail = tp_span_of(start, (size_t)(*p - start));
    return TP_EVENT_OK;
}

static enum tp_event_status read_data(const unsigned char **p, const unsigned char *end,
                                      struct tp_wire_event *ev)
{
    uint64_t len_bytes;
    enum tp_event_status st = read_number(p, end, &len_bytes);
    if (st != TP_EVENT_OK)
        return st;
    len_bytes = tp_event_loop_count(len_bytes);
    if (len_bytes > (uint64_t)(end - *p))
        return TP_EVENT_CUT;
    ev->tail = tp_span_of(*p, len_bytes);
    *p += len_bytes;
    return TP_EVENT_OK;
}

enum tp_event_status tp_event_read(const unsigned char **p, const unsigned char *end,
                                   const struct tp_arg_table *table, struct tp_wire_event *ret_event)
{
    const unsigned char *at = *p;
    if (at == end)
        return TP_EVENT_CUT;
    struct tp_wire_event *ev = ret_event;
    ev->type = *at++;
    ev->arg_count = table->count[ev->type];
    ev->frame_count = 0;
    ev->tail = tp_span_of(NULL, 0);
    if (ev->arg_count == TP_ARGS_INVALID)
        return TP_EVENT_BAD_CODE;
    enum tp_event_status st = TP_EVENT_OK;
    for (unsigned i = 0; i < ev->arg_count && st == TP_EVENT_OK; i++)
        st = read_number(&at, end, &ev->args[i]);
    if (st != TP_EVENT_OK)
        return st;
    switch (tp_event_specs[ev->type].kind) {
    case TP_WIRE_STACK: st = read_frames(&at, end, ev); break;
    case TP_WIRE_DATA: st = read_data(&at, end, ev); break;
    default: break;
    }
    if (st == TP_EVENT_OK)
        *p = at;
    return st;
}

static uint64_t frames_canonical_bytes(const struct tp_wire_event *ev)
{
    uint64_t total = 0;
    struct tp_span tail = ev->tail;
    for (uint64_t i = 0; i < ev->frame_count; i++) {
        uint64_t frame[TP_FRAME_ARGS];
        tp_event_next_frame(&tail, frame);
        for (unsigned k = 0; k < TP_FRAME_ARGS; k++)
            total += tp_varint_len(frame[k]);
    }
    return total;
}

uint64_t tp_event_canonical_bytes(const struct tp_wire_event *ev)
{
    uint64_t total = 1;
    for (unsigned i = 0; i < ev->arg_count; i++)
        total += tp_varint_len(ev->args[i]);
    switch (tp_event_specs[ev->type].kind) {
    case TP_WIRE_STACK: return total + frames_canonical_bytes(ev);
    case TP_WIRE_DATA: return total + tp_varint_len(ev->tail.len_bytes) + ev->tail.len_bytes;
    default: return total;
    }
}

void tp_event_next_frame(struct tp_span *tail, uint64_t ret_frame[TP_FRAME_ARGS])
{
    const unsigned char *p = tail->ptr, *end = p + tail->len_bytes;
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
        enum tp_varint_status st = tp_varint_get(&p, end, &ret_frame[k]);
        assert(st == TP_VARINT_OK);
        (void)st;
    }
    *tail = tp_span_of(p, (size_t)(end - p));
}
