// The hosts that differ in the report. The functions borrow their arguments for the call; errors of the
// output stay in the emitter.
#ifndef TP_SINK_STATS_HOSTS_PRINT_H
#define TP_SINK_STATS_HOSTS_PRINT_H

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
// Puts the JSON fields "hosts", "differs" and "two_groups".
void tp_full_put_hosts(struct tp_emit *e, const struct tp_full_report *r);

#endif
