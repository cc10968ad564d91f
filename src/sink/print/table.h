// Prints tables of text for people: titles, heads, names, figures in columns, bars. All functions
// take an emitter, whose first error sticks; they keep no argument and own no memory. One thread at
// a time uses an emitter.
//
//   title ....................... head   head  last
//   name ........................ 12,345  1 ns  text
//
// A table is laid out for the width of the emitter. If it is too wide, names get fewer columns, but
// not less than TP_NAME_COLUMNS_LEAST or than the longest of them needs; then columns of figures are left out, those of the highest
// rank first, and of equal rank the last first; only if none of a rank is left, names lose more.
// Columns that remain free go to the names again. A title that is longer than the room for it has a
// line of its own. Figures are never cut.
#ifndef TP_SINK_PRINT_TABLE_H
#define TP_SINK_PRINT_TABLE_H

#include "base/span.h"
#include "sink/print/emit.h"
#include "sink/print/human.h"

// Widths of columns on a terminal: of names, figures, counts and titles.
#define TP_NAME_COLUMNS 44
#define TP_NAME_COLUMNS_LEAST 32
#define TP_FIGURE_COLUMNS 9
#define TP_COUNT_COLUMNS 12

// Columns of figures, aligned right; a wider one is not cut.
struct tp_table {
    const struct tp_column {
        const char *head;
        unsigned columns;      // width on a terminal
        unsigned rank;         // 0: never left out
        bool is_bar;           // not a figure, but a picture of some
    } *columns;
    unsigned count;            // at most 32
    bool has_names;            // rows begin with a name (tp_table_name)
    unsigned longest_name;     // columns of the longest name; 0: not known
    unsigned title_columns;    // without names: the title in front of the heads is padded to this
    unsigned indent_columns;   // before the first column
    unsigned gap_columns;      // between columns
    const char *last;          // head of a column of text after the figures; NULL: there is none
    unsigned last_columns;     // that are kept for this text, or for what else is behind figures
};

#define TP_COLUMN(head, columns) {head, columns, 0, false}
#define TP_FIGURES(head) TP_COLUMN(head, TP_FIGURE_COLUMNS)
#define TP_COUNTS(head) TP_COLUMN(head, TP_COUNT_COLUMNS)
// The same, left out of a narrow table before columns of a lower rank.
#define TP_RANKED(head, rank) {head, TP_FIGURE_COLUMNS, rank, false}
// The initialiser of a table of figures after names (tp_table_name).
#define TP_TABLE_OF_NAMES(columns, last, last_columns)                                  \
    {columns, TP_ARRAY_LEN(columns), true, 0, 0, 1, 1, last, last_columns}

// Puts the heads, and the end of their line.
void tp_table_heads(struct tp_emit *e, const struct tp_table *t);
// Puts an empty line, the title and the heads.
void tp_table_begin(struct tp_emit *e, const struct tp_table *t, const char *title);
// Returns the lines that tp_table_begin prints in this width.
unsigned tp_table_begin_lines(const struct tp_table *t, const char *title, unsigned columns);
// Puts a name and its figures, one cell for each column, also for those that are left out. An empty
// name is replaced by `if_empty`.
void tp_table_row(struct tp_emit *e, const struct tp_table *t, struct tp_span name,
                  const char *if_empty, const struct tp_human *cells);
// Puts the figures of a row, which may be fewer than the columns, without those that are left out.
void tp_table_cells(struct tp_emit *e, const struct tp_table *t, const struct tp_human *cells,
                    unsigned count);
// Returns the columns that there are for the text after `count` figures.
unsigned tp_table_last_room(const struct tp_emit *e, const struct tp_table *t, unsigned count);
// Puts the text after `count` figures, and the end of the line. A text that is too long loses its
// middle. Each character that a terminal cannot show becomes '?'.
void tp_table_last(struct tp_emit *e, const struct tp_table *t, unsigned count, struct tp_span text);
// Makes the table's longest name at least as long as this one.
void tp_table_expect_name(struct tp_table *t, struct tp_span name, const char *if_empty);
// Puts a name after an indent of two columns; an empty name is replaced by `if_empty`. A longer name
// loses its beginning, which is less specific than its end.
void tp_table_name(struct tp_emit *e, const struct tp_table *t, struct tp_span name,
                   const char *if_empty);
// Returns the columns that names have, and whether the table has this column.
unsigned tp_table_name_columns(const struct tp_emit *e, const struct tp_table *t);
bool tp_table_shows(const struct tp_emit *e, const struct tp_table *t, unsigned column);
// Puts "and N more" if a table of `count` rows ended after `top`.
void tp_table_more(struct tp_emit *e, size_t count, size_t top);

// Returns the text of a figure that is not known.
TP_INLINE struct tp_human tp_human_unknown(void)
{
    return (struct tp_human){"-", 1};
}

// Puts `count` spaces.
void tp_cell_spaces(struct tp_emit *e, unsigned count);
// Puts a figure, aligned right in `columns`.
void tp_cell_figure(struct tp_emit *e, struct tp_human h, unsigned columns);
// Puts an empty line and a title, padded to `columns`; a longer title is not cut.
void tp_cell_title(struct tp_emit *e, const char *title, unsigned columns);
// Puts a text. Each character that a terminal cannot show becomes '?'.
void tp_cell_text(struct tp_emit *e, struct tp_span text);
// Puts a bar that fills `part` / `whole` of the columns, at most all of them; nothing in 0 columns.
void tp_cell_bar(struct tp_emit *e, tp_wide part, tp_wide whole, unsigned columns);

#endif
