#include "sink/proto/base64.h"

#include <string.h>

// Writes the bytes that are kept as one line.
static int put_line(struct tp_base64 *b, struct tp_error *err)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[TP_BASE64_COLUMNS + 1];
    size_t len = 0;
    for (size_t i = 0; i < b->kept_bytes; i += 3) {
        size_t count = b->kept_bytes - i < 3 ? b->kept_bytes - i : 3;
        const unsigned char *p = b->kept + i;
        uint32_t bits = (uint32_t)p[0] << 16 | (count > 1 ? (uint32_t)p[1] << 8 : 0) |
                        (count > 2 ? (uint32_t)p[2] : 0);
        for (unsigned k = 0; k < 4; k++)
            line[len++] = '=';
        for (unsigned k = 0; k <= count; k++)
            line[len - 4 + k] = digits[bits >> (18 - 6 * k) & 63];
    }
    line[len++] = '\n';
    b->kept_bytes = 0;
    return tp_out_put(b->to, tp_span_of(line, len), err);
}

static int write(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct tp_base64 *b = (struct tp_base64 *)out;
    int rc = 0;
    while (bytes.len_bytes > 0 && rc == 0) {
        size_t room_bytes = sizeof b->kept - b->kept_bytes;
        size_t some = bytes.len_bytes < room_bytes ? bytes.len_bytes : room_bytes;
        memcpy(b->kept + b->kept_bytes, bytes.ptr, some);
        b->kept_bytes += some;
        bytes = tp_span_of(bytes.ptr + some, bytes.len_bytes - some);
        if (b->kept_bytes == sizeof b->kept)
            rc = put_line(b, err);
    }
    return rc;
}

void tp_base64_init(struct tp_base64 *b, struct tp_out *to)
{
    *b = (struct tp_base64){.out = {write}, .to = to};
}

int tp_base64_end(struct tp_base64 *b, struct tp_error *err)
{
    return b->kept_bytes > 0 ? put_line(b, err) : 0;
}
