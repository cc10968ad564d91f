// The scheduler model: records which goroutine and P each thread has, and decides whether an event
// may come now. The times of different threads cannot be compared reliably, so counters in the
// events give their order. An event is taken if the state of its goroutine, P and thread allows it,
// waits until an event of another thread has been taken, or shows that the trace is broken. The
// rules, their order and their messages are those of Go 1.26 (internal/trace/order.go).
//
//   step.h    one step: sets the event in the context of its thread and applies its rule
//   order.c   threads met for the first time; prefetching
//   rules.c   the table: one rule for each event type (see rules.h)
//   force.c   takes events that the rules refuse, in generations with holes
//   doubt.c   takes refused events that show a known fault of the tracer
//   mistake.c takes events that show a mistake in the program's use of tasks and regions
//   state.c   goroutines, Ps, threads, ranges, regions, tasks
//   assume.c  assumptions of a speculator, and their check (see assumption.h)
//
// The state carries over from generation to generation. It belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_ORDER_H
#define TP_MERGE_ORDER_ORDER_H

#include "base/err.h"
#include "base/nests.h"
#include "base/slab.h"
#include "merge/order/ended_tasks.h"
#include "merge/tables/tables.h"

// Answer of a rule about the next event of a thread.
enum tp_verdict {
    TP_ORDER_TAKE,   // the event comes next
    TP_ORDER_WAIT,   // not yet: try another thread
    TP_ORDER_BROKEN, // never; the error has the message of Go's reader
};

// Maximum number of events that one step hands out (a switch of goroutines makes three).
#define TP_ORDER_STEP_EVENTS 3

// The value of a counter of the wire format, and the generation to which the value belongs, because
// the counter begins anew in each generation.
struct tp_seq {
    uint64_t generation;
    uint64_t count;
};

// Identifies an open special range of time (sweep, mark assist, STW): the type of its begin event
// and, for STW, the reason as `detail`.
struct tp_range_key {
    uint64_t detail;
    uint8_t type;
};
// An open range of a goroutine or P, whose ranges form a chain in the order in which Go's reader has
// them: an end event ends the first one of its type, and the last one takes its place.
struct tp_open_range {
    uint32_t next; // 0: none
    struct tp_range_key key;
};

// An open user region of a goroutine. The name in its key is a tp_name_ref.
struct tp_open_region {
    struct tp_nest_item nest;
    // Stack of the beginning: an id in the current tables. A region of an earlier generation has
    // is_carried and the number of the text of its place in the `carried` names of these tables.
    uint64_t stack : 62; // greater ids are in no table
    uint64_t is_carried : 1;
    uint64_t is_nameless : 1; // the tables lacked its name
};

// Marks on a goroutine or P for assumption.h. The speculator sets is_assumed, the check of its
// assumptions sets the other two.
struct tp_assumption_marks {
    bool is_assumed : 1;   // existed before this generation: its open regions are unknown
    bool is_met : 1;       // the speculator has met it
    bool awaits_range : 1; // has an open range for which no assumption was found yet
};

// State of a goroutine. Its end removes the ranges and regions that it has open.
struct tp_g_state {
    int64_t id;
    struct tp_seq seq;
    uint8_t status;     // gstatus of the wire
    bool is_live; // false: the slot is free
    bool has_assumed_range; // a speculator has assumed an open range of this goroutine
    struct tp_assumption_marks marks;
    bool is_new;     // an event created it, so all its regions are known
    uint32_t hidden; // during a check: the innermost open region unknown to the speculator
    uint32_t region; // its innermost open region, in `regions` of the order; 0: none
    uint32_t range;  // its first open range, in `ranges` of the order; 0: none
    char to_cache_line[20];
};
// Exactly one cache line, because most events look up the state of a goroutine.
_Static_assert(sizeof(struct tp_g_state) == 64, "a goroutine's state has grown");

// State of a P. Ps are never removed.
struct tp_p_state {
    int64_t id;
    struct tp_seq seq;
    uint8_t status;     // pstatus of the wire
    bool has_assumed_range; // a speculator has assumed an open range of this P
    bool awaits_start;  // its Running status preceded its start (see doubt.h)
    struct tp_assumption_marks marks;
    uint32_t range;     // its first open range, in `ranges` of the order; 0: none
};

// The P and goroutine that a thread has: ids, -1 if it has none, and their slots in `ps` and `gs`.
// `g_slot` may be stale (see tp_order_g_at).
struct tp_binding {
    int64_t p;
    int64_t g;
    uint32_t p_slot;
    uint32_t g_slot;
};

// State of a thread (M). Threads are never removed.
struct tp_m_state {
    int64_t id;
    struct tp_binding at;
};

// State of an open user task.
struct tp_task_state {
    uint64_t id;
    uint64_t parent;
    tp_name_ref name;
    bool is_live; // false: the slot is free
};

// The state of the garbage collector's mark phase, as far as it is known.
enum tp_gc_state { TP_GC_UNDETERMINED, TP_GC_NOT_RUNNING, TP_GC_RUNNING };

// Rows of the rule table: the possible outcomes of the rules. struct tp_order counts in `hits` how
// often each row was the outcome, so that tests can show which rows were reached.
#define TP_RULE_MAP(X)                                                                    \
    X(PROC_STATUS_FIRST) X(PROC_STATUS_NEW) X(PROC_STATUS_KNOWN) X(PROC_STATUS_PROMOTED)  \
    X(PROC_STATUS_ABANDONED) X(PROC_START) X(PROC_START_WAIT) X(PROC_START_RUNNING)       \
    X(PROC_STOP) X(PROC_STEAL) X(PROC_STEAL_SELF) X(PROC_STEAL_ABANDONED)                 \
    X(PROC_STEAL_WAIT) X(GO_STATUS_FIRST)                                                 \
    X(GO_STATUS_KNOWN) X(GO_STATUS_SYSCALL_HERE) X(GO_STATUS_SYSCALL_THERE)               \
    X(GO_STATUS_SYSCALL_NEW_THREAD) X(GO_CREATE) X(GO_CREATE_BLOCKED) X(GO_CREATE_SYSCALL) \
    X(GO_START) X(GO_START_WAIT) X(GO_DESTROY) X(GO_STOP) X(GO_BLOCK) X(GO_UNBLOCK)       \
    X(GO_UNBLOCK_WAIT) X(GO_SWITCH) X(GO_SWITCH_DESTROY) X(GO_SWITCH_WAIT)                \
    X(GO_SYSCALL_BEGIN) X(GO_SYSCALL_END) X(GO_SYSCALL_END_BLOCKED)                       \
    X(GO_SYSCALL_END_BLOCKED_WAIT) X(GO_DESTROY_SYSCALL) X(GO_DESTROY_SYSCALL_WITH_PROC)  \
    X(ANNOTATION) X(HEAP_METRIC) X(GO_RANGE_BEGIN) X(GO_RANGE_END) X(GO_RANGE_ACTIVE_FIRST) \
    X(GO_RANGE_ACTIVE_KNOWN) X(SWEEP_BEGIN) X(SWEEP_END) X(SWEEP_ACTIVE) X(GC_ACTIVE_FIRST) \
    X(GC_ACTIVE_KNOWN) X(GC_BEGIN_FIRST) X(GC_BEGIN) X(GC_END) X(GC_WAIT) X(TASK_BEGIN)   \
    X(TASK_END_KNOWN) X(TASK_END_UNKNOWN) X(REGION_BEGIN) X(REGION_END)                   \
    X(REGION_END_UNKNOWN) X(EXPERIMENTAL)

enum tp_rule {
#define TP_X(name) TP_RULE_##name,
    TP_RULE_MAP(TP_X)
#undef TP_X
    TP_RULES
};
// Names of the rows, such as "PROC_START", for tests.
extern const char *const tp_rule_names[TP_RULES];

struct tp_slot_list {
    TP_LIST(uint32_t);
};

struct tp_run_event;
struct tp_assumptions;
struct tp_doubts;

// The state of the scheduler in one input. It owns its slabs and lists; fini frees them.
struct tp_order {
    TP_SLAB(struct tp_g_state) gs;
    TP_SLAB(struct tp_p_state) ps;
    TP_SLAB(struct tp_m_state) ms;
    TP_SLAB(struct tp_task_state) tasks;
    TP_NESTS(struct tp_open_region) regions;
    TP_SLOTS(struct tp_open_range) ranges;
    struct tp_ended_tasks ended_tasks;
    struct tp_binding nobody; // of thread -1; emptied before each event of that thread
    // The state of the mark phase, and the latest value of the counter that its begin and end
    // events have.
    enum tp_gc_state gc_state;
    uint64_t gc_seq;
    uint64_t generation;      // number of the current generation
    // Generation of the first event, in which events may introduce states; 0: no event yet.
    uint64_t first_generation;
    // The events before the first generation were not ordered: a goroutine, P or task that is met
    // later may have existed before.
    bool begins_in_middle;
    struct tp_tables *tables; // of the current generation; one hold
    // Slots of tasks, and of goroutines with regions, whose names the current generation has given.
    // A slot may be listed more than once, and may belong to another one meanwhile.
    struct tp_slot_list named_tasks;
    struct tp_slot_list named_gs;
    uint64_t list_bytes;      // memory of the lists of slots
    uint64_t max_bytes;       // limit of tp_order_bytes
    size_t made_count;        // events that the last step handed out
    uint64_t forced_count;    // events of this generation that were taken against the rules
    // The last check of assumptions counts the regions, unknown to the speculator, that events end,
    // and those that the end of their goroutine leaves open.
    uint64_t hidden_end_count;
    uint64_t hidden_open_count;
    uint64_t forced_look_count; // threads examined for forced events, in all generations
    // Borrowed from a speculator (see assumption.h); NULL in the order proper.
    struct tp_assumptions *assumptions;
    // Borrowed: counts the mistakes of annotations, which are taken then. NULL: the rules take and
    // refuse what Go's reader does.
    struct tp_doubts *doubts;
    // How often each row of the rule table was the outcome of a rule.
    uint64_t hits[TP_RULES];
};

// Initializes an order without any state; allocates nothing. If the states would take more than
// `max_bytes`, the function that adds a state fails with TP_E_LIMIT.
void tp_order_init(struct tp_order *o, uint64_t max_bytes);
// Frees all states and releases the tables. A zeroed order is fine.
void tp_order_fini(struct tp_order *o);
// Forgets all states, so that the next generation counts as the first one of a trace that begins
// in the middle. Keeps `hits` and forced_look_count.
void tp_order_reset(struct tp_order *o);
// Returns the bytes of memory of all states.
uint64_t tp_order_bytes(const struct tp_order *o);
// Creates an independent copy, which the caller tears down with tp_order_fini. TP_E_MEMORY: there
// is no copy.
int tp_order_copy(const struct tp_order *from, struct tp_order *ret_copy,
                  struct tp_error *err) TP_MUST_USE;

// Begins the next generation and takes a hold of `tables`. Adds the names of open tasks and regions
// that began in the last generation to the carried names, and sets tables->carried. Fails with
// TP_E_MEMORY; then only tp_order_fini or tp_order_reset may follow.
int tp_order_begin(struct tp_order *o, struct tp_tables *tables, struct tp_error *err) TP_MUST_USE;

// Binds each thread to the P and goroutine that it had when the generation began, as far as the
// generation's events show them. Call before tp_order_begin of that generation, if the previous
// generation was not ordered. Decodes all events once. Fails with TP_E_MEMORY or TP_E_LIMIT, after
// having bound some of the threads.
struct tp_batch_loader;
int tp_order_seed(struct tp_order *o, const struct tp_generation *g, const struct tp_tables *t,
                  struct tp_batch_loader *loader, struct tp_error *err) TP_MUST_USE;

// Does the same as tp_order_seed, for a speculator: decodes at most TP_SEED_FIRST_EVENTS events of
// each thread, and adds all threads of the generation.
#define TP_SEED_FIRST_EVENTS 16
int tp_order_seed_first(struct tp_order *o, const struct tp_generation *g,
                        const struct tp_tables *t, struct tp_batch_loader *loader,
                        struct tp_error *err) TP_MUST_USE;

// Takes the event even if the rules refuse it, for generations that lack events; its outputs are
// those of tp_order_step with TAKE. False after filling the error: the type has no rule, memory is
// short, or the work exceeds what any real trace needs (TP_FORCED_LOOKS_MAX threads examined; each
// forced event may examine all threads). The states may then have some of the event's changes: only
// tp_order_reset or tp_order_fini may follow.
#define TP_FORCED_LOOKS_MAX (UINT64_C(1) << 32)
bool tp_order_force(struct tp_order *o, const struct tp_run_event *next, int64_t m,
                    uint32_t *m_slot, struct tp_event *out, struct tp_error *err);

#endif
