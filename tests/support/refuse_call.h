// Makes the kernel refuse a system call to this process, as in containers.
#ifndef TP_TESTS_REFUSE_CALL_H
#define TP_TESTS_REFUSE_CALL_H

#include <stdbool.h>

// Makes the system call `call` (__NR_...) fail with `sys_errno` in every thread of the process, by
// a seccomp filter, until the process ends: use it in a child process only. False: this kernel has
// no such filters.
bool refuse_call(long call, int sys_errno);

#endif
