// Ordered events: what Go's own reader (internal/trace of Go 1.26) would hand
// out, in its order, at its times, in its contexts. An event is a record of fixed
// size; names and stacks are ids into the tables of its generation, which travel
// with the block of events.
//
//   struct tp_event   72 bytes, plain values, may be copied freely
//   struct tp_tables  opaque, constant, any thread; lives as long as the block
//                     that it came with
//
// Every function here is pure: it may be called by any thread, allocates nothing
// and cannot fail. Views (struct tp_text, struct tp_stack) borrow from the tables.
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

// X(name, Go's name)
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

// States of goroutines and Ps, under one numbering.
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

enum tp_resource { TP_RESOURCE_NONE, TP_RESOURCE_GOROUTINE, TP_RESOURCE_PROC };

#define TP_EVENT_ARGS 4
#define TP_EVENT_SYNC 255 // type of Sync events, which are not on the wire

struct tp_event {
    int64_t time_ns; // greater than that of the event before it
    int64_t m;       // context: thread, P, goroutine just before the event
    int64_t p;
    int64_t g;
    // As on the wire behind the time, and what ordering adds. Use the functions
    // below; the layout may change.
    uint64_t args[TP_EVENT_ARGS];
    uint8_t type; // wire code
};

struct tp_tables;

// Events in a row, in order, all of one generation. Readers (reader.h) and sinks
// (sink.h) get these; how long one lives is said there.
struct tp_event_block {
    const struct tp_event *events;
    size_t event_count;             // at least 1
    // NULL for Sync events that begin no generation, of which such a block has one.
    // Functions below that take an event take that NULL with it.
    const struct tp_tables *tables;
    uint64_t generation;            // 0 without tables
};

// Bytes of the trace, not ended by zero and not necessarily UTF-8.
struct tp_text {
    const char *ptr;
    size_t len_bytes;
};

TP_API const char *tp_kind_name(enum tp_kind kind);
TP_API const char *tp_state_name(enum tp_state state);
// By type; for the function below, which a loop over many events has inlined.
#define TP_EVENT_TYPES 256
TP_API extern const uint8_t tp_event_kinds[TP_EVENT_TYPES];
TP_API inline enum tp_kind tp_event_kind(const struct tp_event *e)
{
    return (enum tp_kind)tp_event_kinds[e->type];
}
// Name of the wire event it was made from ("GoStart"), "Sync" for Sync events.
TP_API const char *tp_event_type_name(const struct tp_event *e);

// A goroutine or P changes its state. For Ps: Running, Idle; for goroutines all
// but Idle. `from` may equal `to` where a generation begins.
struct tp_transition {
    enum tp_resource resource;
    int64_t id;
    enum tp_state from;
    enum tp_state to;
    struct tp_text reason;   // of stops and blocks; else empty
};
// Each of these answers false, and writes nothing, for events of another kind.
TP_API bool tp_event_transition(const struct tp_event *e, const struct tp_tables *t,
                                struct tp_transition *ret);

struct tp_range {
    struct tp_text name;     // without detail: "GC mark assist", "stop-the-world"
    struct tp_text detail;   // what the world was stopped for; else empty
    enum tp_resource scope;
    int64_t scope_id;
    bool has_sweep;          // end of a sweep: the two below
    uint64_t swept_bytes;
    uint64_t reclaimed_bytes;
};
TP_API bool tp_event_range(const struct tp_event *e, const struct tp_tables *t,
                           struct tp_range *ret);

struct tp_metric {
    struct tp_text name;     // as in runtime/metrics
    uint64_t value;
};
TP_API bool tp_event_metric(const struct tp_event *e, struct tp_metric *ret);

struct tp_label {
    struct tp_text label;
    int64_t goroutine;
};
TP_API bool tp_event_label(const struct tp_event *e, const struct tp_tables *t,
                           struct tp_label *ret);

#define TP_NO_TASK UINT64_MAX
struct tp_task_event {
    uint64_t id;
    uint64_t parent;         // TP_NO_TASK: none, or not known
    struct tp_text name;     // of an end: empty if the begin was not seen
};
TP_API bool tp_event_task(const struct tp_event *e, const struct tp_tables *t,
                          struct tp_task_event *ret);

struct tp_region {
    uint64_t task;           // 0: the background task
    struct tp_text name;
};
TP_API bool tp_event_region(const struct tp_event *e, const struct tp_tables *t,
                            struct tp_region *ret);

struct tp_log {
    uint64_t task;
    struct tp_text category;
    struct tp_text message;
};
TP_API bool tp_event_log(const struct tp_event *e, const struct tp_tables *t, struct tp_log *ret);

// Begin of a generation, and end of the trace. Everything up to the next one has
// the same tables.
struct tp_sync {
    uint64_t number;         // from 1
    bool has_clock;          // traces of Go 1.25 and later, where a generation begins
    int64_t trace_ns;        // the clocks read at about the same moment
    uint64_t mono_ns;
    int64_t wall_sec;        // Unix time
    int64_t wall_nsec;       // as on the wire
};
TP_API bool tp_event_sync(const struct tp_event *e, const struct tp_tables *t, struct tp_sync *ret);

struct tp_experimental {
    const char *name;
    size_t arg_count;
    const char *const *arg_names;
    const uint64_t *args;
};
TP_API bool tp_event_experimental(const struct tp_event *e, struct tp_experimental *ret);

// Data that an experiment put beside its events; all of a generation.
struct tp_experimental_batch {
    uint8_t experiment;      // 1: AllocFree
    int64_t m;
    struct tp_text data;
};
TP_API size_t tp_tables_experimental_count(const struct tp_tables *t);
TP_API struct tp_experimental_batch tp_tables_experimental(const struct tp_tables *t, size_t idx);

// STACKS

struct tp_frame {
    uint64_t pc;
    uint64_t line;
    struct tp_text function;
    struct tp_text file;
};
// `id` 0 is "no stack". Not known: a stack of the trace's damaged part.
struct tp_stack {
    const struct tp_tables *tables;
    const uint32_t *frames;  // of the tables; see tp_stack_frame
    uint32_t frame_count;
    bool known;
    uint64_t id;
};
// The stack of the goroutine or thread in whose context the event happened.
TP_API bool tp_event_stack(const struct tp_event *e, const struct tp_tables *t,
                           struct tp_stack *ret);
// The stack of the goroutine that changes its state: of the new one when one is
// created, of the context when it stops itself.
TP_API bool tp_event_transition_stack(const struct tp_event *e, const struct tp_tables *t,
                                      struct tp_stack *ret);
TP_API struct tp_frame tp_stack_frame(const struct tp_stack *s, uint32_t idx);

#ifdef __cplusplus
}
#endif
#endif
