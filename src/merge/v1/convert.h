// Converts the events of a trace of Go 1.5 to 1.21 to events of the one model (tracepipe/event.h),
// in order, as Go does (internal/trace/tracev1.go of Go 1.26). But where Go takes the Ps, and the
// goroutines created before the trace began, in random order, they are taken in ascending order
// here. This is the walk that hands out events, see trace.h. The whole trace is one generation.
// Traces from before Go 1.5, which Go never converted, are converted by the same rules.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_CONVERT_H
#define TP_MERGE_V1_CONVERT_H

#include "merge/order/sequence.h"
#include "merge/v1/syscall_exit_order.h"
#include "merge/v1/validate.h"

// The state of one walk. Owns its memory; borrows the trace, which must outlive it.
struct tp_v1_sequence {
    const struct tp_v1_trace *trace;
    struct tp_v1_final walk;
    struct tp_v1_check check;
    bool is_by_time;             // tp_v1_is_by_time(trace)
    // The walk so far.
    uint64_t syscall_count;
    uint64_t unknown_id_count;   // events with stacks or strings that the tables lack
    bool has_begun;
    bool sync_is_done;           // has_sync is known, and the Sync, if any, was handed out
    bool has_sync;               // the trace has events, so a Sync comes before the first one
    int64_t begin_ticks;         // of the first event: time 0
    int64_t last_ticks;
    int64_t last_ns;             // times only rise

    // Until the first Gomaxprocs the runtime reports the goroutines and Ps from before the trace.
    bool is_past_init;
    TP_LIST(uint64_t) created;   // goroutines created until then; later only the runnable ones
    struct tp_map created_by_id; // a set: those of `created` that have got no status
    uint32_t created_idx;        // of the item of `created` whose status is handed out next
    int64_t created_ns;          // the time of all statuses of `created`

    // Ps by id, with what the walk has seen of them.
    TP_SLAB(struct tp_v1_thread {
        int64_t m;               // its thread, while it runs
        bool is_seen;
        bool runs;
    }) ps;
    // The P that was looked up last, its slot in `ps` (0: none), and the thread of events on it.
    uint32_t last_p, last_p_slot;
    int64_t last_m;
    uint64_t stw_string;         // id of the string that says why the world was stopped last
    // Events that come before the next event of the walk.
    struct tp_event extra;       // the next event, if has_extra
    bool has_extra;
    bool has_waiting;            // has_extra, or statuses of `created` are left to hand out
    bool ends_as_go;             // fails at an event that Go does not know or cannot print
};

// Begins a walk over a trace, after tp_v1_plan. Fails as tp_v1_final_begin does; fini may also
// follow a failure.
int tp_v1_sequence_begin(struct tp_v1_sequence *s, const struct tp_v1_trace *t,
                         struct tp_error *err) TP_MUST_USE;
void tp_v1_sequence_fini(struct tp_v1_sequence *s); // a zeroed one is fine

// Checks that the whole trace is sound: converts it once and discards the events. Fails as begin
// and fill do, except for events that Go's conversion does not know: fill reports those.
int tp_v1_sequence_rehearse(const struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// Takes the next event without converting it, for callers that do not use fill. Sets *ret to it, in
// the final order, and *ret_ns to its time since the first event. Events of timers and ends of
// syscalls have their fake P. The caller may use and change *ret until the next call. BAD: the
// failures of begin and fill; if the time of an event is less than that of the previous event, *ret
// is set even so.
enum tp_cursor_status tp_v1_sequence_take(struct tp_v1_sequence *s, struct tp_v1_ordered **ret,
                                          int64_t *ret_ns, struct tp_error *err);

// Returns by how many nanoseconds the last event taken is later than the earliest one that is left;
// 0: it is not. The rest of a trace that cannot be put in order may be earlier by hours.
TP_INLINE double tp_v1_sequence_late_ns(const struct tp_v1_sequence *s)
{
    int64_t least_ticks = tp_v1_order_least_ticks(&s->walk.order);
    if (!s->has_begun || least_ticks >= s->last_ticks)
        return 0;
    return ((double)s->last_ticks - (double)least_ticks) * s->trace->tables->ns_per_tick;
}

// Writes up to `capacity` converted events to `events` and their number to *ret_count. BROKEN:
// `events` has the events before the error that `err` describes; only fini may follow.
enum tp_fill_status tp_v1_sequence_fill(struct tp_v1_sequence *s, struct tp_event *events,
                                        size_t capacity, size_t *ret_count, struct tp_error *err);

#endif
