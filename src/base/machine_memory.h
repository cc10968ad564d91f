// Memory that this machine has for the process: the least of the installed memory and the
// limits of the process's control groups (both versions), beyond which the kernel kills it.
// Blocks while it reads small files of the kernel. Any thread.
#ifndef TP_BASE_MACHINE_MEMORY_H
#define TP_BASE_MACHINE_MEMORY_H

#include "base/attr.h"

// UINT64_MAX: unknown.
uint64_t tp_machine_memory_bytes(void);

// The least limit of the control groups that the file `groups_path` lists (in the form of
// /proc/self/cgroup) and of their parent groups. `root` is the folder of their files, such
// as /sys/fs/cgroup. UINT64_MAX: no limit.
uint64_t tp_cgroup_memory_bytes(const char *groups_path, const char *root);

#endif
