// The hosts that differ in the report. The functions borrow their arguments for the call; errors of the
// output stay in the emitter.
#ifndef TP_SINK_STATS_HOSTS_PRINT_H
#define TP_SINK_STATS_HOSTS_PRINT_H

#include "sink/print/shorten.h"
#include "sink/stats/report/report.h"

// Whether the report compares hosts: there are enough of them, and the options select everything.
TP_INLINE bool tp_full_has_hosts(const struct tp_full_report *r)
{
    return r->differs.is_compared;
}
// Prints, as text: the verdict; the hosts that differ, a line for those that differ alike; measures that make
// two groups; and the findings that hosts share, a line each; at most `most` lines besides the verdict.
void tp_full_print_hosts(struct tp_emit *e, const struct tp_full_report *r, size_t most);
// Returns how many such lines there are, and the lines besides these.
size_t tp_full_host_lines(const struct tp_full_report *r);
unsigned tp_full_hosts_head(const struct tp_full_report *r);
// Prints the traces by the measure of the options.
void tp_full_print_measured(struct tp_emit *e, const struct tp_full_report *r);
// Puts the JSON fields "hosts", "differs" and "two_groups", and the rows of CSV.
void tp_full_put_hosts(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_hosts_csv(struct tp_emit *e, const struct tp_full_report *r);

// Whether the report is a comparison with a baseline, too.
TP_INLINE bool tp_full_has_versus(const struct tp_full_report *r)
{
    return r->versus.sides[TP_VERSUS_BEFORE].totals != NULL;
}
// The most changes on a screen.
#define TP_VERSUS_LINES 20
// Prints, as text: how many traces stand on either side and how much has changed; below it the changes, at most
// `most` lines.
void tp_full_print_versus_head(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_versus(struct tp_emit *e, const struct tp_full_report *r, size_t most);
// The same with all changes, as Markdown.
void tp_full_print_markdown(struct tp_emit *e, const struct tp_full_report *r);
// Puts the JSON fields "comparison" and "changes", and the rows of CSV.
void tp_full_put_versus(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_versus_csv(struct tp_emit *e, const struct tp_full_report *r);

// Puts, at the end of a line, a place that is to blame, if there is room.
void tp_hosts_put_place(struct tp_line *l, const struct tp_totals *s, const char *label,
                        const struct tp_source_place *place);
// Puts the figure of a measure, after the name if it is that of a task, a region, a start function or a type of
// events. `kept_columns` of what follows are kept while the name is shortened; without room for the name or the words only
// the value is put. Returns whether the value had room.
bool tp_hosts_put_figure(struct tp_line *l, enum tp_host_measure measure, struct tp_span name,
                         struct tp_human value, unsigned kept_columns);
// Words before what differs beside a slow task: a function that waits, or a region. Puts the region, if there is room.
#define TP_BESIDE_WAIT "  also waits in "
#define TP_BESIDE_REGION "  also region "
void tp_hosts_put_region(struct tp_line *l, struct tp_span name);
// Puts how much more, or less, time is spent on a class, if there is room; 0 ns: nothing.
void tp_hosts_put_class(struct tp_line *l, enum tp_class class, uint64_t ns, const char *more);
// Put fields of JSON: a value as a number in the unit of its measure; a measure, with its name if it is that of a
// top; the class of time in which a task or region differs, and by how much.
void tp_hosts_put_value(struct tp_emit *e, const char *key, enum tp_host_measure measure, uint64_t value);
void tp_hosts_put_measure(struct tp_emit *e, enum tp_host_measure measure, struct tp_span name);
void tp_hosts_put_class_fields(struct tp_emit *e, enum tp_class class, uint64_t ns);

#endif
