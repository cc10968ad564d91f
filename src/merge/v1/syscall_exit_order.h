// Gives the events of a trace from before Go 1.22 in their final order: that of order.h, except
// that ends of syscalls come at the time when they happened instead of when their goroutine ran
// again.
//
// A prescan (prescan.h) finds these ends, but not whether the walk will reach the events that
// record them. An end that cannot be right at its time is put off until the walk reaches the event
// that records it.
//
// After a failure of any function, and after BAD, only tp_v1_final_fini may follow. Belongs to one
// thread at a time.
#ifndef TP_MERGE_V1_SYSCALL_EXIT_ORDER_H
#define TP_MERGE_V1_SYSCALL_EXIT_ORDER_H

#include "merge/v1/order.h"

// The state of one walk. Owns its memory; borrows the trace, which must outlive it.
struct tp_v1_final {
    const struct tp_v1_trace *trace;
    struct tp_v1_order order;
    struct tp_v1_ordered *kept;  // the next event that keeps its place, if has_kept; NULL: none
    struct tp_v1_ordered given;  // the last event that came from trace->exits or sorted
    uint64_t event_count;        // events taken from `order`; the end of `order` counts as one
    struct tp_v1_exit exit;      // the next end, if has_exit; at exit_idx of trace->exits
    int64_t exit_key;            // of `exit`, or INT64_MAX; earlier events go before it
    uint64_t exit_idx;
    bool has_exit;
    bool has_kept;
    bool is_early;               // the last event handed out is the end of a syscall, and the walk
                                 // has not reached the event that records this end
    struct tp_map ends;          // of a prescanned trace, by key: ends whose events the walk has
                                 // reached, still to be handed out, and ends put off
    size_t sorted_idx;           // of trace->sorted: the next event
};

// Begins the walk over the events of `t` in their final order. Fails as tp_v1_order_begin or
// tp_v1_exits_get does; fini may also follow a failure.
int tp_v1_final_begin(struct tp_v1_final *f, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v1_final_fini(struct tp_v1_final *f); // a zeroed one is fine

// Sets *ret_has to whether there is a first event; may be called before the first
// tp_v1_final_next. False: the failures of tp_v1_final_next.
bool tp_v1_final_look(struct tp_v1_final *f, bool *ret_has, struct tp_error *err) TP_MUST_USE;
// Sets *ret to the next event, which the caller may use and change until the next call. END, also
// in all later calls: there is no further event. BAD: as tp_v1_order_next or tp_v1_exits_get.
enum tp_cursor_status tp_v1_final_next(struct tp_v1_final *f, struct tp_v1_ordered **ret,
                                       struct tp_error *err);
// Puts off the end that was handed out last, for which is_early is set: the end is handed out again
// when the walk reaches the event that records it. TP_E_MEMORY, TP_E_LIMIT.
int tp_v1_final_put_off(struct tp_v1_final *f, struct tp_error *err) TP_MUST_USE;

#endif
