#include "sink/print/shorten.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text/quote.h"
#include "sink/print/table.h"

#define DOTS "..."
#define DOT_COLUMNS 3

// Returns the number of bytes of the first `columns` columns.
static size_t bytes_of(struct tp_span text, unsigned columns)
{
    size_t used_bytes = 0;
    for (size_t len_bytes; columns > 0 && used_bytes < text.len_bytes; columns--) {
        tp_rune_decode(tp_span_skip(text, used_bytes), &len_bytes);
        used_bytes += len_bytes;
    }
    return used_bytes;
}

// Leaves the first `head` and the last `tail` of the `all` columns.
static struct tp_short cut(struct tp_span text, unsigned all, unsigned head, unsigned tail)
{
    return (struct tp_short){tp_span_of(text.ptr, bytes_of(text, head)),
                             tp_span_skip(text, bytes_of(text, all - tail)),
                             head + DOT_COLUMNS + tail, true};
}

static struct tp_short uncut(struct tp_span text, unsigned all)
{
    return (struct tp_short){text, tp_span_of("", 0), all, false};
}

static unsigned at_least(unsigned columns)
{
    return columns > TP_SHORT_COLUMNS_LEAST ? columns : TP_SHORT_COLUMNS_LEAST;
}

// Returns the bytes of the path of the module: those before the last '/' in front of type
// arguments and receivers, in which there may be others.
static size_t module_bytes(struct tp_span name)
{
    size_t found = 0;
    for (size_t i = 0; i < name.len_bytes; i++) {
        if (name.ptr[i] == '(' || name.ptr[i] == '[')
            break;
        if (name.ptr[i] == '/')
            found = i;
    }
    return found;
}

struct tp_short tp_shorten_function(struct tp_span name, unsigned columns)
{
    unsigned all = tp_rune_count(name);
    columns = at_least(columns);
    if (all <= columns)
        return uncut(name, all);
    unsigned rest = tp_rune_count(tp_span_skip(name, module_bytes(name)));
    return cut(name, all, 0,
               rest < all && rest + DOT_COLUMNS <= columns ? rest : columns - DOT_COLUMNS);
}

struct tp_short tp_shorten_path(struct tp_span path, unsigned columns)
{
    unsigned all = tp_rune_count(path);
    columns = at_least(columns);
    if (all <= columns)
        return uncut(path, all);
    unsigned head = (columns - DOT_COLUMNS) / 3;
    return cut(path, all, head, columns - DOT_COLUMNS - head);
}

struct tp_short tp_shorten_text(struct tp_span text, unsigned columns)
{
    unsigned all = tp_rune_count(text);
    columns = at_least(columns);
    return all <= columns ? uncut(text, all) : cut(text, all, columns - DOT_COLUMNS, 0);
}

static void take(struct tp_line *l, unsigned columns)
{
    l->left -= columns < l->left ? columns : l->left;
}

void tp_line_text(struct tp_line *l, const char *text)
{
    struct tp_span bytes = tp_span_of_text(text);
    tp_emit_span(l->e, bytes);
    take(l, (unsigned)bytes.len_bytes);
}

bool tp_line_try(struct tp_line *l, const char *format, ...)
{
    char text[128];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    unsigned columns = tp_rune_count(tp_span_of_text(text));
    if (columns > l->left)
        return false;
    tp_emit_text(l->e, text);
    take(l, columns);
    return true;
}

void tp_line_short(struct tp_line *l, struct tp_short s)
{
    tp_cell_text(l->e, s.head);
    if (s.is_cut)
        tp_emit_text(l->e, DOTS);
    tp_cell_text(l->e, s.tail);
    take(l, s.columns);
}
