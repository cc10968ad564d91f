// A cursor yields the events of one run, one after the other. A run is the events of one thread in
// one generation. The cursor decodes the wire bytes of the run's batches lazily, in file order. If
// the first events of the run were decoded in advance, it yields these first. In both cases the
// events, times and errors are those of Go's cursor (internal/trace/batchcursor.go).
//
// The cursor decodes a batch in place if the body is in memory. Otherwise a loader copies the body
// piece by piece into a buffer of the cursor, the window (see struct tp_batch_loader).
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_CURSOR_H
#define TP_MERGE_ORDER_CURSOR_H

#include "decode/spec.h"
#include "merge/tables/event_args.h"
#include "merge/tables/generation.h"
#include "merge/tables/tables.h"

// Loads bytes of batches that are not in memory.
struct tp_batch_loader {
    // Copies `len_bytes` of the batch's body, from `skip_bytes` on, to `to`. Runs on the thread of
    // the cursor and may block. Returns 0, or an error code after filling *err.
    int (*load)(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err);
    uint32_t window_bytes;  // largest window of a cursor; at least TP_CURSOR_WINDOW_MIN_BYTES
};

// Maximum length of an event in bytes (a code and five numbers). A window must hold more than one
// event.
#define TP_CURSOR_EVENT_MAX_BYTES 51
#define TP_CURSOR_WINDOW_MIN_BYTES 128

// Result of moving a cursor to its next event.
enum tp_cursor_status {
    TP_CURSOR_EVENT, // `next` is the next event
    TP_CURSOR_END,   // the run has no more events
    TP_CURSOR_BAD,   // the next event cannot be decoded or loaded; *err is filled
};

// The event types to which nearly all events belong; usual.h has their rules.
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

// A decoded event that is not ordered yet. Its thread is that of the run; its P and goroutine
// become known only when it is ordered. Arguments that its type does not have are 0.
struct tp_run_event {
    int64_t time_ns;
    uint64_t args[TP_EVENT_ARGS];
    uint8_t type;
    uint8_t wire_bytes; // length on the wire
    // enum tp_usual. If it is not NONE, the tables have all strings and stacks that the event
    // names. NONE: the event is of another type, or the tables lack one of its ids, or its ids were
    // not looked up.
    uint8_t usual;
};

// Consecutive events of a run that were decoded before a cursor reaches them. The code that decoded
// them owns them; cursors borrow them until fini.
struct tp_decoded_part {
    const struct tp_decoded_part *next; // next part of the run; NULL: none
    size_t event_count;                 // at least 1
    struct tp_run_event events[];
};

// Number of events to decode at a time: large enough to make the fixed cost of starting to decode
// small for each event.
#define TP_CURSOR_AHEAD 64

// A position in a run. The cursor owns only its window; it borrows the run, the decoded parts and
// `ahead` until fini.
struct tp_cursor {
    const struct tp_run_event *next;      // the next event
    const struct tp_run_event *ready_end; // end of the decoded events that begin at `next`
    const unsigned char *at;     // in the current batch, after the decoded events
    const unsigned char *end;    // end of the batch's bytes that are in memory
    uint32_t beyond_bytes;       // bytes of the batch's body after `end`, not loaded yet
    uint32_t m_slot;             // of the thread in tp_order.ms; TP_MAP_NONE: not met yet
    int64_t m;                   // id of the thread
    int64_t last_ns;             // of the last event decoded
    const struct tp_m_run *run;
    size_t batch_count;          // number of batches begun
    unsigned char *window;       // owned; NULL until needed, and after the last event
    uint32_t window_bytes;
    const struct tp_decoded_part *parts; // parts not begun yet; lazy decoding follows
    struct tp_run_event *ahead;  // receives decoded events: `one`, or the owner's array
    size_t ahead_max;            // entries of `ahead`
    struct tp_run_event one;     // see `ahead`
};

// Initializes a cursor that stands before the first event of `run`; allocates nothing. `run` and
// the data to which it points must outlive the cursor. The cursor must stay at its address, because
// it may point into itself.
void tp_cursor_init(struct tp_cursor *c, const struct tp_m_run *run);
// Lets the cursor decode up to `count` events at a time into `ahead`, which must outlive the
// cursor. Call between an init and the first advance.
void tp_cursor_use_ahead(struct tp_cursor *c, struct tp_run_event *ahead, size_t count);
// Frees the window. A zeroed cursor is fine.
void tp_cursor_fini(struct tp_cursor *c);

// Does the work of tp_cursor_advance when no further decoded event is ready
// (tp_cursor_advance_ready returned false): begins the next part or batch if necessary, and
// decodes.
enum tp_cursor_status tp_cursor_advance_slow(struct tp_cursor *c, const struct tp_tables *t,
                                             struct tp_batch_loader *loader,
                                             struct tp_error *err);

// Moves on to the next event if that event is decoded already; else returns false and changes
// nothing. *next_io must equal c->next: a caller that keeps *next_io in a register does not wait
// for the store to c->next.
TP_INLINE bool tp_cursor_advance_ready(struct tp_cursor *c, const struct tp_run_event **next_io)
{
    if (tp_unlikely(c->ready_end - *next_io <= 1))
        return false;
    c->next = ++*next_io;
    return true;
}

// Moves on to the next event, to which c->next then points until the next call. Must not be called
// again after END or BAD. BAD: *err has TP_E_EVENT with Go's message, TP_E_MEMORY if there is no
// memory for the window, or the loader's failure.
TP_INLINE enum tp_cursor_status tp_cursor_advance(struct tp_cursor *c, const struct tp_tables *t,
                                                  struct tp_batch_loader *loader,
                                                  struct tp_error *err)
{
    const struct tp_run_event *next = c->next;
    return tp_cursor_advance_ready(c, &next) ? TP_CURSOR_EVENT
                                             : tp_cursor_advance_slow(c, t, loader, err);
}

// Returns the number of bytes that the events from `next` on take in the run's batch bodies.
uint64_t tp_cursor_left_bytes(const struct tp_cursor *c);

// A run whose first events are decoded, and the place at which lazy decoding continues (members as
// in struct tp_cursor). It borrows the run and the decoded parts.
struct tp_decoded_run {
    const struct tp_m_run *run;
    const struct tp_decoded_part *parts; // NULL: none
    const unsigned char *at;
    const unsigned char *end;
    uint32_t beyond_bytes;
    int64_t last_ns;
    size_t batch_count;
};

// Decodes the next events into `events` and returns their number. If the number is less than
// `capacity`, the run ends there, or the next event cannot be decoded or loaded; in the latter case
// the cursor stands before that event, and the error comes back when a cursor reaches it.
size_t tp_cursor_decode(struct tp_cursor *c, const struct tp_tables *t,
                        struct tp_batch_loader *loader, struct tp_run_event *events,
                        size_t capacity);
// Returns the run of `c` in the form that tp_cursor_init_decoded takes; `parts` hold all events
// that `c` has decoded. `c` may be torn down afterwards.
struct tp_decoded_run tp_cursor_decoded(const struct tp_cursor *c,
                                        const struct tp_decoded_part *parts);
// Initializes a cursor that stands before the first event of a decoded run. The run's parts and
// bytes must outlive the cursor.
void tp_cursor_init_decoded(struct tp_cursor *c, const struct tp_decoded_run *run);

#endif
