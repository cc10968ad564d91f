// Ordered events: the events that Go's own reader (internal/trace of Go 1.26) would return,
// in its order, with its times and contexts. An event is a record of fixed size. Names and
// stacks are ids into the tables of the event's generation; a block of events carries a
// pointer to these tables.
//
//   struct tp_event   72 bytes, plain values, may be copied freely
//   struct tp_tables  opaque, constant, any thread; lives as long as the block
//                     that it came with
//
// Every function here is pure: any thread may call it, it allocates nothing and cannot
// fail. Views (struct tp_text, struct tp_stack) borrow from the tables and live as long as these.
// Times are nanoseconds on the trace's clock. Ids are signed; -1 is "none".
#ifndef TRACEPIPE_EVENT_H
#define TRACEPIPE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of events, as Go's reader has them. X(name, Go's name)
#define TP_KIND_MAP(X)                       \
    X(BAD, "Bad")                            \
    X(SYNC, "Sync")                          \
    X(METRIC, "Metric")                      \
    X(LABEL, "Label")                        \
    X(STACK_SAMPLE, "StackSample")           \
    X(RANGE_BEGIN, "RangeBegin")             \
    X(RANGE_ACTIVE, "RangeActive")           \
    X(RANGE_END, "RangeEnd")                 \
    X(TASK_BEGIN, "TaskBegin")               \
    X(TASK_END, "TaskEnd")                   \
    X(REGION_BEGIN, "RegionBegin")           \
    X(REGION_END, "RegionEnd")               \
    X(LOG, "Log")                            \
    X(TRANSITION, "StateTransition")         \
    X(EXPERIMENTAL, "Experimental")

enum tp_kind {
#define TP_X(name, text) TP_KIND_##name,
    TP_KIND_MAP(TP_X)
#undef TP_X
    TP_KINDS
};

// States of goroutines and Ps share one numbering. X(name, Go's name)
#define TP_STATE_MAP(X)                                                            \
    X(UNDETERMINED, "Undetermined") /* not known before the trace began */         \
    X(NOT_EXIST, "NotExist")                                                       \
    X(RUNNABLE, "Runnable")                                                        \
    X(RUNNING, "Running")                                                          \
    X(WAITING, "Waiting")                                                          \
    X(SYSCALL, "Syscall")                                                          \
    X(IDLE, "Idle")

enum tp_state {
#define TP_X(name, text) TP_STATE_##name,
    TP_STATE_MAP(TP_X)
#undef TP_X
    TP_STATES
};

// Kinds of things that have states and ranges.
enum tp_resource { TP_RESOURCE_NONE, TP_RESOURCE_GOROUTINE, TP_RESOURCE_PROC };

#define TP_EVENT_ARGS 4
#define TP_EVENT_SYNC 255 // type of Sync events: ordering makes them, no trace holds them

struct tp_event {
    int64_t time_ns; // greater than that of the event before it
    int64_t m;       // context just before the event: the thread, ...
    int64_t p;       // ... the P, and ...
    int64_t g;       // ... the goroutine
    // The wire arguments after the timestamp, and values that ordering fills in. Read them
    // through the functions below: the layout may change.
    uint64_t args[TP_EVENT_ARGS];
    uint8_t type; // wire code
    // Where events are missing: the event does not follow from those before it, or waited in vain for one
    // of the missing events, so that its time is 0.1 ms and more after its own.
    bool is_displaced;
    uint32_t wire_bytes; // length in the trace; 0: ordering made the event
};

struct tp_tables;
struct tp_state_span;

// Consecutive events of one generation, in order. Readers (reader.h) and sinks (sink.h)
// receive blocks; these two headers say how long a block lives.
struct tp_event_block {
    const struct tp_event *events;
    size_t event_count;             // at least 1, or the block has spans or intervals only
    // NULL only if the block is one Sync event that begins no generation. The functions
    // below accept this NULL together with this event.
    const struct tp_tables *tables;
    uint64_t generation;            // 0 without tables
    // The spans of states that these events end (span.h), for those who ask for spans.
    const struct tp_state_span *spans;
    size_t span_count;
    // The intervals that these events end (span.h), for those who ask for intervals.
    const struct tp_interval *intervals;
    size_t interval_count;
};

// Bytes of the trace: no NUL at the end, not necessarily UTF-8. Borrowed from the tables.
struct tp_text {
    const char *ptr;
    size_t len_bytes;
};

// Returns Go's name of a kind, a constant.
TP_API const char *tp_kind_name(enum tp_kind kind);
// Returns Go's name of a state, a constant.
TP_API const char *tp_state_name(enum tp_state state);
// The enum tp_kind of each event type. Exported, so that the compiler can inline
// tp_event_kind into a loop over many events.
#define TP_EVENT_TYPES 256
TP_API extern const uint8_t tp_event_kinds[TP_EVENT_TYPES];
TP_API inline enum tp_kind tp_event_kind(const struct tp_event *e)
{
    return (enum tp_kind)tp_event_kinds[e->type];
}
// Returns the name of the wire event from which `e` comes, such as "GoStart"; "Sync" for Sync
// events. A constant.
TP_API const char *tp_event_type_name(const struct tp_event *e);

// A goroutine or P changes its state. A P is Running or Idle; a goroutine may be in every
// state except Idle. At the beginning of a generation `from` may equal `to`.
struct tp_transition {
    enum tp_resource resource;
    int64_t id;
    enum tp_state from;
    enum tp_state to;
    struct tp_text reason;   // why the goroutine stopped or blocked; else empty
};
// Reads a transition. This function and those below that return bool return false and write
// nothing if `e` is of another kind.
TP_API bool tp_event_transition(const struct tp_event *e, const struct tp_tables *t,
                                struct tp_transition *ret);

// A range of time that begins, ends, or was active when the generation began.
struct tp_range {
    struct tp_text name;     // without detail: "GC mark assist", "stop-the-world"
    struct tp_text detail;   // why the runtime stopped the world; else empty
    enum tp_resource scope;
    int64_t scope_id;
    bool has_sweep;          // the event ends a sweep: the next two members are set
    uint64_t swept_bytes;
    uint64_t reclaimed_bytes;
};
TP_API bool tp_event_range(const struct tp_event *e, const struct tp_tables *t,
                           struct tp_range *ret);

// A number that the runtime reports.
struct tp_metric {
    struct tp_text name;     // as in runtime/metrics
    uint64_t value;
};
TP_API bool tp_event_metric(const struct tp_event *e, struct tp_metric *ret);

// A label that the runtime gives a goroutine.
struct tp_label {
    struct tp_text label;
    int64_t goroutine;
};
TP_API bool tp_event_label(const struct tp_event *e, const struct tp_tables *t,
                           struct tp_label *ret);

#define TP_NO_TASK UINT64_MAX
// Begin or end of a task of the program.
struct tp_task_event {
    uint64_t id;
    uint64_t parent;         // TP_NO_TASK: none, or not known
    struct tp_text name;     // empty at the end of a task whose beginning is missing
};
TP_API bool tp_event_task(const struct tp_event *e, const struct tp_tables *t,
                          struct tp_task_event *ret);

// Begin or end of a region of the program, in the goroutine of the context.
struct tp_region {
    uint64_t task;           // 0: the background task
    struct tp_text name;
};
TP_API bool tp_event_region(const struct tp_event *e, const struct tp_tables *t,
                            struct tp_region *ret);

// A log message of the program.
struct tp_log {
    uint64_t task;           // 0: the background task
    struct tp_text category;
    struct tp_text message;
};
TP_API bool tp_event_log(const struct tp_event *e, const struct tp_tables *t, struct tp_log *ret);

// Marks the beginning of a generation, or the end of the trace. All events up to the next
// Sync event use the same tables.
struct tp_sync {
    uint64_t number;         // from 1
    // Whether the next four members are set, which is so at the beginning of a generation in traces
    // of Go 1.25 and later. The runtime read the three clocks at approximately the same moment.
    bool has_clock;
    int64_t trace_ns;
    uint64_t mono_ns;
    int64_t wall_sec;        // Unix time
    int64_t wall_nsec;       // as on the wire
};
TP_API bool tp_event_sync(const struct tp_event *e, const struct tp_tables *t, struct tp_sync *ret);

// An event of one of Go's experiments. The pointers are to constants and to `e`.
struct tp_experimental {
    const char *name;
    size_t arg_count;
    const char *const *arg_names;
    const uint64_t *args;
};
TP_API bool tp_event_experimental(const struct tp_event *e, struct tp_experimental *ret);

// A batch of data that an experiment wrote in addition to its events. The tables hold all such
// batches of the generation.
struct tp_experimental_batch {
    uint8_t experiment;      // 1: AllocFree
    int64_t m;
    struct tp_text data;
};
// Returns the number of these batches. `t` must not be NULL.
TP_API size_t tp_tables_experimental_count(const struct tp_tables *t);
// Returns batch `idx`, which must be below tp_tables_experimental_count.
TP_API struct tp_experimental_batch tp_tables_experimental(const struct tp_tables *t, size_t idx);

// STACKS

// One frame of a stack. The texts borrow from the tables.
struct tp_frame {
    uint64_t pc;
    uint64_t line;
    struct tp_text function;
    struct tp_text file;
};
// A view of a stack; a plain value.
struct tp_stack {
    const struct tp_tables *tables;
    const uint32_t *frames;  // borrowed from the tables; tp_stack_frame reads them
    uint32_t frame_count;    // the first frame is the innermost one
    bool known;              // false: the stack was in a damaged part of the trace
    uint64_t id;             // 0: no stack
};
// Reads the stack of the goroutine or thread in whose context the event happened. False: events of
// this kind have no stack. An event whose stack was not recorded gives id 0 and no frames.
TP_API bool tp_event_stack(const struct tp_event *e, const struct tp_tables *t,
                           struct tp_stack *ret);
// Reads the stack of the goroutine that changes its state: at a creation the stack of the new
// goroutine; if a goroutine stops itself, the stack of the context.
TP_API bool tp_event_transition_stack(const struct tp_event *e, const struct tp_tables *t,
                                      struct tp_stack *ret);
// Returns frame `idx`, which must be below s->frame_count.
TP_API struct tp_frame tp_stack_frame(const struct tp_stack *s, uint32_t idx);

#ifdef __cplusplus
}
#endif
#endif
