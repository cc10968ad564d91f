// The events of a trace of Go 1.5 to 1.21 as events of the one model (tracepipe/event.h), in
// order, as Go converts them (internal/trace/tracev1.go of Go 1.26, with its two random
// orders made ascending): the walk that hands them out, see trace.h. The whole trace is one
// generation. What is older, which Go never converted, becomes what it means in the same way.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_CONVERT_H
#define TP_MERGE_V1_CONVERT_H

#include "merge/order/sequence.h"
#include "merge/v1/syscall_exit_order.h"
#include "merge/v1/validate.h"

struct tp_v1_sequence {
    const struct tp_v1_trace *trace;
    struct tp_v1_final walk;
    struct tp_v1_check check;
    bool is_by_time;             // the trace
    uint64_t syscall_count;
    uint64_t unknown_id_count;   // events with stacks or strings that the tables lack
    bool has_begun;
    bool sync_is_done;           // it was looked whether there is to be a Sync
    bool has_sync;               // the first event, if there are any others
    int64_t begin_ticks;         // of the first event: time 0
    int64_t last_ticks;
    int64_t last_ns;             // times only rise

    // Until the first Gomaxprocs the runtime says what was there before.
    bool is_past_init;
    TP_LIST(uint64_t) created;   // then: runnable goroutines, none of which was told more of
    struct tp_map created_by_id;
    uint32_t created_idx;        // of those not handed out
    int64_t created_ns;

    TP_LIST(struct tp_v1_thread {
        int64_t m;               // of a P that runs
        bool is_seen;
        bool runs;
    }) ps;
    struct tp_map ps_by_id;
    // The P that was looked up last, its place in `ps`, and the thread of events on it.
    uint32_t last_p, last_p_slot;
    int64_t last_m;
    uint64_t stw_string;         // id: why the world was stopped last
    struct tp_event extra;       // comes next
    bool has_extra;
    bool has_waiting;              // that, or one of `created`
    bool ends_as_go;             // where Go does not know an event, or cannot print it
};

int tp_v1_sequence_begin(struct tp_v1_sequence *s, const struct tp_v1_trace *t,
                         struct tp_error *err) TP_MUST_USE;
void tp_v1_sequence_fini(struct tp_v1_sequence *s); // zeroed is fine

// Whether all of it is sound: does it once, for nothing. The failures of begin and fill, but
// for what Go's conversion does not know, which it says where it comes.
int tp_v1_sequence_rehearse(const struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// The walk without the conversion, instead of filling: the next event in the last order, at
// `ret_ns`, on the P that timers and syscalls are shown on. It is the caller's until the next
// call. BAD: as of begin and fill; of an event that comes too late it is there, too.
enum tp_cursor_status tp_v1_sequence_take(struct tp_v1_sequence *s, struct tp_v1_ordered **ret,
                                          int64_t *ret_ns, struct tp_error *err);

// Bytes of events that the walk did not come to.
uint64_t tp_v1_sequence_left_bytes(const struct tp_v1_sequence *s);

// Up to `capacity` events. BROKEN: the events before the error are there.
enum tp_fill_status tp_v1_sequence_fill(struct tp_v1_sequence *s, struct tp_event *events,
                                        size_t capacity, size_t *ret_count, struct tp_error *err);

#endif
