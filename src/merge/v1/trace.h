// What is known of a trace from before Go 1.22 before its events are handed out: it is one
// generation, whose strings, stacks, frequency and CPU samples mostly come last, and some of
// whose events belong where only the whole trace tells.
//
//   tables (all of them) ─▶ survey (prescan.h) ────────────────▶ walk in order (convert.h)
//                               └▶ or first walk in order (first_pass.c) ─▶ second walk ┘
//
// Either finds when syscalls that blocked ended (their events come when the goroutine runs
// again), and the messages of logs, which become strings of the tables. The survey asks streams
// one after the other, and does for most traces. The first walk also finds which syscalls
// block, and what goes wrong, which Go says of the whole trace (internal/trace/internal/tracev1
// of Go 1.26): it has no events then. Unless that is wanted (is_strict), the walk behind it
// gives those before it.
//
// Where the events themselves are wanted (is_legacy), the rules are those of the parser of
// that time (internal/trace of Go 1.20 and 1.21, and of before Go 1.5), and the second walk is
// that of legacy_events.h, once for links that reach far and once to hand out events.
//
// Built by one thread, then constant but for `exits` and `far_links`, which one walk at a time
// uses; any thread may read.
#ifndef TP_MERGE_V1_TRACE_H
#define TP_MERGE_V1_TRACE_H

#include "base/intern.h"
#include "base/list.h"
#include "base/map.h"
#include "base/sort/sorter.h"
#include "base/truncate.h"
#include "decode/spec_v1.h"
#include "merge/order/cursor.h"
#include "merge/tables/generation.h"
#include "merge/tables/tables.h"
#include "merge/v1/syscall_exits.h"
#include "symbols/symbols.h"

// Strings that the conversion has words for: X(name, text)
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

// What PCs stand for, where frames are nothing else (up to Go 1.6) and `symbols` is there.
struct tp_v1_places {
    TP_LIST(struct tp_v1_place {
        uint32_t function;   // numbers of messages; TP_INTERN_NONE: not known
        uint32_t file;
        uint64_t line;
    }) list;
    struct tp_map by_pc;
    uint64_t known_count;    // PCs that the program has
};

// What the tables lack of what is named (named.h).
struct tp_v1_named {
    uint32_t string_end;     // strings from here on are not the trace's own, by index
    bool has_torn_stacks;
    uint64_t *torn_stacks;   // a bit for each stack whose frames name strings that are not there
};

struct tp_v1_trace {
    const struct tp_v1_table *table;
    struct tp_tables *tables;  // borrowed
    const struct tp_generation *lists; // borrowed: `ms` are Ps here
    struct tp_batch_loader *loader; // of what is not in memory; borrowed
    int64_t ticks_per_second;  // 0: it does not say
    struct tp_map timer_gs;    // goroutines that run timers; before Go 1.5 the last one told
    uint64_t max_bytes;        // of what the walks keep for each goroutine and P
    bool is_strict;            // what Go refuses is an error
    bool may_survey;           // what is wrong with the order may be told where it comes
    bool is_legacy;            // events are wanted as the parser of that time gives them
    uint64_t given_frequency;  // ticks per second, if it does not say; 0: none
    struct tp_symbols *symbols; // of the program, for frames without names; borrowed; NULL: none

    struct tp_v1_places places; // until all stacks are whole

    uint64_t pc_count;          // that `symbols` was asked for, once planned,
    uint64_t known_pc_count;    // and that it has

    // Of the survey (prescan.h): then there was no first walk, and of what is below there are
    // exits, messages and words.
    bool is_surveyed;
    // Of the first walk.
    TP_LIST(uint8_t) turns;           // the stream of each event (order.h), to go by again,
    bool has_turns;                   // if there are few streams and memory enough; from Go 1.5 on
    struct tp_error turns_end;        // why there are no more; code 0: none are missing
    struct tp_v1_exits *exits;        // owned; NULL: none. Of who walks, one at a time
    TP_LIST(uint64_t) blocked;        // a bit for each GoSysCall, in order
    struct tp_intern messages;        // and names of frames
    uint64_t first_message_id;        // string id of message 0; of word 0 behind them
    uint64_t first_word_id;
    struct tp_map stacks_of_starts;   // up to Go 1.6: PC where goroutines begin to stack id
    struct tp_v1_named named;

    // With is_legacy.
    TP_LIST(uint64_t) futile;         // wake-ups to be left out: see wakeups.h
    struct tp_sorter *far_links;      // owned, used up by who hands out the events
    struct tp_v1_ordered *sorted;     // owned: all events, where streams do not do (resort_damaged.h)
    size_t sorted_count;
};

// Before Go 1.5 times alone make the order.
TP_INLINE bool tp_v1_is_by_time(const struct tp_v1_trace *t)
{
    return t->table->minor == 0;
}

// Up to Go 1.6 frames, and what goroutines begin with, are PCs alone.
TP_INLINE bool tp_v1_has_bare_pcs(const struct tp_v1_trace *t)
{
    return t->table->frame_args == 1;
}

// Go 1.5 and 1.6 put a sequence number on every event: these alone make the order.
TP_INLINE bool tp_v1_is_sequenced(const struct tp_v1_trace *t)
{
    return t->table->prefix_count == 2;
}

// Ticks since the first event to nanoseconds, as Go converts them; INT64_MIN for what is out
// of range, as on amd64.
TP_INLINE int64_t tp_v1_ticks_to_ns(int64_t ticks, double ns_per_tick)
{
    return tp_truncate((double)ticks * ns_per_tick);
}

void tp_v1_trace_fini(struct tp_v1_trace *t); // zeroed is fine

// Takes a run of table events, in file order, into the tables; `offset` is where it begins in
// the stream. TP_E_EVENT with Go's words, TP_E_LIMIT, TP_E_TOO_LARGE, TP_E_MEMORY.
int tp_v1_tables_add(struct tp_v1_trace *t, struct tp_span run, uint64_t offset,
                     struct tp_error *err) TP_MUST_USE;
// After the last: same failures.
int tp_v1_tables_finish(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// What is kept of names beside the tables.
TP_INLINE size_t tp_v1_names_bytes(const struct tp_v1_trace *t)
{
    return t->messages.memory_bytes + tp_map_bytes(&t->places.by_pc) +
           t->places.list.capacity * sizeof *t->places.list.items;
}

// Turns the frames of a stack, which are PCs alone, into whole ones in memory of the
// tables: what `symbols` knows of PC - 1, else without names. Same failures as above.
int tp_v1_frames_complete(struct tp_v1_trace *t, struct tp_stack_def *def,
                          struct tp_error *err) TP_MUST_USE;
void tp_v1_places_fini(struct tp_v1_places *p); // zeroed is fine

// An end of a syscall, to be sorted.
int tp_v1_trace_add_exit(struct tp_v1_trace *t, const struct tp_v1_exit *x,
                         struct tp_error *err) TP_MUST_USE;

// The survey or the first walk, after the tables are finished; adds to them. Also TP_E_ORDER.
int tp_v1_plan(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// One more than the first walk found is none, where somebody writes to the file meanwhile.
TP_INLINE bool tp_v1_is_blocked(const struct tp_v1_trace *t, uint64_t syscall)
{
    return syscall / 64 < t->blocked.count &&
           (t->blocked.items[syscall / 64] >> syscall % 64 & 1) != 0;
}

#endif
