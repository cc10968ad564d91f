#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

bool tp_buf_init(struct tp_buf *b, size_t max_bytes)
{
    *b = (struct tp_buf){.ptr = tp_map(max_bytes)};
    if (b->ptr == NULL)
        return false;
    b->max_bytes = max_bytes;
    return true;
}

void tp_buf_fini(struct tp_buf *b)
{
    tp_unmap(b->ptr, b->max_bytes);
    *b = (struct tp_buf){0};
}

bool tp_buf_put(struct tp_buf *b, const void *bytes, size_t len_bytes)
{
    if (len_bytes > tp_buf_room(b))
        return false;
    if (len_bytes > 0)
        memcpy(b->ptr + b->len_bytes, bytes, len_bytes);
    b->len_bytes += len_bytes;
    return true;
}

bool tp_buf_printf(struct tp_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    size_t room = tp_buf_room(b);
    int n = vsnprintf((char *)b->ptr + b->len_bytes, room, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= room)
        return false;
    b->len_bytes += (size_t)n;
    return true;
}
