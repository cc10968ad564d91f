// The events of one thread in one generation, one after the other: a per-M run.
// Decodes lazily from the wire bytes of the thread's batches, in file order, or
// first walks what somebody decoded before; both give the same events, times and
// errors (internal/trace/batchcursor.go).
//
// A batch is read where it lies in memory, or through a window of the cursor that
// is filled piece by piece (see struct tp_batch_loader).
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_CURSOR_H
#define TP_MERGE_ORDER_CURSOR_H

#include "decode/spec.h"
#include "merge/tables/generation.h"
#include "merge/tables/tables.h"

// Brings bytes of batches that are not in memory.
struct tp_batch_loader {
    int (*load)(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err);
    uint32_t window_bytes;  // most of each cursor; at least TP_CURSOR_WINDOW_MIN_BYTES
};

// The longest event: a code and five numbers; and what takes more than one of these.
#define TP_CURSOR_EVENT_MAX_BYTES 51
#define TP_CURSOR_WINDOW_MIN_BYTES 128

enum tp_cursor_status {
    TP_CURSOR_EVENT, // `next` is the next event
    TP_CURSOR_END,
    TP_CURSOR_BAD,   // it cannot be decoded; the error says why
};

// The types that nearly all events have; usual.h has their rules.
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

// An event as its run has it: the thread is the run's, P and goroutine are known when
// it is ordered. Arguments the type does not have are 0.
struct tp_run_event {
    int64_t time_ns;
    uint64_t args[TP_EVENT_ARGS];
    uint8_t type;
    uint8_t wire_bytes;
    // enum tp_usual: its type, and all strings and stacks that it names are in the tables. NONE:
    // another type, or nobody has looked for them.
    uint8_t usual;
};

// A piece of a run that was decoded before it is walked.
struct tp_decoded_part {
    const struct tp_decoded_part *next; // in the run
    size_t event_count;                 // at least 1
    struct tp_run_event events[];
};

// Where so many may be decoded in one go, it is cheap to begin.
#define TP_CURSOR_AHEAD 64

struct tp_cursor {
    const struct tp_run_event *next;      // the next event
    const struct tp_run_event *ready_end; // behind those that are decoded, `next` first
    const unsigned char *at;     // of the current batch, behind what is decoded
    const unsigned char *end;
    uint32_t beyond_bytes;       // of its body, behind `end`: not yet in the window
    uint32_t m_slot;             // for order.c
    int64_t m;
    int64_t last_ns;             // of the last event decoded
    const struct tp_m_run *run;
    size_t batch_count;          // begun
    unsigned char *window;       // owned; NULL until needed, and behind the last event
    uint32_t window_bytes;
    const struct tp_decoded_part *parts; // not yet begun; what is lazy comes behind them
    struct tp_run_event *ahead;  // what is decoded: `one`, or more of the owner's
    size_t ahead_max;
    struct tp_run_event one;
};

// `run` and what it points to must outlive the cursor, which must stay where it is.
void tp_cursor_init(struct tp_cursor *c, const struct tp_m_run *run);
// Behind init: it decodes up to `count` events in one go, into memory that must outlive it.
void tp_cursor_use_ahead(struct tp_cursor *c, struct tp_run_event *ahead, size_t count);
void tp_cursor_fini(struct tp_cursor *c);
// A second cursor at the same place, which goes its own way and decodes into `ahead`, which must
// outlive it. TP_E_MEMORY; then it is not made.
int tp_cursor_copy(const struct tp_cursor *c, struct tp_run_event ahead[TP_CURSOR_AHEAD],
                   struct tp_cursor *ret_copy, struct tp_error *err) TP_MUST_USE;

// Any next event, from any place.
enum tp_cursor_status tp_cursor_advance_slow(struct tp_cursor *c, const struct tp_tables *t,
                                             struct tp_batch_loader *loader,
                                             struct tp_error *err);

// Moves on to an event that is decoded; false if the next one is not. *next_io is c->next: who
// has it at hand need not wait until it has been written there.
TP_INLINE bool tp_cursor_advance_ready(struct tp_cursor *c, const struct tp_run_event **next_io)
{
    if (tp_unlikely(c->ready_end - *next_io <= 1))
        return false;
    c->next = ++*next_io;
    return true;
}

// Moves on to the next event. After END or BAD it must not be called again.
// BAD with TP_E_EVENT (Go's words) or what the loader failed with.
TP_INLINE enum tp_cursor_status tp_cursor_advance(struct tp_cursor *c, const struct tp_tables *t,
                                                  struct tp_batch_loader *loader,
                                                  struct tp_error *err)
{
    const struct tp_run_event *next = c->next;
    return tp_cursor_advance_ready(c, &next) ? TP_CURSOR_EVENT
                                             : tp_cursor_advance_slow(c, t, loader, err);
}

// Bytes of the run's bodies behind the last event before `next`; lazy cursors only.
uint64_t tp_cursor_left_bytes(const struct tp_cursor *c);

// A run whose first events are decoded, and where it goes on behind them.
struct tp_decoded_run {
    const struct tp_m_run *run;
    const struct tp_decoded_part *parts; // NULL: none
    const unsigned char *at;
    const unsigned char *end;
    uint32_t beyond_bytes;
    int64_t last_ns;
    size_t batch_count;
};

// Decodes on. Fewer than `capacity`: what follows is the end, or cannot be decoded or
// loaded; the cursor stands before it.
size_t tp_cursor_decode(struct tp_cursor *c, const struct tp_tables *t,
                        struct tp_batch_loader *loader, struct tp_run_event *events,
                        size_t capacity);
// What `c` has decoded are the parts.
struct tp_decoded_run tp_cursor_decoded(const struct tp_cursor *c,
                                        const struct tp_decoded_part *parts);
// A cursor over the run from its begin. The parts must outlive it.
void tp_cursor_init_decoded(struct tp_cursor *c, const struct tp_decoded_run *run);

#endif
