// Counts the work of a run while it runs, for the progress display and for the sinks that report
// the cost of the run. Thread-safe, never blocks.
#ifndef TP_PIPELINE_CORE_METER_H
#define TP_PIPELINE_CORE_METER_H

#include <stdatomic.h>

#include "base/clock.h"

// The sums over all inputs and threads so far; complete once the run is over. CPU times are sums
// over threads, so they may exceed the time that has passed.
struct tp_meter {
    uint64_t start_ns;
    bool wants_cpu_time;           // constant after start; false: the CPU times stay 0
    _Atomic uint64_t scan_cpu_ns;  // of ingest strands
    _Atomic uint64_t work_cpu_ns;  // of workers on units
    _Atomic uint64_t order_cpu_ns; // of putting events in order and of folding
    _Atomic uint64_t stored_bytes; // read so far
    _Atomic uint64_t stat_bytes;   // sizes of the files begun so far
};

// Returns the CPU time of this thread, as a mark for tp_meter_add; 0 if no sink wants CPU time.
TP_INLINE uint64_t tp_meter_mark(const struct tp_meter *m)
{
    return m->wants_cpu_time ? tp_thread_cpu_ns() : 0;
}

// Adds the CPU time since `mark_ns` to one of the meter's sums. The mark must be of this thread.
TP_INLINE void tp_meter_add(const struct tp_meter *m, _Atomic uint64_t *sum_ns, uint64_t mark_ns)
{
    if (m->wants_cpu_time)
        atomic_fetch_add_explicit(sum_ns, tp_thread_cpu_ns() - mark_ns, memory_order_relaxed);
}

// Adds bytes to one of the meter's sums.
TP_INLINE void tp_meter_count(_Atomic uint64_t *sum_bytes, uint64_t len_bytes)
{
    atomic_fetch_add_explicit(sum_bytes, len_bytes, memory_order_relaxed);
}

#endif
