// Prints the pieces that several parts of the forms for programs share (forms.h): distributions,
// stacks, and their places.
#ifndef TP_SINK_STATS_RECORD_FIELDS_H
#define TP_SINK_STATS_RECORD_FIELDS_H

#include "sink/stats/report/report.h"

// JSON. Put the fields of a distribution, with its histogram if the report has histograms; the
// fields "function", "file" and "line" of the place of a stack, empty and 0 if it has no frames;
// and the array "frames".
void tp_full_put_dist(struct tp_emit *e, const struct tp_full_report *r, const struct tp_dist *d);
void tp_full_put_place(struct tp_emit *e, const struct tp_totals *totals,
                       const struct tp_full_stack *s);
// Puts maximum and quantiles of waits by stack; null if `times` is NULL.
void tp_full_put_times(struct tp_emit *e, const struct tp_full_report *r, const struct tp_dist *times);
// The same as cells of CSV, empty if `times` is NULL.
void tp_full_put_times_csv(struct tp_emit *e, const struct tp_dist *times);
void tp_full_put_frames(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_full_stack *s);

// CSV. Put the heads of the columns of a distribution, or its cells, and the end of the line; the
// cell with the functions of a stack; the cell with FILE:LINE of its place, empty if it has no
// frames, or of a line.
void tp_full_put_dist_heads_csv(struct tp_emit *e);
void tp_full_put_dist_csv(struct tp_emit *e, const struct tp_dist *d);
void tp_full_put_functions_csv(struct tp_emit *e, const struct tp_totals *totals,
                               const struct tp_full_stack *s);
void tp_full_put_place_csv(struct tp_emit *e, const struct tp_totals *totals,
                           const struct tp_full_stack *s);
void tp_full_put_line_csv(struct tp_emit *e, const struct tp_totals *totals, uint32_t file,
                          uint64_t line);

// FOLDED. Puts the functions of a stack, the outermost first, each after a ';'.
void tp_full_put_functions_folded(struct tp_emit *e, const struct tp_totals *totals,
                                  const struct tp_full_stack *s);

#endif
