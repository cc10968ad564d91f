// What `stats` finds in a stretch of ordered events without knowing what came before it,
// so that stretches can be looked at by several workers at once.
//
//   blocks of one generation ──fold──▶ stretch ──carry_add, in order──▶ carry (stitch.h)
//
// What begins and ends within the stretch is in the ledger and the waits, for good.
// What the events before it have a part in waits for the carry: the first change of a
// goroutine that was there before ("head"), what is open at the end, and what happened
// to a goroutine before its name is settled or before it is known to have run ("late"). The
// name of one that was there before is the carry's to settle.
//
// Wherever a stretch begins and ends, ledger and carry come to the same: a rule that
// would look at more than the events since the goroutine's last change belongs into the
// carry.
//
// Strings are indices of the generation's tables, which the stretch holds until it is
// cleared. Plain memory of one thread at a time. Failures are TP_E_MEMORY.
#ifndef TP_STATS_FOLD_PARTIAL_H
#define TP_STATS_FOLD_PARTIAL_H

#include "base/list.h"
#include "merge/tables/block.h"
#include "stats/duration_table.h"
#include "stats/fold/deferred_waits.h"
#include "stats/fold/goroutine_name.h"
#include "stats/fold/open_intervals.h"
#include "stats/fold/span_log.h"
#include "stats/gc/notes.h"
#include "stats/stack_sums.h"
#include "stats/timeline.h"
#include "stats/top_goroutines.h"

// By what a goroutine waits for: the names that -pprof knows.
enum tp_stack_type tp_stack_type_of_reason(struct tp_span reason);
enum tp_stack_type tp_stack_type_of_measure(uint32_t measure); // other than blocking

// Things with begin and end, by id; each has a space of the ledger.
#define TP_OPEN_KINDS(X) X(TASK) X(PAUSE) X(MARK) X(ASSIST) X(SWEEP)
enum tp_open_kind {
#define TP_X(kind) TP_OPEN_##kind,
    TP_OPEN_KINDS(TP_X)
#undef TP_X
    TP_OPEN_KIND_COUNT
};
extern const enum tp_ledger_space tp_open_spaces[TP_OPEN_KIND_COUNT];

struct tp_open_end {
    uint64_t id;
    int64_t end_ns;
    int64_t active_ns;    // since when it is known to be open, if is_active
    uint32_t name;
    uint8_t kind;
    bool is_active;
};

struct tp_region_mark {   // a begin that is open, or an end whose begin came before
    int64_t time_ns;
    uint32_t name;
    uint32_t next_plus_1; // the one around it; the end after it
};

#define TP_STATE_UNSEEN TP_STATES

// Spans and waits of a block are gathered, and booked when the block is through: going
// through the events is all jumps, booking them is all loads.
struct tp_stretch_span {
    int64_t ns;
    uint32_t group;
    uint32_t measure;
};
struct tp_stretch_wait {
    int64_t ns;
    uint64_t stack_id;
    uint64_t type;        // enum tp_stack_type
};

// What nearly every change of state looks at stands together, in front.
struct tp_stretch_g {
    int64_t since_ns;       // of the state
    uint64_t wait_stack;    // id of the stack where it began
    uint64_t spent_ns[TP_SPENT_COUNT]; // of what it left here
    uint32_t measure;       // of the state; TP_MEASURE_NONE
    uint32_t group;         // of its name, once that is settled here; TP_LEDGER_NONE
    uint32_t own_group;     // group of its spans in a long stretch without a name; TP_LEDGER_NONE
    uint8_t state;          // enum tp_state; TP_STATE_UNSEEN
    uint8_t name_rank;      // enum tp_name_rank
    bool is_new : 1;        // created here
    bool is_announced : 1;  // was there before the trace
    bool is_cut : 1;        // so the state had begun before since_ns
    bool has_run : 1;       // here
    bool has_ended : 1;
    struct tp_gc_role gc_role;

    int64_t id;
    int64_t head_ns;        // of its first event here
    int64_t lead_ns;        // announced: from the Sync on; -1: the carry knows it
    uint32_t name;          // the best that was seen here
    uint32_t head_measure;  // announced: of the state it was in
    uint32_t log;           // log of its spans before it has a group, in `logs`
    uint32_t late_plus_1;   // chain of its waits in `late_waits`
    uint32_t region_plus_1; // open ones begun here, innermost first
    uint32_t region_ends_plus_1; // of those begun before, in order
    uint32_t last_region_end_plus_1;
    uint8_t head_from;      // enum tp_state; TP_STATE_UNSEEN: its state did not change
    uint8_t head_to;        // announced: the state it was in
};

TP_INLINE bool tp_stretch_g_is_whole(const struct tp_stretch_g *g)
{
    return g->is_new || g->is_announced;
}

// A P that changed its state.
struct tp_stretch_proc {
    int64_t id;
    int64_t head_ns;    // of its first change here
    int64_t lead_ns;    // announced by that: from the Sync on; -1: the carry knows it
    uint8_t head_from;  // enum tp_state
    uint8_t head_to;
    uint8_t state;
};

struct tp_stretch_gauge {
    struct tp_gauge told;
    int64_t head_ns;    // when it was told first here
    uint64_t head;
    uint64_t last;
};

// Of a generation with more stacks nothing is kept in arrays by index of stack.
#define TP_STRETCH_STACKS_MAX 65536

struct tp_stretch {
    struct tp_tables *tables;      // one hold; NULL: none yet
    struct tp_ledger ledger;       // names are indices of strings
    uint32_t own_group_count;      // of TP_SPACE_UNNAMED
    // By index of stack: nearly every one has waits of one type only, which are in
    // `first_waits`; what is of another type, or would pass 64 bits, is in `stacks`, as is all
    // where stacks are many.
    struct tp_stretch_first_wait {
        uint64_t total_ns;
        uint32_t count;
        uint32_t type_plus_1;      // enum tp_stack_type; 0: it has none yet
    } *first_waits;
    size_t first_wait_capacity;    // all of them empty but the first_stacks
    TP_LIST(uint32_t) first_stacks;
    struct tp_stack_counts stacks;
    bool has_stack_arrays;         // `first_waits` and `roots`
    struct tp_stretch_span spans[TP_BLOCK_EVENTS];
    uint16_t *span_lows[TP_BLOCK_EVENTS]; // of their histograms (tp_hist_low), or `nowhere`
    uint16_t nowhere;
    struct tp_stretch_wait waits[TP_BLOCK_EVENTS + 1];
    uint32_t span_count;
    uint32_t wait_count;
    uint64_t event_count;
    int64_t first_ns, last_ns;     // of the events, if there are any
    int64_t sync_ns;               // of the last Sync; -1: none here

    struct tp_map gs_by_id;
    TP_LIST(struct tp_stretch_g) gs; // in gs_by_id, or has_ended: a free slot
    uint32_t free_g_plus_1;        // chained by late_plus_1
    TP_LIST(struct tp_stretch_g) gone; // ended ones that were there before, in order
    // Created and ended here, in order: another one that had the id before is no more, which
    // comes behind so many of `gone`. Only damaged traces have any such.
    TP_LIST(struct tp_stretch_brief {
        int64_t id;
        int64_t begin_ns;
        uint32_t gone_count;
    }) briefs;
    struct tp_sum_part longest;    // of `briefs`; functions are strings
    struct tp_span_logs logs;
    struct tp_late_waits late_waits;
    TP_LIST(struct tp_region_mark) regions;
    struct tp_opens opens[TP_OPEN_KIND_COUNT];
    TP_LIST(struct tp_open_end) open_ends;
    TP_LIST(struct tp_gc_note) gc_notes;

    // Steps from the states that the events say, where it is not known better: what a first
    // change left is the carry's to correct.
    struct tp_levels levels;
    struct tp_map procs_by_id;
    TP_LIST(struct tp_stretch_proc) procs;
    struct tp_stretch_gauge gauges[TP_GAUGE_COUNT];

    // Reasons of blocking, by measure - TP_MEASURE_FIRST_BLOCK.
    struct tp_map reasons_by_string;
    TP_LIST(struct tp_stretch_reason {
        uint32_t string;
        bool is_forever;
    }) reasons;
    struct tp_stretch_reason_slot { // the last ones looked up
        uint64_t id_plus_1;
        uint32_t measure; // TP_MEASURE_NONE: for ever, as good as ended
    } reason_cache[64];

    uint8_t *stack_types; // enum tp_stack_type, by measure
    uint32_t stack_type_capacity;
    struct tp_root *roots; // by index of stack
    size_t root_capacity;
};

void tp_stretch_clear(struct tp_stretch *s); // keeps memory
void tp_stretch_fini(struct tp_stretch *s);  // zeroed is fine
int tp_stretch_fold(struct tp_stretch *s, const struct tp_block *block,
                    struct tp_error *err) TP_MUST_USE;

// About what it takes, but for tables by index of stack.
size_t tp_stretch_bytes(const struct tp_stretch *s);

// For the files of this module.

// NULL: out of memory.
struct tp_stretch_g *tp_stretch_add_g(struct tp_stretch *s, int64_t id) TP_MUST_USE;
TP_INLINE struct tp_stretch_g *tp_stretch_g_of(struct tp_stretch *s, int64_t id)
{
    uint32_t slot = tp_map_get(&s->gs_by_id, (uint64_t)id);
    return tp_likely(slot != TP_MAP_NONE) ? &s->gs.items[slot] : tp_stretch_add_g(s, id);
}
// All of these: false, out of memory. Any event: the first knows those that nearly all are,
// and hands on the others.
bool tp_stretch_event(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
bool tp_stretch_event_by_shape(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
// Of a goroutine that changes its state.
bool tp_stretch_change(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
// Books what was gathered.
bool tp_stretch_book(struct tp_stretch *s) TP_MUST_USE;
bool tp_stretch_close_regions(struct tp_stretch *s, struct tp_stretch_g *g,
                              int64_t end_ns) TP_MUST_USE;
bool tp_stretch_region(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
bool tp_stretch_range(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
bool tp_stretch_task(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
bool tp_stretch_proc(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
void tp_stretch_gauge(struct tp_stretch *s, const struct tp_event *e);
void tp_stretch_clear_levels(struct tp_stretch *s);
void tp_stretch_fini_levels(struct tp_stretch *s);
size_t tp_stretch_levels_bytes(const struct tp_stretch *s);

// To which goroutines in this state belong; TP_STATE_UNSEEN is none.
TP_INLINE enum tp_level tp_level_of_state(unsigned state)
{
    switch (state) {
    case TP_STATE_RUNNABLE: return TP_LEVEL_RUNNABLE;
    case TP_STATE_RUNNING: return TP_LEVEL_RUNNING;
    case TP_STATE_SYSCALL: return TP_LEVEL_SYSCALL;
    case TP_STATE_WAITING: return TP_LEVEL_BLOCKED;
    default: return TP_LEVEL_NONE;
    }
}

// Notes for the curves of mutator utilisation: of any event that changes no goroutine; of one
// that begins or ceases to execute, if its role says that this may matter; of one that was
// created; of one that ends, when nothing else of it is to be noted.
bool tp_stretch_gc(struct tp_stretch *s, const struct tp_event *e) TP_MUST_USE;
bool tp_stretch_gc_exec(struct tp_stretch *s, const struct tp_event *e, struct tp_stretch_g *g,
                        bool is_begin) TP_MUST_USE;
bool tp_stretch_gc_begin(struct tp_stretch *s, const struct tp_event *e,
                         struct tp_stretch_g *g) TP_MUST_USE;
bool tp_stretch_gc_end(struct tp_stretch *s, const struct tp_event *e,
                       const struct tp_stretch_g *g) TP_MUST_USE;

// The first of a stack, or one that has no place in `first_waits`.
bool tp_stretch_add_other_wait(struct tp_stretch *s, uint32_t stack, enum tp_stack_type type,
                               int64_t ns) TP_MUST_USE;
// A wait of `ns`, or a sample, with the stack of this index. False: out of memory.
TP_INLINE bool tp_stretch_add_wait(struct tp_stretch *s, uint32_t stack, enum tp_stack_type type,
                                   int64_t ns)
{
    if (tp_unlikely(stack == TP_NO_STACK || !s->has_stack_arrays))
        return tp_stretch_add_other_wait(s, stack, type, ns);
    struct tp_stretch_first_wait *w = &s->first_waits[stack];
    uint64_t total_ns;
    if (tp_unlikely(w->type_plus_1 != type + 1u ||
                    __builtin_add_overflow(w->total_ns, (uint64_t)ns, &total_ns)))
        return tp_stretch_add_other_wait(s, stack, type, ns);
    w->count++;
    w->total_ns = total_ns;
    return true;
}

uint32_t tp_stretch_string(const struct tp_stretch *s, uint64_t id);
TP_INLINE struct tp_span tp_stretch_text(const struct tp_stretch *s, uint32_t string)
{
    return s->tables != NULL ? s->tables->strings[string] : tp_span_of("", 0);
}
// Index of the stack; TP_NO_STACK.
uint32_t tp_stretch_stack(const struct tp_stretch *s, uint64_t id);
bool tp_stretch_make_tables(struct tp_stretch *s) TP_MUST_USE; // for new tables
struct tp_root tp_stretch_root(struct tp_stretch *s, uint64_t stack_id);
// Measure of blocking for the reason with this string id. False: out of memory.
bool tp_stretch_add_reason(struct tp_stretch *s, uint64_t reason_id,
                           uint32_t *ret_measure) TP_MUST_USE;
TP_INLINE bool tp_stretch_block_measure(struct tp_stretch *s, uint64_t reason_id,
                                        uint32_t *ret_measure)
{
    const struct tp_stretch_reason_slot *slot =
        &s->reason_cache[reason_id % TP_ARRAY_LEN(s->reason_cache)];
    *ret_measure = slot->measure;
    return tp_likely(slot->id_plus_1 == reason_id + 1) ||
           tp_stretch_add_reason(s, reason_id, ret_measure);
}

#endif
