// A cursor gives the events of one thread in one generation (its run), one after the other.
// It decodes the wire bytes of the thread's batches lazily, in file order, or first walks the
// parts of the run that were decoded before; both give the same events, times and errors
// (internal/trace/batchcursor.go).
//
// A batch is read where it lies in memory, or through a window of the cursor that a loader
// fills piece by piece (see struct tp_batch_loader).
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_CURSOR_H
#define TP_MERGE_ORDER_CURSOR_H

#include "decode/spec.h"
#include "merge/tables/event_args.h"
#include "merge/tables/generation.h"
#include "merge/tables/tables.h"

// Loads bytes of batches that are not in memory: `len_bytes` of the body from `skip_bytes` on.
struct tp_batch_loader {
    int (*load)(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err);
    uint32_t window_bytes;  // largest window of a cursor; at least TP_CURSOR_WINDOW_MIN_BYTES
};

// Bytes of the longest event (a code and five numbers); a window must hold more than one.
#define TP_CURSOR_EVENT_MAX_BYTES 51
#define TP_CURSOR_WINDOW_MIN_BYTES 128

enum tp_cursor_status {
    TP_CURSOR_EVENT, // `next` is the next event
    TP_CURSOR_END,
    TP_CURSOR_BAD,   // it cannot be decoded; the error says why
};

// The event types that make up nearly all events; usual.h has their rules.
enum tp_usual {
    TP_USUAL_NONE,
    TP_USUAL_GO_START,
    TP_USUAL_GO_STOP,
    TP_USUAL_GO_BLOCK,
    TP_USUAL_GO_UNBLOCK,
    TP_USUAL_SYSCALL_BEGIN,
    TP_USUAL_SYSCALL_END,
    TP_USUAL_HEAP_ALLOC,
    TP_USUALS
};

// An event as its run has it: its thread is the run's, its P and goroutine become known only
// when it is ordered. Arguments that the type does not have are 0.
struct tp_run_event {
    int64_t time_ns;
    uint64_t args[TP_EVENT_ARGS];
    uint8_t type;
    uint8_t wire_bytes;
    // enum tp_usual: not NONE tells that the tables have all strings and stacks that the event
    // names. NONE: another type, an id is missing, or nobody has looked the ids up.
    uint8_t usual;
};

// Consecutive events of a run that were decoded before a cursor walks them.
struct tp_decoded_part {
    const struct tp_decoded_part *next; // in the run
    size_t event_count;                 // at least 1
    struct tp_run_event events[];
};

// Events to decode in one go: enough to make the cost of beginning small.
#define TP_CURSOR_AHEAD 64

struct tp_cursor {
    const struct tp_run_event *next;      // the next event
    const struct tp_run_event *ready_end; // end of the decoded events that begin at `next`
    const unsigned char *at;     // in the current batch, behind the decoded events
    const unsigned char *end;    // of the batch's bytes at hand
    uint32_t beyond_bytes;       // of the batch's body behind `end`, not yet in the window
    uint32_t m_slot;             // for order.c
    int64_t m;
    int64_t last_ns;             // of the last event decoded
    const struct tp_m_run *run;
    size_t batch_count;          // batches begun
    unsigned char *window;       // owned; NULL until needed, and after the last event
    uint32_t window_bytes;
    const struct tp_decoded_part *parts; // not yet begun; lazy decoding goes on behind them
    struct tp_run_event *ahead;  // receives decoded events: `one`, or the owner's array
    size_t ahead_max;
    struct tp_run_event one;
};

// `run` and what it points to must outlive the cursor, which must stay where it is.
void tp_cursor_init(struct tp_cursor *c, const struct tp_m_run *run);
// After init: lets the cursor decode up to `count` events in one go into `ahead`, which must
// outlive it.
void tp_cursor_use_ahead(struct tp_cursor *c, struct tp_run_event *ahead, size_t count);
void tp_cursor_fini(struct tp_cursor *c);
// Makes an independent cursor at the same place, to be torn down by fini. It decodes into `ahead`,
// which must outlive it. TP_E_MEMORY; then it is not made.
int tp_cursor_copy(const struct tp_cursor *c, struct tp_run_event ahead[TP_CURSOR_AHEAD],
                   struct tp_cursor *ret_copy, struct tp_error *err) TP_MUST_USE;

// tp_cursor_advance for every case: it also begins parts and batches, and decodes.
enum tp_cursor_status tp_cursor_advance_slow(struct tp_cursor *c, const struct tp_tables *t,
                                             struct tp_batch_loader *loader,
                                             struct tp_error *err);

// Moves on to the next event if that is decoded already, else false. *next_io equals c->next; a
// caller that keeps it in a register does not wait for the store to c->next.
TP_INLINE bool tp_cursor_advance_ready(struct tp_cursor *c, const struct tp_run_event **next_io)
{
    if (tp_unlikely(c->ready_end - *next_io <= 1))
        return false;
    c->next = ++*next_io;
    return true;
}

// Moves on to the next event. After END or BAD it must not be called again.
// BAD: TP_E_EVENT with Go's message, or the loader's failure.
TP_INLINE enum tp_cursor_status tp_cursor_advance(struct tp_cursor *c, const struct tp_tables *t,
                                                  struct tp_batch_loader *loader,
                                                  struct tp_error *err)
{
    const struct tp_run_event *next = c->next;
    return tp_cursor_advance_ready(c, &next) ? TP_CURSOR_EVENT
                                             : tp_cursor_advance_slow(c, t, loader, err);
}

// Bytes of the run's batch bodies from `next` on.
uint64_t tp_cursor_left_bytes(const struct tp_cursor *c);

// A run whose first events are decoded, and the place where lazy decoding goes on.
struct tp_decoded_run {
    const struct tp_m_run *run;
    const struct tp_decoded_part *parts; // NULL: none
    const unsigned char *at;
    const unsigned char *end;
    uint32_t beyond_bytes;
    int64_t last_ns;
    size_t batch_count;
};

// Decodes the next events into `events` and returns their number. Fewer than `capacity`: the run
// ends there, or the next event cannot be decoded or loaded; the cursor stands before it.
size_t tp_cursor_decode(struct tp_cursor *c, const struct tp_tables *t,
                        struct tp_batch_loader *loader, struct tp_run_event *events,
                        size_t capacity);
// Describes the run of `c`; `parts` hold the events that `c` has decoded.
struct tp_decoded_run tp_cursor_decoded(const struct tp_cursor *c,
                                        const struct tp_decoded_part *parts);
// A cursor at the begin of the run. The parts must outlive it.
void tp_cursor_init_decoded(struct tp_cursor *c, const struct tp_decoded_run *run);

#endif
