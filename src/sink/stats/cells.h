// The building blocks of the text of `stats:level=full`: titles, names, figures in columns,
// bars. All take an emitter, whose first error sticks.
#ifndef TP_SINK_STATS_CELLS_H
#define TP_SINK_STATS_CELLS_H

#include "base/span.h"
#include "sink/print/emit.h"
#include "sink/print/human.h"
#include "stats/durations.h"

#define TP_NAME_COLUMNS 44
#define TP_FIGURE_COLUMNS 9
#define TP_COUNT_COLUMNS 12

// Prints `count` spaces.
void tp_cell_spaces(struct tp_emit *e, unsigned count);
// A figure, or the head of a column: aligned right in `columns`, after a space.
void tp_cell_figure(struct tp_emit *e, struct tp_human h, unsigned columns);
void tp_cell_head(struct tp_emit *e, const char *text, unsigned columns);
// An empty line and a title, padded to `columns`; a longer title is not cut.
#define TP_TITLE_COLUMNS (TP_NAME_COLUMNS + 2)
void tp_cell_title(struct tp_emit *e, const char *title, unsigned columns);
// Each character that a terminal cannot show becomes '?'.
void tp_cell_text(struct tp_emit *e, struct tp_span text);
// A name in TP_NAME_COLUMNS. A longer name loses its beginning, which says less than its end.
void tp_cell_name(struct tp_emit *e, struct tp_span name, const char *if_empty);
// A bar that fills `part` / `whole` of the columns, at most all of them.
void tp_cell_bar(struct tp_emit *e, tp_wide part, tp_wide whole, unsigned columns);
// A histogram of the durations by power of ten, from below 100 ns to 10 s and more.
void tp_cell_shape(struct tp_emit *e, const struct tp_dist *d);
// The head of a column of such histograms.
void tp_cell_shape_head(struct tp_emit *e);
// "and N more" if a table of `count` rows ended after `top`.
void tp_cell_more(struct tp_emit *e, size_t count, size_t top);

#endif
