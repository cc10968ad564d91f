// The events of a trace from before Go 1.22 in their last order: that of order.h, but for
// ends of syscalls, which stand where they happened instead of where their goroutine ran again.
//
// Of a surveyed trace (prescan.h) these ends are known, but not whether the walk will come to
// the events that tell them. Where one cannot be right, it is put off until it does.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_SYSCALL_EXIT_ORDER_H
#define TP_MERGE_V1_SYSCALL_EXIT_ORDER_H

#include "merge/v1/order.h"

struct tp_v1_final {
    const struct tp_v1_trace *trace;
    struct tp_v1_order order;
    struct tp_v1_ordered *kept;  // the next event that keeps its place, if has_kept; NULL: none
    struct tp_v1_ordered given;  // the last event that is of no stream
    uint64_t event_count;        // of the walk, with `kept`, also if that is none
    struct tp_v1_exit exit;      // the next one, if has_exit; trace->exits has it at exit_idx
    int64_t exit_key;            // nothing of the walk that is earlier comes behind it
    uint64_t exit_idx;
    bool has_exit;
    bool has_kept;
    bool is_untold;              // of the last event, an end: the walk has not come to it
    struct tp_map told;          // of a surveyed trace, by key: ends the walk came to that are
                                 // still to be handed out, and those put off
    size_t sorted_idx;           // of trace->sorted
};

int tp_v1_final_begin(struct tp_v1_final *f, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v1_final_fini(struct tp_v1_final *f); // zeroed is fine

// Whether there is a first event; before the first call of next. False: an error.
bool tp_v1_final_look(struct tp_v1_final *f, bool *ret_has, struct tp_error *err) TP_MUST_USE;
// The next event, the caller's until the next call.
enum tp_cursor_status tp_v1_final_next(struct tp_v1_final *f, struct tp_v1_ordered **ret,
                                       struct tp_error *err);
// The last event is_untold, and comes again when the walk does come to it.
int tp_v1_final_put_off(struct tp_v1_final *f, struct tp_error *err) TP_MUST_USE;

// Of a syscall that was the last event, of a surveyed trace: whether it blocked.
int tp_v1_final_blocks(const struct tp_v1_final *f, bool *ret_blocks,
                       struct tp_error *err) TP_MUST_USE;

// Bytes of events that the walk did not come to.
uint64_t tp_v1_final_left_bytes(const struct tp_v1_final *f);

#endif
