// Notes which tasks, regions, waits and start functions of an input took most time, and of which types most
// events were (struct tp_file_top), so that its host can be compared with others long after its distributions
// have joined those of the run.
#ifndef TP_STATS_HOSTS_TOPS_H
#define TP_STATS_HOSTS_TOPS_H

#include "stats/totals.h"
#include "tracepipe/event.h"

// Sets `tops` of the row of the only input in these totals, with numbers of events by type. False: out of
// memory; then only tp_totals_fini may follow.
bool tp_hosts_add_tops(struct tp_totals *s, const uint64_t event_counts[TP_EVENT_TYPES]) TP_MUST_USE;

#endif
