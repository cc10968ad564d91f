// Sorts the differences of hosts, and the hosts, and gives each its line: hosts that a screen says the same of share
// one.
#ifndef TP_STATS_HOSTS_LINES_H
#define TP_STATS_HOSTS_LINES_H

#include "stats/hosts/differ.h"

// Lists the hosts of all differences, and sorts the groups. False: out of memory.
bool tp_differs_list(const struct tp_totals *s, struct tp_differs *d) TP_MUST_USE;

#endif
