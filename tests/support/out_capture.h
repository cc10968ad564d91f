// An output that keeps what is written to it as text, for tests of what sinks print.
#ifndef TP_TESTS_OUT_CAPTURE_H
#define TP_TESTS_OUT_CAPTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sink/sink.h"

// Begin with {.out = {capture_write}}. `text` ends with NUL; the test fails if it is too small.
struct capture {
    struct tp_out out; // first member: cast back to the capture
    char text[32768];
    size_t len_bytes;
};

static inline int capture_write(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct capture *c = (struct capture *)out;
    (void)err;
    assert_true(bytes.len_bytes < sizeof c->text - c->len_bytes);
    memcpy(c->text + c->len_bytes, bytes.ptr, bytes.len_bytes);
    c->len_bytes += bytes.len_bytes;
    c->text[c->len_bytes] = '\0';
    return 0;
}

#endif
