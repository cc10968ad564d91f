// Facts: the spans, intervals and notes that the tracker (tracker.h) gives out for a block of events. A
// sink adds facts up, in any order and on any thread, and needs to know nothing of earlier events.
//
// A reference to a text or a stack has 32 bits:
//   0                    none
//   TP_REF_LOST_STACK    a stack that the tables lack
//   TP_REF_FROM_C        the text TP_FROM_C
//   with TP_REF_CARRIED  a number of a text or stack in tables->carried_states
//   any other            in the tables of the block: the index of a string, or the index of a stack plus 1
#ifndef TP_MERGE_TRACK_FACTS_H
#define TP_MERGE_TRACK_FACTS_H

#include "base/list.h"
#include "merge/tables/carried_states.h"
#include "merge/track/gc_notes.h"
#include "merge/track/time_class.h"
#include "tracepipe/span.h"

// The start function of goroutines that the runtime made for threads of C code, so that these can call
// Go: the outermost function of their stacks, which events need not have.
#define TP_FROM_C "runtime.cgocallback"
#define TP_REF_FROM_C (UINT32_MAX - 2)
// Stands in place of a time that is not known.
#define TP_NEVER_NS INT64_MIN

// Bits of the member `marks` of a span.
enum tp_span_mark {
    TP_SPAN_IS_UNNAMED = 1,  // the goroutine's name may still change: `who` is a number of a life
    TP_SPAN_BEFORE_RUN = 2,  // the goroutine had not run when the state ended
    TP_SPAN_HAS_WAKER = 4,   // a goroutine ended the wait: there is a tp_track_wake
    TP_SPAN_STACK_OF_OTHERS = 8, // `stack` is that of who created the goroutine or woke it
    // The end is unknown: the span ends where the state was announced. Of a state that was not announced:
    // a displaced event began or ends it, so nobody knows how long it lasts.
    TP_SPAN_GIVEN_UP = 16,
    // The marks below have a meaning only inside the tracker, in struct tp_track_g.now.
    TP_SPAN_IS_ANNOUNCED = 32, // the state had begun before the trace announced it
    TP_SPAN_OF_TASKS = 64,     // only events of tasks show the goroutine, so it does not count
    // The goroutine lived before the speculation. The speculative tracker defers all its events to the
    // adopting tracker until the goroutine first ends a run other than by preemption.
    TP_SPAN_IS_UNSETTLED = 128,
};

// The properties of a goroutine's state that the tracker knows when the state begins.
struct tp_track_state {
    uint32_t who;            // with TP_SPAN_IS_UNNAMED: the number of the life; else the function
    uint32_t stack;          // of the event that began the state
    uint32_t reason;
    uint8_t wait;            // of the reason: enum tp_wait_bit
    uint8_t marks;           // enum tp_span_mark
    uint8_t state;           // enum tp_state; UNDETERMINED: no event has shown it
    uint8_t next;            // of a span: enum tp_state after it
};
// The short form of a span, for sums: a state whose beginning and end the trace shows.
struct tp_track_span {
    int64_t end_ns;
    uint64_t ns;
    struct tp_track_state of;
};
// A wait for a lock, a condition, a channel or a select, and who ended it.
struct tp_track_wake {
    uint64_t ns;
    uint64_t at;             // when it began, on the clock of the trace
    uint64_t blamed_ns;      // since the waker had last left a wait itself
    uint32_t wait, wake;     // stacks
    uint32_t reason;
    bool is_before_run;      // of a goroutine that had not run
};

// A change of a goroutine's state that is not the end of one of its spans, or a change of a P's state.
struct tp_track_move {
    int64_t time_ns;
    uint8_t from, to;        // enum tp_state; UNDETERMINED and NOT_EXIST: none
    bool is_proc;
};

// Kinds of ranges: stops of the world, concurrent marks, mark assists, and sweeps. X(KIND)
#define TP_TRACK_RANGES(X) X(PAUSE) X(MARK) X(ASSIST) X(SWEEP)
enum tp_track_range_kind {
#define TP_X(kind) TP_TRACK_##kind,
    TP_TRACK_RANGES(TP_X)
#undef TP_X
    TP_TRACK_RANGE_COUNT
};
// A range that ended, or that was open when the trace ended. `ns` is 0 if the end is the first event that
// shows the range.
struct tp_track_range {
    uint64_t ns;
    int64_t begin_ns;
    uint32_t name;           // of a stop: its reason
    uint8_t kind;            // enum tp_track_range_kind
    bool is_cut;             // it began before the first event that shows it, or goes on
};

// Values of the member `parts` of an interval that stand in place of a number: the goroutine ran all the
// time, or all of the time is TP_CLASS_ELSEWHERE.
#define TP_TRACK_ALL_RUNNING UINT32_MAX
#define TP_TRACK_ALL_ELSEWHERE (UINT32_MAX - 1)
// How many log lines of a task are kept: its first ones.
#define TP_TRACK_LINES_MAX 3

// A task or a region that ended, or that was open when the trace ended. A region ends with its goroutine
// at the latest.
struct tp_track_interval {
    uint64_t ns;
    int64_t begin_ns;
    uint64_t task;           // id of a task
    int64_t g;               // that began it; TP_NO_GOROUTINE: none did
    uint32_t name;
    uint32_t parts;          // number in `parts`, or TP_TRACK_ALL_*
    uint32_t first_line;     // of a task: in `lines`
    uint8_t line_count;
    bool is_task;
    bool is_cut;             // it goes on (ns: until it was cut), or its beginning is missing (ns: 0)
};
struct tp_track_line {
    uint64_t after_ns;       // since the task began
    uint32_t category, message;
};

// A report of a goroutine's life. It tells the name of all spans of the goroutine and, with has_ended,
// its end.
struct tp_track_life {
    uint64_t spent_ns[TP_CLASS_COUNTED];
    int64_t begin_ns, end_ns;
    int64_t g;
    uint32_t number;         // as in its spans
    uint32_t name;
    uint32_t alias;          // it is the same as this life; 0: it is not
    uint32_t wrapped;        // with has_ended: the stack that shows what its start function wraps; 0: none
    bool has_unnamed;        // some of its spans were given out without a name
    bool has_ended;          // false: only its name, or alias, is new
    bool is_known;           // it was created or announced; else begin_ns has no meaning
    bool is_cut;             // it was not created, or did not end, in the trace
};

// A wait, system call or wait for a P of a goroutine that the trace never shows running. Given out when
// the goroutine or the trace ends.
struct tp_track_wait {
    uint64_t ns;
    uint32_t stack;
    uint8_t state;           // enum tp_state
    uint8_t wait;
};

// A state that ended, or CPU samples, with labels: the goroutine's name, task and region. An item stands for
// one or more that are equal but for their time. Not given out, because profiles do not count them: runs
// whose beginning the trace does not show; states before the first run, unless the goroutine never runs.
struct tp_track_labelled {
    uint64_t ns, count;
    uint32_t stack;
    uint32_t function;       // the goroutine's final name
    uint32_t task, region;   // names: of the task that a span has (tracepipe/span.h), of the innermost region
    uint8_t state;           // enum tp_state; UNDETERMINED: CPU samples
    uint8_t wait;
};
// Adds `l` to `into`, if all but count and time are equal. False: they differ, or the sums would overflow.
bool tp_track_labelled_join(struct tp_track_labelled *into, const struct tp_track_labelled *l);

// The goroutines that an event concerns, of which it may have both.
//   CONTEXT  the goroutine in whose context it happened
//   CHANGED  the goroutine whose state it changes or tells, or whose range is active
enum tp_track_role { TP_TRACK_CONTEXT, TP_TRACK_CHANGED, TP_TRACK_ROLES };
// The task and the start function of each of these goroutines; no goroutine: TP_NO_TASK and the empty text.
struct tp_track_whose {
    uint64_t task[TP_TRACK_ROLES];     // before the event, as `task` in tracepipe/span.h; TP_NO_TASK: none
    uint32_t function[TP_TRACK_ROLES]; // as known after the event
};

// Other notes about goroutines. X(KIND)
//   LONG_RUN       a run of at least TP_LONG_RUN_NS that ended at `stack`, not by preemption. If the
//                  goroutine stopped the world in the run, only the time after its last stop counts
//   PREEMPTED_RUN  the same of a run that ended at `stack` by preemption, since Go 1.25
//   PREEMPTED_PAIR the same before Go 1.25. `other`: where the goroutine's next run ended. If that is not
//                  known, and always before Go 1.21, `other` equals `stack`
//   LATE           a wait for a P of at least TP_LATE_NS, after an unblock or creation at `stack`
//   IDLE_RUN       a run as an idle mark worker, on a P that nobody else wanted
//   ASSIST_BEGIN   a mark assist begins at `stack`
//   CYCLE_BEGIN    a cycle of the collector begins at `stack`
//   STOP           a stop of the world that began at `stack`, for the reason `other`
//   TASK_LEG       the longest leg of a task. Of the leg: `ns` and `stack`. Of the task: its duration
//                  `of_ns` and its name `other`
//   LEFT           a goroutine that waits at `other` when the trace ends. It was created at `stack`, at
//                  the time `of_ns`
#define TP_TRACK_NOTES(X)                                                               \
    X(LONG_RUN) X(PREEMPTED_RUN) X(PREEMPTED_PAIR) X(LATE) X(IDLE_RUN) X(ASSIST_BEGIN)  \
    X(CYCLE_BEGIN) X(STOP) X(TASK_LEG) X(LEFT)
enum tp_track_note_kind {
#define TP_X(kind) TP_TRACK_##kind,
    TP_TRACK_NOTES(TP_X)
#undef TP_X
};
struct tp_track_note {
    uint64_t ns, of_ns;
    int64_t begin_ns;        // of what lasted `ns`; of LONG_RUN, PREEMPTED_*, LATE and STOP
    uint32_t stack, other;
    uint8_t kind;
};
#define TP_LONG_RUN_NS 1000000
#define TP_LATE_NS 10000000

// The lists of struct tp_facts. X(type, member)
#define TP_FACT_LISTS(X)                                                                \
    /* All spans, in the order of the events that end them, if they are wanted. */      \
    X(struct tp_state_span, spans)                                                      \
    /* All that lasts, in the same order, if it is wanted. */                           \
    X(struct tp_interval, lasting)                                                      \
    /* For sums: those that began and ended in the trace, by state; and the others. */  \
    X(struct tp_track_span, runs)                                                       \
    X(struct tp_track_span, runnables)                                                  \
    X(struct tp_track_span, syscalls)                                                   \
    X(struct tp_track_span, waitings)                                                   \
    X(struct tp_track_wake, wakes)                                                      \
    X(struct tp_state_span, cuts)                                                       \
    X(struct tp_track_move, moves)                                                      \
    X(struct tp_track_range, ranges)                                                    \
    X(struct tp_track_interval, intervals)                                              \
    X(struct tp_interval_parts, parts)                                                  \
    X(struct tp_track_line, lines)                                                      \
    X(struct tp_track_life, lives)                                                      \
    X(struct tp_track_wait, waits)                                                      \
    X(struct tp_track_labelled, labelled)                                               \
    X(struct tp_track_note, notes)                                                      \
    X(struct tp_gc_note, gc_notes) /* in the order of the trace */                      \
    X(struct tp_track_whose, whose) /* one of each event, in order */                   \
    /* Events that tell of no state, by index in the block: metrics, CPU samples, logs. */ \
    X(uint32_t, others)

// The facts of one or more blocks. Owns its lists. A zeroed object is empty.
struct tp_facts {
#define TP_X(type, member) TP_LIST(type) member;
    TP_FACT_LISTS(TP_X)
#undef TP_X
    uint32_t first_life;     // lives from this number on began in the block
    uint32_t life_base;      // of facts of a speculation: to be added to each number of a life in them
    uint32_t event_count;    // events whose facts these are
    uint32_t event_counts[TP_EVENT_TYPES]; // the same by type
};

// tp_fact_text returns the text of a reference. tp_fact_stack reads the stack of a reference; id 0: there
// is none. The text and the stack are valid as long as the tables.
struct tp_text tp_fact_text(uint32_t ref, const struct tp_tables *t);
struct tp_stack tp_fact_stack(uint32_t ref, const struct tp_tables *t);

// Removes all facts and keeps the memory.
void tp_facts_clear(struct tp_facts *f);
// Frees the memory; the object is then empty.
void tp_facts_fini(struct tp_facts *f);
// Whether all lists are empty.
bool tp_facts_are_none(const struct tp_facts *f);

#endif
