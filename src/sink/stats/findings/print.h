// The findings in the report. The functions borrow their arguments for the call; errors of the
// output stay in the emitter.
#ifndef TP_SINK_STATS_FINDINGS_PRINT_H
#define TP_SINK_STATS_FINDINGS_PRINT_H

#include "sink/stats/report/report.h"

// Print, as text: the findings, at most `most` of them; the verdict, which says that there are
// none, and why inputs were not judged; all that is known of each finding, with the verdict.
void tp_full_print_findings(struct tp_emit *e, const struct tp_full_report *r, size_t most);
void tp_full_print_verdict(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_view(struct tp_emit *e, const struct tp_full_report *r);
// Returns the lines of the findings besides those of the findings themselves, and the lines of one.
unsigned tp_full_findings_head(const struct tp_full_report *r);
unsigned tp_full_finding_lines(const struct tp_full_report *r);

// This function prints, as JSON, the findings, how many inputs were judged, and why the others were
// not.
void tp_full_put_findings(struct tp_emit *e, const struct tp_full_report *r);
// Puts the fields "function", "file" and "line" of a place; those that are not known are null.
void tp_finding_put_place(struct tp_emit *e, const struct tp_totals *s, const struct tp_source_place *place);
// Puts the findings as rows of CSV.
void tp_full_put_findings_csv(struct tp_emit *e, const struct tp_full_report *r);

#endif
