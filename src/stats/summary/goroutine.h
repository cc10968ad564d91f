// One goroutine of a summary: what Go's GoroutineSummary has, what it was doing since
// when, and its open regions. The steps of Go's Summarizer that concern it alone; times
// of 0 are "not set", as there.
//
// Times in nanoseconds of the trace. Every function that can fail does so for want of
// memory only (TP_E_MEMORY, TP_E_TOO_LARGE).
#ifndef TP_STATS_SUMMARY_GOROUTINE_H
#define TP_STATS_SUMMARY_GOROUTINE_H

#include "base/intern.h"
#include "stats/summary/times.h"
#include "tracepipe/event.h"

#define TP_NAME_EMPTY 0 // number of the empty string

// An open region, in as little as there is to say: a goroutine may have a million. Behind the
// struct stand the lists of the base, blocks first, and the name.
struct tp_summary_region {
    struct tp_summary_region *outer;
    uint64_t task;
    int64_t start_ns;
#define TP_X(field) int64_t field; // of the base
    TP_TIME_SUMS(TP_X)
#undef TP_X
    uint16_t block_count;
    uint16_t range_count;
    bool is_inherited;    // from the creator: of no task's regions
    uint32_t name_bytes;
};

struct tp_summary_goroutine {
    int64_t id;
    uint64_t number;      // of the record; a later one of the same id is the one that counts
    int64_t creation_ns;
    int64_t start_ns;
    int64_t end_ns;
    int64_t parent;
    bool has_parent;
    uint32_t name;        // of the function that it began with
    uint64_t pc;
    struct tp_times times;

    int64_t last_start_ns;
    int64_t last_runnable_ns;
    int64_t last_block_ns;
    int64_t last_syscall_ns;
    int64_t last_syscall_block_ns;
    uint32_t last_reason;
    int64_t syscall_p;    // in a syscall: the P it was begun on
    struct tp_time_list open_ranges; // when they began
    struct tp_summary_region *regions; // innermost first
};

// What the goroutine had spent when the region began, and its name; as long as the region.
struct tp_times tp_summary_region_base(const struct tp_summary_region *r);
struct tp_span tp_summary_region_name(const struct tp_summary_region *r);

// Fixes where Go's figures are plainly wrong.
struct tp_summary_rules {
    // Time in a blocked syscall counts once, as that, while it lasts, too.
    bool splits_open_syscalls;
    // Who leaves a syscall forgets the P only if nobody else is in a syscall there.
    bool keeps_others_syscalls;
    // A sweep that another goroutine ends does end.
    bool ends_moved_sweeps;
    // Regions that goroutines without a name leave open end with them.
    bool ends_unnamed_regions;
};

// An empty record; keeps the memory of its lists.
void tp_goroutine_reset(struct tp_summary_goroutine *g);

// Time from `since_ns` to `now_ns` in the state `in`. `reason`: of waiting.
int tp_goroutine_count_state(struct tp_summary_goroutine *g, enum tp_state in, bool has_p,
                             uint32_t reason, int64_t ns, struct tp_summary_memory *m,
                             struct tp_error *err) TP_MUST_USE;
// It leaves a state other than Undetermined and NotExist. *ret_left_syscall: of a syscall
// whose begin is known.
int tp_goroutine_leave(struct tp_summary_goroutine *g, enum tp_state state, int64_t now_ns,
                       struct tp_summary_memory *m, bool *ret_left_syscall,
                       struct tp_error *err) TP_MUST_USE;
// It enters a state that is not its end.
void tp_goroutine_enter(struct tp_summary_goroutine *g, enum tp_state state, int64_t p,
                        uint32_t reason, int64_t now_ns);

// What it has spent up to now, with what goes on.
int tp_goroutine_snapshot(const struct tp_summary_goroutine *g, int64_t now_ns,
                          const struct tp_summary_rules *rules, struct tp_times *into,
                          struct tp_summary_memory *m, struct tp_error *err) TP_MUST_USE;
// Makes that its times, and what went on stops. Regions stay.
int tp_goroutine_settle(struct tp_summary_goroutine *g, int64_t now_ns,
                        const struct tp_summary_rules *rules, struct tp_summary_memory *m,
                        struct tp_error *err) TP_MUST_USE;

int tp_goroutine_range_begin(struct tp_summary_goroutine *g, uint32_t name, int64_t now_ns,
                             struct tp_summary_memory *m, struct tp_error *err) TP_MUST_USE;
// Seen to be going on; `sync_ns`: the time of the last Sync.
int tp_goroutine_range_active(struct tp_summary_goroutine *g, uint32_t name, int64_t sync_ns,
                              struct tp_summary_memory *m, struct tp_error *err) TP_MUST_USE;
int tp_goroutine_range_end(struct tp_summary_goroutine *g, uint32_t name, int64_t now_ns,
                           struct tp_summary_memory *m, struct tp_error *err) TP_MUST_USE;

// Opens a region inside the others; `base` and `name` are copied.
int tp_goroutine_push_region(struct tp_summary_goroutine *g, uint64_t task, struct tp_span name,
                             int64_t start_ns, const struct tp_times *base,
                             struct tp_summary_memory *m, struct tp_error *err) TP_MUST_USE;
// Frees the innermost one.
void tp_goroutine_pop_region(struct tp_summary_goroutine *g, struct tp_summary_memory *m);

#endif
