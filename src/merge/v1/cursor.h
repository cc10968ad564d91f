// The events of one P of a trace from before Go 1.22, one after the other, with what the ones
// before them say: their time, and whose they are.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_CURSOR_H
#define TP_MERGE_V1_CURSOR_H

#include "merge/v1/trace.h"

// Ps that there are not; events are moved to them.
enum { TP_V1_TIMER_P = 1000001, TP_V1_NETPOLL_P, TP_V1_SYSCALL_P, TP_V1_GC_P };

#define TP_V1_EVENT_ARGS 4

struct tp_v1_ordered {
    int64_t ticks;
    int64_t key;                     // what comes first: ticks, or sequence numbers
    uint64_t g;
    uint64_t args[TP_V1_EVENT_ARGS]; // without time and stack
    uint64_t stack;                  // id
    uint64_t offset;                 // where the event begins in the stream
    int64_t p;                       // -1: none
    uint8_t type;                    // enum tp_v1_type
    struct tp_span message;          // of a log only; valid as long as it is the next event
};

// Ends of syscalls that stand elsewhere in the end: where they happened.
TP_INLINE bool tp_v1_is_moved(const struct tp_v1_trace *t, const struct tp_v1_ordered *e)
{
    return e->type == TP_V1_GoSysExit && (tp_v1_is_sequenced(t) || e->args[2] != 0);
}

struct tp_v1_cursor {
    const struct tp_v1_trace *trace;
    const struct tp_m_run *run;      // NULL: of the CPU samples
    bool is_sequenced;               // the trace
    uint64_t stack_mask;             // of the numbers of stacks, what is kept
    int64_t p;                       // of the run's events
    size_t begun_count;              // runs of events begun; CPU samples begun
    const unsigned char *at;
    const unsigned char *end;
    uint64_t end_offset;             // of `end` in the stream
    unsigned char *window;           // owned; of a run that is not in memory
    int64_t last_ticks;
    int64_t last_seq;
    uint64_t last_g;                 // that runs on the P
    struct tp_v1_ordered next;
};

void tp_v1_cursor_init(struct tp_v1_cursor *c, const struct tp_v1_trace *t,
                       const struct tp_m_run *run);
void tp_v1_cursor_fini(struct tp_v1_cursor *c);

// Where what comes behind the next event begins in the stream.
TP_INLINE uint64_t tp_v1_cursor_offset(const struct tp_v1_cursor *c)
{
    return c->end_offset - (uint64_t)(c->end - c->at);
}

// For who looks at the bytes of a P instead of its events: the next run is at..end. END: there
// is none.
enum tp_cursor_status tp_v1_cursor_open_run(struct tp_v1_cursor *c, struct tp_error *err);

// Of a syscall that is the next event: whether the one behind it of its goroutine, which is on
// the same P, says that it blocked. Fails as advance does.
int tp_v1_cursor_blocks(const struct tp_v1_cursor *c, bool *ret_blocks,
                        struct tp_error *err) TP_MUST_USE;

// Bytes of the run's events behind the next one.
uint64_t tp_v1_cursor_left_bytes(const struct tp_v1_cursor *c);

// Moves on to the next event, which is the first one at first. BAD: the error says why.
enum tp_cursor_status tp_v1_cursor_advance(struct tp_v1_cursor *c, struct tp_error *err);

#endif
