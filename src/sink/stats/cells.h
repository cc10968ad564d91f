// What the text of `stats:level=full` is put together from: titles, names, figures in
// columns, bars. All take an emitter, whose first error sticks.
#ifndef TP_SINK_STATS_CELLS_H
#define TP_SINK_STATS_CELLS_H

#include "base/span.h"
#include "sink/print/emit.h"
#include "sink/print/human.h"
#include "stats/durations.h"

#define TP_NAME_COLUMNS 44
#define TP_FIGURE_COLUMNS 9
#define TP_COUNT_COLUMNS 12

void tp_cell_spaces(struct tp_emit *e, unsigned count);
// Figures and heads of columns, at the right of them, with a space before.
void tp_cell_figure(struct tp_emit *e, struct tp_human h, unsigned columns);
void tp_cell_head(struct tp_emit *e, const char *text, unsigned columns);
// An empty line, and what follows is about this. In so many columns, or more if it is longer.
#define TP_TITLE_COLUMNS (TP_NAME_COLUMNS + 2)
void tp_cell_title(struct tp_emit *e, const char *title, unsigned columns);
// What a terminal could not show becomes '?'.
void tp_cell_text(struct tp_emit *e, struct tp_span text);
// In TP_NAME_COLUMNS. What is longer loses its beginning, which says less than its end.
void tp_cell_name(struct tp_emit *e, struct tp_span name, const char *if_empty);
// As much of the columns as `part` is of `whole`, at most all of them.
void tp_cell_bar(struct tp_emit *e, tp_wide part, tp_wide whole, unsigned columns);
// How many durations there are of each power of ten, from below 100 ns to 10 s and more.
void tp_cell_shape(struct tp_emit *e, const struct tp_dist *d);
void tp_cell_shape_head(struct tp_emit *e);
// That a table of so many rows ended after `top`.
void tp_cell_more(struct tp_emit *e, size_t count, size_t top);

#endif
