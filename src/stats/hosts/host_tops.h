// The tops of hosts (struct tp_host_top): those of one kind and name in all inputs of a host are one.
#ifndef TP_STATS_HOSTS_HOST_TOPS_H
#define TP_STATS_HOSTS_HOST_TOPS_H

#include "stats/hosts/measures.h"

// A zeroed list is empty; the owner frees `items` with tp_free.
struct tp_host_tops {
    TP_LIST(struct tp_host_top); // by kind, number of the name, and host
};

// Makes the list. Borrows the rows of the hosts. False: out of memory; the owner frees what there is.
bool tp_host_tops_make(const struct tp_hosts *hosts, struct tp_host_tops *ret_tops) TP_MUST_USE;
// Whether two tops of hosts of the same totals have one kind and name.
TP_INLINE bool tp_host_tops_are_one_name(const struct tp_host_top *a, const struct tp_host_top *b)
{
    return a->kind == b->kind && a->name == b->name;
}

#endif
