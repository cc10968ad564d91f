// How a goroutine spent its time, with the fields of Go's GoroutineExecStats: five totals, and
// totals by reason of waiting and by range, in nanoseconds. If the clock of a trace is in
// doubt, totals may wrap around as Go's do; has_wrapped records that. One thread at a time uses a
// summary and its times.
#ifndef TP_STATS_SUMMARY_TIMES_H
#define TP_STATS_SUMMARY_TIMES_H

#include "base/err.h"
#include "base/list.h"

// Limit of distinct reasons, or ranges, of one goroutine. The runtime has approximately fifty.
#define TP_TIME_LIST_MAX 2048

// The status of a summary, which its functions share. The first failure sticks: after it, the
// functions that get this struct allocate nothing and put nothing into the summary's items, and the
// summary may only be freed. Functions need not be told of a failure, so they return no code; the
// summary reads `code` after each event.
struct tp_summary_status {
    // Memory of all records. Only counts bytes; the functions that charge them allocate them.
    size_t max_bytes;
    size_t used_bytes;
    bool has_wrapped;     // a total wrapped
    int code;             // of the first failure; 0: none
    struct tp_error *err; // of the current call into the summary; gets the first failure
};

// Charges `len_bytes`, that is, adds them to used_bytes. False: there was a failure before, or the
// limit would be exceeded, which fails with TP_E_TOO_LARGE; used_bytes is then unchanged.
bool tp_summary_charge(struct tp_summary_status *st, size_t len_bytes) TP_MUST_USE;

// The time under one name. Has no padding, because items are written to files byte for byte.
struct tp_named_ns {
    uint64_t name;        // number in the summary's names
    int64_t ns;
};

// Times by name. Owned by its holder.
struct tp_time_list {
    TP_LIST(struct tp_named_ns); // in any order
};

// The five totals: ExecTime, SchedWaitTime, SyscallTime, SyscallBlockTime and TotalTime of Go's
// GoroutineExecStats. Like struct tp_named_ns, the struct has no padding.
struct tp_time_sums {
    int64_t exec_ns;
    int64_t sched_ns;
    int64_t syscall_ns;
    int64_t syscall_block_ns;
    int64_t total_ns;
};

// The times of a goroutine, or of a region: totals, waits by reason, and ranges by name. Owns its
// lists.
struct tp_times {
    struct tp_time_sums sums;
    struct tp_time_list blocks;
    struct tp_time_list ranges;
};

// Returns the sum modulo 2^64, as Go computes it. If it wraps, sets has_wrapped.
TP_INLINE int64_t tp_ns_plus(int64_t a, int64_t b, struct tp_summary_status *st)
{
    int64_t sum;
    if (tp_unlikely(__builtin_add_overflow(a, b, &sum)))
        st->has_wrapped = true;
    return sum;
}

// Returns the difference modulo 2^64, as Go computes it.
TP_INLINE int64_t tp_ns_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

// Returns the item of a name, valid until the next append, copy or remove; NULL: there is none.
TP_INLINE struct tp_named_ns *tp_time_list_find(const struct tp_time_list *l, uint64_t name)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->items[i].name == name)
            return &l->items[i];
    }
    return NULL;
}

// Adds `ns` to the item of this name, which is appended if it is missing. Fails with TP_E_TOO_LARGE
// at TP_TIME_LIST_MAX items or at the limit of `st`, and with TP_E_MEMORY; the list is then
// unchanged.
void tp_time_list_add(struct tp_time_list *l, uint64_t name, int64_t ns,
                      struct tp_summary_status *st);
// Like tp_time_list_add, but replaces the old value.
void tp_time_list_set(struct tp_time_list *l, uint64_t name, int64_t ns,
                      struct tp_summary_status *st);

// Replaces `to` by a copy of `from`, reusing the memory of `to`. Fails as tp_time_list_add does;
// `to` is then incomplete.
void tp_times_copy(struct tp_times *to, const struct tp_times *from, struct tp_summary_status *st);
// Subtracts `base` from `t` as Go does: only for names that `t` has.
void tp_times_subtract(struct tp_times *t, const struct tp_times *base);
// Frees both lists; zeroed times are fine.
void tp_times_fini(struct tp_times *t);

#endif
