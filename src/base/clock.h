// Reads the kernel's clocks, in nanoseconds. Any thread; cannot fail.
#ifndef TP_BASE_CLOCK_H
#define TP_BASE_CLOCK_H

#include <time.h>

#include "base/attr.h"

// Reads a clock of the kernel, such as CLOCK_MONOTONIC.
TP_INLINE uint64_t tp_clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Returns the time since a fixed but unknown moment; never goes back.
TP_INLINE uint64_t tp_now_ns(void) { return tp_clock_ns(CLOCK_MONOTONIC); }
// Returns the CPU time of the calling thread.
TP_INLINE uint64_t tp_thread_cpu_ns(void) { return tp_clock_ns(CLOCK_THREAD_CPUTIME_ID); }
// Returns the CPU time of all threads of the process.
TP_INLINE uint64_t tp_process_cpu_ns(void) { return tp_clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

#endif
