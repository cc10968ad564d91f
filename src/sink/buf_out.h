// An output that puts bytes into a buffer, and fails when that is full.
#ifndef TP_SINK_BUF_OUT_H
#define TP_SINK_BUF_OUT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/writer.h"

// Begin with {{tp_buf_out_put}, buf}; borrows the buffer.
struct tp_buf_out {
    struct tp_out out;
    struct tp_buf *buf;
};

// The hook `write` of struct tp_out. Fails with TP_E_TOO_LARGE.
TP_INLINE int tp_buf_out_put(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct tp_buf_out *b = (struct tp_buf_out *)out;
    return tp_buf_put(b->buf, bytes.ptr, bytes.len_bytes)
               ? 0
               : tp_fail(err, TP_E_TOO_LARGE, "the unit's buffer is full");
}

#endif
