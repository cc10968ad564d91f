#include "sink/print/table.h"

#include <limits.h>
#include <string.h>

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

// Prints runes of the text: those after the first `skipped` ones, before the one at `end`. Returns
// how many.
static unsigned print_runes(struct tp_emit *e, struct tp_span text, unsigned skipped, unsigned end)
{
    unsigned count = 0;
    for (; text.len_bytes > 0 && count < end; count++) {
        size_t len_bytes;
        bool is_plain = tp_rune_shows(text, &len_bytes);
        if (count >= skipped)
            tp_emit_span(e, is_plain ? tp_span_of(text.ptr, len_bytes) : tp_span_of("?", 1));
        text = tp_span_skip(text, len_bytes);
    }
    return count - skipped;
}

void tp_cell_text(struct tp_emit *e, struct tp_span text)
{
    print_runes(e, text, 0, UINT_MAX);
}

// LAYOUT

// Names are not shortened below this, however narrow the screen is.
#define NAMES_COLUMNS_MIN 12
// A text after the figures is not shortened below this.
#define LAST_COLUMNS_MIN 8
#define NAME_INDENT 2

// The columns that a table has in the width of an emitter.
struct layout {
    unsigned names; // columns
    uint32_t shown; // bit i: it has column i
};

static bool shows(const struct layout *l, unsigned column)
{
    return (l->shown >> column & 1) != 0;
}

// Returns the columns of the first `count` columns of figures, and of what is before them.
static unsigned columns_used(const struct tp_table *t, const struct layout *l, unsigned count)
{
    unsigned used = t->has_names ? NAME_INDENT + l->names : t->title_columns;
    for (unsigned i = 0; i < count; i++)
        used += shows(l, i) ? t->columns[i].columns + (i == 0 ? t->indent_columns : t->gap_columns)
                            : 0;
    return used;
}

static unsigned columns_of_all(const struct tp_table *t, const struct layout *l)
{
    return columns_used(t, l, t->count) + (t->last_columns > 0 ? 2 + t->last_columns : 0);
}

// Leaves out the column of the highest rank. False: there is none with a rank.
static bool leave_one_out(const struct tp_table *t, struct layout *l)
{
    unsigned found = t->count;
    for (unsigned i = 0; i < t->count; i++) {
        bool is_higher = found == t->count || t->columns[i].rank >= t->columns[found].rank;
        if (shows(l, i) && t->columns[i].rank > 0 && is_higher)
            found = i;
    }
    if (found < t->count)
        l->shown &= ~(UINT32_C(1) << found);
    return found < t->count;
}

// Returns the columns that names keep before columns of figures are left out.
static unsigned least_name_columns(const struct tp_table *t)
{
    bool is_short = t->longest_name > 0 && t->longest_name < TP_NAME_COLUMNS_LEAST;
    unsigned longest = t->longest_name < NAMES_COLUMNS_MIN ? NAMES_COLUMNS_MIN : t->longest_name;
    if (!t->has_names)
        return 0;
    return is_short ? longest : TP_NAME_COLUMNS_LEAST;
}

static struct layout layout_of(const struct tp_emit *e, const struct tp_table *t)
{
    const unsigned least = least_name_columns(t);
    struct layout l = {TP_NAME_COLUMNS, UINT32_MAX};
    if (e->columns == 0 || columns_of_all(t, &l) <= e->columns)
        return l;
    l.names = least;
    while (columns_of_all(t, &l) > e->columns && leave_one_out(t, &l))
        ;
    unsigned all = columns_of_all(t, &l);
    if (!t->has_names)
        return l;
    if (all > e->columns)
        l.names = all - e->columns < least - NAMES_COLUMNS_MIN ? least - (all - e->columns)
                                                               : NAMES_COLUMNS_MIN;
    else
        l.names += e->columns - all;
    l.names = l.names < TP_NAME_COLUMNS ? l.names : TP_NAME_COLUMNS;
    return l;
}

unsigned tp_table_name_columns(const struct tp_emit *e, const struct tp_table *t)
{
    return layout_of(e, t).names;
}

bool tp_table_shows(const struct tp_emit *e, const struct tp_table *t, unsigned column)
{
    const struct layout l = layout_of(e, t);
    return shows(&l, column);
}

// ROWS

void tp_table_expect_name(struct tp_table *t, struct tp_span name, const char *if_empty)
{
    unsigned columns = tp_rune_count(name.len_bytes > 0 ? name : tp_span_of_text(if_empty));
    t->longest_name = columns > t->longest_name ? columns : t->longest_name;
}

void tp_table_name(struct tp_emit *e, const struct tp_table *t, struct tp_span name,
                   const char *if_empty)
{
    unsigned names = layout_of(e, t).names;
    if (name.len_bytes == 0)
        name = tp_span_of_text(if_empty);
    unsigned count = tp_rune_count(name);
    bool is_long = count > names;
    tp_emit_text(e, is_long ? "  ..." : "  ");
    unsigned columns = print_runes(e, name, is_long ? count - names + 3 : 0, UINT_MAX);
    tp_cell_spaces(e, names - columns - (is_long ? 3 : 0));
}

void tp_cell_bar(struct tp_emit *e, tp_wide part, tp_wide whole, unsigned columns)
{
    if (columns == 0)
        return;
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
    const struct layout l = layout_of(e, t);
    for (unsigned i = 0; i < t->count; i++) {
        if (!shows(&l, i)) {
            e->leaves_out = true;
            continue;
        }
        put_gap(e, t, i);
        tp_emit_printf(e, "%*s", (int)t->columns[i].columns, t->columns[i].head);
    }
    if (t->last != NULL) {
        tp_emit_text(e, "  ");
        tp_emit_text(e, t->last);
    }
    tp_emit_text(e, "\n");
}

// Returns the columns that a title has before the heads.
static unsigned title_room(const struct tp_emit *e, const struct tp_table *t)
{
    return t->has_names ? NAME_INDENT + layout_of(e, t).names : t->title_columns;
}

unsigned tp_table_begin_lines(const struct tp_table *t, const char *title, unsigned columns)
{
    const struct tp_emit e = {.columns = columns};
    return strlen(title) <= title_room(&e, t) ? 2 : 3;
}

void tp_table_begin(struct tp_emit *e, const struct tp_table *t, const char *title)
{
    unsigned room = title_room(e, t);
    bool fits = strlen(title) <= room;
    tp_cell_title(e, title, fits ? room : 0);
    if (!fits) {
        tp_emit_text(e, "\n");
        tp_cell_spaces(e, room);
    }
    tp_table_heads(e, t);
}

void tp_table_cells(struct tp_emit *e, const struct tp_table *t, const struct tp_human *cells,
                    unsigned count)
{
    const struct layout l = layout_of(e, t);
    for (unsigned i = 0; i < count; i++) {
        if (!shows(&l, i))
            continue;
        put_gap(e, t, i);
        if (t->columns[i].is_bar)
            tp_emit_style(e, TP_STYLE_BAR);
        tp_cell_figure(e, cells[i], t->columns[i].columns);
        if (t->columns[i].is_bar)
            tp_emit_style(e, TP_STYLE_PLAIN);
    }
}

void tp_table_row(struct tp_emit *e, const struct tp_table *t, struct tp_span name,
                  const char *if_empty, const struct tp_human *cells)
{
    tp_table_name(e, t, name, if_empty);
    tp_table_cells(e, t, cells, t->count);
}

unsigned tp_table_last_room(const struct tp_emit *e, const struct tp_table *t, unsigned count)
{
    const struct layout l = layout_of(e, t);
    unsigned used = columns_used(t, &l, count) + 2;
    if (e->columns == 0)
        return UINT_MAX;
    return e->columns > used + LAST_COLUMNS_MIN ? e->columns - used : LAST_COLUMNS_MIN;
}

void tp_table_last(struct tp_emit *e, const struct tp_table *t, unsigned count, struct tp_span text)
{
    unsigned room = tp_table_last_room(e, t, count), all = tp_rune_count(text);
    tp_emit_text(e, all > 0 ? "  " : "");
    if (all <= room) {
        tp_cell_text(e, text);
    } else {
        unsigned head = (room - 3) / 3;
        print_runes(e, text, 0, head);
        tp_emit_text(e, "...");
        print_runes(e, text, all - (room - 3 - head), UINT_MAX);
    }
    tp_emit_text(e, "\n");
}

void tp_table_more(struct tp_emit *e, size_t count, size_t top)
{
    if (count > top)
        tp_emit_printf(e, "  and %s more\n", tp_human_count(count - top).text);
}
