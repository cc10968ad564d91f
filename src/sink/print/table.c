#include "sink/print/table.h"

#include "base/text/quote.h"

void tp_cell_spaces(struct tp_emit *e, unsigned count)
{
    static const char spaces[] = "                ";
    for (unsigned part; count > 0; count -= part) {
        part = count < sizeof spaces - 1 ? count : (unsigned)sizeof spaces - 1;
        tp_emit_span(e, tp_span_of(spaces, part));
    }
}

void tp_cell_figure(struct tp_emit *e, struct tp_human h, unsigned columns)
{
    tp_cell_spaces(e, h.columns < columns ? columns - h.columns : 0);
    tp_emit_text(e, h.text);
}

void tp_cell_title(struct tp_emit *e, const char *title, unsigned columns)
{
    tp_emit_text(e, "\n");
    tp_emit_style(e, TP_STYLE_TITLE);
    tp_emit_printf(e, "%-*s", (int)columns, title);
    tp_emit_style(e, TP_STYLE_PLAIN);
}

// Prints runes of the text after the first `skipped` ones.
static unsigned print_runes(struct tp_emit *e, struct tp_span text, unsigned skipped)
{
    unsigned count = 0;
    for (; text.len_bytes > 0; count++) {
        size_t len_bytes;
        bool is_plain = tp_rune_shows(text, &len_bytes);
        if (count >= skipped)
            tp_emit_span(e, is_plain ? tp_span_of(text.ptr, len_bytes) : tp_span_of("?", 1));
        text = tp_span_skip(text, len_bytes);
    }
    return count - skipped;
}

static unsigned rune_count(struct tp_span text)
{
    unsigned count = 0;
    for (; text.len_bytes > 0; count++) {
        size_t len_bytes;
        tp_rune_decode(text, &len_bytes);
        text = tp_span_skip(text, len_bytes);
    }
    return count;
}

void tp_cell_text(struct tp_emit *e, struct tp_span text)
{
    print_runes(e, text, 0);
}

void tp_table_name(struct tp_emit *e, struct tp_span name, const char *if_empty)
{
    if (name.len_bytes == 0)
        name = tp_span_of_text(if_empty);
    unsigned count = rune_count(name);
    bool is_long = count > TP_NAME_COLUMNS;
    tp_emit_text(e, is_long ? "  ..." : "  ");
    unsigned columns = print_runes(e, name, is_long ? count - TP_NAME_COLUMNS + 3 : 0);
    tp_cell_spaces(e, TP_NAME_COLUMNS - columns - (is_long ? 3 : 0));
}

void tp_cell_bar(struct tp_emit *e, tp_wide part, tp_wide whole, unsigned columns)
{
    // Divide first: the product of a large `whole` could overflow.
    tp_wide column = whole / columns, rest = whole % columns;
    tp_emit_style(e, TP_STYLE_BAR);
    for (unsigned i = 1; i <= columns && whole > 0 &&
                         part >= column * i + (rest * i + columns - 1) / columns; i++)
        tp_emit_text(e, "#");
    tp_emit_style(e, TP_STYLE_PLAIN);
}

static void put_gap(struct tp_emit *e, const struct tp_table *t, unsigned i)
{
    tp_cell_spaces(e, i == 0 ? t->indent_columns : t->gap_columns);
}

void tp_table_heads(struct tp_emit *e, const struct tp_table *t)
{
    for (unsigned i = 0; i < t->count; i++) {
        put_gap(e, t, i);
        tp_emit_printf(e, "%*s", (int)t->columns[i].columns, t->columns[i].head);
    }
    if (t->last != NULL) {
        tp_emit_text(e, "  ");
        tp_emit_text(e, t->last);
    }
    tp_emit_text(e, "\n");
}

void tp_table_begin(struct tp_emit *e, const struct tp_table *t, const char *title)
{
    tp_cell_title(e, title, t->title_columns);
    tp_table_heads(e, t);
}

void tp_table_cells(struct tp_emit *e, const struct tp_table *t, const struct tp_human *cells,
                    unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        put_gap(e, t, i);
        tp_cell_figure(e, cells[i], t->columns[i].columns);
    }
}

void tp_table_row(struct tp_emit *e, const struct tp_table *t, struct tp_span name,
                  const char *if_empty, const struct tp_human *cells)
{
    tp_table_name(e, name, if_empty);
    tp_table_cells(e, t, cells, t->count);
}

void tp_table_last(struct tp_emit *e, struct tp_span text)
{
    tp_emit_text(e, "  ");
    tp_cell_text(e, text);
    tp_emit_text(e, "\n");
}

void tp_table_more(struct tp_emit *e, size_t count, size_t top)
{
    if (count > top)
        tp_emit_printf(e, "  and %s more\n", tp_human_count(count - top).text);
}
