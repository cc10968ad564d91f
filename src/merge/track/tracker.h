// Follows goroutines, Ps, tasks, regions and ranges through the ordered events of a trace, and gives out
// facts (facts.h): a span for each state of a goroutine that an event ends, an interval for each task,
// and so on. The tracker keeps who is in which state since when, so sinks that get the facts need no
// state of their own.
//
//   block of events ─▶ tp_tracker_block ─▶ facts of these events
//   after the last block: tp_tracker_rest ─▶ facts of what is still open
//
// A state has no span if an event contradicts it. A goroutine that the trace announces counts as in its
// state since the last Sync, and the state as begun before that. If the end of an announced state is
// missing, the state is only known to have lasted until the announcement.
//
// Open items (states, tasks, regions, ranges) refer to texts and stacks, and outlive the tables that have
// these. At the first block of a generation the tracker copies the texts and stacks to which an open item
// refers, unless they are copies already, and hands the copies to the new tables (carried_states).
//
// A speculative tracker begins in the middle of a generation, without knowing what came before. It defers
// the events whose effect depends on that to the tracker that adopts it (adopt.c). After the adoption the
// adopting tracker is as if it had followed all events itself.
//
// A tracker belongs to one thread at a time.
#ifndef TP_MERGE_TRACK_TRACKER_H
#define TP_MERGE_TRACK_TRACKER_H

#include "base/nests.h"
#include "base/slab.h"
#include "merge/tables/block.h"
#include "merge/track/facts.h"
#include "merge/track/goroutine_name.h"

// Bits: what a tracker gives out in addition to lives and the spans for sums.
enum tp_track_want {
    TP_TRACK_SPANS = 1,        // all spans, in order, with their tasks
    TP_TRACK_EVIDENCE = 2,     // notes and wakes
    TP_TRACK_INTERVALS = 4,    // tasks, regions, ranges
    TP_TRACK_MOVES = 8,
    TP_TRACK_COLLECTOR = 16,   // gc_notes
    TP_TRACK_OTHERS = 32,
    TP_TRACK_FOR_STATS = 62,
    TP_TRACK_LASTING = 64,     // struct tp_interval of all that lasts
    TP_TRACK_LABELS = 128,     // struct tp_track_labelled; no speculative tracker wants it
    TP_TRACK_WHOSE = 256,      // struct tp_track_whose; no speculative tracker wants it
    // Any that needs the task of a goroutine.
    TP_TRACK_TASK_OF = TP_TRACK_SPANS | TP_TRACK_LABELS | TP_TRACK_WHOSE,
};
// Returns what a tracker has to give out for a program that asks for spans or for intervals.
TP_INLINE unsigned tp_track_for_program(bool wants_spans, bool wants_intervals)
{
    return (wants_spans ? TP_TRACK_SPANS : 0u) | (wants_intervals ? TP_TRACK_LASTING : 0u);
}

// A waker is to blame for the part of the wait after the waker last left a wait itself or was created; if
// that was before the wait, for the whole wait. The rule tells which waits of the waker count.
// TP_BLAME_LOCK: waits for locks only, so that a goroutine which sleeps while it holds a lock is to
// blame. TP_BLAME_OTHERS: all its waits.
enum tp_blame { TP_BLAME_LOCK, TP_BLAME_OTHERS, TP_BLAMES };

// The legs of a goroutine, which tell why a task was slow. A leg is a wait, or all that the goroutine
// does from the end of one wait to the beginning of the next: runs, system calls, and waits for a P. If
// the goroutine begins or ends a task, a new leg begins, too. The stack of a wait is the one at which it
// began. The stack of any other leg is that of the first yield or preemption in it; without one, that of
// the event that ends the leg. Only legs since the goroutine's last task event count or, if it has had
// none, since its creation. If the trace shows neither, the goroutine's legs are not followed.
struct tp_track_legs {
    int64_t since_ns;      // of the leg that lasts
    uint64_t longest_ns;   // of those that matter, of equal ones the first; TP_LEG_LONGEST: not followed
    uint32_t stack;        // of the leg that lasts; TP_LEG_NO_STACK: none yet
    uint32_t longest_stack;
};
#define TP_LEG_LONGEST UINT64_MAX
// Value of since_ns for a goroutine of a speculative tracker: the leg began before the goroutine was
// settled (TP_SPAN_IS_UNSETTLED).
#define TP_LEG_BEFORE INT64_MIN
#define TP_LEG_NO_STACK (UINT32_MAX - 1)

// Reasons to look at the end of the goroutine's next run, even if the run is short.
enum tp_track_watch {
    TP_WATCH_IDLE_RUN = 1,  // it runs as an idle mark worker
    TP_WATCH_PREEMPTED = 2, // a long run ended by preemption, and it has ended no run since
    TP_WATCH_WRAPPED = 4,   // its name is settled and a wrapper, and no stack has shown what that wraps
    // A speculative tracker has seen the stack `wrapped` only after it had settled a name that is not a
    // wrapper.
    TP_WATCH_LATE_WRAPPED = 8,
};

// A living goroutine. References are those of facts.h. The members that nearly every event reads come
// first.
struct tp_track_g {
    struct tp_track_state now;   // the state that lasts; `marks` are those of its span
    int64_t since_ns;            // of the state; of an announced one, of its announcement
    struct tp_track_legs legs;
    struct tp_gc_role role;
    uint8_t name_rank;           // enum tp_name_rank
    uint8_t watch;               // set of enum tp_track_watch
    bool is_woken;               // the state began when it was woken or created
    bool was_before;             // of a speculative tracker: it may have lived before the speculation
    bool has_unnamed;            // spans were given out without its name
    bool is_live : 1;            // false: the slot is free
    bool is_known : 1;           // it was created or announced
    bool is_new : 1;             // it was created
    bool has_stack_of_others : 1; // for TP_TRACK_SPANS: the stack is not its own
    // For TP_TRACK_SPANS. RUNNABLE: `stack` is that of who made it runnable. RUNNING: a goroutine had made it
    // runnable. Else false.
    bool is_woken_by : 1;
    bool has_task : 1;           // was_before: it has begun or ended a task since it is settled
    uint32_t named_by;           // the stack looked up last for a name, if it was of a call
    uint32_t function;           // the best name so far
    uint32_t life;               // its number among all lives
    uint32_t task;               // the open task that it began last, in `tasks`; 0: none
    struct tp_class_clock clock; // without the state that lasts
    int64_t left_ns[TP_BLAMES];  // when it last left a wait, by rule, or was created, or TP_NEVER_NS
    int64_t id;
    int64_t stop_ns;             // when it last ended a stop of the world, or TP_NEVER_NS
    int64_t first_ns;            // of the event that created or announced it, if is_known
    int64_t begin_ns;            // of its life, if is_known
    uint64_t preempted_ns;       // the run before TP_WATCH_PREEMPTED, and when it began
    int64_t preempted_begin_ns;
    union {
        int64_t unknown_left_ns; // was_before: when it last left a wait unsettled, or TP_NEVER_NS
        int64_t thread;          // for TP_TRACK_SPANS, which no speculative tracker wants: of the state
    };
    int64_t waker;               // for TP_TRACK_SPANS: who woke it, or TP_NO_GOROUTINE
    uint32_t preempted_stack;
    uint32_t creation_stack;
    uint32_t waits;              // chain of its waits before its first run; 0: none
    uint32_t region;             // its innermost open region, in `regions`; 0: none
    union {
        uint32_t first_leg;      // was_before: number + 1 in deferred->first_legs, of one from before; 0: none
        int32_t proc;            // for TP_TRACK_SPANS: of the state; Go numbers Ps by 32 bits
    };
    union {
        uint32_t late;           // for TP_TRACK_LABELS: chain of what waits for its name, in `late`; 0: none
        uint32_t wrapped;        // else: its first stack that shows what its start function wraps; 0: none
    };
};

_Static_assert(sizeof(struct tp_track_g) == 256, "a shift finds an item");

// The clock of a goroutine at a moment, and that of stops of the world.
struct tp_track_mark {
    struct tp_class_clock clock;
    int64_t since_ns;      // of the state that lasts
    uint64_t stopped_ns;   // how long the world has been stopped so far
    int64_t g;             // TP_NO_GOROUTINE: no goroutine's
    uint32_t life;
};

// An open task. The open tasks that one living goroutine began form a chain.
struct tp_track_task {
    uint64_t id;
    uint64_t parent;       // id; TP_NO_TASK: none, or not known
    int64_t since_ns;
    struct tp_track_mark mark;
    int64_t g;             // of the chain
    uint32_t older, newer; // slots; 0: none
    uint32_t name;
    struct tp_track_line lines[TP_TRACK_LINES_MAX];
    uint8_t line_count;
    bool is_open;          // false: the slot is free
    bool was_before;       // of a speculative tracker: it began before
};

struct tp_track_region {
    struct tp_nest_item nest;
    int64_t since_ns;
    struct tp_track_mark mark;
    uint32_t name;
    bool is_carried;       // those outside of it are, too
};

struct tp_track_open_range {
    uint64_t id;
    int64_t since_ns;
    uint32_t name, stack;
    bool is_open;          // false: the slot is free, or kept for the next range with this id
    bool is_cut;           // it had begun before since_ns
};

struct tp_track_proc {
    int64_t id;
    int64_t since_ns;      // of the state
    int64_t thread;        // of the event that began the state
    uint8_t state;
    bool had_begun;        // before since_ns
};

struct tp_track_open_wait {
    uint32_t next;
    bool is_carried;       // those after it are, too
    struct tp_track_wait wait;
};

// A state or CPU samples of a goroutine whose name may still change.
struct tp_track_late {
    uint32_t next;
    bool is_carried;       // those after it are, too
    struct tp_track_labelled of; // without the function
};

// The slots of items that may refer to the current tables, each slot once. Only the texts and stacks of
// these items are copied when the next generation begins, because most items may have been idle for many
// generations.
struct tp_track_touched {
    TP_LIST(uint32_t) slots;
    TP_LIST(uint64_t) bits; // by slot: whether it is in `slots`
};

// A speculative tracker defers these objects to the tracker that adopts it (adopt.c).
struct tp_track_deferred;
struct tp_track_op;
struct tp_track_view;

// A goroutine that is preempted without an interrupt was about to enter a function; the caller of that
// function was running. Which of the two is the innermost function of the stack depends on the release of
// Go. With LACKS_RUNNER it is neither, by a fault of unwinding (go.dev/issue/68090).
enum tp_preemption_stack {
    TP_PREEMPTION_SHOWS_RUNNER,  // until 1.20: the caller; the tracer skips the function itself
    TP_PREEMPTION_LACKS_RUNNER,  // 1.21 to 1.24
    TP_PREEMPTION_SHOWS_ENTERED, // since 1.25: the function that was about to be entered
};

// Numbers of slots of the caches: powers of two.
#define TP_TRACK_RECENT_GS 512
#define TP_TRACK_REASONS 64

struct tp_tracker {
    TP_SLAB(struct tp_track_g) gs;
    struct tp_track_recent { // cache of the last lookups
        int64_t id;          // the item is empty if this id belongs to another item
        uint32_t slot;
    } recent_gs[TP_TRACK_RECENT_GS]; // of the current tables, so all are in touched_gs
    TP_SLAB(struct tp_track_task) tasks;
    TP_NESTS(struct tp_track_region) regions;
    TP_SLAB(struct tp_track_open_range) ranges[TP_TRACK_RANGE_COUNT];
    TP_SLAB(struct tp_track_proc) procs;
    struct tp_track_touched touched_gs, touched_tasks, touched_ranges[TP_TRACK_RANGE_COUNT];
    TP_SLOTS(struct tp_track_open_wait) waits;
    TP_SLOTS(struct tp_track_late) late;
    struct tp_track_reason { // cache of the last lookups
        uint64_t id;         // the item is empty if this id belongs to another item
        uint32_t ref;
        uint8_t wait;
    } reasons[TP_TRACK_REASONS];
    TP_LIST(struct tp_root) roots; // cache, by index of stack; TP_ROOT_UNREAD: not looked up
    struct tp_tables *tables; // of the last block that had any; one hold
    unsigned wants;           // set of enum tp_track_want
    enum tp_preemption_stack preemption_stack; // of the tables
    uint32_t life_count;
    int64_t sync_ns;          // time of the last Sync; -1: there was none
    int64_t last_ns;          // time of the last event
    // The clock of stops of the world, each from its begin event to its end event. If another one begins
    // before, the end event of the first is lost, and the first ends there.
    struct tp_track_stops {
        uint64_t ns;          // of those that have ended
        int64_t since_ns;     // of the one that lasts, or TP_NEVER_NS
        int64_t g;            // that began it
    } stops;
    uint32_t rest_slot;       // of the last goroutine that tp_tracker_rest has looked at
    bool has_rest;            // tp_tracker_rest has given out what is no goroutine's
    bool is_speculative;
    bool lacks_memory;
    // In a speculative tracker: it has deferred something that cannot be adopted. In any other tracker:
    // the order has lost its state, so what is open here may contradict the order, and no speculation is
    // adopted any more.
    bool has_lost;
    uint64_t max_bytes;       // limit of tp_tracker_bytes
    const struct tp_track_op *replayed; // at the moment; NULL: none
    struct tp_track_deferred *deferred; // of a speculative tracker; owned; NULL: nothing
};

// Sets *err to the error of a tracker that is out of memory, and returns TP_E_MEMORY.
TP_INLINE int tp_tracker_fail_for_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the states of goroutines");
}
// Initializes a tracker that knows no goroutine. Allocates nothing.
void tp_tracker_init(struct tp_tracker *t, unsigned wants, uint64_t max_bytes);
// Frees all memory and releases the tables; a zeroed tracker is fine.
void tp_tracker_fini(struct tp_tracker *t);
// Returns the memory, in bytes, of the tracker and of the texts and stacks that its tables carry over
// from earlier generations.
uint64_t tp_tracker_bytes(const struct tp_tracker *t);

// Follows the events of the block, and adds their facts to `facts`. Tables that come for the first time
// may get another `carried_states`, so no other thread may have seen them. Fails with TP_E_MEMORY or
// TP_E_LIMIT; then no further events may follow. tp_tracker_rest may; it adds nothing if memory is out.
int tp_tracker_block(struct tp_tracker *t, const struct tp_block *block, struct tp_facts *facts,
                     struct tp_error *err) TP_MUST_USE;

// Adds facts of what is still open when the trace ends, of at most `most` goroutines in a call. These
// facts refer to the tables of the last block that had any; the tracker holds them. True: there may be
// more to add. Sets lacks_memory if memory is out.
bool tp_tracker_rest(struct tp_tracker *t, struct tp_facts *facts, uint32_t most);

// Initializes a speculative tracker, which begins within the generation of these tables and holds them.
// Sets lacks_memory if memory is out. Must not be called in the first generation of a trace if an event
// that it will follow reports an active assist: the curve of mutator utilisation must know whether that
// event's goroutine executes (merge/track/gc_step.h), and a speculative tracker does not know.
void tp_tracker_begin_ahead(struct tp_tracker *t, unsigned wants, uint64_t max_bytes,
                            struct tp_tables *tables);
// Whether `ahead` can be adopted.
TP_INLINE bool tp_tracker_can_adopt(const struct tp_tracker *t, const struct tp_tracker *ahead)
{
    // While the world is stopped, intervals of `ahead` may lack a part of that stop.
    return !t->has_lost && !ahead->has_lost && t->stops.since_ns == TP_NEVER_NS &&
           ahead->life_count < INT32_MAX - t->life_count;
}
// Makes `t` what it would be if it had followed the events of `ahead`, too. Adds to `facts` what `ahead`
// could not know. `facts_ahead` are the facts of `ahead`, in which lives have the numbers of `ahead`.
// Adds to them, for each goroutine that lived before the speculation, its name or, if it has none yet,
// the number of its life in `t`. Sets lacks_memory if memory is out.
void tp_tracker_adopt(struct tp_tracker *t, struct tp_tracker *ahead, struct tp_facts *facts,
                      struct tp_facts *facts_ahead);

#endif
