// The events of a trace from before Go 1.22 in their final order: that of order.h, except that
// ends of syscalls stand where they happened instead of where their goroutine ran again.
//
// A prescan (prescan.h) finds these ends, but not whether the walk will reach the events that
// record them. An end that cannot be right is put off until the walk reaches its event.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_SYSCALL_EXIT_ORDER_H
#define TP_MERGE_V1_SYSCALL_EXIT_ORDER_H

#include "merge/v1/order.h"

struct tp_v1_final {
    const struct tp_v1_trace *trace;
    struct tp_v1_order order;
    struct tp_v1_ordered *kept;  // the next event that keeps its place, if has_kept; NULL: none
    struct tp_v1_ordered given;  // the last event that came from trace->exits or sorted
    uint64_t event_count;        // events taken from the walk, with `kept`, even if NULL
    struct tp_v1_exit exit;      // the next end, if has_exit; at exit_idx of trace->exits
    int64_t exit_key;            // of `exit`, or INT64_MAX; earlier events go before it
    uint64_t exit_idx;
    bool has_exit;
    bool has_kept;
    bool is_early;               // the last event is an end whose event is not reached yet
    struct tp_map ends;          // of a prescanned trace, by key: ends whose events the walk has
                                 // reached, still to be handed out, and ends put off
    size_t sorted_idx;           // of trace->sorted: the next event
};

int tp_v1_final_begin(struct tp_v1_final *f, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v1_final_fini(struct tp_v1_final *f); // zeroed is fine

// Whether there is a first event; before the first call of next. False: an error.
bool tp_v1_final_look(struct tp_v1_final *f, bool *ret_has, struct tp_error *err) TP_MUST_USE;
// The next event, the caller's until the next call.
enum tp_cursor_status tp_v1_final_next(struct tp_v1_final *f, struct tp_v1_ordered **ret,
                                       struct tp_error *err);
// Puts off the last event, which is_early: it comes again when the walk reaches its event.
int tp_v1_final_put_off(struct tp_v1_final *f, struct tp_error *err) TP_MUST_USE;

// The last event must be a syscall, of a prescanned trace. Tells whether it blocked.
int tp_v1_final_blocks(const struct tp_v1_final *f, bool *ret_blocks,
                       struct tp_error *err) TP_MUST_USE;

// Bytes of events that the walk has not reached.
uint64_t tp_v1_final_left_bytes(const struct tp_v1_final *f);

#endif
