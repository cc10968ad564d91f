// Writes fields of Protocol Buffers (proto3) into a message in memory. Messages here are small; long texts
// are written beside them. A message that is full asserts: sizes are bounded by the callers.
#ifndef TP_SINK_PPROF_PROTO_H
#define TP_SINK_PPROF_PROTO_H

#include <assert.h>
#include <string.h>

#include "decode/varint.h"

struct tp_message {
    size_t len_bytes;
    unsigned char bytes[2048];
};

// Wire types: how the value of a field is stored.
enum tp_wire { TP_WIRE_NUMBER = 0, TP_WIRE_BYTES = 2 };

// Adds a number without a field, as in a packed field.
TP_INLINE void tp_message_number(struct tp_message *m, uint64_t n)
{
    assert(m->len_bytes + TP_VARINT_MAX_BYTES <= sizeof m->bytes);
    m->len_bytes = (size_t)(tp_varint_put(m->bytes + m->len_bytes, n) - m->bytes);
}
// Adds the head of a field whose value follows.
TP_INLINE void tp_message_head(struct tp_message *m, unsigned field, enum tp_wire wire)
{
    tp_message_number(m, field << 3 | wire);
}
// Adds a field with a number. 0 is the default, and not written.
TP_INLINE void tp_message_field(struct tp_message *m, unsigned field, uint64_t n)
{
    if (n == 0)
        return;
    tp_message_head(m, field, TP_WIRE_NUMBER);
    tp_message_number(m, n);
}
// Adds a field with another message.
TP_INLINE void tp_message_nested(struct tp_message *m, unsigned field,
                                 const struct tp_message *nested)
{
    tp_message_head(m, field, TP_WIRE_BYTES);
    tp_message_number(m, nested->len_bytes);
    assert(m->len_bytes + nested->len_bytes <= sizeof m->bytes);
    memcpy(m->bytes + m->len_bytes, nested->bytes, nested->len_bytes);
    m->len_bytes += nested->len_bytes;
}

#endif
