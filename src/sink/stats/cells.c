#include "sink/stats/cells.h"

#include "base/text/quote.h"

void tp_cell_spaces(struct tp_emit *e, unsigned count)
{
    for (; count > 0; count--)
        tp_emit_text(e, " ");
}

void tp_cell_figure(struct tp_emit *e, struct tp_human h, unsigned columns)
{
    tp_cell_spaces(e, 1 + (h.columns < columns ? columns - h.columns : 0));
    tp_emit_text(e, h.text);
}

void tp_cell_head(struct tp_emit *e, const char *text, unsigned columns)
{
    tp_emit_printf(e, " %*s", (int)columns, text);
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

void tp_cell_name(struct tp_emit *e, struct tp_span name, const char *if_empty)
{
    if (name.len_bytes == 0)
        name = tp_span_of(if_empty, strlen(if_empty));
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

// SHAPES

#define SHAPE_COLUMNS 10
static const char shape_head[] = "100ns..10s";

void tp_cell_shape_head(struct tp_emit *e)
{
    _Static_assert(sizeof shape_head - 1 == SHAPE_COLUMNS, "one letter for each column");
    tp_cell_spaces(e, 2);
    tp_emit_text(e, shape_head);
}

// The column of a duration. 0: below 100 ns; 1: below 1 us; and so on.
static unsigned shape_column(uint64_t ns)
{
    unsigned column = 0;
    for (uint64_t bound = 100; ns >= bound && column < SHAPE_COLUMNS - 1; bound *= 10)
        column++;
    return column;
}

void tp_cell_shape(struct tp_emit *e, const struct tp_dist *d)
{
    static const char *const levels[] = {
        "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
        "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
    uint64_t counts[SHAPE_COLUMNS] = {0}, most = 1;
    struct tp_hist_walk walk = {.hist = &d->hist};
    while (tp_hist_walk_next(&walk))
        counts[shape_column(tp_hist_bucket_middle(walk.bucket))] += walk.count;
    for (unsigned i = 0; i < SHAPE_COLUMNS; i++)
        most = counts[i] > most ? counts[i] : most;
    tp_cell_spaces(e, 2);
    tp_emit_style(e, TP_STYLE_BAR);
    for (unsigned i = 0; i < SHAPE_COLUMNS; i++) {
        uint64_t level = (uint64_t)((tp_wide)counts[i] * (TP_ARRAY_LEN(levels) - 1) / most);
        tp_emit_text(e, counts[i] > 0 ? levels[level] : "\xc2\xb7");
    }
    tp_emit_style(e, TP_STYLE_PLAIN);
}

void tp_cell_more(struct tp_emit *e, size_t count, size_t top)
{
    if (count > top)
        tp_emit_printf(e, "  and %s more\n", tp_human_count(count - top).text);
}
