// Where bytes go, for code that makes them and knows no files.
#ifndef TP_BASE_WRITER_H
#define TP_BASE_WRITER_H

#include "base/attr.h"
#include "base/err.h"
#include "base/span.h"

// Embedded as the first member of what writes; lives as long as that does. Of one thread at a
// time. `write` takes all of `bytes`, which it does not keep, or fails.
struct tp_out {
    int (*write)(struct tp_out *out, struct tp_span bytes, struct tp_error *err);
};

TP_INLINE int tp_out_put(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    return bytes.len_bytes == 0 ? 0 : out->write(out, bytes, err);
}

#endif
