#include "sink/print/lines.h"

// Counts the lines of a text instead of writing them.
struct line_counter {
    struct tp_out out;
    unsigned lines;
};

static int count_lines(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct line_counter *c = (struct line_counter *)out;
    (void)err;
    for (size_t i = 0; i < bytes.len_bytes; i++)
        c->lines += bytes.ptr[i] == '\n';
    return 0;
}

unsigned tp_lines_of(void (*print)(struct tp_emit *e, const void *arg), const void *arg)
{
    struct line_counter c = {.out = {count_lines}};
    struct tp_error err;
    struct tp_emit e;
    tp_emit_init(&e, &c.out, &err);
    print(&e, arg);
    return tp_emit_end(&e) == 0 ? c.lines : 0;
}
