// Finds how much memory the process may use on this machine: the least of the installed memory and
// the limits of the process's control groups (version 1 and 2), beyond which the kernel kills the
// process. Blocks while it reads small files of the kernel. A file that cannot be read sets no
// limit. Any thread.
#ifndef TP_BASE_MACHINE_MEMORY_H
#define TP_BASE_MACHINE_MEMORY_H

#include "base/attr.h"

// Returns that memory in bytes. UINT64_MAX: unknown.
uint64_t tp_machine_memory_bytes(void);

// Returns the least limit, in bytes, of the control groups that the file `groups_path` lists (in
// the form of /proc/self/cgroup) and of their parent groups. `root` is the folder of the groups'
// files, such as /sys/fs/cgroup. UINT64_MAX: no limit.
uint64_t tp_cgroup_memory_bytes(const char *groups_path, const char *root);

#endif
