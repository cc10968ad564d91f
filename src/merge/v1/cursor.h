// Decodes the events of one P of a trace from before Go 1.22, one after the other, with their times
// and goroutines, which follow from the P's earlier events.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_CURSOR_H
#define TP_MERGE_V1_CURSOR_H

#include "merge/v1/trace.h"

// Fake Ps, to which some events are moved.
enum { TP_V1_TIMER_P = 1000001, TP_V1_NETPOLL_P, TP_V1_SYSCALL_P, TP_V1_GC_P };

// Largest number of arguments of a decoded event.
#define TP_V1_EVENT_ARGS 4

// A decoded event, before and after the order. Plain values, except the message.
struct tp_v1_ordered {
    int64_t ticks;
    int64_t key;                     // what events are sorted by: ticks, or sequence numbers
    uint64_t g;
    uint64_t args[TP_V1_EVENT_ARGS]; // without time and stack
    uint64_t stack;                  // id
    uint64_t offset;                 // where the event begins in the stream
    int64_t p;                       // -1: none
    uint8_t type;                    // enum tp_v1_type
    uint32_t wire_bytes;
    struct tp_span message;          // of a log only; valid until the cursor moves on
};

// Returns whether events of this type are the begin or end of a collection or of a stop of the
// world, which older parsers show without a goroutine.
TP_INLINE bool tp_v1_is_of_collector(uint8_t type)
{
    return type == TP_V1_GCStart || type == TP_V1_GCDone || type == TP_V1_STWStart ||
           type == TP_V1_STWDone;
}

// Returns whether the event is the end of a syscall that the final order moves to the time at which
// it happened.
TP_INLINE bool tp_v1_is_moved(const struct tp_v1_trace *t, const struct tp_v1_ordered *e)
{
    return e->type == TP_V1_GoSysExit &&
           (tp_v1_is_sequenced(t) || tp_v1_arg(e, GoSysExit, ts) != 0);
}

// Returns the id of the stack with the start function of the goroutine that a GoCreate creates. Up to Go
// 1.6 the event has the PC of that function.
TP_INLINE uint64_t tp_v1_start_stack(const struct tp_v1_trace *t, const struct tp_v1_ordered *e)
{
    uint64_t id = tp_v1_arg(e, GoCreate, new_stack);
    return tp_v1_has_bare_pcs(t) ? tp_map_get(&t->stacks_of_starts, id) : id;
}

// Owns its window; borrows the trace and the run, which must outlive it. To look ahead, copy the
// cursor and set the copy's window to NULL.
struct tp_v1_cursor {
    const struct tp_v1_trace *trace;
    const struct tp_m_run *run;      // NULL: the cursor gives the CPU samples
    bool is_sequenced;               // tp_v1_is_sequenced(trace)
    uint64_t stack_mask;             // the bits of a stack number that are kept
    int64_t p;                       // of the run's events
    size_t begun_count;              // runs of events begun; CPU samples begun
    const unsigned char *at;
    const unsigned char *end;
    uint64_t end_offset;             // of `end` in the stream
    unsigned char *window;           // owned; a run that is not in memory, or NULL
    int64_t last_ticks;
    int64_t last_seq;
    uint64_t last_g;                 // the goroutine that runs on the P; 0: none
    struct tp_v1_ordered next;
};

// Prepares a cursor before the first event; allocates nothing. `run` is NULL for the CPU samples.
void tp_v1_cursor_init(struct tp_v1_cursor *c, const struct tp_v1_trace *t,
                       const struct tp_m_run *run);
// Frees the window; a zeroed cursor is fine.
void tp_v1_cursor_fini(struct tp_v1_cursor *c);

// Returns the offset in the stream of the first byte after c->next.
TP_INLINE uint64_t tp_v1_cursor_offset(const struct tp_v1_cursor *c)
{
    return c->end_offset - (uint64_t)(c->end - c->at);
}

// Opens the next run, for callers that read the bytes of a P instead of its events; the bytes are
// from c->at to c->end and valid until the next run is opened. END, also in all later calls: there
// is no further run. BAD: the loader has failed, or TP_E_MEMORY; only fini may follow.
enum tp_cursor_status tp_v1_cursor_open_run(struct tp_v1_cursor *c, struct tp_error *err);

// Finds out whether the next event, which must be a syscall, blocked: the goroutine's following
// event, which is on the same P, shows it. The cursor stays where it is. Fails as
// tp_v1_cursor_advance does.
int tp_v1_cursor_blocks(const struct tp_v1_cursor *c, bool *ret_blocks,
                        struct tp_error *err) TP_MUST_USE;

// Returns the bytes of the P's events after c->next.
uint64_t tp_v1_cursor_left_bytes(const struct tp_v1_cursor *c);

// Moves on to the next event, which is then c->next; the first call moves to the first event. END:
// there is no further event. BAD: as tp_v1_cursor_open_run, or TP_E_EVENT if the file was changed
// after the scan; only fini may follow.
enum tp_cursor_status tp_v1_cursor_advance(struct tp_v1_cursor *c, struct tp_error *err);

#endif
