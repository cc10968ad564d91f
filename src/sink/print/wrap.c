#include "sink/print/wrap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/quote.h"
#include "sink/print/table.h"

struct tp_wrap tp_wrap_begin(struct tp_emit *e, unsigned columns, unsigned before,
                             const char *label, unsigned indent)
{
    struct tp_wrap w = {e, columns, indent, before + (unsigned)strlen(label), false};
    tp_cell_spaces(e, before);
    tp_emit_text(e, label);
    if (w.at > before && w.at >= indent) {
        tp_emit_text(e, " ");
        w.at++;
    }
    if (w.at < indent) {
        tp_cell_spaces(e, indent - w.at);
        w.at = indent;
    }
    return w;
}

static void break_line(struct tp_wrap *w)
{
    tp_emit_text(w->e, "\n");
    tp_cell_spaces(w->e, w->indent_columns);
    w->at = w->indent_columns;
    w->has_word = false;
}

static void put_part(struct tp_wrap *w, struct tp_span part)
{
    while (part.len_bytes > 0) {
        size_t len_bytes;
        // A line has at least one column, however narrow the screen is.
        if (w->at >= w->columns && w->at > w->indent_columns)
            break_line(w);
        tp_rune_decode(part, &len_bytes);
        tp_cell_text(w->e, tp_span_of(part.ptr, len_bytes));
        part = tp_span_skip(part, len_bytes);
        w->at++;
    }
}

void tp_wrap_joined(struct tp_wrap *w, struct tp_span head, struct tp_span tail)
{
    if (w->has_word && w->at + 1 + tp_rune_count(head) + tp_rune_count(tail) > w->columns) {
        break_line(w);
    } else if (w->has_word) {
        tp_emit_text(w->e, " ");
        w->at++;
    }
    put_part(w, head);
    put_part(w, tail);
    w->has_word = true;
}

void tp_wrap_word(struct tp_wrap *w, struct tp_span word)
{
    tp_wrap_joined(w, word, tp_span_of("", 0));
}

void tp_wrap_text(struct tp_wrap *w, struct tp_span text)
{
    while (text.len_bytes > 0) {
        const unsigned char *space = memchr(text.ptr, ' ', text.len_bytes);
        size_t len_bytes = space != NULL ? (size_t)(space - text.ptr) : text.len_bytes;
        if (len_bytes > 0)
            tp_wrap_word(w, tp_span_of(text.ptr, len_bytes));
        text = tp_span_skip(text, len_bytes < text.len_bytes ? len_bytes + 1 : len_bytes);
    }
}

void tp_wrap_printf(struct tp_wrap *w, const char *format, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    tp_wrap_text(w, tp_span_of_text(text));
}

void tp_wrap_line(struct tp_wrap *w)
{
    if (w->has_word)
        break_line(w);
}

void tp_wrap_end(struct tp_wrap *w)
{
    tp_emit_text(w->e, "\n");
}
