// Writes fields of Protocol Buffers (proto3) into a message in memory. Messages here are small; long texts
// are written beside them. A message that is full asserts: sizes are bounded by the callers.
#ifndef TP_SINK_PROTO_MESSAGE_H
#define TP_SINK_PROTO_MESSAGE_H

#include <assert.h>
#include <string.h>

#include "decode/varint.h"

struct tp_message {
    size_t len_bytes;
    unsigned char bytes[2048];
};

// Wire types: how the value of a field is stored.
enum tp_wire { TP_WIRE_NUMBER = 0, TP_WIRE_FIXED64 = 1, TP_WIRE_BYTES = 2 };

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
// Adds a field with a number, also if it is 0.
TP_INLINE void tp_message_value(struct tp_message *m, unsigned field, uint64_t n)
{
    tp_message_head(m, field, TP_WIRE_NUMBER);
    tp_message_number(m, n);
}
// Adds a field with a number. 0 is the default, and not written.
TP_INLINE void tp_message_field(struct tp_message *m, unsigned field, uint64_t n)
{
    if (n != 0)
        tp_message_value(m, field, n);
}
// Adds a field with a number of 64 bits that is written as such.
TP_INLINE void tp_message_fixed64(struct tp_message *m, unsigned field, uint64_t n)
{
    tp_message_head(m, field, TP_WIRE_FIXED64);
    for (unsigned i = 0; i < 8; i++)
        m->bytes[m->len_bytes++] = (unsigned char)(n >> 8 * i);
}
// Adds the head of a field of `len_bytes`, which follow.
TP_INLINE void tp_message_sized(struct tp_message *m, unsigned field, size_t len_bytes)
{
    tp_message_head(m, field, TP_WIRE_BYTES);
    tp_message_number(m, len_bytes);
}
// Adds a field with a text.
TP_INLINE void tp_message_text(struct tp_message *m, unsigned field, const char *text)
{
    size_t len_bytes = strlen(text);
    tp_message_sized(m, field, len_bytes);
    assert(m->len_bytes + len_bytes <= sizeof m->bytes);
    memcpy(m->bytes + m->len_bytes, text, len_bytes);
    m->len_bytes += len_bytes;
}
// Adds all fields of another message.
TP_INLINE void tp_message_append(struct tp_message *m, const struct tp_message *fields)
{
    assert(m->len_bytes + fields->len_bytes <= sizeof m->bytes);
    memcpy(m->bytes + m->len_bytes, fields->bytes, fields->len_bytes);
    m->len_bytes += fields->len_bytes;
}
// Adds a field with another message.
TP_INLINE void tp_message_nested(struct tp_message *m, unsigned field,
                                 const struct tp_message *nested)
{
    tp_message_sized(m, field, nested->len_bytes);
    tp_message_append(m, nested);
}

#endif
