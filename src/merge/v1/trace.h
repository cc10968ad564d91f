// A trace from before Go 1.22, with the facts that must be known before its events are handed out.
// The trace is one generation. Its strings, stacks, frequency and CPU samples mostly come last, and
// the place of some events in the order is known only from the whole trace.
//
//   tables (all of them) ─▶ prescan (prescan.h) ───────────────▶ walk in order (convert.h)
//                               └▶ or first walk in order (first_pass.c) ─▶ second walk ┘
//
// The prescan and the first walk both find the times at which blocked syscalls ended (the runtime
// writes that event only when the goroutine runs again), and the messages of logs, which become
// strings of the tables. The prescan reads the streams one after the other, and suffices for most
// traces. The first walk also finds which syscalls block, and the first error. Go reports an error
// for the whole trace and then gives no events of it (internal/trace/internal/tracev1 of Go 1.26).
// With is_strict this is done here, too; else the second walk gives the events before the error.
//
// With is_legacy the caller wants unconverted events. Then the rules are those of the parser of
// that time (internal/trace of Go 1.20 and 1.21, and of before Go 1.5), and the second walk is
// that of legacy_events.h. It is done twice: first only to find the links between events that are
// too far apart for its ring buffer, then to hand out events.
//
// One thread builds it; then it is constant, and any thread may read it, except `exits` and
// `far_links`, which only one walk at a time may use.
#ifndef TP_MERGE_V1_TRACE_H
#define TP_MERGE_V1_TRACE_H

#include "base/intern.h"
#include "base/list.h"
#include "base/slab.h"
#include "base/sort/sorter.h"
#include "base/truncate.h"
#include "decode/spec_v1.h"
#include "merge/order/cursor.h"
#include "merge/tables/generation.h"
#include "merge/tables/tables.h"
#include "merge/v1/syscall_exits.h"
#include "symbols/symbols.h"

// Strings that the conversion adds to the tables: X(name, text)
#define TP_V1_WORDS(X)                                                                  \
    X(FOREVER, "forever")                                                               \
    X(PREEMPTED, "preempted")                                                           \
    X(GOSCHED, "runtime.Gosched")                                                       \
    X(SLEEP, "sleep")                                                                   \
    X(CHAN_SEND, "chan send")                                                           \
    X(CHAN_RECV, "chan receive")                                                        \
    X(NETWORK, "network")                                                               \
    X(SYNC, "sync")                                                                     \
    X(SYNC_COND, "sync.(*Cond).Wait")                                                   \
    X(SELECT, "select")                                                                 \
    X(EMPTY, "")                                                                        \
    X(ASSIST_WAIT, "GC mark assist wait for work")                                      \
    /* why the world stopped, in the order of the kinds of Go 1.21 */                   \
    X(STW_UNKNOWN, "")                                                                  \
    X(STW_MARK_TERMINATION, "GC mark termination")                                      \
    X(STW_SWEEP_TERMINATION, "GC sweep termination")                                    \
    X(STW_HEAP_DUMP, "write heap dump")                                                 \
    X(STW_PROFILE, "goroutine profile")                                                 \
    X(STW_PROFILE_CLEANUP, "goroutine profile cleanup")                                 \
    X(STW_ALL_STACKS, "all goroutine stack trace")                                      \
    X(STW_MEM_STATS, "read mem stats")                                                  \
    X(STW_ALL_THREADS, "AllThreadsSyscall")                                             \
    X(STW_GOMAXPROCS, "GOMAXPROCS")                                                     \
    X(STW_START_TRACE, "start trace")                                                   \
    X(STW_STOP_TRACE, "stop trace")                                                     \
    X(STW_PAGES, "CountPagesInUse (test)")                                              \
    X(STW_METRICS, "ReadMetricsSlow (test)")                                            \
    X(STW_MEM_STATS_SLOW, "ReadMemStatsSlow (test)")                                    \
    X(STW_LEAKED, "PageCachePagesLeaked (test)")                                        \
    X(STW_DEBUG_LOG, "ResetDebugLog (test)")

enum tp_v1_word {
#define TP_X(name, text) TP_V1_WORD_##name,
    TP_V1_WORDS(TP_X)
#undef TP_X
    TP_V1_WORD_COUNT
};
#define TP_V1_STW_KINDS (TP_V1_WORD_COUNT - TP_V1_WORD_STW_UNKNOWN)

// Function, file and line by PC, for traces whose frames are bare PCs (up to Go 1.6) and whose
// program's `symbols` are given.
struct tp_v1_places {
    TP_SLAB(struct tp_v1_place {
        uint32_t function;   // numbers of messages; TP_INTERN_NONE: not known
        uint32_t file;
        uint64_t line;
    });
    uint64_t known_count;    // PCs that `symbols` has
};

// Strings and stacks that events name and the tables lack (named.h).
struct tp_v1_named {
    uint32_t string_end;     // strings from this index on are not the trace's own
    bool has_torn_stacks;
    uint64_t *torn_stacks;   // a bit for each stack whose frames name strings that are not there
};

// Owns its memory, which tp_v1_trace_fini frees, except the members that are borrowed: these must
// last until the last walk ends. The tables borrow nothing from the trace, so they may outlive it.
struct tp_v1_trace {
    // Inputs and options, which the caller sets before tp_v1_tables_add; only ticks_per_second and
    // timer_gs come from the tables.
    const struct tp_v1_table *table; // the form of the events; constant
    struct tp_tables *tables;  // borrowed; strings and stacks are added to them
    const struct tp_generation *lists; // borrowed: `ms` are Ps here
    struct tp_batch_loader *loader; // reads batches that are not in memory; borrowed
    int64_t ticks_per_second;  // 0: the trace does not give it
    struct tp_map timer_gs;    // goroutines that run timers; before Go 1.5 only the last one given
    uint64_t max_bytes;        // limit of what each walk keeps, by goroutine and P
    bool is_strict;            // a trace that Go refuses is an error
    bool may_prescan;          // errors of the order may be reported when the walk meets them
    bool is_legacy;            // the caller wants events as the parser of that time gave them
    uint64_t given_frequency;  // ticks per second, if the trace gives none; 0: none
    struct tp_symbols *symbols; // of the program, to name bare PCs; borrowed; NULL: none

    struct tp_v1_places places; // freed when all frames have names (tp_v1_plan)

    uint64_t pc_count;          // PCs looked up in `symbols`; valid after tp_v1_plan
    uint64_t known_pc_count;    // those of them that `symbols` has

    // The prescan (prescan.h) sufficed, so there was no first walk, and of the members below only
    // exits, messages and words are set.
    bool is_prescanned;
    // Results of the first walk, for later walks.
    TP_LIST(uint8_t) turns;           // the stream of each event (order.h), for later walks;
    bool has_turns;                   // false: too many streams, too little memory, before Go 1.5
    struct tp_error turns_end;        // why `turns` ends; code 0: the trace ends there
    struct tp_v1_exits *exits;        // owned; NULL: none. Only one walk at a time may use them
    TP_LIST(uint64_t) blocked;        // a bit for each GoSysCall, in order: it blocked
    // Strings and stacks that are added to the trace's own.
    uint64_t first_message_id;        // string id of message 0
    uint64_t first_word_id;           // string id of word 0; after the messages
    struct tp_map stacks_of_starts;   // up to Go 1.6: stack id by PC of a start function
    struct tp_v1_named named;

    // Facts that only the walks with is_legacy need.
    TP_LIST(uint64_t) futile;         // numbers of wake-ups to leave out (wakeups.h)
    struct tp_sorter *far_links;      // owned; the walk that hands out events consumes it
    struct tp_v1_ordered *sorted;     // owned: all events in order (resort_damaged.h), or NULL
    size_t sorted_count;
};

// Whether events are ordered by their times alone: before Go 1.5.
TP_INLINE bool tp_v1_is_by_time(const struct tp_v1_trace *t)
{
    return t->table->minor == 0;
}

// Whether frames, and the start functions of goroutines, are bare PCs: up to Go 1.6.
TP_INLINE bool tp_v1_has_bare_pcs(const struct tp_v1_trace *t)
{
    return t->table->frame_args == 1;
}

// Whether every event has a sequence number, and events are ordered by these numbers alone: Go 1.5
// and 1.6.
TP_INLINE bool tp_v1_is_sequenced(const struct tp_v1_trace *t)
{
    return t->table->prefix_count == 2;
}

// Converts ticks since the first event to nanoseconds, as Go does; INT64_MIN if the result is out
// of range, as on amd64.
TP_INLINE int64_t tp_v1_ticks_to_ns(int64_t ticks, double ns_per_tick)
{
    return tp_truncate((double)ticks * ns_per_tick);
}

// Frees the memory of the trace.
void tp_v1_trace_fini(struct tp_v1_trace *t); // a zeroed one is fine

// Adds a run of table events to the tables, which borrow the bytes of `run`. Call it for the runs
// in file order; `offset` is the place in the stream where the run begins. TP_E_EVENT with Go's
// words, TP_E_LIMIT, TP_E_TOO_LARGE, TP_E_MEMORY.
int tp_v1_tables_add(struct tp_v1_trace *t, struct tp_span run, uint64_t offset,
                     struct tp_error *err) TP_MUST_USE;
// Completes the tables after the last run. Fails as tp_v1_tables_add does.
int tp_v1_tables_finish(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// Returns the bytes of the messages and names that are kept in addition to the tables.
TP_INLINE size_t tp_v1_names_bytes(const struct tp_v1_trace *t)
{
    return t->tables->messages.block_bytes +
           t->tables->messages.capacity * sizeof *t->tables->messages.items +
           tp_map_bytes(&t->places.by_id) + t->places.capacity * sizeof *t->places.items;
}

// Replaces the bare PCs of a stack's frames by whole frames, in memory of the tables: `symbols`
// is asked for PC - 1; a frame that it does not know has no names. Fails as tp_v1_tables_add.
int tp_v1_frames_complete(struct tp_v1_trace *t, struct tp_stack_def *def,
                          struct tp_error *err) TP_MUST_USE;

// Adds the end of a syscall to t->exits, to be sorted later. Fails as tp_v1_exits_add does.
int tp_v1_trace_add_exit(struct tp_v1_trace *t, const struct tp_v1_exit *x,
                         struct tp_error *err) TP_MUST_USE;

// Does the prescan or the first walk, after tp_v1_tables_finish; adds strings and stacks to the
// tables. Fails as tp_v1_tables_add or tp_v1_order_next does, or with TP_E_WRITE if a spill cannot
// be written.
int tp_v1_plan(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// Whether a syscall blocked; `syscall` is its number, counted from 0 in the order of events. If the
// file was overwritten meanwhile, there may be more syscalls than the first walk found; these count
// as not blocked.
TP_INLINE bool tp_v1_is_blocked(const struct tp_v1_trace *t, uint64_t syscall)
{
    return syscall / 64 < t->blocked.count &&
           (t->blocked.items[syscall / 64] >> syscall % 64 & 1) != 0;
}

#endif
