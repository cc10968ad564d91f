// One goroutine of a summary: the fields of Go's GoroutineSummary, its current state with the
// time it began, and its open regions. Implements the steps of Go's Summarizer that concern a
// single goroutine; as there, a time of 0 means "not set".
//
// Times are in nanoseconds of the trace. Functions that get the summary's status fail with
// TP_E_MEMORY, or with TP_E_TOO_LARGE at a limit; the goroutine's times are then incomplete. One
// thread at a time uses a summary.
#ifndef TP_STATS_SUMMARY_GOROUTINE_H
#define TP_STATS_SUMMARY_GOROUTINE_H

#include "base/intern.h"
#include "base/nests.h"
#include "stats/summary/times.h"
#include "tracepipe/event.h"

#define TP_NAME_EMPTY 0 // number of the empty string

// An open region, kept compact because a goroutine may have a million of them. One allocation has
// the struct; then the lists of its base, which is a snapshot of the goroutine's times at the
// region's beginning (blocking times first, then ranges); then the region's name. The list of open
// regions owns it; tp_goroutine_remove_region frees it.
struct tp_summary_region {
    uint64_t task;
    int64_t start_ns;
    struct tp_time_sums base;
    uint16_t block_count; // length of the base's first list
    uint16_t range_count; // length of its second list
    bool is_inherited;    // from the creator; not listed among a task's regions
    uint32_t name_bytes;
};

// The open regions of all goroutines. Their keys have the task and a hash of the name.
struct tp_summary_regions {
    TP_NESTS(struct tp_summary_open {
        struct tp_nest_item nest;
        struct tp_summary_region *region;
    });
};
// Returns the region in a slot; NULL: the slot is 0.
TP_INLINE struct tp_summary_region *tp_summary_region_at(const struct tp_summary_regions *l,
                                                         uint32_t slot)
{
    return slot != 0 ? l->items[slot].region : NULL;
}

// The record of a goroutine; the summary owns it.
struct tp_summary_goroutine {
    int64_t id;
    // Number of the record, in order of creation. If an id has several records, the newest counts.
    uint64_t number;
    int64_t creation_ns;
    int64_t start_ns;
    int64_t end_ns;
    int64_t parent;
    bool has_parent;
    union {
        uint32_t name;      // name of its start function
        uint32_t next_free; // of a free record
    };
    uint64_t pc;
    struct tp_times times;

    // For each state the time at which it began; 0: the goroutine is not in that state.
    int64_t last_start_ns;
    int64_t last_runnable_ns;
    int64_t last_block_ns;
    int64_t last_syscall_ns;
    int64_t last_syscall_block_ns;
    uint32_t last_reason;
    int64_t syscall_p;    // in a syscall: the P on which the syscall began
    struct tp_time_list open_ranges; // by name: the time at which the range began
    uint32_t region;      // slot of the innermost open region; 0: none
};

// The first function returns the goroutine's times when the region began, the second one the
// region's name. Both results are borrowed and valid until the region is removed.
struct tp_times tp_summary_region_base(const struct tp_summary_region *r);
struct tp_span tp_summary_region_name(const struct tp_summary_region *r);

// Empties the record but keeps the memory of its lists, which is freed with the summary. The caller
// must have removed all regions.
void tp_goroutine_reset(struct tp_summary_goroutine *g);

// Adds `ns` to the goroutine's time in the state `in`. `has_p`: for a syscall, whether the
// goroutine has a P. A wait is added under the empty reason.
void tp_goroutine_count_state(struct tp_summary_goroutine *g, enum tp_state in, bool has_p,
                              int64_t ns, struct tp_summary_status *st);
// Call when the goroutine leaves `state`, which is not Undetermined or NotExist, at `now_ns`. Adds
// the time spent in the state. Returns whether the goroutine left a syscall whose beginning is
// known.
bool tp_goroutine_leave(struct tp_summary_goroutine *g, enum tp_state state, int64_t now_ns,
                        struct tp_summary_status *st);
// Notes that the goroutine enters `state`, which is not NotExist, at `now_ns`. `p` is used for a
// syscall only, `reason` (a number of the summary's names) for a wait only.
void tp_goroutine_enter(struct tp_summary_goroutine *g, enum tp_state state, int64_t p,
                        uint32_t reason, int64_t now_ns);

// Sets *into to the goroutine's times up to `now_ns`, including the open state and ranges. `fixes`
// is that of tp_summary_init, here and below. *into must be zeroed, or have times, whose memory is
// reused; the caller frees it by tp_times_fini.
void tp_goroutine_snapshot(const struct tp_summary_goroutine *g, int64_t now_ns, bool fixes,
                           struct tp_times *into, struct tp_summary_status *st);
// Replaces the goroutine's times by those that tp_goroutine_snapshot gives, and closes its state
// and its ranges. Its regions stay open.
void tp_goroutine_settle(struct tp_summary_goroutine *g, int64_t now_ns, bool fixes,
                         struct tp_summary_status *st);

// Handles an event that shows that the range is active: from now on the range counts as begun at
// `sync_ns`, the time of the last Sync. If it was open before, its time up to `sync_ns` is added.
void tp_goroutine_range_active(struct tp_summary_goroutine *g, uint32_t name, int64_t sync_ns,
                               struct tp_summary_status *st);
// Closes a range at `now_ns` and adds its time; does nothing if the range is not open.
void tp_goroutine_range_end(struct tp_summary_goroutine *g, uint32_t name, int64_t now_ns,
                            struct tp_summary_status *st);

// Opens a region inside the others; copies `base` and `name`. `is_inherited`: it is the region of
// the goroutine's creator.
void tp_goroutine_push_region(struct tp_summary_regions *l, struct tp_summary_goroutine *g,
                              uint64_t task, struct tp_span name, int64_t start_ns,
                              const struct tp_times *base, bool is_inherited,
                              struct tp_summary_status *st);
// Returns the slot of the goroutine's innermost region with this task and name that is not
// inherited; 0: there is none.
uint32_t tp_goroutine_find_region(struct tp_summary_regions *l,
                                  const struct tp_summary_goroutine *g, uint64_t task,
                                  struct tp_span name);
// Removes and frees a region of the goroutine.
void tp_goroutine_remove_region(struct tp_summary_regions *l, struct tp_summary_goroutine *g,
                                uint32_t slot, struct tp_summary_status *st);

#endif
