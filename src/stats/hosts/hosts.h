// The hosts of a run: an input each or, with the option `--group`, the inputs whose paths have the same name
// in them. Only inputs that were judged (enum tp_judgement) count. Borrows the totals, whose lists and texts must
// not change. One thread at a time uses the list.
#ifndef TP_STATS_HOSTS_HOSTS_H
#define TP_STATS_HOSTS_HOSTS_H

#include "base/err.h"
#include "base/text/path_group.h"
#include "stats/totals.h"

struct tp_host {
    uint32_t name;   // a number of the totals' `names`: of the group, or the path
    const struct tp_file_row **rows; // by path
    uint32_t row_count;
};

// Whether an input of the host is damaged.
bool tp_host_is_damaged(const struct tp_host *h);

// A zeroed list is empty. tp_hosts_fini frees it.
struct tp_hosts {
    TP_LIST(struct tp_host); // by the text of the name, then by what the rows have
    const struct tp_file_row **rows; // those of all hosts
    uint32_t not_judged_count;       // inputs that are left aside
};

// Makes the list, without inputs shorter than `least_ns`. Fails with TP_E_MEMORY; the list is then empty.
int tp_hosts_make(const struct tp_totals *s, uint64_t least_ns, struct tp_hosts *ret_hosts,
                  struct tp_error *err) TP_MUST_USE;
// Names the host of the only input in these totals, whose row was added. False: out of memory.
bool tp_hosts_name(struct tp_totals *s, const struct tp_path_group *group, const char *path) TP_MUST_USE;
// Checks that the hosts of a state were named by this pattern, or by none if `group` is NULL, because the names of
// others mean something else. Fails with TP_E_STATE.
int tp_hosts_check(const struct tp_totals *s, const struct tp_path_group *group,
                   struct tp_error *err) TP_MUST_USE;
// Returns the index of the first host with this name; their count: there is none.
uint32_t tp_hosts_find(const struct tp_hosts *hosts, const struct tp_totals *s, struct tp_span name);
void tp_hosts_fini(struct tp_hosts *hosts);

#endif
