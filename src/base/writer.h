// A destination of bytes, for code that produces bytes and knows no files.
#ifndef TP_BASE_WRITER_H
#define TP_BASE_WRITER_H

#include "base/attr.h"
#include "base/err.h"
#include "base/span.h"

// The first member of every object that can be written to; lives as long as the object. One thread
// at a time. `write` takes all of `bytes` before it returns, or fails with the codes of the object.
struct tp_out {
    int (*write)(struct tp_out *out, struct tp_span bytes, struct tp_error *err);
};

// Writes the bytes; does nothing for an empty span. Fails as out->write does. May block.
TP_INLINE int tp_out_put(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    return bytes.len_bytes == 0 ? 0 : out->write(out, bytes, err);
}

#endif
