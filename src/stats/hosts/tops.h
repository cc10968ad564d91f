// Notes which tasks, regions and waits of an input took most time (struct tp_file_top), so that its host
// can be compared with others long after its distributions have joined those of the run.
#ifndef TP_STATS_HOSTS_TOPS_H
#define TP_STATS_HOSTS_TOPS_H

#include "stats/totals.h"

// Sets `tops` of the row of the only input in these totals. False: out of memory; then only
// tp_totals_fini may follow.
bool tp_hosts_add_tops(struct tp_totals *s) TP_MUST_USE;

#endif
