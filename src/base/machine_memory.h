// How much memory this machine has for the process: the least of what is installed and of the
// limits of its control groups (both versions), which is where the kernel ends it.
#ifndef TP_BASE_MACHINE_MEMORY_H
#define TP_BASE_MACHINE_MEMORY_H

#include "base/attr.h"

// UINT64_MAX: nobody says.
uint64_t tp_machine_memory_bytes(void);

// The least limit of the groups that `groups_path` (as /proc/self/cgroup) names, and of those
// above them, as files below `root` (as /sys/fs/cgroup) tell. UINT64_MAX: none.
uint64_t tp_cgroup_memory_bytes(const char *groups_path, const char *root);

#endif
