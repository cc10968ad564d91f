// Writes bytes as base64 (RFC 4648) in lines of TP_BASE64_COLUMNS. One thread at a time uses an object.
#ifndef TP_SINK_PROTO_BASE64_H
#define TP_SINK_PROTO_BASE64_H

#include "base/writer.h"

#define TP_BASE64_COLUMNS 120

struct tp_base64 {
    struct tp_out out;      // takes the bytes
    struct tp_out *to;      // gets the text; borrowed
    unsigned char kept[TP_BASE64_COLUMNS / 4 * 3]; // bytes of the line that is not full yet
    size_t kept_bytes;
};

void tp_base64_init(struct tp_base64 *b, struct tp_out *to);
// Writes the last line. Fails as `to` does.
int tp_base64_end(struct tp_base64 *b, struct tp_error *err) TP_MUST_USE;

#endif
